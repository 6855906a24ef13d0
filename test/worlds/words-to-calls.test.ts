/** What an agent says about a call goes to that call, through the agent's event socket (campaigns-54). */
import { afterEach, describe, expect, test } from 'vitest'
import type { OutcomeId } from '../../src/kernel/ids.ts'
import type { StoredCampaign } from '../../src/ports/dialer-repository.ts'
import { type AgentScreen, openScreen } from './agent-screen.ts'
import { CAMPAIGN, CampaignWorld, INBOUND } from './campaign-world.ts'
import { types } from './set-up.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const REFUSED = { ok: false, why: 'A new call has just come up. Say with the order which call it is about.' }
let screen: AgentScreen | undefined

afterEach(async () => {
  await screen?.close()
  screen = undefined
})

/** One agent with timed wrap-up, and debtors who talk for half a minute. */
async function atWork(tasks: number): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ recording: { mode: 'consent' } })
  if (tasks > 0) await world.import(tasks)
  await world.start()
  screen = await openScreen(world, 'anna')
  return world
}

const stateOf = ({ engine }: CampaignWorld) => engine.agentDesktop?.statuses()[0]?.state
const talking = async (world: CampaignWorld) =>
  expect(await world.until(() => stateOf(world) === 'talking', 5 * MINUTE_MS)).toBe(true)
const attemptsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.attempts.values()]

/** The second conversation is up for three seconds, which is after the wrap-up of the first. */
async function nextCallUp(world: CampaignWorld): Promise<readonly string[]> {
  await talking(world)
  await world.until(() => stateOf(world) === 'wrapUp')
  await talking(world)
  await world.run(3_000)
  return screen!.calls()
}

const later = (world: CampaignWorld) => new Date(world.clock.nowMs() + 2 * HOUR_MS).toISOString()

test('an order without a call is refused while the next call is new, and goes to it afterwards', async () => {
  const world = await atWork(2)
  const [, second] = await nextCallUp(world)
  const orders = [
    { type: 'callback', callBackTs: later(world) },
    { type: 'machine' },
    { type: 'feedback', feedbackType: 'promise', final: true },
    { type: 'recordingConsent' },
    { type: 'hangUp' },
  ]
  for (const order of orders) expect(await screen!.order(order)).toMatchObject(REFUSED)
  expect(stateOf(world)).toBe('talking')
  await world.run(2_000)
  expect(await screen!.order({ type: 'feedback', feedbackType: 'promise' })).toMatchObject({ ok: true })
  expect(await screen!.order({ type: 'recordingConsent', callId: second })).toMatchObject({ ok: true })
  await world.run(MINUTE_MS)
  const [, live] = attemptsOf(world)
  expect(world.dialerRepository.view.feedback).toMatchObject([{ task: live!.task, feedbackType: 'promise' }])
  expect(attemptsOf(world).map(({ result }) => result)).toEqual(['answered', 'answered'])
})

test('an order that names an earlier call goes to that call, and the live talk goes on', async () => {
  const world = await atWork(2)
  const [first] = await nextCallUp(world)
  const [before, live] = attemptsOf(world)
  const promise = { type: 'callback', callId: first, callBackTs: later(world) }
  expect(await screen!.orderAndRun(promise)).toMatchObject({ ok: true })
  expect(await screen!.order({ type: 'feedback', callId: first, feedbackType: 'x' })).toMatchObject({ ok: true })
  expect(await screen!.order({ type: 'machine', callId: first })).toMatchObject({ ok: true })
  const ended = { ok: false, why: 'This call has ended.' }
  expect(await screen!.order({ type: 'hangUp', callId: first })).toMatchObject(ended)
  expect(await screen!.order({ type: 'recordingConsent', callId: first })).toMatchObject(ended)
  expect(stateOf(world)).toBe('talking')
  await world.run(MINUTE_MS)
  expect(attemptsOf(world).map(({ result }) => result)).toEqual(['answered', 'answered'])
  expect(world.dialerRepository.view.corrections).toMatchObject([{ attempt: before!.id }])
  expect(world.dialerRepository.view.feedback).toMatchObject([{ task: before!.task }])
  const callbacks = [...world.dialerRepository.view.tasks.values()].filter(({ callback }) => callback)
  expect(callbacks.map(({ externalCustomer }) => externalCustomer)).toEqual(['c0'])
  expect(live!.task).not.toBe(before!.task)
})

