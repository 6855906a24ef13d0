/** Callers who leave the queue and are called back in their turn (calls-and-flows-53), on virtual time. */
import { expect, test } from 'vitest'
import type { Caller, Contact } from '../../../src/sim/person.ts'
import {
  CAMPAIGN,
  CampaignWorld,
  type CampaignWorldOptions,
  CORPORATION,
  INBOUND,
} from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const [FIRST, SECOND, THIRD] = ['+4522100001', '+4522100002', '+4522100003'] as const
const FLOW = `
flow: debtor-self-service
start: team
steps:
  team:
    queue:
      team: collections
      timeout: 50m
      callback: { after: 30s, key: "1", next: goodbye }
    next: goodbye
    on: { full: goodbye, closed: goodbye, timeout: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: MINUTE_MS }
/** Waits for an agent, talks for a while, and hangs up. */
const STAYS: Caller = { waitsMaxMs: 40 * MINUTE_MS }
/** Takes the callback, and hangs up when told so. */
const LEAVES: Caller = {
  ...STAYS,
  presses: [{ afterMs: 500, hears: 'press 1', keys: '1' }],
  hangsUpOn: { afterMs: 500, hears: 'You may hang up' },
}

interface Options extends CampaignWorldOptions {
  readonly settings?: object
  readonly contacts?: (number: string) => Contact
}

/** Anna is logged in, and talks to the first caller. */
async function open({ settings = {}, contacts = () => ANSWERS, ...options }: Options = {}) {
  const contactOf: CampaignWorldOptions['contactOf'] = (number) => contacts(number)
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow: FLOW, contactOf, ...options })
  await world.campaign({ dialMode: 'manual', queueCallbacks: true, ...settings })
  await world.start()
  await world.logIn('anna')
  await world.run(5_000)
  const talk = call(world, FIRST, { waitsMaxMs: HOUR_MS, hangsUpAfterMs: 5 * MINUTE_MS })
  await world.run(10_000)
  expect(stateOf(world)).toBe('talking')
  return { world, talk }
}

const call = (world: CampaignWorld, caller: string | undefined, person: Caller) =>
  world.pbx.callIn({ called: INBOUND, ...(caller !== undefined && { caller }), person })
const stateOf = (world: CampaignWorld) =>
  world.engine.agentDesktop?.statuses().find(({ agent }) => agent === 'anna')?.state
const attemptsOf = (world: CampaignWorld) => [...world.dialerRepository.view.attempts.values()]
const tasksOf = (world: CampaignWorld) => [...world.dialerRepository.view.tasks.values()]
const hasHeard = (caller: ReturnType<typeof call>, words: string) =>
  caller.heard.some((sound) => 'text' in sound && String(sound.text).includes(words))
const talks = (caller: ReturnType<typeof call>) => caller.heard.some(({ what }) => what === 'person')

test('who leaves keeps the place: the next free agent is theirs, before callers who came later', async () => {
  const { world } = await open()
  const second = call(world, SECOND, LEAVES)
  await world.run(10_000)
  const third = call(world, THIRD, STAYS)
  await world.run(MINUTE_MS)
  expect([hasHeard(second, 'We keep your place'), second.result?.outcome]).toEqual([true, 'connected'])
  expect(attemptsOf(world)).toEqual([])

  expect(await world.until(() => attemptsOf(world).length > 0)).toBe(true)
  expect(attemptsOf(world)).toMatchObject([{ number: SECOND, madeFor: 'anna' }])
  expect(talks(third)).toBe(false)
  expect(await world.until(() => attemptsOf(world)[0]!.connectedAtMs !== null)).toBe(true)
  expect(await world.until(() => talks(third))).toBe(true)
  expect(attemptsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna' }])
  expect(tasksOf(world)).toMatchObject([{ status: 'answered' }])
  await world.run(HOUR_MS)
  expect(attemptsOf(world)).toHaveLength(1)
})

test('an agent who becomes free while the end of the call is still being written waits for it', async () => {
  const { world, talk } = await open({ records: { latencyMs: [400, 500] } })
  const second = call(world, SECOND, LEAVES)
  await world.run(10_000)
  const third = call(world, THIRD, STAYS)
  expect(await world.until(() => second.result !== undefined)).toBe(true)
  talk.hangUp()
  expect(await world.until(() => talks(third) || attemptsOf(world).length > 0)).toBe(true)
  expect([talks(third), attemptsOf(world)[0]?.number]).toEqual([false, SECOND])
})

test('who came before the place is served before it', async () => {
  const { world } = await open()
  const third = call(world, THIRD, { ...STAYS, hangsUpAfterMs: 10 * MINUTE_MS })
  await world.run(5_000)
  call(world, SECOND, LEAVES)
  expect(await world.until(() => talks(third))).toBe(true)
  expect(attemptsOf(world)).toEqual([])
  expect(await world.until(() => attemptsOf(world).length > 0)).toBe(true)
})

test('three calls that nobody answers give the place up, and the task says so', async () => {
  const { world } = await open({ contacts: () => ({ does: 'busy', afterMs: 1_000 }) })
  call(world, SECOND, LEAVES)
  await world.run(2 * HOUR_MS)
  expect(attemptsOf(world).map(({ result }) => result)).toEqual(['busy', 'busy', 'busy'])
  expect(tasksOf(world)).toMatchObject([{ status: 'maxAttempts' }])
  const [first, second] = attemptsOf(world)
  expect(second!.claimedAtMs - first!.endedAtMs!).toBeGreaterThanOrEqual(10 * MINUTE_MS)
})

test('who calls again has the old place, and is not called', async () => {
  const { world } = await open()
  call(world, SECOND, LEAVES)
  await world.run(10_000)
  const third = call(world, THIRD, STAYS)
  await world.run(2 * MINUTE_MS)
  const again = call(world, SECOND, { ...STAYS, hangsUpAfterMs: 10 * MINUTE_MS })
  expect(await world.until(() => talks(again) || talks(third))).toBe(true)
  expect([talks(again), talks(third)]).toEqual([true, false])
  await world.run(HOUR_MS)
  expect(attemptsOf(world)).toEqual([])
  expect(tasksOf(world)).toMatchObject([{ status: 'endedBySystem' }])
})

test('who reaches an agent while the place is being stored keeps none, and is not called', async () => {
  const { world, talk } = await open()
  const { keepPlace } = world.dialerRepository
  const isSlow = Promise.withResolvers<void>()
  let isAsked = false
  world.dialerRepository.keepPlace = async (place) => {
    isAsked = true
    await isSlow.promise
    return keepPlace.call(world.dialerRepository, place)
  }
  const presses = LEAVES.presses!
  const second = call(world, SECOND, { ...STAYS, presses, hangsUpAfterMs: 10 * MINUTE_MS })
  expect(await world.until(() => isAsked)).toBe(true)
  talk.hangUp()
  expect(await world.until(() => talks(second))).toBe(true)
  await world.run(1_000)
  isSlow.resolve()
  await world.run(HOUR_MS)
  expect(tasksOf(world)).toMatchObject([{ status: 'endedBySystem' }])
  expect(attemptsOf(world)).toEqual([])
})

test('an engine that dies keeps the place, and the order', async () => {
  const { world } = await open()
  call(world, SECOND, LEAVES)
  await world.run(10_000)
  const third = call(world, THIRD, STAYS)
  await world.run(MINUTE_MS)
  await world.crash()
  await world.run(5_000)
  await world.start()
  await world.logIn('anna')
  expect(await world.until(() => attemptsOf(world).length > 0)).toBe(true)
  expect([attemptsOf(world)[0]?.number, talks(third)]).toEqual([SECOND, false])
  expect(await world.until(() => talks(third))).toBe(true)
})

test('with the kill switch on nobody is called and the others are served; then the place has its turn', async () => {
  const { world } = await open()
  call(world, SECOND, LEAVES)
  await world.run(MINUTE_MS)
  await world.during(world.dialerRepository.setKillSwitch(true, 'somebody', world.clock.nowMs()))
  const third = call(world, THIRD, { ...STAYS, hangsUpAfterMs: 10 * MINUTE_MS })
  expect(await world.until(() => talks(third))).toBe(true)
  await world.run(30 * MINUTE_MS)
  expect(attemptsOf(world)).toEqual([])
  await world.during(world.dialerRepository.setKillSwitch(false, 'somebody', world.clock.nowMs()))
  expect(await world.until(() => attemptsOf(world).length > 0, MINUTE_MS)).toBe(true)
})

test('when the calling hours end the place waits for the next morning, and nobody is called at night', async () => {
  const { world } = await open({ startAtMs: Date.parse('2026-03-02T18:57:00Z') })
  call(world, SECOND, LEAVES)
  await world.run(14 * HOUR_MS)
  const [attempt] = attemptsOf(world)
  expect(new Date(attempt!.claimedAtMs).toISOString()).toMatch(/^2026-03-03T07:00/)
})

test('without agents at work the place waits for the first who logs in', async () => {
  const { world } = await open()
  call(world, SECOND, LEAVES)
  await world.run(MINUTE_MS)
  await world.order('anna', { type: 'logOut' })
  await world.run(30 * MINUTE_MS)
  expect(attemptsOf(world)).toEqual([])
  await world.logIn('anna')
  expect(await world.until(() => attemptsOf(world).length > 0, MINUTE_MS)).toBe(true)
})

test('a place may wait for an hour before anybody is alarmed', async () => {
  const { world } = await open()
  call(world, SECOND, LEAVES)
  await world.run(MINUTE_MS)
  await world.order('anna', { type: 'logOut' })
  const alarms = () => world.logged.filter((line) => line.includes('a promised callback is overdue')).length
  await world.run(50 * MINUTE_MS)
  expect(alarms()).toBe(0)
  await world.run(12 * MINUTE_MS)
  expect(alarms()).toBe(1)
})

const NOT_OFFERED: readonly (readonly [string, string | undefined, (world: CampaignWorld) => Promise<void>])[] = [
  ['a withheld number', undefined, async () => {}],
  ['a number of another country', '+37255512345', async () => {}],
  [
    'a number on the stop list',
    SECOND,
    async ({ dialerRepository, clock }) => {
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: SECOND as never }, clock.nowMs())
    },
  ],
  ['a kill switch', SECOND, ({ dialerRepository, clock }) => dialerRepository.setKillSwitch(true, 'us', clock.nowMs())],
  ['a campaign that rests', SECOND, (world) => world.dialerRepository.saveCampaign(resting(world), 0)],
]

const resting = (world: CampaignWorld) => ({ ...world.dialerRepository.view.campaigns.get(CAMPAIGN)!, active: false })

test.for(NOT_OFFERED)('with %s no callback is offered, and the caller waits on', async ([, number, prepare]) => {
  const { world } = await open()
  await world.during(prepare(world))
  await world.run(10_000)
  const second = call(world, number, { ...LEAVES, waitsMaxMs: HOUR_MS })
  expect(await world.until(() => talks(second))).toBe(true)
  expect(hasHeard(second, 'press 1')).toBe(false)
  expect(tasksOf(world)).toEqual([])
})

test('a stop list that changes before the key is pressed: the caller hears the truth and keeps waiting', async () => {
  const { world } = await open()
  const slow = { ...LEAVES, presses: [{ afterMs: 30_000, hears: 'press 1', keys: '1' }] }
  const second = call(world, SECOND, { ...slow, hangsUpAfterMs: HOUR_MS })
  expect(await world.until(() => hasHeard(second, 'press 1'))).toBe(true)
  const stop = { kind: 'number', number: SECOND as never } as const
  await world.during(world.dialerRepository.addStop(CORPORATION, stop, world.clock.nowMs()))
  expect(await world.until(() => hasHeard(second, 'We cannot call you back'))).toBe(true)
  expect(await world.until(() => talks(second))).toBe(true)
})

test('while nobody of the team is at work no callback is offered', async () => {
  const { world } = await open()
  await world.order('anna', { type: 'logOut' })
  expect(await world.until(() => stateOf(world) !== 'talking')).toBe(true)
  const second = call(world, SECOND, STAYS)
  await world.run(2 * MINUTE_MS)
  expect(hasHeard(second, 'press 1')).toBe(false)
  await world.logIn('anna')
  expect(await world.until(() => talks(second))).toBe(true)
})

test('an agent who was on a break when it was due: the callback is offered soon after', async () => {
  const { world, talk } = await open()
  talk.hangUp()
  expect(await world.until(() => stateOf(world) === 'ready')).toBe(true)
  await world.order('anna', { type: 'pause', reason: 'lunch' })
  const third = call(world, THIRD, { ...STAYS, hangsUpAfterMs: 30 * MINUTE_MS })
  await world.run(5_000)
  const second = call(world, SECOND, STAYS)
  await world.run(MINUTE_MS)
  expect(hasHeard(second, 'press 1')).toBe(false)
  await world.order('anna', { type: 'ready' })
  expect(await world.until(() => talks(third), MINUTE_MS)).toBe(true)
  expect(await world.until(() => hasHeard(second, 'press 1'), 2 * MINUTE_MS)).toBe(true)
})

test('announcements that are rarer than the question for a callback come all the same', async () => {
  const flow = FLOW.replace('callback:', 'announce: { every: 90s, position: true }\n      callback:')
  const { world } = await open({ flow })
  const withheld = call(world, undefined, STAYS)
  await world.run(2 * MINUTE_MS)
  expect(hasHeard(withheld, 'number 1')).toBe(true)
})

test('the expected wait is told when enough talks have ended, and not before', async () => {
  const announces = 'announce: { every: 20s, wait: true }'
  const flow = FLOW.replace('callback: { after: 30s, key: "1", next: goodbye }', announces)
  const { world, talk } = await open({ flow })
  const early = call(world, SECOND, STAYS)
  await world.run(MINUTE_MS)
  expect(hasHeard(early, 'You will probably wait')).toBe(false)
  expect(await world.until(() => talks(early))).toBe(true)
  expect(talk.result).toBeDefined()
  // Talks of 2 minutes; the first one took 5.
  for (let count = 0; count < 5; count++) {
    const next = call(world, THIRD, { ...STAYS, hangsUpAfterMs: 2 * MINUTE_MS })
    await world.run(40 * MINUTE_MS)
    expect(next.result).toBeDefined()
  }
  call(world, FIRST, { ...STAYS, hangsUpAfterMs: 30 * MINUTE_MS })
  await world.run(5_000)
  const late = call(world, SECOND, STAYS)
  expect(await world.until(() => hasHeard(late, 'You will probably wait about'), MINUTE_MS)).toBe(true)
})

test('an agent whom the switch brought nobody for a while has had no talks: no wait is told by them', async () => {
  const announces = 'announce: { every: 20s, wait: true }'
  const flow = FLOW.replace('callback: { after: 30s, key: "1", next: goodbye }', announces)
  const { world, talk } = await open({ flow })
  expect(await world.until(() => talk.result !== undefined, 10 * MINUTE_MS)).toBe(true)
  await world.order('anna', { type: 'pause', reason: 'lunch' })
  const next = call(world, SECOND, STAYS)
  await world.run(5_000)
  world.pbx.cut(30_000)
  expect(await world.order('anna', { type: 'ready' })).toEqual({ ok: true })
  expect(await world.until(() => talks(next))).toBe(true)
  const late = call(world, THIRD, STAYS)
  await world.run(MINUTE_MS)
  expect(hasHeard(late, 'You will probably wait')).toBe(false)
})

test('a team without a campaign with queueCallbacks is told in the log, once', async () => {
  const { world } = await open({ settings: { queueCallbacks: false } })
  const callers = [SECOND, THIRD].map((number) => call(world, number, STAYS))
  await world.run(5 * MINUTE_MS)
  expect(callers.some((caller) => hasHeard(caller, 'press 1'))).toBe(false)
  const told = world.logged.filter((line) => line.includes('"level":40') && line.includes('queueCallbacks'))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain(
    'team collections has no active campaign with queueCallbacks: its callers are not offered a callback',
  )
})
