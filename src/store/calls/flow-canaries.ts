import type { CanaryRisk, FlowCanaries, FlowCanary, Looks, StepSeen } from '../../ports/flows/flow-canaries.ts'
import type { FlowId } from '../../ports/flows/flow-revisions.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { ADD, BEGIN, liveOf, PUBLISH } from './flow-revisions.ts'

const LISTED_MAX = 50

const CANARY = `
select c.id, c.flow, r.revision, a.revision as against, c.percent, c.author, c.note, c.begun_at_ms as "begunAtMs",
       c.ended, c.ended_by as "endedBy", c.ended_note as "endedNote", c.ended_at_ms as "endedAtMs", c.fault
  from flow_canaries c join flow_revisions r on r.id = c.revision_id join flow_revisions a on a.id = c.against_id`

const REPLACE = `
update flow_canaries set ended = 'replaced', ended_by = $2, ended_at_ms = $3 where flow = $1 and ended is null`

const BEGUN = `
insert into flow_canaries (flow, revision_id, against_id, percent, author, note, begun_at_ms)
select $1, r.id, a.id, $4, $5, $6, $7 from flow_revisions r, flow_revisions a
 where r.flow = $1 and r.revision = $2 and a.flow = $1 and a.revision = $3`

const END = `
update flow_canaries c set ended = $2, ended_by = $3, ended_note = $4, ended_at_ms = $5
  from flow_revisions r where c.id = $1 and c.ended is null and r.id = c.revision_id
returning c.flow, r.revision`

/** A node that looks just now is enough. */
const LOCK = 'select looks from flow_canaries where id = $1 and ended is null for update skip locked'
const COUNTS = 'select step, what, is_new as "isNew", calls from flow_canary_counts where canary_id = $1'
const LOOKED = 'update flow_canaries set looks = $2 where id = $1'
const RETURNED = `
update flow_canaries set ended = 'returned', ended_by = 'switchboard', ended_at_ms = $2, fault = $3 where id = $1`

const flowCanaries = {
  running: ({ control }) => query<FlowCanary>(control, `${CANARY} where c.ended is null order by c.flow`, []),

  list: ({ api }, flow) =>
    query<FlowCanary>(api, `${CANARY} where c.flow = $1 order by c.id desc limit ${LISTED_MAX}`, [flow]),

  begin: ({ api }, { flow, revision, text, author, note, atMs, replaces, percent }) =>
    inTransaction(
      api,
      async (transaction) => {
        const liveNow = (await liveOf(transaction, flow))?.revision
        if (liveNow === undefined || (replaces !== undefined && replaces !== liveNow)) return { liveNow }
        if (liveNow === revision) return 'is live'
        const [now] = await ask<FlowCanary>(transaction, `${CANARY} where c.flow = $1 and c.ended is null`, [flow])
        if (now?.revision === revision && now.percent === percent) return 'runs already'
        await transaction.query(ADD, [flow, revision, text, author, note, atMs])
        await transaction.query(REPLACE, [flow, author, atMs])
        await transaction.query(BEGUN, [flow, revision, liveNow, percent, author, note, atMs])
        await notify(transaction, 'flows')
        return 'begun'
      },
      BEGIN,
    ),

  end: ({ api }, canary, how, { author, note, atMs }) =>
    inTransaction(
      api,
      async (transaction) => {
        const [ended] = await ask<FlowId>(transaction, END, [canary, how, author, note, atMs])
        if (!ended) return undefined
        const { flow, revision } = ended
        if (how === 'promoted') await transaction.query(PUBLISH, [flow, revision, 'publish', author, note, atMs])
        await notify(transaction, 'flows')
        return ended
      },
      BEGIN,
    ),

  weigh: ({ jobs }, canary, weigh, atMs) =>
    inTransaction(jobs, async (transaction) => {
      const [now] = await ask<{ looks: Record<string, Looks> }>(transaction, LOCK, [canary])
      if (!now) return undefined
      const found = weigh(seenIn(await ask<CountRow>(transaction, COUNTS, [canary])), now.looks)
      await transaction.query(LOOKED, [canary, JSON.stringify(found.looks)])
      if (!found.fault) return undefined
      await transaction.query(RETURNED, [canary, atMs, JSON.stringify(found.fault)])
      await notify(transaction, 'flows')
      return found.fault
    }),
} satisfies In<FlowCanaries>

interface CountRow {
  readonly step: string
  readonly what: 'calls' | CanaryRisk
  readonly isNew: boolean
  readonly calls: number
}

function seenIn(rows: readonly CountRow[]): readonly StepSeen[] {
  const none = () => ({ calls: 0, hangup: 0, noInput: 0, failed: 0 })
  const steps = new Map(rows.map(({ step }) => [step, { step, onTrial: none(), live: none() }]))
  for (const { step, what, isNew, calls } of rows) steps.get(step)![isNew ? 'onTrial' : 'live'][what] = calls
  return [...steps.values()]
}

/** Canaries in PostgreSQL. */
export function postgresFlowCanaries(pools: Pools): FlowCanaries {
  return portOf<FlowCanaries>(pools, flowCanaries)
}
