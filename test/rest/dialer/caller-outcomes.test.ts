/** Outcomes of calls that came in: the catalogue of their queue, the call, the list and the event (campaigns-110). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallId, CorporationId, LegId, OutcomeId, TeamName } from '../../../src/kernel/ids.ts'
import { ANNA, callOf, type DialerWorld, openDialerWorld } from './dialer-world.ts'

const TEAM = 'front' as TeamName

let world: DialerWorld
let path: string

beforeAll(async () => {
  world = await openDialerWorld()
  const teams = [{ name: TEAM, title: 'Front desk', agents: ['anna'] }]
  await world.parts.directory.syncStaff({ agents: [], teams }, 1 as CorporationId, 0)
  const { body } = await world.call('GET', '/svcpbx/queue')
  const { ucquId } = body.find(({ code }: { readonly code: string }) => code === TEAM)
  path = `/svcpbx/queue/${ucquId}/outcomes`
})
afterAll(() => world?.close())

const nowMs = () => world.parts.clock.nowMs()
const add = async (body: object): Promise<OutcomeId> => (await world.call('POST', path, body)).body.outcomeId

async function began(name: string) {
  const call = callOf(name, nowMs(), { direction: 'in', agent: ANNA, team: TEAM })
  const { call: id, leg, corporation, caller, called, createdAtMs } = call as typeof call & { leg?: LegId }
  const begins = { call: id, leg: leg ?? (name as LegId), corporation, caller, called, createdAtMs }
  await world.dialerRepository.callBegan('node1', begins)
  return call
}

const said = (call: CallId, outcome: OutcomeId, feedbackType: string, name: string) => ({
  call,
  agent: ANNA,
  outcome,
  feedbackType,
  isFinal: false,
  note: 'asked about the rate',
  fields: [{ name: 'About', value: 'rate' }],
  atMs: nowMs(),
  eventName: name,
})

test('a queue has a catalogue of the same kind as a campaign, without what only a call task can do', async () => {
  const outcomeId = await add({ name: 'Answered', key: '1', fields: [{ name: 'About', kind: 'text' }] })
  expect((await world.call('GET', path)).body).toMatchObject([{ outcomeId, name: 'Answered', key: '1', final: false }])
  expect(await world.dialerRepository.outcomesOfTeam(TEAM)).toMatchObject([{ id: outcomeId, name: 'Answered' }])
  for (const wrong of [{ final: true }, { needsCallBackDate: true }, { key: '1' }]) {
    const { status, body } = await world.call('POST', path, { name: 'Other', ...wrong })
    expect([status, body.errors]).toMatchObject([400, [{ path: Object.keys(wrong)[0] }]])
  }
  expect((await world.call('POST', '/svcpbx/queue/99999/outcomes', { name: 'x' })).status).toBe(404)
  expect((await world.call('PATCH', `${path}/${outcomeId}`, { name: 'Question answered' })).body.version).toBe(2)
  const other = await add({ name: 'Wrong number', key: '2' })
  await world.call('PUT', path, { outcomeIds: [other, outcomeId] })
  expect((await world.call('GET', path)).body.map((one: { name: string }) => one.name)).toEqual([
    'Wrong number',
    'Question answered',
  ])
})

test.each(['during', 'after'])(
  'an outcome saved %s the call is with the call, in the list, and told once',
  async (when) => {
    const outcome = await add({ name: `Helped ${when}` })
    const call = await began(`in-${when}`)
    const value = said(call.call, outcome, `Helped ${when}`, `event-${when}`)
    const save = async () => {
      await world.dialerRepository.recordCallerFeedback(value)
      await world.dialerRepository.recordCallerFeedback(value)
    }
    if (when === 'during') await save()
    const ended = await world.dialerRepository.finishCall(call)
    if (when === 'after') await save()
    const { activity } = ended as { readonly activity: number }
    const { body } = await world.call('POST', '/svcems/calls/search', { eactIds: [activity] })
    expect(body).toMatchObject([
      {
        feedback: [
          {
            feedbackType: `Helped ${when}`,
            note: 'asked about the rate',
            outcome: { outcomeId: outcome },
            fields: [{ name: 'About', value: 'rate' }],
          },
        ],
      },
    ])
    const told = 'select name from events where type = $1 and activity_id = $2 and outcome_id = $3'
    const events = await world.pools.jobs.query(told, ['phone-call-outcome.creation', activity, outcome])
    expect(events.rows).toEqual([{ name: `event-${when}` }])
  },
)

test('of an erased call the outcome is kept, and nothing that was said', async () => {
  const outcome = await add({ name: 'Helped late' })
  const call = await began('in-erased')
  const ended = await world.dialerRepository.finishCall(call)
  const person = { by: 'number', number: call.caller } as const
  const hands = { onTraces: async () => {}, onLeft: async () => {} }
  const subject = { corporation: 1 as CorporationId, person }
  expect(await world.parts.privacy.erasePerson(subject, nowMs(), hands)).toMatchObject({ outcome: 'erased' })
  await world.dialerRepository.recordCallerFeedback(said(call.call, outcome, 'Helped late', 'event-late'))
  const { activity } = ended as { readonly activity: number }
  const text = 'select outcome_id as outcome, note, fields from feedback where activity_id = $1'
  expect((await world.pools.jobs.query(text, [activity])).rows).toEqual([{ outcome, note: null, fields: null }])
})
