/** Pages of the dialer's lists (contract.md §2.3, §8; D-05, D-09). */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { RowStream } from '../../ports/call-task.ts'
import type { Answer } from './answer.ts'

/** A page as the memory counts them, from 0. */
export interface Page {
  readonly page: number
  readonly rowsMax: number
}

/** contract.md §8. */
const LIMIT_DEFAULT = 50
const LIMIT_OF_NOTHING = 1_000
const LIMIT_MAX = 50_000
/** No table of ours has so many pages; beyond it the place of a row could not be held exactly. */
const PAGES_MAX = 1_000_000_000

/** The fields by which a page is asked for, in bodies and in queries. */
export const PAGE_FIELDS = {
  limit: Type.Optional(
    Type.Integer({ description: 'Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most.' }),
  ),
  pageNumber: Type.Optional(Type.Integer({ description: 'From 1; 1 when absent.' })),
}

/** What every page tells beside its rows. */
export const PAGE_FACTS = {
  foundRows: Type.Integer({ description: 'Matches on all pages together.' }),
  firstRow: Type.Integer({ description: 'From 1; 0 for a page without rows.' }),
  lastRow: Type.Integer(),
  pageCount: Type.Integer({ description: 'Pages of this limit.' }),
}

/** The page that is asked for. `limitMax` where a list is narrower than the contract's 50,000. */
export function readPage(
  { limit = LIMIT_DEFAULT, pageNumber = 1 }: { readonly limit?: number; readonly pageNumber?: number },
  limitMax = LIMIT_MAX,
): Page {
  const rowsMax = Math.min(limit <= 0 ? LIMIT_OF_NOTHING : limit, limitMax)
  return { page: Math.min(Math.max(pageNumber, 1), PAGES_MAX) - 1, rowsMax }
}

/** `foundRows`, `firstRow`, `lastRow` and `pageCount` of a page with so many rows. */
export function pageFacts({ page, rowsMax }: Page, rowsHere: number, foundRows: number) {
  const before = page * rowsMax
  return {
    foundRows,
    firstRow: rowsHere === 0 ? 0 : before + 1,
    lastRow: rowsHere === 0 ? 0 : before + rowsHere,
    pageCount: Math.ceil(foundRows / rowsMax),
  }
}

/** Sends rows as they come from the memory: `{"callTasks": […], "foundRows": …}`. */
export function streamPage(name: string, stream: RowStream, page: Page): Answer {
  const body = Readable.from(pageTexts(name, stream, page), { objectMode: false })
  return { stream: body, headers: { 'content-type': 'application/json; charset=utf-8' } }
}

/**
 * The facts come last, because they are known last: whoever has read a page that is not full knows how many rows
 * there are, and needs no second question.
 */
async function* pageTexts(name: string, { rows, count }: RowStream, page: Page): AsyncGenerator<string> {
  let rowsHere = 0
  let counted: Promise<number> | undefined
  yield `{${JSON.stringify(name)}:[`
  for await (const part of rows) {
    yield (rowsHere === 0 ? '' : ',') + part.join(',')
    rowsHere += part.length
    counted ??= part.length < Math.min(PART_IS_FULL, page.rowsMax) ? undefined : countBeside(count)
  }
  const isKnown = rowsHere < page.rowsMax && (rowsHere > 0 || page.page === 0)
  const foundRows = isKnown ? page.page * page.rowsMax + rowsHere : await (counted ?? count())
  yield `],${JSON.stringify(pageFacts(page, rowsHere, foundRows)).slice(1)}`
}

/** A part of so many rows is hardly the last one: rows are counted while the others are sent. */
const PART_IS_FULL = 250

/** Its failure is met by whoever waits for it, which may be nobody. */
function countBeside(count: () => Promise<number>): Promise<number> {
  const counted = count()
  counted.catch(() => {})
  return counted
}