test('hanging up the call that is named ends it at once, also when it is new', async () => {
  const world = await atWork(2)
  const [, second] = await nextCallUp(world)
  expect(await screen!.order({ type: 'hangUp', callId: second })).toMatchObject({ ok: true })
  expect(stateOf(world)).toBe('wrapUp')
})

test('words about a caller never go to the debtor who was called before', async () => {
  const world = await atWork(1)
  await talking(world)
  await world.until(() => stateOf(world) === 'ready')
  world.pbx.callIn({
    called: INBOUND,
    caller: '+4551000001',
    person: { presses: [types('0', 'press 0', { into: true })], hangsUpAfterMs: 5 * MINUTE_MS },
  })
  await talking(world)
  const [outgoing, incoming] = await screen!.calls()
  const words = { type: 'feedback', feedbackType: 'promise' }
  expect(await screen!.order(words)).toMatchObject(REFUSED)
  expect(await screen!.order({ ...words, callId: incoming })).toMatchObject({ ok: true })
  await world.run(10_000)
  expect(await screen!.order(words)).toMatchObject({ ok: true })
  expect(world.dialerRepository.view.feedback).toEqual([])
  expect(await screen!.order({ ...words, callId: outgoing })).toMatchObject({ ok: true })
  await world.run(1_000)
  expect(world.dialerRepository.view.feedback).toHaveLength(1)
  expect(await screen!.order({ type: 'hangUp', callId: outgoing })).toMatchObject({ ok: false })
  expect(await screen!.order({ type: 'hangUp', callId: incoming })).toMatchObject({ ok: true })
})

test('a call is forgotten a quarter of an hour after its end, and the call of another agent is nobody’s', async () => {
  const world = await atWork(1)
  await talking(world)
  const [call] = await screen!.calls()
  const words = { type: 'feedback', callId: call, feedbackType: 'promise' }
  const forgotten = { ok: false, why: 'You had no such call, or it ended too long ago.' }
  expect(await screen!.order({ ...words, callId: 'sb-of-ben' })).toMatchObject(forgotten)
  await world.run(10 * MINUTE_MS)
  expect(await screen!.order(words)).toMatchObject({ ok: true })
  await world.run(10 * MINUTE_MS)
  expect(await screen!.order(words)).toMatchObject(forgotten)
})

test('words about a call of before a crash go to that call, while they may, and from its agent alone', async () => {
  const world = await atWork(1)
  await talking(world)
  await world.until(() => stateOf(world) === 'wrapUp')
  const [call] = await screen!.calls()
  await world.run(1_000)
  await world.crash()
  await screen!.close()
  await world.start()
  screen = await openScreen(world, 'anna')
  const words = { type: 'feedback', callId: call, feedbackType: 'promise' }
  const callBackTs = later(world)
  world.dialerRepository.strikeNext('findAttempts', 'before')
  const away = { ok: false, why: 'This cannot be looked up now. Try again.' }
  expect(await screen.orderAndRun(words)).toMatchObject(away)
  expect(await screen.orderAndRun(words)).toMatchObject({ ok: true })
  expect(await screen.orderAndRun({ type: 'callback', callId: call, callBackTs })).toMatchObject({ ok: true })
  const stop = { type: 'doNotCall', callId: call, reason: 'asked for it' }
  expect(await screen.orderAndRun(stop)).toMatchObject({ ok: true })
  await world.run(1_000)
  const { feedback, tasks } = world.dialerRepository.view
  expect(feedback).toMatchObject([{ task: attemptsOf(world)[0]!.task, feedbackType: 'promise', agent: 'anna' }])
  expect([...tasks.values()].map(({ status }) => status)).toContain('stopped')
  await screen.close()
  screen = await openScreen(world, 'ben')
  const forgotten = { ok: false, why: 'You had no such call, or it ended too long ago.' }
  expect(await screen.orderAndRun(words)).toMatchObject(forgotten)
})

