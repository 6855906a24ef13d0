/** Revisions on trial: what became of them, and their end. Our addition (calls-and-flows-68). */
import { Type } from 'typebox'
import type { FlowName } from '../../kernel/ids.ts'
import { CANARY_RISKS, type FlowCanary, type RiskCounts } from '../../ports/flows/flow-canaries.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { NOT_DONE } from './flow-publishing.ts'
import {
  AuthorOut,
  authorOf,
  FlowPath,
  mustOwnFlows,
  NoteIn,
  NoteOut,
  PublishedOut,
  REVISION_PATTERN,
  RevisionOut,
  refuseText,
  ShareOut,
} from './flow-schema.ts'

type Dependencies = Pick<RestDependencies, 'flowRevisions' | 'flowCanaries' | 'flowWorkshop' | 'clock'>

const NO_CANARY = refuse('notFound', 'no revision of this flow is on trial; GET /svcpbx/flows/{flow}/canaries says why')

const Counts = (description: string) =>
  Type.Object(
    {
      calls: Type.Integer({ description: 'Calls that came to the step; each number counts once.' }),
      bad: Type.Integer({ description: 'Those of them that ended it so.' }),
      rate: Type.Number({ description: 'bad/calls.' }),
    },
    { description },
  )

const CanaryOut = Type.Object({
  flow: Type.String({ description: 'The name of the flow.' }),
  revision: RevisionOut,
  against: Type.String({ description: 'The revision that was live, with which it is compared.' }),
  percent: ShareOut,
  author: AuthorOut,
  note: NoteOut,
  begunTs: InstantOut('Since when a share of the new calls takes it.'),
  ended: Type.Union([Type.Enum(['promoted', 'withdrawn', 'returned', 'replaced']), Type.Null()], {
    description:
      'What became of it: it is live for all calls, somebody withdrew it, it was withdrawn by itself, or another ' +
      'publication took its place. Null while it runs.',
  }),
  endedBy: Type.Union([Type.String(), Type.Null()], { description: 'Who ended it; `switchboard` if it was returned.' }),
  endedNote: Type.Union([Type.String(), Type.Null()], { description: 'Why, in the words of whoever ended it.' }),
  endedTs: InstantOut('When it ended.'),
  fault: Type.Union(
    [
      Type.Object({
        step: Type.Union([Type.String(), Type.Null()], { description: 'The step; null: the whole call.' }),
        risk: Type.Enum([...CANARY_RISKS], { description: 'What callers did more often, or what happened to them.' }),
        onTrial: Counts('Of the revision on trial.'),
        live: Counts('Of the live one in the same time.'),
      }),
      Type.Null(),
    ],
    { description: 'Why it was returned; null otherwise.' },
  ),
})

/** The operations. */
export function flowCanaryRoutes(dependencies: Dependencies): Route[] {
  return [listCanaries(dependencies), promote(dependencies), withdraw(dependencies)]
}

function listCanaries({ flowCanaries }: Dependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/flows/{flow}/canaries',
    scope: 'flows:write',
    audit: PLAIN_READ,
    summary: 'Revisions of a flow that were on trial, the newest first',
    description: 'At most 50. One that was returned names the step, both rates and the counts.',
    params: FlowPath,
    answers: { 200: Type.Array(CanaryOut) },
    async handle({ params, asker }) {
      mustOwnFlows(asker)
      const found = await flowCanaries.list(params.flow as FlowName)
      return { headers: totals(found.length), body: found.map(shown) }
    },
  })
}

const EndIn = Type.Object({
  revision: Type.Optional(
    Type.String({
      pattern: REVISION_PATTERN,
      description: 'Only if this one is on trial; otherwise the answer is 404.',
    }),
  ),
  note: NoteIn,
})

function promote({ flowRevisions, flowCanaries, flowWorkshop, clock }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/{flow}/promote',
    scope: 'flows:write',
    audit: { action: 'change', object: 'flow', by: 'flow' },
    summary: 'Publish the revision on trial for all calls',
    description: 'New calls take it on all nodes; running calls keep the revision that they are in.',
    params: FlowPath,
    body: EndIn,
    bodyMayBeAbsent: true,
    answers: { 200: PublishedOut },
    async handle({ params, body: { revision: wanted, note = null }, asker }) {
      mustOwnFlows(asker)
      const flow = params.flow as FlowName
      const canary = await running(flowCanaries, flow, wanted)
      const stored = canary && (await flowRevisions.read(canary.revision))
      if (!canary || !stored) return NO_CANARY
      // The configuration may have changed since.
      const checked = await flowWorkshop.check(stored.text)
      if (!checked.ok) return NOT_DONE[checked.why]
      if (checked.result.flow === undefined) return refuseText(checked.result.problems)
      const signed = { author: authorOf(asker), note, atMs: clock.nowMs() }
      const ended = await flowCanaries.end(canary.id, 'promoted', signed)
      if (!ended) return NO_CANARY
      await flowWorkshop.follow()
      return { body: { ...ended, changed: true, takenHere: flowWorkshop.taken(flow) === ended.revision } }
    },
  })
}

function withdraw({ flowCanaries, flowWorkshop, clock }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/{flow}/withdraw',
    scope: 'flows:write',
    audit: { action: 'change', object: 'flow', by: 'flow' },
    summary: 'Withdraw the revision on trial',
    description: 'New calls take the live revision on all nodes; running calls keep the revision that they are in.',
    params: FlowPath,
    body: EndIn,
    bodyMayBeAbsent: true,
    answers: { 200: Type.Object({ flow: FlowPath.properties.flow, revision: RevisionOut }) },
    async handle({ params, body: { revision: wanted, note = null }, asker }) {
      mustOwnFlows(asker)
      const canary = await running(flowCanaries, params.flow as FlowName, wanted)
      const signed = { author: authorOf(asker), note, atMs: clock.nowMs() }
      const ended = canary && (await flowCanaries.end(canary.id, 'withdrawn', signed))
      if (!ended) return NO_CANARY
      await flowWorkshop.follow()
      return { body: ended }
    },
  })
}

async function running(canaries: Dependencies['flowCanaries'], flow: FlowName, revision: string | undefined) {
  return (await canaries.running()).find((canary) => {
    return canary.flow === flow && (revision === undefined || canary.revision === revision)
  })
}

function shown({ id: _, begunAtMs, endedAtMs, fault, ...canary }: FlowCanary) {
  return {
    ...canary,
    begunTs: instantText(begunAtMs),
    endedTs: instantText(endedAtMs),
    fault: fault && { ...fault, onTrial: withRate(fault.onTrial), live: withRate(fault.live) },
  }
}

function withRate({ calls, bad }: RiskCounts) {
  return { calls, bad, rate: bad / calls }
}
