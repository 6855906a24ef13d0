/** Callers who leave a message: what is kept of it, what the flow is told, and what a crash takes from it. */
import { expect, test } from 'vitest'
import type { Caller } from '../../../src/sim/person.ts'
import { CampaignWorld, INBOUND } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const FLOW = `flow: voicemail
start: message
activity: { systemLookupCode: "\${message.url | default 'nothing'} \${message.seconds | default '0'}" }
onHangup:
  - set: { last: "\${message.url | default 'nothing'}" }
steps:
  message:
    record: { prompt: Please leave your message., max: 1m, silence: 5s, team: collections }
    as: message
    mark: left
    limit: 20
    next: thanks
    on: { noInput: nothing, failed: broken, limit: bye }
  thanks: { play: "Thank you for \${message.seconds} seconds.", next: more }
  more:
    menu: { prompt: Press 1 to say more., keys: { "1": message }, firstDigitTimeout: 3s, tries: 1 }
    on: { failed: bye }
  nothing: { play: We heard nothing., next: bye }
  broken: { play: Something is wrong., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

async function open(person: Caller, fails?: () => string | undefined, flow = FLOW) {
  const world = new CampaignWorld({ flow, ...(fails && { pbx: { recordingFails: fails } }) })
  await world.start()
  const caller = world.pbx.callIn({
    called: INBOUND,
    caller: '+4551000001',
    person: { waitsMaxMs: 20 * MINUTE_MS, ...person },
  })
  return { world, caller }
}

type Opened = Awaited<ReturnType<typeof open>>

const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]
const isOpen = ({ pbx }: CampaignWorld) => [...pbx.switch.recordings.values()].filter(({ end }) => !end).length

/** The call when it is recorded. */
async function recorded({ world }: Opened) {
  expect(await world.until(() => callsOf(world).length > 0, 20 * MINUTE_MS)).toBe(true)
  expect(isOpen(world)).toBe(0)
  return callsOf(world)[0]!
}

/** Speaks for `forMs` once the tone is over. */
const speaking = (forMs: number, afterMs = 4_000): Caller => ({ speaks: [{ afterMs, forMs }] })

test('a message is filed with its call and its team, and the flow knows its address and its length', async () => {
  const opened = await open(speaking(8_000))
  const call = await recorded(opened)
  expect(opened.caller.ear.words).toMatch(/Please leave your message\. \| tone \| Thank you for \d+ seconds/)
  const [message] = call.recordings
  expect(call).toMatchObject({
    team: 'collections',
    result: 'answered',
    recordings: [{ state: 'ready', isMessage: true }],
  })
  expect(call.externalCaseNumber).toMatch(/^\/file\/1 (8|9|10)$/)
  expect(message!.fileId).toBe(1)
})

test('of a caller who says nothing, nothing is kept, and the flow hears of no input', async () => {
  const opened = await open({ speaks: [] })
  expect((await recorded(opened)).recordings).toEqual([])
  expect(opened.caller.ear.words).toContain('tone | We heard nothing')
})

test('a caller who hangs up while they speak has left a message; the flow knows it after the hang-up', async () => {
  const call = await recorded(await open({ speaks: [{ afterMs: 0, forMs: MINUTE_MS }], hangsUpAfterMs: 10_000 }))
  expect(call).toMatchObject({ hungUpBy: 'caller', recordings: [{ state: 'ready', isMessage: true }] })
  expect(call.externalCaseNumber).toMatch(/^\/file\/1 [5-8]$/)
})

test('a caller who hangs up in the silence after the tone has left nothing', async () => {
  const call = await recorded(await open({ speaks: [], hangsUpAfterMs: 6_000 }))
  expect([call.recordings, call.externalCaseNumber]).toEqual([[], 'nothing 0'])
})

test.each([
  { key: '#', ends: true },
  { key: '5', ends: false },
])('key $key during the message: it ends $ends', async ({ key, ends }) => {
  const speaks = [{ afterMs: 0, forMs: 30_000 }]
  const opened = await open({ speaks, presses: [{ hears: 'tone', afterMs: 5_000, keys: key }] })
  const [message] = (await recorded(opened)).recordings
  expect(message!.endedAtMs - message!.startedAtMs < 10_000).toBe(ends)
  // The key answers no later question.
  expect(opened.caller.ear.words).toContain('Press 1 to say more')
})

test('the finish key skips the prompt', async () => {
  const opened = await open({
    ...speaking(3_000, 2_000),
    presses: [{ hears: 'Please', until: 'started', afterMs: 0, keys: '#' }],
  })
  const [message] = (await recorded(opened)).recordings
  expect(message).toMatchObject({ state: 'ready' })
  const [prompt, tone] = opened.caller.heard
  expect([prompt!.text, tone!.text, tone!.fromMs - prompt!.fromMs < 500]).toEqual([expect.any(String), 'tone', true])
})

test('a message that cannot be recorded has its row with the reason, and the flow goes on', async () => {
  const opened = await open(speaking(8_000), () => 'no space left on the device')
  const call = await recorded(opened)
  expect(call.recordings).toMatchObject([{ state: 'failed', why: 'no space left on the device', isMessage: true }])
  expect(opened.caller.ear.words).toContain('Something is wrong')
})

test('while the database is unavailable the message is kept, without an address', async () => {
  const opened = await open(speaking(8_000))
  const nowMs = opened.world.clock.nowMs()
  opened.world.dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 30_000 }]
  const call = await recorded(opened)
  expect(call.recordings).toMatchObject([{ state: 'ready', isMessage: true }])
})

test('a call leaves ten messages at most', async () => {
  const presses = Array.from({ length: 12 }, () => ({ hears: 'say more', afterMs: 100, keys: '1' }))
  const opened = await open(
    { presses, waitsMaxMs: 15 * MINUTE_MS },
    undefined,
    FLOW.replace('max: 1m, silence: 5s', 'max: 2s, silence: 1s'),
  )
  const call = await recorded(opened)
  expect(call.recordings).toHaveLength(10)
  expect(opened.caller.ear.words).toContain('Something is wrong')
})

test('the engine dies while the caller speaks: what was said is kept, and the step begins again', async () => {
  const opened = await open({ speaks: [{ afterMs: 0, forMs: 25_000 }] })
  const { world, caller } = opened
  expect(await world.until(() => isOpen(world) === 1, MINUTE_MS)).toBe(true)
  await world.run(5_000)
  await world.crash()
  await world.run(2_000)
  await world.start()
  const call = await recorded(opened)
  expect(caller.ear.words.split('Please leave your message').length - 1).toBe(2)
  expect(call.recordings).toMatchObject([
    { state: 'ready', isMessage: true },
    { state: 'ready', isMessage: true },
  ])
  expect(call.recordings[1]!.startedAtMs).toBeGreaterThanOrEqual(call.recordings[0]!.endedAtMs)
})

test('the engine dies, and the caller hangs up before the next one: the message is filed with the call', async () => {
  const opened = await open({ speaks: [{ afterMs: 0, forMs: MINUTE_MS }] })
  const { world, caller } = opened
  expect(await world.until(() => isOpen(world) === 1, MINUTE_MS)).toBe(true)
  await world.run(5_000)
  await world.crash()
  caller.hangUp()
  await world.run(2_000)
  await world.start()
  expect(await recorded(opened)).toMatchObject({
    team: 'collections',
    recordings: [{ state: 'ready', isMessage: true }],
  })
})

test('the finish key after the silence that ended the message belongs to it', async () => {
  const flow = FLOW.replace('message\n    mark: left', 'message').replace('next: thanks', 'next: more')
  const opened = await open({ speaks: [{ afterMs: 4_000, forMs: 2_000 }] }, undefined, flow)
  const { world, caller } = opened
  expect(await world.until(() => /Press 1/.test(caller.ear.words), MINUTE_MS)).toBe(true)
  caller.press('#')
  caller.press('1')
  expect(await world.until(() => caller.ear.words.split('Please leave').length === 3, MINUTE_MS)).toBe(true)
  await recorded(opened)
})
