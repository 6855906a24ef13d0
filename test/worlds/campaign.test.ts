import { describe, expect, test } from 'vitest'
import type { CorporationId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions, CORPORATION, INBOUND, numberOf } from './campaign-world.ts'

const MINUTE_MS = 60_000
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }

/** Script by the place of the debtor; the last one serves all further ones. */
function scripts(...contacts: readonly Contact[]): (number: PhoneNumber) => Contact {
  return (number) => contacts[Math.min(contacts.length - 1, (Number(number.slice(3)) - 22_100_000) / 7)]!
}

async function open(options: CampaignWorldOptions = {}, settings: object = {}, tasks = 6): Promise<CampaignWorld> {
  const world = new CampaignWorld(options)
  await world.campaign({ ...settings })
  if (tasks > 0) await world.import(tasks)
  await world.start()
  return world
}

const pairAt = (place: number) =>
  [0, 1].map((i) => ({ given: numberOf(2 * place + i), number: numberOf(2 * place + i) }))

const resultsOf = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.attempts.values()].map(({ result }) => result)
const statusesOf = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.tasks.values()].map(({ status }) => status)

test('every debtor who answers talks to an agent, and each call is reported once', async () => {
  const world = await open()
  await world.logIn('anna', 'ben')
  await world.run(10 * MINUTE_MS)
  const { attempts, calls, events } = world.dialerRepository.view
  expect(statusesOf(world)).toEqual(Array.from({ length: 6 }, () => 'answered'))
  expect(world.pbx.carrier.invites.map(({ number }) => number).sort()).toEqual([0, 1, 2, 3, 4, 5].map(numberOf))
  expect(resultsOf(world)).toEqual(Array.from({ length: 6 }, () => 'answered'))
  expect(world.pbx.carrier.invites.map(({ reference }) => Number(reference))).toEqual([...attempts.keys()])
  expect([...calls.values()].map(({ talkMs }) => talkMs > 29_000)).toEqual(Array.from({ length: 6 }, () => true))
  expect(events).toHaveLength(6)
})

test('no callee is dialed while no agent is ready', async () => {
  const world = await open()
  await world.run(5 * MINUTE_MS)
  expect(world.pbx.carrier.invites).toEqual([])
})

test('busy, no answer, rejected, unknown and unreachable numbers have the result of the network', async () => {
  const contactOf = scripts(
    { does: 'busy', afterMs: 1_000 },
    RINGS,
    { does: 'reject', afterMs: 2_000, ringsAfterMs: 500 },
    { does: 'fail', code: 404, afterMs: 100 },
    { does: 'fail', code: 503, afterMs: 100 },
    { does: 'answer', afterMs: 2_000, ringsAfterMs: 100, hangsUpAfterMs: 0 },
  )
  const world = await open({ contactOf })
  await world.logIn('anna')
  await world.run(10 * MINUTE_MS)
  expect(resultsOf(world).slice(0, 5)).toEqual(['busy', 'noAnswer', 'rejected', 'invalidNumber', 'failed'])
  expect(statusesOf(world).slice(0, 5)).toEqual(['waiting', 'waiting', 'waiting', 'noCallableNumber', 'waiting'])
})

test('a task is dialed again after its interval, and finished at its last attempt', async () => {
  const world = await open({ contactOf: scripts({ does: 'busy', afterMs: 1_000 }) }, {}, 1)
  await world.logIn('anna')
  await world.run(4 * 3_600_000)
  const placed = world.pbx.carrier.invites.map(({ atMs }) => atMs)
  expect(placed).toHaveLength(3)
  expect(Math.min(placed[1]! - placed[0]!, placed[2]! - placed[1]!)).toBeGreaterThanOrEqual(3_600_000)
  expect(statusesOf(world)).toEqual(['maxAttempts'])
})

