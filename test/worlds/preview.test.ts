/** Preview as its agents see it, through their event sockets; and wrap-up after callers (campaigns-55). */
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/installation/read-config.ts'
import type { CallTaskId, TeamName } from '../../src/kernel/ids.ts'
import { type AgentScreen, openScreen } from './agent-screen.ts'
import { CampaignWorld, CORPORATION, INBOUND, numberOf, STAYS, SYSTEM } from './campaign-world.ts'
import { type Teams, types } from './set-up.ts'

const MINUTE_MS = 60_000
const OK = { ok: true }
const screens = new Map<string, AgentScreen>()

afterEach(async () => {
  for (const screen of screens.values()) await screen.close()
  screens.clear()
})

async function previewing(agents: readonly string[], settings: object = {}, tasks = 1): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: agents } })
  await world.campaign({ dialMode: 'preview', ...settings })
  await world.import(tasks)
  await world.start()
  for (const agent of agents) await logIn(world, agent)
  return world
}

async function logIn(world: CampaignWorld, agent: string): Promise<void> {
  screens.set(agent, await openScreen(world, agent))
}

/** Notifications of the engine so far, as the agent's screen got them. */
async function shown(agent: string, type: string) {
  const screen = screens.get(agent)!
  await screen.settled()
  return screen.shown.filter((notification) => notification.type === type)
}

const stateOf = ({ engine }: CampaignWorld, agent: string) =>
  engine.agentDesktop?.statuses().find((status) => status.agent === agent)?.state
/** Whom the only task is offered to. */
const offeredTo = (world: CampaignWorld) => {
  const [reserved] = (world.engine.agentDesktop?.statuses() ?? []).filter(({ state }) => state === 'reserved')
  return reserved?.agent
}
const offered = async (world: CampaignWorld, limitMs = 10_000) =>
  (await world.until(() => offeredTo(world) !== undefined, limitMs)) ? offeredTo(world) : undefined

