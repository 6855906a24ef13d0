/** Callers whose conversation an earlier engine connected: what their agent does with it afterwards. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import { CampaignWorld, INBOUND, numberOf, STAYS } from '../../worlds/campaign-world.ts'
import { EXPERT, Talk, TOGETHER, WITH_BEN, WITH_EXPERT } from '../agents/one-talk.ts'

const ANNA = 'anna' as AgentName
const BEN = 'ben' as AgentName
const RECORDED = { recording: { mode: 'always', isTranscribed: true } } as const

async function kept(agents: readonly string[] = ['anna'], more: object = {}): Promise<Talk> {
  const talk = await new Talk().open(agents, true, more)
  await talk.world.run(5_000)
  await nextEngine(talk)
  await talk.hearing(TOGETHER)
  return talk
}

async function nextEngine(talk: Talk): Promise<void> {
  await restart(talk.world)
}

async function restart(world: CampaignWorld): Promise<void> {
  await world.crash()
  await world.start()
  for (const agent of [ANNA, BEN]) {
    world.engine.agentDesktop!.attach(agent, (news) => world.news.push({ agent, news, atMs: world.clock.nowMs() }))
  }
  await world.run(5_000)
}

async function recorded(talk: Talk) {
  const { calls } = talk.world.dialerRepository.view
  await talk.world.until(() => calls.size > 0)
  return [...calls.values()][0]!
}

const openRecordings = ({ world }: Talk) => [...world.pbx.switch.recordings.values()].filter(({ end }) => !end).length

test('they are recorded from the order of their agent on, where step, team or number said by consent', async () => {
  const talk = await kept(['anna'], { recording: { mode: 'consent', isTranscribed: true } })
  expect(openRecordings(talk)).toBe(0)
  expect(await talk.order({ type: 'recordingConsent' })).toEqual({ ok: true })
  expect(await talk.world.until(() => openRecordings(talk) === 1)).toBe(true)
  await nextEngine(talk)
  expect([openRecordings(talk), await talk.order({ type: 'recordingConsent' })]).toEqual([1, { ok: true }])
  talk.caller!.hangUp()
  expect((await recorded(talk)).recordings).toMatchObject([{ state: 'ready' }])
})

test('they are not recorded by an order where nobody asks for consent', async () => {
  const talk = await kept()
  expect(await talk.order({ type: 'recordingConsent' })).toMatchObject({ ok: false })
  expect(openRecordings(talk)).toBe(0)
})

test('connected with a number, they are not recorded any more', async () => {
  const talk = await kept(['anna'], RECORDED)
  expect(openRecordings(talk)).toBe(1)
  await talk.order({ type: 'transfer', to: { number: EXPERT } })
  await talk.hearing(['callee hears expert', 'expert hears callee'])
  expect(openRecordings(talk)).toBe(0)
})

test('the record tells whom the agent asked, and the next engine leaves the two together', async () => {
  const talk = await kept(['anna'], RECORDED)
  // In the country of the called number.
  await talk.order({ type: 'consult', to: { number: '26 90 00 01' } })
  await talk.hearing(WITH_EXPERT)
  await talk.order({ type: 'connect' })
  const two = ['callee hears expert', 'expert hears callee']
  expect(await talk.hearing(two)).toEqual(two)
  await nextEngine(talk)
  expect(await talk.hearing(two)).toEqual(two)
  await talk.world.run(60_000)
  talk.caller!.hangUp()
  const { transfers, recordings, endedAtMs } = await recorded(talk)
  expect(transfers).toMatchObject([{ to: EXPERT, mode: 'attended', end: 'done' }])
  expect(recordings).toMatchObject([{ state: 'ready' }])
  expect(endedAtMs - recordings[0]!.endedAtMs).toBeGreaterThan(60_000)
})

test('a colleague takes over the caller: the call is on their screen, and theirs in the record', async () => {
  const talk = await kept(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: BEN } })
  await talk.hearing(WITH_BEN)
  expect(await talk.order({ type: 'connect' })).toEqual({ ok: true })
  const both = ['ben hears callee', 'callee hears ben'].sort()
  expect(await talk.hearing(both)).toEqual(both)
  const call = () => talk.world.news.findLast(({ agent, news }) => agent === BEN && news.type === 'call')
  expect(call()).toMatchObject({ news: { call: { direction: 'in' } } })
  expect(await talk.order({ type: 'hold' }, BEN)).toEqual({ ok: true })
  expect(await talk.order({ type: 'resume' }, BEN)).toEqual({ ok: true })
  talk.caller!.hangUp()
  const { agent, transfers } = await recorded(talk)
  expect([agent, transfers]).toMatchObject(['ben', [{ to: 'ben', mode: 'attended', end: 'done' }]])
  expect(talk.world.news.some(({ agent: whose, news }) => whose === BEN && news.type === 'callEnded')).toBe(true)
})

test('while the browser of the agent is lost, the caller hears music, and the two talk on', async () => {
  const talk = await kept(['anna'], { phoneGraceMs: 15_000 })
  const hearsMusic = () => talk.caller!.heard.some(({ text, untilMs }) => text === 'default' && untilMs === undefined)
  talk.world.pbx.agentPhone(ANNA, { does: 'ignore', afterMs: 0 }).hangUp()
  expect(await talk.world.until(hearsMusic, 2_000)).toBe(true)
  talk.world.pbx.agentPhone(ANNA, STAYS)
  expect(await talk.order({ type: 'renewLeg' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

/** Anna talks with somebody whose number has a task, and whose flow says that it is about this case. */
async function knownCaller(caseNumber?: string) {
  const popup = caseNumber === undefined ? '' : `, popup: "${caseNumber}"`
  const flow = `flow: line
start: team
steps:
  team: { queue: { team: collections, timeout: 30m${popup} }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }`
  const world = new CampaignWorld({
    teams: { collections: ['anna'], experts: ['ben'] },
    flow,
    systemCode: 'DEBT',
    parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised: async () => undefined } }),
  })
  await world.campaign({ dialMode: 'manual' })
  await world.import(1)
  await world.start()
  for (const agent of ['anna', 'ben']) await world.logIn(agent)
  world.pbx.callIn({ called: INBOUND, caller: numberOf(0), person: { waitsMaxMs: 3_600_000 } })
  const onScreen = (of: AgentName) =>
    world.news.flatMap(({ agent, news }) => (agent === of && news.type === 'call' ? [news.call] : []))
  const pages = (of: AgentName) =>
    world.news.flatMap(({ agent, news }) =>
      agent === of && news.type === 'popup' ? [`${news.reason} ${new URL(news.url).searchParams.get('case')}`] : [],
    )
  expect(await world.until(() => onScreen(ANNA).length === 1)).toBe(true)
  await world.run(5_000)
  return { world, onScreen, pages }
}