test('a machine of before a crash is corrected, and counts in the ledger as one', async () => {
  const world = await atWork(1)
  await talking(world)
  await world.until(() => stateOf(world) === 'wrapUp')
  const [call] = await screen!.calls()
  await world.run(1_000)
  await world.crash()
  await screen!.close()
  await world.start()
  screen = await openScreen(world, 'anna')
  const persons = () => world.boards.get(CAMPAIGN)?.ledgers.map((ledger) => ledger.answered)
  await world.run(MINUTE_MS)
  expect(persons()).toContain(1)
  expect(await screen.orderAndRun({ type: 'machine', callId: call })).toMatchObject({ ok: true })
  expect(world.dialerRepository.view.corrections).toMatchObject([{ attempt: attemptsOf(world)[0]!.id, agent: 'anna' }])
  await world.run(MINUTE_MS)
  expect(persons()).not.toContain(1)
})

test('words about a caller of before a crash go to that call, while they may, and from its agent alone', async () => {
  const world = await atWork(0)
  const person = { presses: [types('0', 'press 0', { into: true })], hangsUpAfterMs: MINUTE_MS }
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person })
  await talking(world)
  const [call] = await screen!.calls()
  await world.until(() => stateOf(world) !== 'talking')
  await world.run(5_000)
  await world.crash()
  await screen!.close()
  await world.start()
  screen = await openScreen(world, 'anna')
  const words = { type: 'feedback', callId: call, feedbackType: 'promise' }
  expect(await screen.orderAndRun(words)).toMatchObject({ ok: true })
  expect(await screen.orderAndRun({ ...words, final: true })).toMatchObject({ ok: false })
  const stop = { type: 'doNotCall', callId: call, reason: 'asked for it' }
  expect(await screen.orderAndRun(stop)).toMatchObject({ ok: true })
  const cameIn = { ok: false, why: 'This call came in; the order is only for calls that the dialer placed.' }
  expect(await screen.orderAndRun({ type: 'machine', callId: call })).toMatchObject(cameIn)
  expect(await screen.orderAndRun({ type: 'callback', callId: call, callBackTs: later(world) })).toMatchObject(cameIn)
  await world.run(1_000)
  expect(world.dialerRepository.view.callerFeedback).toMatchObject([{ call, feedbackType: 'promise', agent: 'anna' }])
  const forgotten = { ok: false, why: 'You had no such call, or it ended too long ago.' }
  await screen.close()
  screen = await openScreen(world, 'ben')
  expect(await screen.orderAndRun(words)).toMatchObject(forgotten)
  await screen.close()
  await world.run(15 * MINUTE_MS)
  screen = await openScreen(world, 'anna')
  expect(await screen.orderAndRun(words)).toMatchObject(forgotten)
})

/** A talk of a campaign whose outcomes are the final `paid` with one field, `later` with a date, and `refused`. */
async function talkWithCatalogue(): Promise<CampaignWorld> {
  const world = await atWork(1)
  const { dialerRepository, clock } = world
  const stamps = { version: 1, createdAtMs: 0, updatedAtMs: 0 }
  const fields = [{ name: 'Amount', kind: 'number' as const, isRequired: true, choices: [] }]
  const rules = { isFinal: false, needsCallback: false, fields: [], isActive: true, ...stamps }
  const outcomes = [
    { ...rules, id: 31 as OutcomeId, name: 'paid', key: '1', isFinal: true, fields },
    { ...rules, id: 32 as OutcomeId, name: 'later', key: '2', needsCallback: true },
    { ...rules, id: 33 as OutcomeId, name: 'refused', key: '3' },
  ]
  const campaign: StoredCampaign = { ...dialerRepository.view.campaigns.get(CAMPAIGN)!, outcomes }
  await world.during(dialerRepository.saveCampaign(campaign, clock.nowMs()))
  await talking(world)
  await world.run(3_000)
  return world
}
const PAID = { type: 'outcome', outcomeId: 31, fields: [{ name: 'Amount', value: 250 }] }

