import { expect, test } from 'vitest'
import { type Entry, Scribe } from '../../src/engine/record-writer.ts'
import { makeLog } from '../../src/kernel/log.ts'
import type { AttemptId, Fence } from '../../src/ports/attempt.ts'
import type { CallTaskId } from '../../src/ports/call-task.ts'
import { type Records, RecordsUnavailable } from '../../src/ports/dialer-repository.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** A memory that writes down what reaches it, and is away when it is told to be. */
function world({ spooled = [] as object[], fence = 7 } = {}) {
  const clock = new VirtualClock()
  const written: { what: string; value: unknown }[] = []
  const logged: string[] = []
  const aside: object[] = []
  const state = { isAway: false, isBroken: false }
  const keep = (what: string) => async (value: unknown) => {
    if (state.isAway) throw new RecordsUnavailable('away')
    if (state.isBroken) throw new TypeError('a mistake of ours about +4522100007')
    written.push({ what, value })
  }
  const records = {
    ...{ attemptConnected: keep('connected'), endAttempt: keep('attemptEnded'), finishCall: keep('callEnded') },
    ...{ setCallback: keep('callback'), recordFeedback: keep('feedback'), correctToMachine: keep('machine') },
  } as unknown as Records
  const spool = {
    append: (entry: object) => void spooled.push(structuredClone(entry)),
    read: () => [...spooled],
    clear: () => void spooled.splice(0),
    setAside: (entry: object) => void aside.push(entry),
  }
  const log = makeLog('debug', { write: (line: string) => void logged.push(line) })
  const options = { records, clock, log, spool, fence: () => fence as Fence, onWritten: () => {} }
  return { aside, clock, written, logged, state, spooled, scribe: new Scribe(options) }
}

const connected = (key: string, attempt: number): Entry => ({
  key,
  what: 'connected',
  value: { attempt: attempt as AttemptId, fence: 1 as Fence, atMs: attempt, agent: 'anna' as never },
})

const attemptsOf = (written: readonly { value: unknown }[]) =>
  written.map(({ value }) => (value as { attempt: number }).attempt)

test('what is handed over is written, and nothing is spilled while the memory is there', async () => {
  const { scribe, written, spooled } = world()
  for (const attempt of [1, 2, 3]) scribe.write(connected(`leg-${attempt}`, attempt))
  await scribe.settled()
  expect([attemptsOf(written), spooled, scribe.pending, scribe.isBehind]).toEqual([[1, 2, 3], [], 0, false])
})

test('entries of one call are written in their order, however often they must be tried', async () => {
  const { scribe, written, state, clock } = world()
  state.isAway = true
  for (const attempt of [1, 2, 3, 4]) scribe.write(connected('one call', attempt))
  await clock.runWithPromises(5_000)
  state.isAway = false
  await clock.runWithPromises(5_000)
  expect(attemptsOf(written)).toEqual([1, 2, 3, 4])
})

test('while the memory is away the engine is told so, and every entry is in the file', async () => {
  const { scribe, written, state, clock, spooled } = world()
  state.isAway = true
  for (const attempt of [1, 2, 3, 4, 5, 6]) scribe.write(connected(`leg-${attempt}`, attempt))
  await clock.runWithPromises(60_000)
  expect([written, scribe.isBehind, scribe.holds('leg-6')]).toEqual([[], true, true])
  expect(new Set(spooled.map((entry) => (entry as Entry).key)).size).toBe(6)
  state.isAway = false
  await clock.runWithPromises(10_000)
  expect(attemptsOf(written).sort()).toEqual([1, 2, 3, 4, 5, 6])
  expect([scribe.isBehind, spooled]).toEqual([false, []])
})

test('what an engine left in the file is written by the next one, under its own fence', async () => {
  const left = connected('leg-9', 9)
  const { scribe, written, clock, spooled } = world({ spooled: [left], fence: 12 })
  scribe.resume()
  await clock.runWithPromises(1_000)
  expect(written).toMatchObject([{ what: 'connected', value: { attempt: 9, fence: 12 } }])
  expect([spooled, scribe.isBehind]).toEqual([[], false])
})

test('an entry that can never be written is left out, named in the log, and holds up nobody', async () => {
  const { scribe, written, state, logged, aside } = world()
  state.isBroken = true
  scribe.write(connected('broken', 1))
  await scribe.settled()
  state.isBroken = false
  scribe.write({ key: 'next', what: 'callback', value: { task: 3 as CallTaskId } as never })
  await scribe.settled()
  expect(written).toMatchObject([{ what: 'callback' }])
  expect(aside).toMatchObject([{ key: 'broken' }])
  expect(logged.join('')).toContain('"key":"broken"')
  expect(logged.join('')).not.toContain('+45')
})

test('a bad entry left in the file does not stop dialing for ever', async () => {
  const { scribe, state, clock, spooled } = world({ spooled: [connected('broken', 1)] })
  state.isBroken = true
  scribe.resume()
  await clock.runWithPromises(1_000)
  expect([scribe.isBehind, spooled]).toEqual([false, []])
})
