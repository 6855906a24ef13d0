/** `POST /svcpbx/flows/simulate`: a telephone for a console, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { nodeWorkshop } from '../../../src/publishing/node-workshop.ts'
import { PublishedFlows } from '../../../src/publishing/published-flows.ts'
import { flowSimulationRoute } from '../../../src/rest/flows/flow-simulation.ts'
import { postgresFlowCanaries } from '../../../src/store/calls/flow-canaries.ts'
import { postgresFlowRevisions } from '../../../src/store/calls/flow-revisions.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

const TEXT = `flow: house
start: ask
activity: { systemLookupCode: "\${caseNumber}" }
steps:
  ask:
    gather: { prompt: "Please enter your case number, then press hash.", digits: { min: 3, max: 10 } }
    as: caseNumber
    next: lookup
  lookup:
    http: { get: "\${env.system}/CaseInfo/\${caseNumber}" }
    as: case
    mark: found
    next: bye
    on: { failed: bye }
  bye: { hangup: { say: "Goodbye." } }
`
let world: RestWorld

beforeAll(async () => {
  const clock = new RealClock()
  world = await openRestWorld({
    parts: (pools) => {
      const revisions = { revisions: postgresFlowRevisions(pools), canaries: postgresFlowCanaries(pools) }
      const published = new PublishedFlows({ ...revisions, node: 'node1', clock, log: silentLog })
      return { flowWorkshop: nodeWorkshop(published, { clock }) }
    },
    routes: (parts) => [flowSimulationRoute(parts)],
  })
})
afterAll(() => world?.close())

const simulate = async (actions: readonly unknown[], more: object = {}) => {
  const { status, body } = await world.call('POST', '/svcpbx/flows/simulate', { text: TEXT, actions, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const ANSWER = { given: { http: { 'GET /CaseInfo/4711': { body: { closed: false } } } } }

describe('a call by hand over HTTP', () => {
  test('without an action: up to where the caller may act', async () => {
    const { problems, call } = await simulate([])
    expect(problems).toEqual([])
    expect(call).toMatchObject({ flow: 'house', step: 'ask', isOver: false, record: null, notDone: null })
    expect(call.heard).toMatchObject([{ words: 'Please enter your case number, then press hash.' }])
  })

  test('keys cut the prompt off; a request that nobody answers is named; with its answer the call ends', async () => {
    const asked = await simulate([{ press: '4711#' }])
    expect(asked.call).toMatchObject({ step: 'lookup', unanswered: 'GET /CaseInfo/4711', isOver: false })
    expect(asked.call.heard).toMatchObject([{ cutOff: true }])
    const { call } = await simulate(
      [{ hear: 'case number' }, { press: '4711#' }, { hear: 'goodbye' }, { wait: '10s' }],
      ANSWER,
    )
    expect(call).toMatchObject({ isOver: true, notDone: null, unanswered: null })
    expect(call.record).toEqual({
      outcome: 'completed',
      path: ['ask', 'lookup', 'bye'],
      marks: ['found'],
      activity: { systemLookupCode: '4711' },
    })
    expect(call.trace).toContainEqual(
      expect.objectContaining({
        kind: 'note',
        what: expect.objectContaining({ type: 'step.left', step: 'ask', end: 'done' }),
      }),
    )
  })

  test('what is not possible is told with its place, and nothing after it is done', async () => {
    const { call } = await simulate([{ agent: 'answers' }, 'hangup'])
    expect(call).toMatchObject({ notDone: { action: 0 }, isOver: false })
    expect(call.notDone.why).toMatch(/queue|wait/)
  })

  test('errors of each part are told with their places, and there is no call', async () => {
    const wrongText = await simulate([], { text: TEXT.replace('next: lookup', 'next: nowhere') })
    expect([wrongText.call, wrongText.problems]).toMatchObject([null, [{ in: 'text', line: 8, action: null }]])
    const wrongAction = await simulate(['hangup', { prass: '1' }])
    expect([wrongAction.call, wrongAction.problems]).toMatchObject([null, [{ in: 'actions', line: null, action: 1 }]])
    const wrongGiven = await simulate([], { given: { caller: 'nobody' } })
    expect([wrongGiven.call, wrongGiven.problems]).toMatchObject([null, [{ in: 'given', action: null }]])
  })

  test('an order with 201 actions is refused', async () => {
    const actions = Array.from({ length: 201 }, () => 'hangup')
    expect((await world.call('POST', '/svcpbx/flows/simulate', { text: TEXT, actions })).status).toBe(400)
  })
})
