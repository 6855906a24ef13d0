/** Callers who wait on the line for something outside: the event that comes, comes early, comes late, or never. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { NewFlowEvent } from '../../../src/ports/flows/flow-events.ts'
import type { Caller } from '../../../src/sim/person.ts'
import { CampaignWorld, CORPORATION, INBOUND } from '../../worlds/campaign-world.ts'
import { types } from '../../worlds/set-up.ts'

const MINUTE_MS = 60_000
const LIMITS = { all: 100, alike: 10 }
const FLOW = `flow: pay
start: welcome
activity: { systemLookupCode: "\${payment.reference}" }
vars: { caseNumber: "4711" }
steps:
  welcome: { play: Welcome., next: pay }
  pay:
    wait: { event: payment.completed, key: "\${caseNumber}", for: 2m, hold: Please pay now. }
    as: payment
    mark: paid
    limit: 2
    next: thanks
    on: { timeout: not-yet, failed: broken, limit: bye }
  thanks: { play: "You paid \${payment.amount | money EUR}. Thank you.", next: more }
  more:
    menu: { prompt: Press 1 to pay more., keys: { "1": pay }, firstDigitTimeout: 3s, tries: 1 }
    on: { failed: bye }
  not-yet: { play: No payment yet., next: more }
  broken: { play: Something is wrong., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

async function open(flow = FLOW) {
  const world = new CampaignWorld({ flow })
  await world.start()
  const post = (change: Partial<NewFlowEvent> = {}) => {
    const atMs = world.clock.nowMs()
    const event = { corporation: CORPORATION, event: 'payment.completed', of: '4711', data: { amount: 5 }, atMs }
    return world.during(world.flowEvents.post({ ...event, keptUntilAtMs: atMs + 10 * MINUTE_MS, ...change }, LIMITS))
  }
  const callIn = (person: Caller = {}) =>
    world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { waitsMaxMs: 30 * MINUTE_MS, ...person } })
  return { world, post, callIn }
}

type Opened = Awaited<ReturnType<typeof open>>
const heard = (phone: ReturnType<Opened['callIn']>, text: string) => phone.ear.words.split(text).length - 1
const waits = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.openCalls.values()].some(({ call: { progress } }) => progress?.awaits)

/** A caller who waits and has heard the prompt. */
async function waiting(person?: Caller) {
  const opened = await open()
  const caller = opened.callIn(person)
  expect(await opened.world.until(() => waits(opened.world) && heard(caller, 'Please pay now') === 1, MINUTE_MS)).toBe(
    true,
  )
  return { ...opened, caller, fromMs: opened.world.clock.nowMs() }
}