test('the first attempt dials the first number of the list, and each new one the next', async () => {
  const world = await open({ contactOf: scripts({ does: 'busy', afterMs: 1_000 }) }, {}, 0)
  const numbers = [3, 1, 2].map((place) => ({ given: numberOf(place), number: numberOf(place) }))
  await world.import(1, () => ({ numbers }), { attemptsMax: 4, intervalMs: 0 })
  await world.logIn('anna')
  await world.run(10 * MINUTE_MS)
  expect(world.pbx.carrier.invites.map(({ number }) => number)).toEqual([3, 1, 2, 3].map(numberOf))
})

test('a machine is recognized, and its task stays active', async () => {
  const machine: Contact = { ...ANSWERS, voice: 'machine' }
  const world = await open(
    { contactOf: scripts(machine) },
    { machineDetection: { enabled: true, maxErrorPercent: 100 } },
    1,
  )
  await world.logIn('anna')
  await world.run(2 * MINUTE_MS)
  expect([resultsOf(world), statusesOf(world)]).toEqual([['voicemail'], ['waiting']])
})

test('with two lines for each agent a callee without an agent hears the message and is dropped', async () => {
  const world = await open({ teams: { collections: ['anna'] } }, { dialMode: 'power', linesPerAgent: 2 }, 60)
  await world.logIn('anna')
  await world.run(60 * MINUTE_MS)
  const results = resultsOf(world)
  const dropped = [...world.dialerRepository.view.attempts.values()].filter(({ result }) => result === 'dropped')
  expect(results.filter((result) => result === 'answered').length).toBeGreaterThan(30)
  for (const { leg } of dropped) {
    const contact = world.pbx.carrier.calls.find(({ invite }) => invite.leg === leg)!
    expect(contact.ear.words).toContain('We are sorry')
  }
  expect(dropped.length / results.length).toBeLessThanOrEqual(0.03)
})

test('campaigns that share a carrier do not burst together: a tenth of a second has a tenth of its calls', async () => {
  const names = Array.from({ length: 12 }, (_, place) => `agent-${place}`)
  const teams = { collections: names.slice(0, 4), business: names.slice(4, 8), consumer: names.slice(8) }
  const world = await open({ teams, callsPerSecondMax: 20, contactOf: scripts({ does: 'busy', afterMs: 300 }) }, {}, 0)
  for (const [place, team] of Object.keys(teams).entries()) {
    const campaign = (CAMPAIGN + place) as typeof CAMPAIGN
    await world.campaign({}, campaign, team)
    const numbersOf = (index: number) => [{ given: '', number: numberOf(place * 100 + index) }]
    const change = (index: number) => ({ numbers: numbersOf(index), externalCustomer: `${team}-${index}` })
    await world.import(60, change, { campaign, importId: team })
  }
  await world.logIn(...names)
  await world.run(MINUTE_MS)
  const placed = world.pbx.carrier.invites.map(({ atMs }) => atMs)
  const within = (ms: number) => placed.map((from) => placed.filter((atMs) => atMs >= from && atMs < from + ms).length)
  expect(placed).toHaveLength(180)
  const early = world.pbx.carrier.invites.slice(0, 60).map(({ number }) => number)
  const perCampaign = [0, 100, 200].map((from) => {
    const theirs = new Set(Array.from({ length: 60 }, (_, index) => numberOf(from + index)))
    return early.filter((number) => theirs.has(number as never)).length
  })
  // A fair share each, while there is not enough for all.
  expect(perCampaign.map((count) => count >= 15 && count <= 25)).toEqual([true, true, true])
  // Lines take up to some milliseconds to the carrier.
  expect(Math.max(...within(90))).toBeLessThanOrEqual(2)
  expect(Math.max(...within(900))).toBeLessThanOrEqual(20)
})

