/** A switch that does not let a leg into a bridge: nobody is left in a silence that nobody tells of. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import { AgentTopics } from '../../../src/rest/stream/agent-topics.ts'
import { openScreen } from '../../worlds/agent-screen.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'
import { ANNA, EXPERT, Talk, TOGETHER, WITH_BEN, WITH_EXPERT } from './one-talk.ts'

const BEN = 'ben' as AgentName
/** Within it everything is tried that is tried, and the end of a call is told. */
const SOON_MS = 5_000
const PASSED = ['ben hears callee', 'callee hears ben']
const TWO = ['callee hears expert', 'expert hears callee']

/** The switch refuses legs of these people so many times from now on. */
class Rude {
  readonly talk = new Talk()
  #whom: (name: string) => boolean = () => false
  #times = 0

  async open(isCaller: boolean): Promise<Talk> {
    const refusesToJoin = ({ name }: { readonly name: string }) => this.#whom(name) && this.#times-- > 0
    return this.talk.open(['anna', 'ben'], isCaller, { pbx: { refusesToJoin } })
  }

  refuses(whom: 'callee' | 'expert' | 'ben', times: number): void {
    const isAgent = (name: string) => name === 'anna' || name === 'ben'
    const isCallee = (name: string) => !isAgent(name) && name !== EXPERT
    this.#whom = whom === 'callee' ? isCallee : (name) => name === (whom === 'expert' ? EXPERT : whom)
    this.#times = times
  }

  told(agent = 'anna') {
    return this.talk.world.news.flatMap(({ agent: whose, news }) =>
      whose === agent && news.type === 'notConnected' ? [news.why] : [],
    )
  }

  /** Whether the line of the callee, or of the caller, is over. */
  get isOver(): boolean {
    const { caller } = this.talk
    return caller ? caller.result !== undefined : this.talk.line(0)!.endedBy !== undefined
  }
}

const WAYS: readonly [string, AgentOrder, readonly string[], AgentOrder, readonly string[], string][] = [
  ['taken back from hold', { type: 'hold' }, ['callee hears default'], { type: 'resume' }, TOGETHER, 'anna'],
  [
    'taken back from a consultation',
    { type: 'consult', to: { colleague: BEN } },
    WITH_BEN,
    { type: 'back' },
    TOGETHER,
    'anna',
  ],
  [
    'passed on to a colleague',
    { type: 'consult', to: { colleague: BEN } },
    WITH_BEN,
    { type: 'connect' },
    PASSED,
    'ben',
  ],
  ['left to a number', { type: 'consult', to: { number: EXPERT } }, WITH_EXPERT, { type: 'connect' }, TWO, 'anna'],
]

for (const isCaller of [false, true])
  describe.each(WAYS)(`a ${isCaller ? 'caller' : 'callee'} who is %s`, (_, first, before, then, after, agent) => {
    test('is let in at the third request', async () => {
      const rude = new Rude()
      const talk = await rude.open(isCaller)
      expect(await talk.order(first)).toEqual({ ok: true })
      expect(await talk.hearing(before)).toEqual([...before])
      rude.refuses('callee', 2)
      expect(await talk.order(then)).toEqual({ ok: true })
      await talk.world.run(SOON_MS)
      expect(await talk.hearing(after)).toEqual([...after])
      expect([rude.isOver, rude.told(agent)]).toEqual([false, []])
    })

    test('is never let in: the call ends, nobody hears silence, and the agent is told why', async () => {
      const rude = new Rude()
      const talk = await rude.open(isCaller)
      expect(await talk.order(first)).toEqual({ ok: true })
      expect(await talk.hearing(before)).toEqual([...before])
      rude.refuses('callee', Number.POSITIVE_INFINITY)
      expect(await talk.order(then)).toEqual({ ok: true })
      await talk.world.run(SOON_MS)
      expect([rude.isOver, rude.told(agent)]).toEqual([true, ['The switch did not connect the two sides.']])
      await talk.world.run(60_000)
      expect(['anna', 'ben'].map((one) => talk.state(one))).toEqual(['ready', 'ready'])
      expect(await talk.hearing([])).toEqual([])
    })
  })

describe('whoever is asked, and is never let in,', () => {
  test.each([
    ['a number', 'expert', { type: 'consult', to: { number: EXPERT } }],
    ['a colleague', 'ben', { type: 'consult', to: { colleague: BEN } }],
  ] as const)('%s, is given up, and the other side comes back', async (_, whom, order) => {
    const rude = new Rude()
    const talk = await rude.open(false)
    rude.refuses(whom, 5)
    expect(await talk.order(order)).toEqual({ ok: true })
    await talk.world.run(SOON_MS + 3_000)
    expect(talk.consults().at(-1)).toMatchObject({ state: null, why: 'They could not be connected with you.' })
    expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
    expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
    expect([talk.state('ben'), talk.world.pbx.switch.legs.size]).toEqual(['ready', 3])
  })
})

test('a colleague who cannot come back to their own bridge is called anew, and takes calls again', async () => {
  const rude = new Rude()
  const talk = await rude.open(false)
  await talk.order({ type: 'consult', to: { colleague: BEN } })
  expect(await talk.hearing(WITH_BEN)).toEqual(WITH_BEN)
  rude.refuses('ben', 5)
  await talk.order({ type: 'back' })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  await talk.world.run(30_000)
  expect(talk.state('ben')).toBe('ready')
  await talk.order({ type: 'transfer', to: { colleague: BEN } })
  expect(await talk.hearing(PASSED)).toEqual(PASSED)
})

test.each([false, true])('a bridge that the switch loses is made anew: both talk on (caller: %s)', async (isCaller) => {
  const talk = await new Talk().open(['anna'], isCaller)
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  const { pbx } = talk.world
  for (const bridge of pbx.switch.bridges.keys()) pbx.joins.lose(bridge)
  expect(await talk.world.until(() => pbx.switch.bridges.size === 0)).toBe(true)
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  await talk.world.run(60_000)
  expect([talk.state('anna'), await talk.hearing(TOGETHER)]).toEqual(['talking', TOGETHER])
  await talk.order({ type: 'hangUp' })
  await talk.world.run(SOON_MS)
  expect(await talk.hearing([])).toEqual([])
})

test('the event socket and the desk of the agent tell it', async () => {
  let isRude = false
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    contactOf: () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 7_200_000 }),
    pbx: { refusesToJoin: ({ name }) => isRude && name !== 'anna' },
  })
  await world.campaign()
  await world.import(1)
  await world.start()
  const agentDesktop = world.engine.agentDesktop!
  const desks = new AgentTopics({ agentDesktop, clock: world.clock })
  agentDesktop.listen((agent, notification) => desks.notified(agent, notification))
  const messages: unknown[] = []
  desks.open(ANNA).topic.listen({ delta: () => {}, event: ({ data }) => messages.push(data) })
  const screen = await openScreen(world, 'anna')
  onTestFinished(() => screen.close())
  await world.until(() => world.engine.agentDesktop!.statuses()[0]?.state === 'talking')
  const [callId] = await screen.calls()
  await screen.order({ type: 'hold' })
  isRude = true
  await screen.order({ type: 'resume' })
  await world.run(SOON_MS)
  await screen.settled()
  const why = 'The switch did not connect the two sides.'
  expect(screen.shown).toContainEqual({ type: 'notConnected', callId, why })
  expect(messages).toContainEqual({ about: 'notConnected', callId, why })
})
