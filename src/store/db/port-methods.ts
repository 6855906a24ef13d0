import type { Pools } from './pools.ts'

/** The methods of a port with the pools as an additional first parameter; all other types come from the port. */
export type In<Port, Given = Pools> = {
  readonly [Name in keyof Port]: Port[Name] extends (...values: infer Values) => infer Result
    ? (given: Given, ...values: Values) => Result
    : never
}

/** Makes the port from its methods; each call passes `given` as the first argument. */
export function portOf<Port, Given = Pools>(given: Given, methods: In<Port, Given>): Port {
  const entries = Object.entries(methods as Record<string, (...values: unknown[]) => unknown>)
  return Object.fromEntries(
    entries.map(([name, method]) => [name, (...values: unknown[]) => method(given, ...values)]),
  ) as Port
}
