import { expect, test } from 'vitest'
import type { CallId } from '../../src/kernel/ids.ts'
import type { JournalLine } from '../../src/ports/journal.ts'
import { memoryJournal } from './memory-journal.ts'

const line = (call: string, number: number): JournalLine => ({
  atMs: number,
  call: call as CallId,
  kind: 'note',
  by: 'call',
  what: { type: 'counted', number },
})

test('a journal in memory gives back the lines of one call, in order', async () => {
  const journal = memoryJournal()
  for (const [call, number] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    journal.append(line(call, number))
  expect(await journal.read('a' as CallId)).toEqual([line('a', 1), line('a', 3)])
  expect(journal.calls()).toEqual(['a', 'b'])
})

test('given more calls than its limit, a journal in memory drops the oldest', async () => {
  const journal = memoryJournal(2)
  for (const [index, call] of ['a', 'b', 'c'].entries()) journal.append(line(call, index))
  expect(journal.calls()).toEqual(['b', 'c'])
  expect(await journal.read('a' as CallId)).toEqual([])
})