describe('the integrator ends a task', () => {
  test('while it rings: the line is withdrawn within two seconds', async () => {
    const world = await open({ contactOf: scripts(RINGS) }, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
    await world.run(3_000)
    const [task] = world.dialerRepository.view.tasks.keys()
    const command = {
      task: task!,
      corporations: [CORPORATION],
      status: 'endedBySystem',
      atMs: world.clock.nowMs(),
    } as const
    const ended = await world.during(world.dialerRepository.endCallTask(command))
    const endedAtMs = world.clock.nowMs()
    await world.run(MINUTE_MS)
    expect(ended.outcome).toBe('ended')
    expect(world.pbx.carrier.calls[0]!.endedAtMs! - endedAtMs).toBeLessThanOrEqual(2_000)
    expect([resultsOf(world), statusesOf(world)]).toEqual([['cancelled'], ['endedBySystem']])
  })

  test('during the conversation: the conversation goes on', async () => {
    const world = await open({}, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
    await world.run(1_000)
    const [task] = world.dialerRepository.view.tasks.keys()
    const command = {
      task: task!,
      corporations: [CORPORATION],
      status: 'endedBySystem',
      atMs: world.clock.nowMs(),
    } as const
    const ended = await world.during(world.dialerRepository.endCallTask(command))
    await world.run(MINUTE_MS)
    expect(ended).toMatchObject({ outcome: 'ended', activeCall: expect.any(Number) })
    expect(world.news.filter(({ news: notification }) => notification.type === 'taskEnded')).toMatchObject([
      { news: { task } },
    ])
    expect(world.pbx.carrier.calls[0]).toMatchObject({ endedBy: 'contact' })
    expect([resultsOf(world), statusesOf(world)]).toEqual([['answered'], ['endedBySystem']])
  })
})

test('the kill switch withdraws ringing lines, and no call follows', async () => {
  const world = await open({ contactOf: scripts(RINGS) })
  await world.logIn('anna', 'ben')
  await world.until(() => world.pbx.carrier.calls.length === 2)
  await world.during(world.dialerRepository.setKillSwitch(true, 'supervisor', world.clock.nowMs()))
  const atMs = world.clock.nowMs()
  await world.run(10 * MINUTE_MS)
  const calls = world.pbx.carrier.calls
  expect(calls.filter(({ invite }) => invite.atMs > atMs + 2_000)).toEqual([])
  expect(calls.every(({ endedAtMs }) => endedAtMs! <= atMs + 2_000)).toBe(true)
})

test('several numbers of a task ring at once, and the first to answer gets the agent', async () => {
  const world = await open({ contactOf: scripts(RINGS, ANSWERS) }, { parallelCalls: 2 }, 0)
  await world.logIn('anna')
  // Room in the ledger for one number beside another.
  await world.import(34, (place) => ({ numbers: pairAt(place + 1).slice(1) }))
  await world.run(60 * MINUTE_MS)
  await world.import(1, () => ({ numbers: pairAt(0) }))
  await world.run(2 * MINUTE_MS)
  expect(resultsOf(world).slice(-2)).toEqual(['withdrawn', 'answered'])
  expect(new Set(statusesOf(world))).toEqual(new Set(['answered']))
  const [surplus, first] = world.pbx.carrier.calls.slice(-2)
  // Nobody answers it for nothing.
  expect(surplus!.endedAtMs! - first!.answeredAtMs!).toBeLessThan(500)
})

test('everybody answers both phones at once: nobody is abandoned above the cap', async () => {
  const world = await open({ contactOf: scripts(ANSWERS) }, { parallelCalls: 2, maxAbandonRate: 0.03 }, 0)
  await world.import(120, (place) => ({ numbers: pairAt(place) }))
  await world.logIn('anna', 'ben')
  await world.run(120 * MINUTE_MS)
  const results = resultsOf(world)
  const answered = world.pbx.carrier.calls.filter(({ answeredAtMs }) => answeredAtMs !== undefined).length
  const dropped = results.filter((result) => result === 'dropped').length
  expect(answered).toBeGreaterThan(120)
  // Numbers rang together, once the ledger had room, and what was lost used it up.
  expect(dropped).toBeGreaterThan(0)
  expect(dropped).toBeLessThanOrEqual(0.03 * answered)
})

describe('agents', () => {
  test('a pause requested while lines depend on the agent begins when they are resolved', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.pbx.carrier.calls.length === 1)
    await world.order('anna', { type: 'pause', reason: 'lunch' })
    expect(world.engine.agentDesktop?.statuses()[0]).toMatchObject({ state: 'ready', asked: 'pause' })
    await world.run(2 * MINUTE_MS)
    expect(resultsOf(world)).toEqual(['answered'])
    expect(world.engine.agentDesktop?.statuses()[0]).toMatchObject({ state: 'paused', reason: 'lunch' })
  })

  test('in preview an agent sees the task, dials it, and the case opens', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, { dialMode: 'preview' }, 2)
    await world.logIn('anna')
    await world.until(() => world.news.some(({ news: notification }) => notification.type === 'preview'))
    expect(world.pbx.carrier.invites).toEqual([])
    expect(await world.order('anna', { type: 'skip' })).toEqual({ ok: true })
    await world.until(() => world.news.filter(({ news: notification }) => notification.type === 'preview').length === 2)
    expect(await world.order('anna', { type: 'dial' })).toEqual({ ok: true })
    await world.run(MINUTE_MS)
    expect(resultsOf(world)).toEqual(['answered'])
    expect(world.pbx.carrier.invites.map(({ number }) => number)).toEqual([numberOf(1)])
    const popups = world.news.flatMap(({ news: notification }) => (notification.type === 'popup' ? [notification] : []))
    expect(popups).toMatchObject([{ reason: 'a', url: expect.stringContaining('case=case-1&from=%2B45') }])
  })

  test('in preview an agent without a task is not kept from callers', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, { dialMode: 'preview' }, 0)
    await world.logIn('anna')
    await world.run(MINUTE_MS)
    const states = world.news.flatMap(({ news: notification }) =>
      notification.type === 'status' ? [notification.status.state] : [],
    )
    expect(states.at(-1)).toBe('ready')
    expect(states).not.toContain('reserved')
  })

  test('in preview a task whose reservation expired is offered again', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, { dialMode: 'preview' }, 1)
    world.dialerRepository.strikeNext('reserveTask', 'after')
    await world.logIn('anna')
    await world.until(() => statusesOf(world)[0] === 'reserved')
    await world.run(MINUTE_MS)
    expect(world.news.filter(({ news: notification }) => notification.type === 'preview')).toEqual([])
    const isOffered = () => world.news.some(({ news: notification }) => notification.type === 'preview')
    expect(await world.until(isOffered, 10 * MINUTE_MS)).toBe(true)
    expect(await world.order('anna', { type: 'dial' })).toEqual({ ok: true })
    await world.run(MINUTE_MS)
    expect(resultsOf(world)).toEqual(['answered'])
  })

  test('a callback that the contact asked for creates a new task, and is dialed on time', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
    const atMs = world.clock.nowMs() + 2 * 3_600_000
    expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual({ ok: true })
    await world.run(3 * 3_600_000)
    expect(statusesOf(world)).toEqual(['answered', 'answered'])
    const placed = world.pbx.carrier.invites.map((invite) => invite.atMs)
    expect(placed[1]).toBeGreaterThanOrEqual(atMs)
    expect(placed[1]! - atMs).toBeLessThan(5 * MINUTE_MS)
  })

  test('"this was a machine" during the call counts as an attempt, and the task stays active', async () => {
    const world = await open({ teams: { collections: ['anna'] } }, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
    await world.order('anna', { type: 'machine' })
    await world.run(2 * MINUTE_MS)
    expect([resultsOf(world), statusesOf(world)]).toEqual([['voicemail'], ['waiting']])
  })

  test('ringing lines are withdrawn when the last agent leaves', async () => {
    const world = await open({ teams: { collections: ['anna'] }, contactOf: scripts(RINGS) }, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
    const phone = world.pbx.agentPhone('anna' as never, { does: 'reject', afterMs: 100 })
    phone.hangUp()
    await world.run(MINUTE_MS)
    expect(resultsOf(world)).toEqual(['cancelled'])
  })
})

