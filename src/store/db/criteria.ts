import type { Pool } from 'pg'
import { query } from './transaction.ts'

/** Conditions joined by "and". Those without a value are left out: the others can then use their indexes. */
export class Criteria {
  /** In the order of the statement's parameters. */
  readonly values: unknown[] = []
  readonly #conditions: string[] = []

  /** Adds a condition if there is a value; `condition` gets the parameter's name, such as `$1`. */
  add(value: unknown, condition: (name: string) => string): this {
    if (value !== undefined) this.#conditions.push(condition(this.bind(value)))
    return this
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** All conditions. There is always one: the corporations. */
  get where(): string {
    return this.#conditions.join(' and ')
  }
}

/** Matching rows from `offset` to `offset + rowsMax`; with given ids, at most one row for each. */
export interface Window {
  readonly offset: number
  readonly rowsMax: number
  readonly ids?: readonly unknown[]
}

/** Counts rows; `from` is the statement after its columns. */
export async function countOf(pool: Pool, from: string, values: readonly unknown[]): Promise<number> {
  const rows = await query<{ found: number }>(pool, `select count(*) as found ${from}`, values)
  // A count returns one row.
  return rows[0]!.found
}

/** The number of all matches. Counts only if necessary: a window that is not full shows the end. */
export async function totalOf(
  { offset, rowsMax, ids }: Window,
  rowsInWindow: number,
  count: () => Promise<number>,
): Promise<number> {
  const last = offset + rowsInWindow
  const isEndSeen = rowsInWindow < rowsMax && (rowsInWindow > 0 || offset === 0)
  return isEndSeen || last === ids?.length ? last : count()
}
