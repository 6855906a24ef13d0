/** `POST /dialer/callcode/{callCode}/recycle` (our addition): finished call tasks are called again (campaigns-60). */
import { Type } from 'typebox'
import type { CampaignId } from '../../kernel/ids.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { RecycleOrder, RecycleSkip } from '../../ports/dialer-admin-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, readInstant } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { ATTEMPT_RESULTS } from './call-attempt-schema.ts'

const HOUR_MS = 3_600_000

/** After these nothing is left to try, or a call is under way. */
const NEVER: readonly string[] = ['inProgress', 'withdrawn']
const RESULTS = (Object.keys(ATTEMPT_RESULTS) as (AttemptResult | 'inProgress')[]).filter(
  (result): result is AttemptResult => !NEVER.includes(result),
)

const Order = Type.Object({
  results: Type.Array(Type.Integer({ minimum: 1, maximum: 12 }), {
    minItems: 1,
    maxItems: 12,
    description: `Last results: ${RESULTS.map((result) => ATTEMPT_RESULTS[result].join(' ')).join(', ')}.`,
  }),
  finishedFrom: Type.Optional(InstantIn('Only call tasks that finished from then on.')),
  finishedTo: Type.Optional(InstantIn('Only call tasks that finished before.')),
  maxCallAttempts: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Of the new call tasks; default: as before.' }),
  ),
  minCallIntervalHours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 8_760, description: 'Of the new call tasks; default: as before.' }),
  ),
  talked: Type.Optional(
    Type.Boolean({ description: 'Also persons who talked to an agent since the import. Default false.' }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'Counts only, and creates nothing.' })),
})

const SKIPS: Readonly<Record<RecycleSkip, string>> = {
  ended: 'ENDED',
  expired: 'EXPIRED',
  duplicate: 'DUPLICATE',
  stopped: 'STOPPED',
  talked: 'TALKED',
}

const Recycled = Type.Object({
  dryRun: Type.Boolean(),
  recycledCount: Type.Integer({ description: 'Call tasks that were created, or would be.' }),
  recycled: Type.Array(Type.Object({ result: Type.Integer(), count: Type.Integer() }), {
    description: 'By the last result.',
  }),
  skipped: Type.Array(Type.Object({ reason: Type.Enum(Object.values(SKIPS)), count: Type.Integer() }), {
    description:
      'ENDED: by an integrator, a user or a stop, or an agent typed the number. ' +
      'EXPIRED: the validity is over. DUPLICATE: an open call task of ' +
      'the case exists. STOPPED: the person or every number is on a stop list. TALKED: the person talked to an agent.',
  }),
})

/** The operation. */
export function callTaskRecycleRoutes({ clock, dialerAdmin }: RestDependencies): Route[] {
  const recycle = route({
    method: 'POST',
    path: '/dialer/callcode/{callCode}/recycle',
    scope: 'dialer:write',
    audit: { action: 'create', object: 'recycled callTasks', by: 'callCode' },
    goesOn: true,
    rate: 'imports',
    summary: 'Call finished call tasks again',
    description:
      'Creates a new call task for the latest finished call task of each case with one of the last results. Its ' +
      'first call waits for the interval since the last one. Call tasks that were ended or stopped, or that expired, ' +
      'are never called again.',
    params: Type.Object({ callCode: Id('The campaign') }),
    body: Order,
    answers: { 200: Recycled },
    example: { body: { results: [2, 3], minCallIntervalHours: 24, dryRun: true } },
    async handle({ params, body, asker: { corporations } }) {
      const campaign = params.callCode as CampaignId
      const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids: [campaign], page: 0, rowsMax: 1 })
      if (campaigns.length === 0) return refuse('notFound', 'there is no campaign with this callCode')
      const limits = { fromAtMs: body.finishedFrom, toAtMs: body.finishedTo }
      const given = Object.entries(limits).flatMap(([name, at]) => (at === undefined ? [] : [[name, readInstant(at)]]))
      if (given.some(([, atMs]) => atMs === undefined)) {
        return refuse('validation', 'finishedFrom, finishedTo: is no timestamp; write ISO 8601 with an offset')
      }
      const { maxCallAttempts, minCallIntervalHours, talked = false, dryRun = false } = body
      const order: RecycleOrder = {
        campaign,
        corporations,
        results: RESULTS.filter((result) => body.results.includes(ATTEMPT_RESULTS[result][0])),
        ...(Object.fromEntries(given) as Pick<RecycleOrder, 'fromAtMs' | 'toAtMs'>),
        ...(maxCallAttempts !== undefined && { attemptsMax: maxCallAttempts }),
        ...(minCallIntervalHours !== undefined && { intervalMs: minCallIntervalHours * HOUR_MS }),
        alsoTalked: talked,
        isDryRun: dryRun,
        atMs: clock.nowMs(),
      }
      const done = await dialerAdmin.recycleCallTasks(order)
      const recycled = Object.entries(done.recycled).map(([result, count]) => {
        return { result: ATTEMPT_RESULTS[result as AttemptResult][0], count }
      })
      const skipped = Object.entries(done.skipped).map(([why, count]) => ({ reason: SKIPS[why as RecycleSkip], count }))
      const recycledCount = recycled.reduce((sum, { count }) => sum + count, 0)
      return { body: { dryRun, recycledCount, recycled, skipped } }
    },
  })
  return [recycle]
}
