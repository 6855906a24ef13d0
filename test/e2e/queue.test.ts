/** Callers, a queue and agents' real phones: who rings, who talks, and that every hang-up cleans everything up. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AGENT_HZ, CALLER_HZ, type Live, OTHER_NUMBER, startLive } from './live.ts'

const FLOW = `flow: direct
start: who
onError: sorry
steps:
  who: { branch: { cases: [{ when: "$[?(@.caller.number == '+4556000009')]", next: danish }], else: team } }
  danish: { queue: { team: collections, skills: [danish], timeout: 20s }, next: bye }
  team:
    queue: { team: collections, whisper: A caller for you., announce: { every: 10s, position: true }, timeout: 20s }
    next: bye
  sorry: { play: All our people are busy., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

let live: Live

beforeAll(async () => {
  const twoAgents = (text: string) =>
    text
      .replace('agents: [cleo], ringTimeout: 10s', 'agents: [anna, cleo], ringTimeout: 4s')
      .replace('cleo: { title', 'cleo: { skills: [danish], title')
  live = await startLive({ flow: FLOW, setup: twoAgents })
})

afterEach(async () => {
  expect(live.service.engine.callCount).toBe(0)
  const { url, user, password } = live.asterisk.ari
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const left = await fetch(`${url}/ari/bridges`, { headers: { authorization } }).then((answer) => answer.json())
  expect(left).toEqual([])
})

afterAll(() => live?.close())

test('a caller who needs a skill rings only the phone of an agent who has it', async () => {
  const anna = await live.agent('anna', { does: 'answer', afterMs: 100 })
  const cleo = await live.agent('cleo', { does: 'answer', afterMs: 300, hangsUpAfterMs: 3_000 })
  const phone = await live.call('+4556000009', {}, OTHER_NUMBER)
  expect(await phone.record).toMatchObject({ outcome: 'talked', agent: 'cleo', path: ['who', 'danish', 'bye'] })
  expect([anna.rings, cleo.rings]).toEqual([0, 1])
  expect(phone.ear.heardTone(AGENT_HZ)).toBeGreaterThan(1_000)
  await anna.close()
  await cleo.close()
})

test('an agent who rejects is skipped, the next one hears the whisper, and both hear each other', async () => {
  const anna = await live.agent('anna', { does: 'reject', afterMs: 100 })
  const cleo = await live.agent('cleo', { does: 'answer', afterMs: 300, hangsUpAfterMs: 5_000 })
  const phone = await live.call('+4556000001', {}, OTHER_NUMBER)
  expect(await phone.record).toMatchObject({
    outcome: 'talked',
    agent: 'cleo',
    endedBy: 'us',
    path: ['who', 'team', 'bye'],
  })
  expect([anna.rings, cleo.rings]).toEqual([1, 1])
  expect(phone.ear.heardTone(AGENT_HZ)).toBeGreaterThan(1_000)
  expect(cleo.ear.heardTone(CALLER_HZ)).toBeGreaterThan(1_000)
  expect(live.service.engine.agentStates().get('anna' as never)).toBe('paused')
  await anna.close()
  await cleo.close()
})

test('a caller who hangs up while talking frees the agent, whose phone is hung up', async () => {
  const cleo = await live.agent('cleo', { does: 'answer', afterMs: 100 })
  const phone = await live.call('+4556000002', { hangsUpAfterMs: 5_000 }, OTHER_NUMBER)
  expect(await phone.record).toMatchObject({ outcome: 'talked', agent: 'cleo', endedBy: 'hungUp' })
  expect(await cleo.lastEnd()).toMatchObject({ type: 'hungUp', by: 'them' })
  await cleo.close()
})

test('a caller who hangs up while the phone rings ends the ringing', async () => {
  const cleo = await live.agent('cleo', { does: 'ignore', afterMs: 0 })
  const phone = await live.call('+4556000003', { hangsUpAfterMs: 1_500 }, OTHER_NUMBER)
  expect(await phone.record).toMatchObject({ outcome: 'abandoned', endedBy: 'hungUp' })
  expect(await cleo.lastEnd()).toMatchObject({ type: 'cancelled' })
  await cleo.close()
})