describe('a caller on the line', () => {
  test('is thanked as soon as the event comes, and the poster learns that a call waited', async () => {
    const { world, post, caller } = await waiting()
    expect(await post()).toMatchObject({ isNew: true, waitingCalls: 1 })
    await world.run(3_000)
    expect([heard(caller, 'You paid €5.00'), heard(caller, 'No payment yet')]).toEqual([1, 0])
    expect(await post()).toMatchObject({ isNew: false, waitingCalls: 0 })
  })

  test('hears the prompt again every half minute, and music in between, until the time is up', async () => {
    const { world, caller } = await waiting()
    expect(await world.until(() => heard(caller, 'No payment yet') === 1, 3 * MINUTE_MS)).toBe(true)
    expect(heard(caller, 'Please pay now')).toBeGreaterThanOrEqual(4)
    const sounds = caller.heard.filter(({ what, text }) => what === 'music' || text.includes('Please pay now'))
    expect(sounds.map(({ what }) => what).slice(0, 4)).toEqual(['words', 'music', 'words', 'music'])
    expect(sounds.every(({ untilMs }) => untilMs !== undefined)).toBe(true)
  })

  test.for<[string, Partial<NewFlowEvent>]>([
    ['another key', { of: '4712' }],
    ['another name', { event: 'payment.failed' }],
    ['another corporation', { corporation: 2 as CorporationId }],
    ['a time that is over', { keptUntilAtMs: 0 }],
  ])('hears nothing of an event of %s', async ([_, change]) => {
    const { world, post, caller } = await waiting()
    expect(await post(change)).not.toBe('too many')
    expect(await world.until(() => heard(caller, 'No payment yet') === 1, 3 * MINUTE_MS)).toBe(true)
    expect(heard(caller, 'You paid')).toBe(0)
  })

  test('who hangs up is recorded, and a later event for them is kept', async () => {
    const { world, post, caller } = await waiting({ hangsUpAfterMs: 20_000 })
    expect(await world.until(() => caller.result !== undefined, MINUTE_MS)).toBe(true)
    await world.run(1_000)
    expect([...world.dialerRepository.view.calls.values()]).toMatchObject([{ result: 'answered', hungUpBy: 'caller' }])
    expect(await post()).toMatchObject({ isNew: true, waitingCalls: 0 })
  })

  test('hears nothing of the payment of another one who waits too', async () => {
    const { world, post } = await open(FLOW.replace('"${caseNumber}"', '"${caller.number}"'))
    const callers = ['+4551000001', '+4551000002'].map((caller) =>
      world.pbx.callIn({ called: INBOUND, caller, person: { waitsMaxMs: 30 * MINUTE_MS } }),
    )
    expect(await world.until(() => callers.every((one) => heard(one, 'Please pay now') === 1), MINUTE_MS)).toBe(true)
    expect(await post({ of: '+4551000002' })).toMatchObject({ waitingCalls: 1 })
    expect(await world.until(() => callers.every((one) => heard(one, 'Press 1') > 0), 3 * MINUTE_MS)).toBe(true)
    expect(callers.map((one) => heard(one, 'You paid'))).toEqual([0, 1])
  })

  test('is not answered by keys that they pressed while they waited', async () => {
    const { world, post, caller } = await waiting()
    caller.press('1')
    await post()
    expect(await world.until(() => heard(caller, 'Press 1 to pay more') === 1, MINUTE_MS)).toBe(true)
    await world.run(1_000)
    expect(heard(caller, 'Please pay now')).toBe(1)
  })
})

describe('an event that comes before the caller waits', () => {
  test('is not lost: the caller hears no word of waiting', async () => {
    const { world, post, callIn } = await open()
    expect(await post()).toMatchObject({ waitingCalls: 0 })
    await world.run(9 * MINUTE_MS)
    const caller = callIn()
    expect(await world.until(() => heard(caller, 'You paid €5.00') === 1, MINUTE_MS)).toBe(true)
    expect(heard(caller, 'Please pay now')).toBe(0)
  })

  test('is taken once by a call: the next wait is for the next event', async () => {
    const { world, post, callIn } = await open()
    await post()
    const caller = callIn({ presses: [types('1', 'Press 1 to pay more')] })
    expect(await world.until(() => heard(caller, 'Please pay now') === 1, MINUTE_MS)).toBe(true)
    await post({ data: { amount: 7 } })
    await world.run(5_000)
    expect([heard(caller, 'You paid €5.00'), heard(caller, 'You paid €7.00')]).toEqual([1, 1])
  })

  test('is there for every call that waits for it', async () => {
    const { world, post, callIn } = await open()
    const callers = [callIn(), callIn()]
    expect(await world.until(() => callers.every((one) => heard(one, 'Please pay now') === 1), MINUTE_MS)).toBe(true)
    expect(await post()).toMatchObject({ waitingCalls: 2 })
    await world.run(5_000)
    expect(callers.map((one) => heard(one, 'You paid'))).toEqual([1, 1])
  })
})

