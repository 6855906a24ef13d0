/** `GET /svcems/calls/{eactId}`: one call for a screen (files-and-activities-10). An addition to the contract. */
import { Type } from 'typebox'
import { type CallStory, callStory } from '../../call-words/call-story.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import type { CallActivity } from '../../ports/call-activity.ts'
import type { CallFacts } from '../../ports/calls/call-list.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import { CALL_PAGE, type ServingNode, type ShownLeg } from './call-page-schema.ts'

/** The operation. Journals are read one at a time: files are large, and calls that are up come first. */
export function callPageRoute(dependencies: RestDependencies): Route {
  const { callList, dialerAdmin, journal } = dependencies
  let last: Promise<unknown> = Promise.resolve()
  const read: typeof journal.read = (call, within) => {
    const next = last.then(() => journal.read(call, within))
    last = next.catch(() => {})
    return next
  }
  return route({
    method: 'GET',
    path: '/svcems/calls/{eactId}',
    scope: 'calls:read',
    audit: { action: 'read', object: 'call', by: 'eactId' },
    summary: 'One call: its legs, why it was dialed, where it went, and what happened',
    description:
      'The ladder comes from the journal of the node that answers, and needs the scope transcripts:read, because it ' +
      'has what was said and typed. Where it is not to be had, its state and note say why, and servedBy names the ' +
      'node that has it. The entry of the audit trail is written before the answer.',
    params: Type.Object({ eactId: Id('The call activity') }),
    answers: { 200: CALL_PAGE.schema },
    async handle({ params, asker }) {
      const id = params.eactId as ActivityId
      const [call] = await dialerAdmin.calls(asker, [id])
      const facts = call && (await callList.facts(id))
      if (!call || !facts)
        return refuse('notFound', 'there is no call with this eactId; calls are listed after their end')
      const state = stateOf(facts, asker)
      const { createdAtMs: fromAtMs, endedAtMs: toAtMs } = call
      const lines = state === undefined ? await read(facts.call, { fromAtMs, toAtMs }) : []
      const { rows, isCut, flow, agentLegs } = callStory(lines)
      const ladder = { state: state ?? (rows.length > 0 ? 'here' : 'notHere'), isCut, rows } as const
      const { dialed, sound } = facts
      const servedBy = await servingNode(facts, dependencies)
      const page = { call, dialed, servedBy, flow, legs: legsOf(call, agentLegs), ladder, sound }
      return { body: CALL_PAGE.show(page) }
    },
  })
}

function stateOf({ isErased }: CallFacts, { scopes }: Asker): 'erased' | 'notAllowed' | undefined {
  if (isErased) return 'erased'
  return scopes.has('transcripts:read') ? undefined : 'notAllowed'
}

/** Where another node is reached is known while it lives. */
async function servingNode(
  { node }: CallFacts,
  { live, node: own, endpoint }: RestDependencies,
): Promise<ServingNode | null> {
  if (node === null) return null
  if (node === own) return { node, isThis: true, endpoint }
  const known = (await live.nodes()).find((one) => one.node === node)
  return { node, isThis: false, endpoint: known?.endpoint ?? null }
}

function legsOf(call: CallActivity, agentLegs: CallStory['agentLegs']): ShownLeg[] {
  const { direction, caller, called, createdAtMs, ringingAtMs, answeredAtMs, endedAtMs } = call
  const times = { createdAtMs, ringingAtMs, answeredAtMs, endedAtMs, end: call.hungUpBy && `by ${call.hungUpBy}` }
  const other: ShownLeg =
    direction === 'in'
      ? Object.assign({ kind: 'caller', who: caller } as const, times)
      : Object.assign({ kind: 'callee', who: called } as const, times)
  const agents = agentLegs.map(
    ({ agent, dialedAtMs, ...leg }): ShownLeg => ({ ...leg, kind: 'agent', who: agent, createdAtMs: dialedAtMs }),
  )
  const transfers = call.transfers.map(
    ({ to, beganAtMs, connectedAtMs = null, endedAtMs: overAtMs = null, end = null }): ShownLeg => ({
      kind: 'transfer',
      who: to,
      createdAtMs: beganAtMs,
      ringingAtMs: null,
      answeredAtMs: connectedAtMs,
      endedAtMs: overAtMs,
      end,
    }),
  )
  return [other, ...agents, ...transfers]
}
