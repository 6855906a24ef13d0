import type { Pools } from './pools.ts'

/** The methods of a port as the store writes them: what they work on comes first, the types come from the port. */
export type In<Port, Given = Pools> = {
  readonly [Name in keyof Port]: Port[Name] extends (...values: infer Values) => infer Result
    ? (given: Given, ...values: Values) => Result
    : never
}

/** The port whose methods these are; each call hands on what is given. */
export function portOf<Port, Given = Pools>(given: Given, methods: In<Port, Given>): Port {
  const entries = Object.entries(methods as Record<string, (...values: unknown[]) => unknown>)
  return Object.fromEntries(
    entries.map(([name, method]) => [name, (...values: unknown[]) => method(given, ...values)]),
  ) as Port
}
