/** How calls go through a flow. Our addition (calls-and-flows-68). */
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { FlowName } from '../../kernel/ids.ts'
import type { TrafficCount } from '../../ports/flows/flow-traffic.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantIn, InstantOut, instantText, readInstant } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { FlowPath, mustOwnFlows, REVISION_PATTERN, RevisionOut } from './flow-schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MS = 400 * DAY_MS

const Calls = Type.Integer({ description: 'Calls in which it happened.' })
const Visits = Type.Integer({ description: 'How often altogether: a call may come to a step several times.' })

const Traffic = Type.Object({
  flow: FlowPath.properties.flow,
  fromTs: InstantOut('The beginning of the first hour that counts.'),
  toTs: InstantOut('The end of the last hour that counts.'),
  revisions: Type.Array(
    Type.Object({
      revision: RevisionOut,
      calls: Type.Integer({ description: 'Calls that ended in this time.' }),
      outcomes: Type.Array(
        Type.Object({ outcome: Type.String({ description: 'How they are counted.' }), calls: Calls }),
        {
          description: 'By name.',
        },
      ),
      marks: Type.Array(Type.Object({ mark: Type.String({ description: 'The mark of a step.' }), calls: Calls }), {
        description: 'By name.',
      }),
      steps: Type.Array(
        Type.Object({
          step: Type.String({ description: 'The step.' }),
          calls: Calls,
          visits: Visits,
          ends: Type.Array(
            Type.Object({
              end: Type.String({
                description:
                  '`hangup`: the caller hung up in it. Otherwise `done`, a key, a case, or a failure by name.',
              }),
              calls: Calls,
              visits: Visits,
            }),
            { description: 'How visits ended, by name.' },
          ),
        }),
        { description: 'By name. `a.b` is a step of the subflow `a`.' },
      ),
    }),
    { description: 'Of each revision that had calls.' },
  ),
})

/** The operation. */
export function flowTrafficRoute({ flowTraffic, clock }: Pick<RestDependencies, 'flowTraffic' | 'clock'>): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/flows/{flow}/traffic',
    scope: 'flows:write',
    audit: PLAIN_READ,
    summary: 'How calls went through a flow, by revision and step',
    description:
      'Calls count in the hour in which they end, some seconds after their end. Sums are kept for 400 days; they are ' +
      'of nobody in particular, so an erasure leaves them.',
    params: FlowPath,
    query: Type.Object({
      from: Type.Optional(InstantIn('The first hour is the one of this instant. Default: a day before `to`.')),
      to: Type.Optional(InstantIn('The last hour is the one of this instant. Default: now.')),
      revision: Type.Optional(Type.String({ pattern: REVISION_PATTERN, description: 'Only this one.' })),
    }),
    answers: { 200: Traffic },
    async handle({ params, query: { from, to, revision }, asker }) {
      mustOwnFlows(asker)
      const toAtMs = to === undefined ? clock.nowMs() : readInstant(to)
      const fromAtMs = from === undefined ? (toAtMs ?? 0) - DAY_MS : readInstant(from)
      if (toAtMs === undefined || fromAtMs === undefined)
        return refuse('validation', 'from and to are instants with an offset')
      if (fromAtMs > toAtMs) return refuse('validation', 'from: it is after to; exchange them')
      if (toAtMs - fromAtMs > LONGEST_MS) return refuse('validation', 'from: ask for 400 days at the most')
      const flow = params.flow as FlowName
      const counts = await flowTraffic.read({ flow, fromAtMs, toAtMs, ...(revision !== undefined && { revision }) })
      const revisions = [...new Set(counts.map((count) => count.revision))]
      const hours = { fromTs: instantText(hourOf(fromAtMs)), toTs: instantText(hourOf(toAtMs) + HOUR_MS) }
      const shown = revisions.map((name) =>
        shownRevision(
          name,
          counts.filter((count) => count.revision === name),
        ),
      )
      return { body: { flow, ...hours, revisions: shown } }
    },
  })
}

function shownRevision(revision: string, counts: readonly TrafficCount[]) {
  const of = (what: TrafficCount['what']) => counts.filter((count) => count.what === what)
  return {
    revision,
    calls: of('call').reduce((sum, { calls }) => sum + calls, 0),
    outcomes: of('outcome').map(({ name: outcome, calls }) => ({ outcome, calls })),
    marks: of('mark').map(({ name: mark, calls }) => ({ mark, calls })),
    steps: of('step').map(({ name: step, calls, times: visits }) => {
      const ended = of('end').filter(({ name }) => name === step)
      const ends = ended.map(({ ended: end, calls, times: visits }) => ({ end, calls, visits }))
      return { step, calls, visits, ends }
    }),
  }
}

function hourOf(atMs: AtMs): AtMs {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS
}