describe('given an engine that dies while a caller waits', () => {
  test('an event that comes meanwhile thanks the caller when the next engine is there', async () => {
    const { world, post, caller } = await waiting()
    await world.crash()
    await world.run(5_000)
    expect(await post()).toMatchObject({ waitingCalls: 1 })
    await world.run(5_000)
    await world.start()
    expect(await world.until(() => heard(caller, 'You paid') === 1, MINUTE_MS)).toBe(true)
  })

  test('the wait ends when it would have ended', async () => {
    const { world, caller, fromMs } = await waiting()
    await world.run(MINUTE_MS)
    await world.crash()
    await world.run(10_000)
    await world.start()
    expect(await world.until(() => heard(caller, 'No payment yet') === 1, 3 * MINUTE_MS)).toBe(true)
    const tookMs = world.clock.nowMs() - fromMs
    expect(tookMs).toBeLessThan(2 * MINUTE_MS + 5_000)
    expect(tookMs).toBeGreaterThan(2 * MINUTE_MS - 5_000)
  })

  test('a caller whose flow starts over has the whole time again, and the event that came is theirs', async () => {
    const pin = 'pin: { gather: { prompt: Your pin., digits: 4, secret: true }, next: pay, on: { failed: bye } }'
    const { world, post, callIn } = await open(
      FLOW.replace('start: welcome', 'start: pin').replace('steps:', `steps:\n  ${pin}`),
    )
    const caller = callIn()
    const types = async (times: number) => {
      expect(await world.until(() => heard(caller, 'Your pin') === times, MINUTE_MS)).toBe(true)
      await world.run(2_000)
      caller.press('4888')
    }
    await types(1)
    await world.run(MINUTE_MS)
    await world.crash()
    await world.start()
    await types(2)
    await world.run(MINUTE_MS + 30_000)
    expect(heard(caller, 'No payment yet')).toBe(0)
    await post()
    expect(await world.until(() => heard(caller, 'You paid') === 1, MINUTE_MS)).toBe(true)
    await world.crash()
    await world.start()
    await types(3)
    expect(await world.until(() => heard(caller, 'You paid') === 2, MINUTE_MS)).toBe(true)
  })

  test('an event that was taken is taken again, by the same visit', async () => {
    const { world, post, caller } = await waiting()
    await post()
    expect(await world.until(() => heard(caller, 'You paid') === 1, MINUTE_MS)).toBe(true)
    await world.crash()
    await world.run(5_000)
    await world.start()
    expect(await world.until(() => heard(caller, 'You paid') === 2, MINUTE_MS)).toBe(true)
    expect(heard(caller, 'Please pay now')).toBe(1)
  })
})

test('given a database that is away for a while, the event is found afterwards', async () => {
  const { world, post, caller } = await waiting()
  world.flowEvents.isAway = true
  await post()
  await world.run(20_000)
  expect(heard(caller, 'You paid')).toBe(0)
  world.flowEvents.isAway = false
  expect(await world.until(() => heard(caller, 'You paid') === 1, 5_000)).toBe(true)
})

test('a key with spaces, which no event can have, is a failure and no wait', async () => {
  const { world, callIn } = await open(
    FLOW.replace('caseNumber: "4711"', 'caseNumber: "47 11"').replace('failed: broken', 'malformed: broken'),
  )
  const caller = callIn()
  expect(await world.until(() => heard(caller, 'Something is wrong') === 1, MINUTE_MS)).toBe(true)
})

test('the example of the page about flows thanks who pays', async () => {
  const page = readFileSync(new URL('../../../docs/flows.md', import.meta.url), 'utf8')
  const [, flow] = /```yaml\n(flow: pay-on-the-line\n[^`]*)```/.exec(page)!
  const { world, post, callIn } = await open(flow)
  const caller = callIn({ presses: [types('1', 'press 1')] })
  expect(await world.until(() => heard(caller, 'Please pay with the link') === 1, MINUTE_MS)).toBe(true)
  await post({ of: '20260042', data: { amount: 99.5 } })
  expect(await world.until(() => heard(caller, 'You have paid €99.50') === 1, MINUTE_MS)).toBe(true)
})
