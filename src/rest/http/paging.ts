/** Pages of the dialer's lists (contract.md §2.3, §8; D-05, D-09). */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { RowStream } from '../../ports/call-task.ts'
import type { Answer } from './answer.ts'
import { readJson } from './parse-json.ts'
import type { FieldError } from './problem-kinds.ts'
import { type Asker, isSupervising } from './route.ts'

/** A page; the first one is 0. */
export interface Page {
  readonly page: number
  readonly rowsMax: number
}

/** contract.md §8. */
const LIMIT_DEFAULT = 50
const LIMIT_OF_NOTHING = 1_000
const LIMIT_MAX = 50_000
/** Our choice: nobody reads more on a screen. */
const LIMIT_OF_AGENTS = 100
/** Keeps row numbers below 2^53. */
const PAGES_MAX = 1_000_000_000

/** Page parameters, in bodies and in queries. */
export const PAGE_FIELDS = {
  limit: Type.Optional(Type.Integer({ description: 'Rows per page: default 50; 0 or less means 1000; maximum 50000' })),
  pageNumber: Type.Optional(Type.Integer({ description: 'Page number, starting at 1; default 1' })),
}

/** Fields of every page besides its rows. */
export const PAGE_FACTS = {
  foundRows: Type.Integer({ description: 'Number of matching rows on all pages' }),
  firstRow: Type.Integer({ description: 'Number of the first row on the page, starting at 1; 0 for an empty page' }),
  lastRow: Type.Integer(),
  pageCount: Type.Integer({ description: 'Number of pages' }),
}

/** A long name, in base64. */
const CURSOR_LETTERS_MAX = 8_000

/** `after` of a request: the `next` of what came before. */
export const afterField = (description: string) =>
  Type.Optional(Type.String({ maxLength: CURSOR_LETTERS_MAX, description: `\`next\` of ${description}` }))
/** `after` of a list that rows come to and leave (rest-48). */
export const AFTER = afterField(
  'the page before, with the same filters: rows that come or go since cause no gap. The first page: empty. Without ' +
    'it the answer has no `next`',
)

/** `next` of an answer. */
export const NEXT = Type.Union([Type.String(), Type.Null()], { description: 'To be sent as `after`; null: the end' })

/** The text for a place; `readCursor` gives the parts again. */
export function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Clients may have changed the text: nothing is known of the parts but that they are JSON without NUL. */
export function readCursor(text: string): readonly unknown[] {
  const reading = readJson(Buffer.from(text, 'base64url'))
  return reading.ok && Array.isArray(reading.value) ? reading.value : []
}

/** What is wrong with an `after` that names no place of this list. */
export const NO_CURSOR: FieldError = {
  path: 'after',
  code: 'cursor',
  message: 'is not the `next` of a page of this list; omit it to begin anew',
}

/** The requested page. `limitMax` for lists with a lower limit than the contract's 50,000. */
export function readPage(
  { limit = LIMIT_DEFAULT, pageNumber = 1 }: { readonly limit?: number; readonly pageNumber?: number },
  limitMax = LIMIT_MAX,
): Page {
  const rowsMax = Math.min(limit <= 0 ? LIMIT_OF_NOTHING : limit, limitMax)
  return { page: Math.min(Math.max(pageNumber, 1), PAGES_MAX) - 1, rowsMax }
}

/** The page of a search of persons. Who sees a part alone is not given long pages of it (rest-24). */
export function readPageOf(asker: Pick<Asker, 'boundTo' | 'teams'>, asked: Parameters<typeof readPage>[0]): Page {
  return readPage(asked, isSupervising(asker) ? LIMIT_MAX : LIMIT_OF_AGENTS)
}

/** `foundRows`, `firstRow`, `lastRow` and `pageCount` of a page with `rowsHere` rows. */
export function pageFacts({ page, rowsMax }: Page, rowsHere: number, foundRows: number) {
  const before = page * rowsMax
  return {
    foundRows,
    firstRow: rowsHere === 0 ? 0 : before + 1,
    lastRow: rowsHere === 0 ? 0 : before + rowsHere,
    pageCount: Math.ceil(foundRows / rowsMax),
  }
}

/** A list whose pages name the next one. */
interface Chain {
  /** The page came by the name that the one before gave: its number tells nothing of the rows before it. */
  readonly isContinued: boolean
  /** The `next` of a page that ends with this row, a JSON text. */
  nextOf(row: string): string
}

/** Streams rows from the database: `{"callTasks": […], "foundRows": …}`. */
export function streamPage(name: string, stream: RowStream, page: Page, chain?: Chain): Answer {
  const body = Readable.from(pageTexts(name, stream, page, chain), { objectMode: false })
  return { stream: body, headers: { 'content-type': 'application/json; charset=utf-8' } }
}

/** The totals come last: a page that is not full gives the total without a second query. */
async function* pageTexts(
  name: string,
  { rows, count }: RowStream,
  page: Page,
  chain: Chain | undefined,
): AsyncGenerator<string> {
  let rowsHere = 0
  let last = ''
  let counted: Promise<number> | undefined
  yield `{${JSON.stringify(name)}:[`
  for await (const part of rows) {
    yield (rowsHere === 0 ? '' : ',') + part.join(',')
    rowsHere += part.length
    last = part.at(-1) ?? last
    counted ??= part.length < Math.min(PART_IS_FULL, page.rowsMax) ? undefined : countBeside(count)
  }
  const isKnown = rowsHere < page.rowsMax && (rowsHere > 0 || page.page === 0) && !chain?.isContinued
  const foundRows = isKnown ? page.page * page.rowsMax + rowsHere : await (counted ?? count())
  const next = chain && { next: rowsHere < page.rowsMax ? null : chain.nextOf(last) }
  yield `],${JSON.stringify({ ...pageFacts(page, rowsHere, foundRows), ...next }).slice(1)}`
}

/** After a part of this size more rows follow, so the rows are counted while the others are sent. */
const PART_IS_FULL = 250

/** The result may never be awaited; the empty `catch` prevents an unhandled rejection. */
function countBeside(count: () => Promise<number>): Promise<number> {
  const counted = count()
  counted.catch(() => {})
  return counted
}
