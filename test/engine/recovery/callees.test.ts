/** Callees and agents' words when the engine dies while the database is slow (campaigns-92, campaigns-93). */
import { expect, test } from 'vitest'
import type { AgentName, LegId } from '../../../src/kernel/ids.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'
import { ledgerFaults } from '../../worlds/ledger-truth.ts'

const SECOND_MS = 1_000
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

/** Anna and Ben, who has been ready for less long. */
async function centre(settings: Readonly<Record<string, unknown>> = {}): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna', 'ben'] }, contactOf: () => TALKS })
  await world.campaign(settings)
  await world.start()
  for (const agent of ['anna', 'ben']) {
    await world.logIn(agent)
    await world.run(SECOND_MS)
  }
  return world
}

async function talking(world: CampaignWorld, callees: number): Promise<void> {
  await world.import(callees)
  const talks = () => world.pbx.carrier.calls.filter(({ heard }) => heard.some(({ what }) => what === 'person'))
  expect(await world.until(() => talks().length === callees, 60 * SECOND_MS)).toBe(true)
  await world.run(5 * SECOND_MS)
}

async function nextEngine(world: CampaignWorld): Promise<void> {
  await world.crash()
  await world.run(SECOND_MS)
  await world.start()
  await world.run(5 * SECOND_MS)
}

test('a callee who waits for the next agent is not joined with two who talk and are in no record', async () => {
  const world = await centre()
  const bothReady = await world.during(world.dialerRepository.agentSessions('one'))
  await talking(world, 2)
  world.pbx.agentPhone('anna' as AgentName, STAYS).vanish()
  await world.run(10 * SECOND_MS)
  world.dialerRepository.agentSessions = async () => bothReady
  await nextEngine(world)
  const heard = world.pbx.carrier.calls.map((callee) =>
    callee.heard.flatMap(({ what, text }) => (what === 'person' ? text : [])),
  )
  expect(heard).toEqual([['anna'], ['ben']])
  expect(world.pbx.carrier.calls.every(({ endedAtMs }) => endedAtMs === undefined)).toBe(true)
})

test('a call that ended while no engine ran ended when it ended, however late its log can be read', async () => {
  let isReadable = true
  const world = new CampaignWorld({
    hasCallEventLog: true,
    contactOf: () => ({ ...TALKS, hangsUpAfterMs: 20 * SECOND_MS }),
    parts: ({ dialer }) => {
      const { readEnds, readArrivals } = dialer!.callEventLog!
      const unread = async () => Promise.reject(new Error('EIO: i/o error, read'))
      const callEventLog = { readArrivals, readEnds: (legs: LegId[]) => (isReadable ? readEnds(legs) : unread()) }
      return { dialer: { ...dialer!, callEventLog } }
    },
  })
  await world.campaign()
  await world.start()
  await world.logIn('anna')
  await talking(world, 1)
  await world.crash()
  await world.run(60 * SECOND_MS)
  isReadable = false
  await world.start()
  await world.run(60 * SECOND_MS)
  expect([...world.dialerRepository.view.calls.values()]).toEqual([])
  isReadable = true
  await world.run(5 * SECOND_MS)
  const [contact] = world.pbx.carrier.calls
  const [call] = world.dialerRepository.view.calls.values()
  expect(call).toMatchObject({ result: 'answered' })
  expect(Math.abs(call!.endedAtMs - contact!.endedAtMs!)).toBeLessThan(100)
})

test('a machine whose agent’s session is lost is hung up on, and no ledger counts it as a person', async () => {
  const world = await centre()
  await talking(world, 1)
  expect(await world.order('anna', { type: 'machine' })).toEqual({ ok: true })
  world.dialerRepository.agentSessions = async () => []
  await nextEngine(world)
  expect([...world.dialerRepository.view.calls.values()]).toMatchObject([{ result: 'voicemail' }])
  expect(ledgerFaults(world)).toEqual([])
})

test('an agent hears `ok` when the word is kept: a slow database that fails costs nothing', async () => {
  const world = await centre()
  await talking(world, 1)
  const { recordFeedback } = world.dialerRepository
  const slow = Promise.withResolvers<never>()
  world.dialerRepository.recordFeedback = () => slow.promise
  let answer: unknown
  const order = { type: 'feedback', feedbackType: 'willPay', isFinal: false, note: 'on Friday' } as const
  void world.engine.agentDesktop?.order('anna' as AgentName, order).then((given) => {
    answer = given
  })
  await world.run(5 * SECOND_MS)
  expect(answer).toBeUndefined()
  slow.reject(new DatabaseUnavailable('it was slow, and failed'))
  expect(await world.until(() => answer !== undefined, SECOND_MS)).toBe(true)
  expect(answer).toEqual({ ok: true })
  await world.crash()
  world.dialerRepository.recordFeedback = recordFeedback
  await nextEngine(world)
  expect(world.dialerRepository.view.feedback).toMatchObject([{ note: 'on Friday' }])
})

test('a talk that ended with engine and switch is recorded with its agent', async () => {
  const world = await centre()
  await talking(world, 1)
  await world.crash()
  world.pbx.restart(SECOND_MS)
  await world.run(SECOND_MS)
  await world.start()
  await world.run(5 * SECOND_MS)
  expect([...world.dialerRepository.view.calls.values()]).toMatchObject([{ result: 'answered', agent: 'anna' }])
  expect([...world.dialerRepository.view.attempts.values()]).toMatchObject([{ result: 'answered', agent: 'anna' }])
})

test('a callee who has talked and waits for the next agent waits on with music, and was never abandoned', async () => {
  const world = await centre({ recording: { mode: 'always' } })
  await world.order('ben', { type: 'logOut' })
  await talking(world, 1)
  world.pbx.agentPhone('anna' as AgentName, { does: 'ignore', afterMs: 0 }).vanish()
  const [callee] = world.pbx.carrier.calls
  const hearsMusic = () => callee!.heard.some(({ text, untilMs }) => text === 'default' && untilMs === undefined)
  expect(await world.until(hearsMusic, 10 * SECOND_MS)).toBe(true)
  await nextEngine(world)
  expect([hearsMusic(), callee!.endedAtMs]).toEqual([true, undefined])
  expect(await world.until(() => world.dialerRepository.view.calls.size > 0, 60 * SECOND_MS)).toBe(true)
  const ended = { result: 'answered', agent: 'anna' }
  const [call] = world.dialerRepository.view.calls.values()
  expect(call).toMatchObject({ ...ended, recordings: [{ state: 'ready' }] })
  expect([...world.dialerRepository.view.attempts.values()]).toMatchObject([ended])
  expect(ledgerFaults(world)).toEqual([])
})