test('the task of the caller stays on the screen and on the board, and its page does not open again', async () => {
  const { world, onScreen, pages } = await knownCaller()
  const onBoard = () => world.engine.supervisions!.shownTalks().map(({ shown }) => shown)
  const [before] = onScreen(ANNA)
  expect([before?.task?.externalCaseNumber, onBoard(), pages(ANNA)]).toEqual(['case-0', [before], ['b case-0']])
  await restart(world)
  expect([onScreen(ANNA).at(-1), onBoard(), pages(ANNA)]).toEqual([before, [before], ['b case-0']])
})

test('a colleague who takes over a caller that typed another case gets the page of that case', async () => {
  const { world, onScreen, pages } = await knownCaller('4711')
  const [before] = onScreen(ANNA)
  expect([before?.typedCode, pages(ANNA)]).toEqual(['4711', ['c 4711']])
  await restart(world)
  expect(onScreen(ANNA).at(-1)).toEqual(before)
  const order = (given: AgentOrder) => world.during(world.engine.agentDesktop!.order(ANNA, given))
  expect(await order({ type: 'consult', to: { colleague: BEN } })).toEqual({ ok: true })
  await world.run(5_000)
  expect(await order({ type: 'connect' })).toEqual({ ok: true })
  await world.run(5_000)
  expect([onScreen(BEN).at(-1)?.typedCode, pages(BEN)]).toEqual(['4711', ['c 4711']])
})
