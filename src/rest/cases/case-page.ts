/** Writes whole cases as JSON, a part at a time: a page of long cases delays no call and fills no memory (cases-17). */
import { Readable } from 'node:stream'
import type { ActivityId } from '../../kernel/ids.ts'
import type { Case, CaseRepository, FoundCase, LongList } from '../../ports/case-repository.ts'
import { shownLogs } from './case-log-schema.ts'
import { CASE, COMMENT, LOG } from './case-schema.ts'

/** About what is read, shown and written in one go: a few milliseconds. */
const PART_BYTES = 64 * 1024
/** What a case takes without its long lists, about. */
const HEAD_BYTES = 4 * 1024

const LONG_LISTS: readonly LongList[] = ['texts', 'logs']

type Reading = Pick<CaseRepository, 'readCases' | 'readEntries'>

/** A list of the cases, in this order, with these lists of theirs. What was erased meanwhile is left out. */
export function caseStream(cases: Reading, page: readonly FoundCase[], lists: readonly LongList[]): Readable {
  return Readable.from(pageTexts(cases, page, lists), { objectMode: false })
}

/** The bytes of a case in the answer, about. */
export function bytesOf({ bytes }: FoundCase, lists: readonly LongList[]): number {
  return lists.reduce((sum, list) => sum + bytes[list], HEAD_BYTES)
}

async function* pageTexts(
  cases: Reading,
  page: readonly FoundCase[],
  lists: readonly LongList[],
): AsyncGenerator<string> {
  let before = '['
  for (const group of groupsOf(page, lists)) {
    const isLong = bytesOf(group[0]!, lists) > PART_BYTES
    const ids = group.map(({ id }) => id)
    for (const one of await cases.readCases(ids, isLong ? [] : lists)) {
      const text = JSON.stringify(fieldsOf(CASE.show(one), isLong ? [] : lists))
      yield before + (isLong ? text.slice(0, -1) : text)
      if (isLong) yield* listTexts(cases, one.record.id, lists)
      before = ','
    }
  }
  yield before === '[' ? '[]' : ']'
}

/** Without the long lists that are not among these. */
function fieldsOf(shown: Readonly<Record<string, unknown>>, lists: readonly LongList[]): object {
  const leftOut = LONG_LISTS.filter((list) => !lists.includes(list)) as readonly string[]
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !leftOut.includes(name)))
}

/** Cases that are read together; a long one is alone. */
function* groupsOf(page: readonly FoundCase[], lists: readonly LongList[]): Generator<readonly FoundCase[]> {
  let group: FoundCase[] = []
  let bytes = 0
  for (const one of page) {
    const more = bytesOf(one, lists)
    if (bytes + more > PART_BYTES && group.length > 0) {
      yield group
      group = []
      bytes = 0
    }
    group.push(one)
    bytes += more
  }
  if (group.length > 0) yield group
}

const SHOWN: { readonly [List in LongList]: (entry: Case[List][number]) => readonly object[] } = {
  texts: (text) => [COMMENT.show(text)],
  logs: (log) => shownLogs(log).map((one) => LOG.show(one)),
}

/** The long lists of a case and the end of its object. */
async function* listTexts(cases: Reading, id: ActivityId, lists: readonly LongList[]): AsyncGenerator<string> {
  for (const list of lists) yield* entryTexts(cases, id, list)
  yield '}'
}

async function* entryTexts<List extends LongList>(cases: Reading, id: ActivityId, list: List): AsyncGenerator<string> {
  let before = `,${JSON.stringify(list)}:[`
  let last = 0
  for (;;) {
    const entries = await cases.readEntries(list, id, last, PART_BYTES)
    const shown = entries.flatMap(({ entry }) => SHOWN[list](entry))
    if (shown.length > 0) yield before + JSON.stringify(shown).slice(1, -1)
    before = shown.length > 0 ? ',' : before
    const end = entries.at(-1)
    if (end === undefined) break
    last = end.id
  }
  yield before === ',' ? ']' : `${before}]`
}
