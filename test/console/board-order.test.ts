/** The order of the rows of the board, the names on it, and its durations. */
import { expect, test } from 'vitest'
import { kept, ordered } from '../../src/console/board/agent-order.ts'
import { type AgentRow, queuesShown } from '../../src/console/board/board-rows.ts'
import { CallIndex } from '../../src/console/board/call-index.ts'
import { RowStore } from '../../src/console/stream/row-store.ts'

const agent = (userName: string, state: string, sinceTs: string): AgentRow => {
  return { userName, state, sinceTs, untilTs: null, reason: null, asked: null }
}

test('who needs somebody stands first, then by state and by how long it has lasted', () => {
  const agents = [
    agent('ready', 'ready', '2026-11-28T10:00:00Z'),
    agent('late', 'talking', '2026-11-28T10:00:09Z'),
    agent('early', 'talking', '2026-11-28T10:00:00Z'),
    agent('break', 'paused', '2026-11-28T09:00:00Z'),
    agent('lost', 'calling', '2026-11-28T10:00:00Z'),
  ]
  expect(ordered(agents, ['break'])).toEqual(['break', 'lost', 'early', 'late', 'ready'])
})

test('rows that are kept where they are lose who left, and get who came at the end', () => {
  const shown = ['c', 'a', 'b']
  expect(kept(shown, ['a', 'b', 'c'])).toBe(shown)
  expect(kept(shown, ['d', 'a', 'c'])).toEqual(['c', 'a', 'd'])
})

test('an agent hears of their own call alone', () => {
  const flushes: (() => void)[] = []
  const rows = new RowStore((flush) => flushes.push(flush))
  const index = new CallIndex(rows)
  const heard: string[] = []
  for (const name of ['anna', 'bo']) index.subscribe(name, () => heard.push(name))
  rows.apply([['u', 'call', 'c1', { callId: 'c1', userName: 'anna' }]])
  for (const flush of flushes.splice(0)) flush()
  expect([index.callOf('anna'), index.callOf('bo'), heard]).toEqual(['c1', undefined, ['anna']])
  rows.apply([['u', 'call', 'c1', { userName: 'bo' }]])
  for (const flush of flushes.splice(0)) flush()
  expect([index.callOf('anna'), index.callOf('bo'), heard]).toEqual([undefined, 'c1', ['anna', 'anna', 'bo']])
  rows.apply([['u', 'call', 'c1', { waits: { why: 'nextAgent', sinceTs: '2026-11-28T10:00:00Z' } }]])
  for (const flush of flushes.splice(0)) flush()
  expect([index.callOf('anna'), index.callOf('bo')]).toEqual([undefined, undefined])
  heard.length = 0
  rows.replace([['call', 'c1', { callId: 'c1', userName: 'anna' }]])
  for (const flush of flushes.splice(0)) flush()
  expect([index.callOf('anna'), heard]).toEqual(['c1', ['anna']])
  rows.apply([['x', 'call', 'c1']])
  for (const flush of flushes.splice(0)) flush()
  expect([index.callOf('anna'), heard]).toEqual([undefined, ['anna', 'anna']])
})

test('the filter of a team leaves its queue alone', () => {
  const rows = new RowStore(() => {})
  for (const name of ['front', 'back']) rows.apply([['u', 'queue', name, { name }]])
  const directory = { people: new Map(), teams: [{ ucquId: 3, name: 'front' }], campaigns: [] }
  const shown = (team?: number) => queuesShown(rows, { team }, directory).map(({ name }) => name)
  expect([shown(), shown(3), shown(4)]).toEqual([['front', 'back'], ['front'], []])
})
