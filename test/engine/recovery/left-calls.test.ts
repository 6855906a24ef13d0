/** Calls that came in at a node that does not come back, or comes back late (calls-and-flows-104). */
import { expect, test } from 'vitest'
import { ladder } from '../../../src/cli/ladder.ts'
import type { JournalLine } from '../../../src/ports/journal.ts'
import type { Caller } from '../../../src/sim/person.ts'
import { SimSms } from '../../sim/sim-sms.ts'
import { type CampaignWorld, type CampaignWorldOptions, INBOUND } from '../../worlds/campaign-world.ts'
import { twoNodes } from './two-nodes.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 60m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

/** A caller talks to an agent of the first node. */
async function talkOn(
  person: Caller,
  cutOff = { untilAtMs: 0 },
  options: CampaignWorldOptions = {},
): Promise<CampaignWorld> {
  const world = await twoNodes({ does: 'ignore', afterMs: 0 }, cutOff, { flow: FLOW, ...options })
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { waitsMaxMs: 60 * MINUTE_MS, ...person } })
  const { openCalls } = world.dialerRepository.view
  const talks = () => [...openCalls.values()].some(({ call }) => call.progress?.connectedAtMs !== undefined)
  expect(await world.until(talks, MINUTE_MS)).toBe(true)
  await world.run(5 * SECOND_MS)
  return world
}

test('another node tells of them once, and nobody counts as on the line any more', async () => {
  const world = await talkOn({})
  const { view } = world.dialerRepository
  await world.crash()
  await world.run(10 * MINUTE_MS)
  expect([view.calls.size, view.openCalls.size], 'its node may be started anew').toEqual([0, 1])
  await world.run(5 * MINUTE_MS)
  expect([...view.calls.values()]).toMatchObject([{ direction: 'in', result: 'answered', team: 'collections' }])
  expect([view.openCalls.size, view.events.length]).toEqual([0, 1])
  await world.start()
  await world.run(5 * MINUTE_MS)
  expect([view.calls.size, view.openCalls.size], 'the caller is still there, and is served').toEqual([1, 1])
  await world.run(60 * MINUTE_MS)
  expect([view.calls.size, view.openCalls.size, view.events.length]).toEqual([1, 0, 1])
  expect([...view.calls.values()]).toMatchObject([{ result: 'answered', hungUpBy: 'caller' }])
})

test('a node that is started anew in time tells of its calls itself', async () => {
  const world = await talkOn({})
  const { view } = world.dialerRepository
  await world.crash()
  await world.run(9 * MINUTE_MS)
  await world.start()
  await world.run(MINUTE_MS)
  expect([view.calls.size, view.openCalls.size], 'the talk goes on').toEqual([0, 1])
})

test('a node that was only cut off brings how its call went, once', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await talkOn({ hangsUpAfterMs: 20 * MINUTE_MS }, cutOff)
  const { view } = world.dialerRepository
  cutOff.untilAtMs = world.clock.nowMs() + 40 * MINUTE_MS
  const settled = () => view.calls.size === 1
  expect(await world.until(settled, 15 * MINUTE_MS)).toBe(true)
  expect([...view.calls.values()].map(({ hungUpBy }) => hungUpBy)).toEqual([undefined])
  await world.run(60 * MINUTE_MS)
  expect([view.calls.size, view.openCalls.size, view.events.length]).toEqual([1, 0, 1])
  const [call] = view.calls.values()
  expect(call).toMatchObject({ result: 'answered', hungUpBy: 'caller', agent: expect.any(String) })
  expect(Math.round((call!.endedAtMs - call!.createdAtMs) / MINUTE_MS)).toBe(20)
})

test('after an outage of the database nobody is missed', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await talkOn({}, cutOff)
  const { dialerRepository, clock } = world
  const nowMs = clock.nowMs()
  dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 30 * MINUTE_MS }]
  cutOff.untilAtMs = nowMs + 31 * MINUTE_MS
  await world.run(45 * MINUTE_MS)
  expect([dialerRepository.view.calls.size, dialerRepository.view.openCalls.size]).toEqual([0, 1])
})

test('steps of onHangup that nobody runs are told by the log and by the story of the call', async () => {
  const texts: SimSms[] = []
  const lines: JournalLine[] = []
  const journal = {
    append: (line: JournalLine) => void lines.push(line),
    flush: () => Promise.resolve(),
    read: () => Promise.resolve([]),
  }
  const flow = FLOW.replace('steps:', 'onHangup:\n  - sms: { to: "+4551009999", text: Thank you. }\nsteps:')
  const parts: CampaignWorldOptions['parts'] = ({ clock }) => {
    texts.push(new SimSms(clock))
    return { sms: texts.at(-1)!, journal }
  }
  const world = await talkOn({}, undefined, { flow, parts })
  await world.crash()
  await world.run(15 * MINUTE_MS)
  const { view } = world.dialerRepository
  const [call] = view.calls.values()
  const lost = world.logged.filter((line) => line.includes('steps of onHangup do not run'))
  expect(lost.map((line) => JSON.parse(line))).toMatchObject([{ call: call!.call, steps: ['sms'] }])
  const story = lines.filter((line) => line.call === call!.call)
  expect(ladder(story)).toContain('the steps of onHangup do not run')
  expect(texts.flatMap(({ messages }) => messages)).toEqual([])
})
