import { expect, test } from 'vitest'
import { RecordWriter, type WriteEntry } from '../../src/engine/record-writer.ts'
import type { AttemptId, CallTaskId, Fence } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { DatabaseUnavailable, type DialerRepository } from '../../src/ports/dialer-repository.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** A database that records its entries, and is unavailable on demand. */
function world({ spooled = [] as object[], fence = 7 } = {}) {
  const clock = new VirtualClock()
  const written: { what: string; value: unknown }[] = []
  const logged: string[] = []
  const aside: object[] = []
  const state = { isAway: false, isBroken: false, isRefusing: false }
  const keep = (what: string) => async (value: unknown) => {
    if (state.isAway) throw new DatabaseUnavailable('away')
    if (state.isRefusing && what === 'callEnded') return { outcome: 'refused', why: 'fenced off' }
    if (state.isBroken) throw new TypeError('a mistake of ours about +4522100007')
    written.push({ what, value })
    return undefined
  }
  const dialerRepository = {
    attemptConnected: keep('connected'),
    endAttempt: keep('attemptEnded'),
    finishCall: keep('callEnded'),
    setCallback: keep('callback'),
    recordFeedback: keep('feedback'),
    correctToMachine: keep('machine'),
  } as unknown as DialerRepository
  const spool = {
    append: (entry: object) => void spooled.push(structuredClone(entry)),
    read: () => [...spooled],
    clear: (but: readonly object[] = []) => void spooled.splice(0, spooled.length, ...structuredClone(but)),
    setAside: (entry: object) => void aside.push(entry),
  }
  const log = makeLog('debug', { write: (line: string) => void logged.push(line) })
  const options = { dialerRepository, clock, log, spool, fence: () => fence as Fence, onWritten: () => {} }
  return { aside, clock, written, logged, state, spooled, recordWriter: new RecordWriter(options) }
}

const connected = (key: string, attempt: number): WriteEntry => ({
  key,
  what: 'connected',
  value: { attempt: attempt as AttemptId, fence: 1 as Fence, atMs: attempt, agent: 'anna' as never },
})

const attemptsOf = (written: readonly { value: unknown }[]) =>
  written.map(({ value }) => (value as { attempt: number }).attempt)

test('entries are written, and nothing is spooled while the database is available', async () => {
  const { recordWriter, written, spooled } = world()
  for (const attempt of [1, 2, 3]) recordWriter.write(connected(`leg-${attempt}`, attempt))
  await recordWriter.settled()
  expect([attemptsOf(written), spooled, recordWriter.pending, recordWriter.isBehind]).toEqual([[1, 2, 3], [], 0, false])
})

test('entries of one call are written in their order, whatever the number of retries', async () => {
  const { recordWriter, written, state, clock } = world()
  state.isAway = true
  for (const attempt of [1, 2, 3, 4]) recordWriter.write(connected('one call', attempt))
  await clock.runWithPromises(5_000)
  state.isAway = false
  await clock.runWithPromises(5_000)
  expect(attemptsOf(written)).toEqual([1, 2, 3, 4])
})

test('while the database is unavailable the engine is notified, and every entry is in the spool file', async () => {
  const { recordWriter, written, state, clock, spooled } = world()
  state.isAway = true
  for (const attempt of [1, 2, 3, 4, 5, 6]) recordWriter.write(connected(`leg-${attempt}`, attempt))
  await clock.runWithPromises(60_000)
  expect([written, recordWriter.isBehind, recordWriter.holds('leg-6')]).toEqual([[], true, true])
  expect(new Set(spooled.map((entry) => (entry as WriteEntry).key)).size).toBe(6)
  state.isAway = false
  await clock.runWithPromises(10_000)
  expect(attemptsOf(written).sort()).toEqual([1, 2, 3, 4, 5, 6])
  expect([recordWriter.isBehind, spooled]).toEqual([false, []])
})

test('entries left in the spool file are written by the next engine, under its own fence', async () => {
  const left = connected('leg-9', 9)
  const { recordWriter, written, clock, spooled } = world({ spooled: [left], fence: 12 })
  void recordWriter.resume()
  await clock.runWithPromises(1_000)
  expect(written).toMatchObject([{ what: 'connected', value: { attempt: 9, fence: 12 } }])
  expect([spooled, recordWriter.isBehind]).toEqual([[], false])
})

test('an entry that can never be written is skipped, logged, and blocks no other entry', async () => {
  const { recordWriter, written, state, logged, aside } = world()
  state.isBroken = true
  recordWriter.write(connected('broken', 1))
  await recordWriter.settled()
  state.isBroken = false
  recordWriter.write({ key: 'next', what: 'callback', value: { task: 3 as CallTaskId } as never })
  await recordWriter.settled()
  expect(written).toMatchObject([{ what: 'callback' }])
  expect(aside).toMatchObject([{ key: 'broken' }])
  expect(logged.join('')).toContain('"key":"broken"')
  expect(logged.join('')).not.toContain('+45')
})

test('a bad entry left in the spool file does not stop dialing for ever', async () => {
  const { recordWriter, state, clock, spooled } = world({ spooled: [connected('broken', 1)] })
  state.isBroken = true
  void recordWriter.resume()
  await clock.runWithPromises(1_000)
  expect([recordWriter.isBehind, spooled]).toEqual([false, []])
})

const ended = (key: string): WriteEntry => ({ key, what: 'callEnded', value: { call: key } as never })
const keysOf = (entries: readonly object[]) => entries.map((entry) => (entry as WriteEntry).key)

test('an end that is refused is in the spool until it is taken, and through an outage of the database', async () => {
  const { recordWriter, written, state, clock, spooled, aside } = world()
  state.isRefusing = true
  recordWriter.write(ended('leg-1'))
  await clock.runWithPromises(1_000)
  expect([keysOf(spooled), [...recordWriter.keys()], recordWriter.isBehind]).toEqual([['leg-1'], ['leg-1'], false])
  state.isAway = true
  recordWriter.write(connected('leg-2', 2))
  await clock.runWithPromises(10_000)
  expect(keysOf(spooled)).toEqual(['leg-1', 'leg-2'])
  state.isAway = false
  await clock.runWithPromises(10_000)
  expect([keysOf(spooled), recordWriter.isBehind]).toEqual([['leg-1'], false])
  state.isRefusing = false
  await clock.runWithPromises(60_000)
  expect(written.map(({ what }) => what)).toEqual(['connected', 'callEnded'])
  expect([spooled, aside, recordWriter.keys().size]).toEqual([[], [], 0])
})

test('an end that an earlier engine was refused is told again by the next one, and set aside in the end', async () => {
  const { recordWriter, state, clock, spooled, aside } = world({ spooled: [ended('leg-1')] })
  state.isRefusing = true
  void recordWriter.resume()
  await clock.runWithPromises(5 * 60_000)
  expect([keysOf(spooled), aside, recordWriter.isBehind]).toEqual([['leg-1'], [], false])
  await clock.runWithPromises(10 * 60_000)
  expect([spooled, keysOf(aside), recordWriter.keys().size]).toEqual([[], ['leg-1'], 0])
})