describe('an offered task', () => {
  test('is on the screen for as long as its campaign says; then the agent is paused', async () => {
    const world = await previewing(['anna'], { previewSeconds: 20 })
    await offered(world)
    const fromMs = world.clock.nowMs()
    const [offer] = await shown('anna', 'preview')
    expect(Date.parse(offer!['untilTs'] as string) - fromMs).toBeLessThanOrEqual(20_000)
    await world.run(19_000)
    expect(stateOf(world, 'anna')).toBe('reserved')
    await world.run(2_000)
    expect(stateOf(world, 'anna')).toBe('paused')
  })

  test('may be looked at for eight minutes, and nobody else gets it meanwhile', async () => {
    const world = await previewing(['anna', 'ben'], { previewSeconds: 480 })
    const first = await offered(world)
    await world.run(7 * MINUTE_MS)
    expect(offeredTo(world)).toBe(first)
    expect(await screens.get(first!)!.orderAndRun({ type: 'dial' })).toMatchObject(OK)
    await world.run(MINUTE_MS)
    expect([...world.dialerRepository.view.attempts.values()]).toMatchObject([{ result: 'answered', agent: first }])
  })

  test('goes to another agent when the phone of its agent is lost', async () => {
    const world = await previewing(['anna', 'ben'], { previewSeconds: 300 })
    const first = (await offered(world))!
    world.pbx.agentPhone(first, STAYS).hangUp()
    world.pbx.agentPhone(first, { does: 'reject', afterMs: 100 })
    const second = first === 'anna' ? 'ben' : 'anna'
    expect(await world.until(() => offeredTo(world) === second, 30_000)).toBe(true)
    expect(await screens.get(second)!.orderAndRun({ type: 'dial' })).toMatchObject(OK)
  })

  test('that is skipped goes to another agent at once, and to the same agent five minutes later', async () => {
    const world = await previewing(['anna', 'ben'])
    const first = await offered(world)
    const second = first === 'anna' ? 'ben' : 'anna'
    expect(await screens.get(first!)!.order({ type: 'skip', reason: 'I know him' })).toMatchObject(OK)
    await world.run(5_000)
    expect(offeredTo(world)).toBe(second)
    await screens.get(second)!.order({ type: 'pause', reason: 'tea' })
    await screens.get(second)!.order({ type: 'skip' })
    await world.run(4 * MINUTE_MS)
    expect(offeredTo(world)).toBeUndefined()
    expect(await offered(world, 2 * MINUTE_MS)).toBe(first)
  })

  test('is skipped by its name: a key that comes late skips no other one', async () => {
    const world = await previewing(['anna'], {}, 2)
    const screen = screens.get('anna')!
    const seen = async () =>
      (await shown('anna', 'preview')).map(({ callTask }) => (callTask as { itcaId: number }).itcaId)
    await offered(world)
    const [first] = await seen()
    expect(await screen.order({ type: 'skip', itcaId: first })).toMatchObject(OK)
    expect(await offered(world)).toBe('anna')
    const late = await screen.order({ type: 'skip', itcaId: first })
    expect(late).toMatchObject({ ok: false, why: 'This task is not offered to you any more.' })
    const [, second] = await seen()
    expect(await screen.orderAndRun({ type: 'dial', itcaId: second })).toMatchObject(OK)
  })

  test('waits for its interval after its last skip', async () => {
    const world = await previewing(['anna', 'ben'], { previewSkipsMax: 2 })
    for (const skips of [1, 2]) {
      const agent = await offered(world)
      expect(agent, `skip ${skips}`).toBeDefined()
      await screens.get(agent!)!.order({ type: 'skip' })
    }
    const skippedAtMs = world.clock.nowMs()
    await world.run(MINUTE_MS)
    expect([...world.dialerRepository.view.tasks.values()].map(({ waitsFor }) => waitsFor)).toContain('skipped')
    await offered(world, 2 * 60 * MINUTE_MS)
    expect(world.clock.nowMs() - skippedAtMs).toBeGreaterThanOrEqual(60 * MINUTE_MS)
    expect(world.clock.nowMs() - skippedAtMs).toBeLessThan(61 * MINUTE_MS)
  })

  test.for([
    [
      'the integrator ended',
      ({ dialerRepository, clock }: CampaignWorld, task: CallTaskId) =>
        dialerRepository.endCallTask({
          task,
          corporations: [CORPORATION],
          status: 'endedBySystem',
          atMs: clock.nowMs(),
        }),
    ],
    [
      'whose number is stopped',
      ({ dialerRepository, clock }: CampaignWorld) =>
        dialerRepository.addStop(CORPORATION, { kind: 'number', number: numberOf(0) }, clock.nowMs()),
    ],
    [
      'whose person is stopped',
      ({ dialerRepository, clock }: CampaignWorld) => {
        const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'c0' } as const
        return dialerRepository.addStop(CORPORATION, person, clock.nowMs())
      },
    ],
  ] as const)('%s leaves the screen at once, and the agent is free', async ([_, change]) => {
    const world = await previewing(['anna'], { previewSeconds: 300 })
    await offered(world)
    const [offer] = await shown('anna', 'preview')
    const { itcaId } = offer!['callTask'] as { itcaId: CallTaskId }
    await world.during(change(world, itcaId) as Promise<unknown>)
    await world.run(2_000)
    expect(await shown('anna', 'taskEnded')).toMatchObject([{ itcaId }])
    expect(stateOf(world, 'anna')).toBe('ready')
    expect(await screens.get('anna')!.orderAndRun({ type: 'dial' })).toMatchObject({ ok: false })
    await world.run(10 * MINUTE_MS)
    expect(world.pbx.carrier.invites).toEqual([])
    expect(await shown('anna', 'preview')).toHaveLength(1)
  })
})

test('an offered task with another number stays on the screen when one number is stopped', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ dialMode: 'preview', previewSeconds: 300 })
  await world.import(1, () => ({ numbers: [0, 1].map((place) => ({ given: '', number: numberOf(place) })) }))
  await world.start()
  await logIn(world, 'anna')
  await offered(world)
  const stop = { kind: 'number', number: numberOf(0) } as const
  await world.during(world.dialerRepository.addStop(CORPORATION, stop, world.clock.nowMs()))
  await world.run(10_000)
  expect([await shown('anna', 'preview'), await shown('anna', 'taskEnded')]).toMatchObject([[{}], []])
  expect(await screens.get('anna')!.orderAndRun({ type: 'dial' })).toMatchObject(OK)
  expect(world.pbx.carrier.invites.map(({ number }) => number)).toEqual([numberOf(1)])
})

