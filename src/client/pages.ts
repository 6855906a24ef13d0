/** Paging: by page number, by offset, by row range, or by cursor. */
import { type Operations, PAGED } from './operations.ts'
import type { AnyRequest } from './request.ts'

/** Operations with pages. */
export type PagedName = keyof typeof PAGED

interface Paging {
  readonly by: 'pageNumber' | 'offset' | 'limitFrom' | 'after'
  readonly in: 'query' | 'body'
  /** Field with the rows; absent if the answer is the list. */
  readonly rows?: string
}

/** A row of an operation's answer. */
export type RowOf<Name extends PagedName> = Operations[Name]['answer'] extends readonly (infer Row)[]
  ? Row
  : (typeof PAGED)[Name] extends { readonly rows: infer Rows extends keyof Operations[Name]['answer'] }
    ? Operations[Name]['answer'][Rows] extends readonly (infer Row)[] | undefined
      ? Row
      : never
    : never

/** Default page size; every operation accepts it. */
const ROWS = 500

/** Rows of all pages. If a list changes meanwhile, a row may come twice or never, except in the event feed. */
export async function* rowsOf<Row>(
  name: PagedName,
  request: AnyRequest,
  ask: (request: AnyRequest) => Promise<unknown>,
): AsyncIterableIterator<Row> {
  const paging: Paging = PAGED[name]
  const place = paging.in
  const fields = { ...(request[place] as object) } as Record<string, unknown>
  for (let turn: Fields | undefined = firstTurn(paging, fields); turn; ) {
    const answer = await ask({ ...request, [place]: { ...fields, ...turn } })
    const rows = (paging.rows === undefined ? answer : (answer as Fields)[paging.rows]) as Row[]
    yield* rows
    turn = nextTurn(paging, turn, rows.length, answer)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Parameters of the first page; keeps those of the request. */
function firstTurn({ by }: Paging, fields: Fields): Fields {
  const from = Number(fields[by] ?? 0)
  switch (by) {
    case 'pageNumber':
      return { pageNumber: Number(fields['pageNumber'] ?? 1), limit: fields['limit'] ?? ROWS }
    case 'offset':
      return { offset: from, size: fields['size'] ?? ROWS }
    case 'limitFrom':
      return { limitFrom: from, limitTo: fields['limitTo'] ?? from + ROWS }
    case 'after':
      return { ...(fields['after'] !== undefined && { after: fields['after'] }), limit: fields['limit'] ?? ROWS }
  }
}

/** Parameters of the next page; undefined after the last one. */
function nextTurn({ by }: Paging, turn: Fields, rows: number, answer: unknown): Fields | undefined {
  const size = Number(turn['size'])
  const from = Number(turn['limitFrom'])
  const width = Number(turn['limitTo']) - from
  const { pageCount, next, more } = (answer ?? {}) as Fields
  switch (by) {
    case 'pageNumber': {
      // Only where `after` was sent: rows come and go meanwhile, and the number is not looked at.
      if (next !== undefined) return next === null ? undefined : { ...turn, after: next }
      const page = Number(turn['pageNumber'])
      return page < Number(pageCount) ? { ...turn, pageNumber: page + 1 } : undefined
    }
    case 'offset':
      return rows < size ? undefined : { ...turn, offset: Number(turn['offset']) + size }
    case 'limitFrom':
      return rows < width ? undefined : { limitFrom: from + width, limitTo: from + 2 * width }
    case 'after':
      return more === true ? { ...turn, after: next } : undefined
  }
}