test('a final outcome ends the call task, and its own agent is not told that somebody ended it', async () => {
  const world = await talkWithCatalogue()
  expect(await screen!.orderAndRun(PAID)).toMatchObject({ ok: true })
  await world.run(5_000)
  expect(stateOf(world)).toBe('talking')
  const [task] = world.dialerRepository.view.tasks.values()
  expect(task).toMatchObject({ status: 'answered', isClosed: true })
  await screen!.settled()
  expect(screen!.shown.filter(({ type }) => type === 'taskEnded')).toEqual([])
})

test('while the database is away an outcome is checked by the catalogue that was loaded, and kept', async () => {
  const world = await talkWithCatalogue()
  const { dialerRepository, clock } = world
  dialerRepository.away = [{ fromAtMs: clock.nowMs(), untilAtMs: clock.nowMs() + 20_000 }]
  expect(await screen!.orderAndRun({ ...PAID, fields: [] })).toMatchObject({ ok: false, field: 'fields' })
  expect(await screen!.orderAndRun(PAID)).toMatchObject({ ok: true })
  expect(dialerRepository.view.feedback).toEqual([])
  await world.run(MINUTE_MS)
  expect(dialerRepository.view.feedback).toMatchObject([{ outcome: 31, feedbackType: 'paid', fields: PAID.fields }])
  expect([...dialerRepository.view.tasks.values()]).toMatchObject([{ status: 'answered', isClosed: true }])
})

describe('an outcome without a date takes back the date of the one that it corrects', () => {
  const refused = { type: 'outcome', outcomeId: 33, fields: [] }
  const calledAgain = async (world: CampaignWorld) => {
    await world.run(3 * HOUR_MS)
    const { tasks, attempts } = world.dialerRepository.view
    const waiting = [...tasks.values()].filter(({ callback, finishedAtMs }) => callback && finishedAtMs === undefined)
    return { waiting: waiting.length, attempts: attempts.size }
  }

  test.each(['talk', 'wrap-up'])('in the %s: nobody is called', async (when) => {
    const world = await talkWithCatalogue()
    const about = { callId: (await screen!.calls()).at(-1) }
    const order = { type: 'outcome', outcomeId: 32, fields: [], callBackTs: later(world), ...about }
    expect(await screen!.orderAndRun(order)).toMatchObject({ ok: true })
    if (when === 'wrap-up') await world.until(() => stateOf(world) !== 'talking')
    expect(await screen!.orderAndRun({ ...refused, ...about })).toMatchObject({ ok: true })
    expect(await calledAgain(world)).toEqual({ waiting: 0, attempts: 1 })
    await screen!.settled()
    expect(screen!.shown.filter(({ type }) => type === 'callbackRefused')).toEqual([])
  })

  test('the date of an order `callback` stands: no outcome has said it', async () => {
    const world = await talkWithCatalogue()
    const about = { callId: (await screen!.calls()).at(-1) }
    const order = { type: 'callback', callBackTs: later(world), askedByContact: true, ...about }
    expect(await screen!.orderAndRun(order)).toMatchObject({ ok: true })
    expect(await screen!.orderAndRun({ ...refused, ...about })).toMatchObject({ ok: true })
    expect(await calledAgain(world)).toEqual({ waiting: 0, attempts: 2 })
  })
})