describe('an engine dies and another takes over', () => {
  test('conversations go on, and each end is written once', async () => {
    const world = await open({}, {}, 1)
    await world.logIn('anna')
    await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
    await world.run(2_000)
    await world.crash()
    await world.run(1_000)
    await world.start()
    await world.run(2 * MINUTE_MS)
    expect(world.pbx.carrier.calls).toMatchObject([{ endedBy: 'contact' }])
    expect([resultsOf(world), statusesOf(world)]).toEqual([['answered'], ['answered']])
    expect(world.dialerRepository.view.events).toHaveLength(1)
    expect(world.pbx.carrier.invites).toHaveLength(1)
  })

  test.for([
    ['goes on', 5_000, 'ready'],
    ['is over', 60_000, 'ready'],
    ['is over, and was broken off by a full disk', 60_000, 'failed'],
  ] as const)(
    'a recorded conversation that %s at the takeover has its recording (INV-O6)',
    async ([_, awayMs, state]) => {
      const recordingFails = () => (state === 'failed' ? 'no space left' : undefined)
      const world = await open({ pbx: { recordingFails } }, { recording: { mode: 'always' } }, 1)
      await world.logIn('anna')
      await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
      await world.run(2_000)
      await world.crash()
      await world.run(awayMs)
      await world.start()
      await world.run(2 * MINUTE_MS)
      const [call] = [...world.dialerRepository.view.calls.values()]
      const [attempt] = [...world.dialerRepository.view.attempts.values()]
      expect(call!.recordings).toMatchObject([{ file: `${attempt!.leg}-0.wav`, state }])
    },
  )

  test('an attempt that ended meanwhile is unknown, counts, and waits for its interval', async () => {
    const world = await open({ contactOf: scripts(RINGS) }, { ringTimeoutSeconds: 20 }, 1)
    await world.logIn('anna')
    await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
    await world.crash()
    await world.run(MINUTE_MS)
    await world.start()
    await world.run(10 * MINUTE_MS)
    expect([resultsOf(world), statusesOf(world)]).toEqual([['unknown'], ['waiting']])
    expect(world.pbx.carrier.invites).toHaveLength(1)
  })
})