describe('a task that an agent chooses', () => {
  const choose = (agent: string, itcaId: CallTaskId) => screens.get(agent)!.orderAndRun({ type: 'dial', itcaId })
  const only = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.tasks.values()][0]!

  test('and that is offered to somebody else stays with them', async () => {
    const world = await previewing(['anna', 'ben'], { previewSeconds: 300 })
    const first = await offered(world)
    const other = first === 'anna' ? 'ben' : 'anna'
    await world.run(10_000)
    const refused = { ok: false, why: 'The call task is offered to another agent.' }
    expect(await choose(other, only(world).id)).toMatchObject(refused)
    await world.run(MINUTE_MS)
    expect(only(world)).toMatchObject({ status: 'reserved' })
    expect([stateOf(world, first!), stateOf(world, other)]).toEqual(['reserved', 'ready'])
    expect(await screens.get(first!)!.orderAndRun({ type: 'dial' })).toMatchObject(OK)
    expect(await choose(other, only(world).id)).toMatchObject({ ok: false, why: expect.stringMatching(/in flight/) })
  })

  test('and that is finished is called finished, and one of a paused campaign waits for it', async () => {
    const world = await previewing(['anna'], { previewSeconds: 300 })
    await offered(world)
    const { id: task } = only(world)
    expect(await screens.get('anna')!.order({ type: 'skip' })).toMatchObject(OK)
    const [stored] = await world.during(world.dialerRepository.campaigns())
    const { id: campaign, activeSinceAtMs } = stored!
    const pause = { campaign, activeSinceAtMs, why: 'its calls fail', atMs: world.clock.nowMs() }
    await world.during(world.dialerRepository.pauseCampaign(pause))
    await world.run(10_000)
    expect(await choose('anna', task)).toMatchObject({ ok: false, why: 'The campaign is not active.' })
    const end = { task, corporations: [CORPORATION], status: 'endedBySystem', atMs: world.clock.nowMs() } as const
    await world.during(world.dialerRepository.endCallTask(end))
    expect(await choose('anna', task)).toMatchObject({ ok: false, why: expect.stringMatching(/is finished/) })
    expect(world.pbx.carrier.invites).toEqual([])
  })
})

test('an agent may speak about a call as long as its campaign says', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ resultWindowMinutes: 60 })
  await world.import(1)
  await world.start()
  await logIn(world, 'anna')
  await world.run(MINUTE_MS)
  const screen = screens.get('anna')!
  const [callId] = await screen.calls()
  await world.run(59 * MINUTE_MS)
  expect(await screen.order({ type: 'feedback', callId, feedbackType: 'promise' })).toMatchObject(OK)
  await world.run(2 * MINUTE_MS)
  expect(await screen.order({ type: 'feedback', callId, feedbackType: 'promise' })).toMatchObject({ ok: false })
  expect(await screen.order({ type: 'feedback', feedbackType: 'promise' })).toMatchObject({ ok: false })
  expect(world.dialerRepository.view.feedback).toHaveLength(1)
})

test('a wrap-up is ended for its call alone: a key that comes late does not end the next one', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ wrapUpMode: 'byHand' })
  await world.import(2)
  await world.start()
  await logIn(world, 'anna')
  const screen = screens.get('anna')!
  for (const at of [0, 1]) {
    expect(await world.until(() => stateOf(world, 'anna') === 'talking', 10 * MINUTE_MS)).toBe(true)
    const calls = await screen.calls()
    await screen.order({ type: 'hangUp', callId: calls[at] })
    expect(await world.until(() => stateOf(world, 'anna') === 'wrapUp', MINUTE_MS)).toBe(true)
    const others = calls.filter((call) => call !== calls[at])
    for (const callId of others) {
      const late = await screen.order({ type: 'endWrapUp', callId })
      expect(late).toMatchObject({ ok: false, why: 'The wrap-up of this call is over.' })
    }
    expect(stateOf(world, 'anna')).toBe('wrapUp')
    expect(await screen.order({ type: 'endWrapUp', callId: calls[at] })).toMatchObject(OK)
    expect(stateOf(world, 'anna')).not.toBe('wrapUp')
  }
})

test.for([
  ['10s', 10_000],
  ['byHand', 15 * MINUTE_MS],
] as const)('a team with `wrapUp: %s` in switchboard.yaml has it after its callers', async ([wrapUp, lengthMs]) => {
  const text = `teams: { collections: { agents: [anna], wrapUp: ${wrapUp} } }
agents: { anna: { phone: { host: 10.0.0.1 } } }`
  const { staff } = readConfig('switchboard.yaml', text).installation!
  const teams = { collections: staff.teams.get('collections' as TeamName)! } as Teams
  const world = new CampaignWorld({ teams })
  await world.start()
  await logIn(world, 'anna')
  await world.run(5_000)
  const presses = [types('0', 'press 0', { into: true })]
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { presses, hangsUpAfterMs: MINUTE_MS } })
  expect(await world.until(() => stateOf(world, 'anna') === 'wrapUp', 5 * MINUTE_MS)).toBe(true)
  const fromMs = world.clock.nowMs()
  if (wrapUp === 'byHand') {
    await world.run(10 * MINUTE_MS)
    expect(await screens.get('anna')!.order({ type: 'endWrapUp' })).toMatchObject(OK)
    expect(stateOf(world, 'anna')).toBe('ready')
  } else {
    await world.until(() => stateOf(world, 'anna') === 'ready')
    expect(world.clock.nowMs() - fromMs).toBe(lengthMs)
  }
})
