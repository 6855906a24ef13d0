import type { Pool } from 'pg'
import { query } from './transaction.ts'

/** Conditions that hold together. Those without a value are not written, so that the others use their indexes. */
export class Criteria {
  /** In the order in which the statement names them. */
  readonly values: unknown[] = []
  readonly #conditions: string[] = []

  /** Adds a condition where there is a value; `condition` gets the name of the value. */
  add(value: unknown, condition: (name: string) => string): this {
    if (value !== undefined) this.#conditions.push(condition(this.bind(value)))
    return this
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** All of them. There is always one: whose things are looked for. */
  get where(): string {
    return this.#conditions.join(' and ')
  }
}

/** The rows `offset` to `offset + rowsMax` of what fits; where ids are named, there is at most one row for each. */
export interface Window {
  readonly offset: number
  readonly rowsMax: number
  readonly ids?: readonly unknown[]
}

/** How many rows there are; `from` is everything of the statement after its columns. */
export async function countOf(pool: Pool, from: string, values: readonly unknown[]): Promise<number> {
  const rows = await query<{ found: number }>(pool, `select count(*) as found ${from}`, values)
  // A count has one row.
  return rows[0]!.found
}

/** How many fit in all. Counts only if the window does not show it: a window that is not full shows the end. */
export async function totalOf(
  { offset, rowsMax, ids }: Window,
  rowsInWindow: number,
  count: () => Promise<number>,
): Promise<number> {
  const last = offset + rowsInWindow
  const isEndSeen = rowsInWindow < rowsMax && (rowsInWindow > 0 || offset === 0)
  return isEndSeen || last === ids?.length ? last : count()
}