test('a person calls in while being dialed: the inbound call comes first', async () => {
  const world = await open({ contactOf: scripts(RINGS) }, {}, 1)
  await world.logIn('anna', 'ben')
  await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
  world.pbx.callIn({ called: INBOUND, caller: numberOf(0), person: { hangsUpAfterMs: 20_000 } })
  const calledAtMs = world.clock.nowMs()
  await world.run(30_000)
  expect(world.pbx.carrier.calls[0]!.endedAtMs! - calledAtMs).toBeLessThan(2_000)
  expect(resultsOf(world)).toEqual(['cancelled'])
  const inbound = [...world.dialerRepository.view.calls.values()].filter(({ direction }) => direction === 'in')
  expect(inbound).toMatchObject([{ caller: numberOf(0), externalCaseNumber: 'case-0', externalSystem: 3 }])
})

test('a caller whose number another corporation has is unknown, and the call is filed with ours', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ ready: false }, CAMPAIGN, 'collections', 2 as CorporationId)
  await world.import(1)
  await world.start()
  world.pbx.callIn({ called: INBOUND, caller: numberOf(0), person: { hangsUpAfterMs: 20_000 } })
  await world.run(30_000)
  const inbound = [...world.dialerRepository.view.calls.values()].filter(({ direction }) => direction === 'in')
  expect(inbound).toMatchObject([{ caller: numberOf(0), corporation: CORPORATION }])
  expect(inbound[0]).not.toHaveProperty('externalCaseNumber')
})

test('while the database is unavailable no callee is dialed, and events are written when it is back', async () => {
  const world = await open({}, {}, 20)
  await world.logIn('anna')
  await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'talking')
  const fromMs = world.clock.nowMs()
  world.dialerRepository.away = [{ fromAtMs: fromMs, untilAtMs: fromMs + 5 * MINUTE_MS }]
  await world.run(5 * MINUTE_MS)
  const during = world.pbx.carrier.invites.filter(({ atMs }) => atMs > fromMs + 1_000 && atMs < fromMs + 5 * MINUTE_MS)
  expect(during).toEqual([])
  await world.run(5 * MINUTE_MS)
  expect(resultsOf(world)[0]).toBe('answered')
  expect(world.pbx.carrier.invites.length).toBeGreaterThan(3)
  expect(world.dialerRepository.view.campaigns.has(CAMPAIGN)).toBe(true)
})
