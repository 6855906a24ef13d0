import type { FlowName } from '../../kernel/ids.ts'
import type {
  FlowDraft,
  FlowId,
  FlowRevision,
  FlowRevisions,
  LiveFlow,
  NewPublication,
  PublishedBy,
} from '../../ports/flows/flow-revisions.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** One publication at a time: which revision is live is read and changed in one step. */
export const BEGIN = `begin; select pg_advisory_xact_lock(${LOCKS.flows})`
const LISTED_MAX = 200
/** Our choice: a client that has gone wild fills no disk. */
const DRAFTS_MAX = 500

const LIVE = `
select distinct on (p.flow) p.flow, r.revision, p.way, p.author, p.note, p.at_ms as "atMs"
  from flow_publications p join flow_revisions r on r.id = p.revision_id`
const LAST = 'order by p.flow, p.id desc'

/** The live revision is that of the last publication. A revision that was on trial only has none. */
const LIST = `
select r.flow, r.revision, r.author, r.note, r.created_at_ms as "createdAtMs",
       p.way, p.author as "lastAuthor", p.note as "lastNote", p.at_ms as "publishedAtMs",
       coalesce(p.id = max(p.id) over (), false) as "isLive"
  from flow_revisions r
  left join flow_publications p on p.id = (select max(id) from flow_publications where flow = $1 and revision_id = r.id)
 where r.flow = $1
 order by p.id desc nulls last, r.id desc limit ${LISTED_MAX}`

const READ = `
select flow, revision, text, author, note, created_at_ms as "createdAtMs"
  from flow_revisions where revision = $1 order by id limit 1`

/** Stores a text: flow, revision, text, author, note, instant in ms. */
export const ADD = `
insert into flow_revisions (flow, revision, text, author, note, created_at_ms) values ($1, $2, $3, $4, $5, $6)
on conflict do nothing`

/** Makes a stored text the live one: flow, revision, way, author, note, instant in ms. */
export const PUBLISH = `
insert into flow_publications (flow, revision_id, way, author, note, at_ms)
select flow, id, $3, $4, $5, $6 from flow_revisions where flow = $1 and revision = $2 returning id`

const EARLIER = `
select r.revision from flow_revisions r
 where r.flow = $1 and r.id < (select revision_id from flow_publications where flow = $1 order by id desc limit 1)
   and exists (select from flow_publications p where p.revision_id = r.id)
 order by r.id desc limit 1`

/** Another live revision ends the trial of the flow: there is nothing left to compare it with. */
const END_CANARY = `
update flow_canaries c set ended_by = $3, ended_at_ms = $4,
       ended = case when r.revision = $2 then 'promoted' else 'replaced' end
  from flow_revisions r
 where r.id = c.revision_id and c.flow = $1 and c.ended is null
   and 1 < (select count(distinct revision_id)
              from (select revision_id from flow_publications where flow = $1 order by id desc limit 2) last)`

/** The rules of `newsOf`; a flow that this node never read is news only if nobody published this text. */
const NEWS = `
select f.flow from unnest($2::text[], $3::text[]) as f (flow, revision)
  left join flow_files seen on seen.node = $1 and seen.flow = f.flow
 where seen.revision is distinct from f.revision
   and f.revision is distinct from (
     select r.revision from flow_publications p join flow_revisions r on r.id = p.revision_id
      where p.flow = f.flow and p.way = 'file' order by p.id desc limit 1)
   and (seen.revision is not null
     or not exists (select from flow_revisions r where r.flow = f.flow and r.revision = f.revision))`

const REMEMBER = `
insert into flow_files (node, flow, revision) values ($1, $2, $3)
on conflict (node, flow) do update set revision = excluded.revision`

const DRAFT = `select text, author, note, saved_at_ms as "savedAtMs" from flow_drafts where flow = $1`
const SAVE_DRAFT = `
insert into flow_drafts (flow, text, author, note, saved_at_ms)
select $1, $2, $3, $4, $5::bigint where (select count(*) from flow_drafts where flow <> $1) < ${DRAFTS_MAX}
on conflict (flow) do update set
  text = excluded.text, author = excluded.author, note = excluded.note, saved_at_ms = excluded.saved_at_ms
returning flow`

const flowRevisions = {
  live: ({ control }) => query<LiveFlow>(control, `${LIVE} ${LAST}`, []),

  revisions: ({ api }, flow) => query<FlowRevision>(api, LIST, [flow]),

  async read({ api }, revision) {
    type Read = NonNullable<Awaited<ReturnType<FlowRevisions['read']>>>
    return (await query<Read>(api, READ, [revision]))[0]
  },

  publish: ({ api }, { replaces, ...publication }) =>
    inTransaction(
      api,
      async (transaction) => {
        const liveNow = (await liveOf(transaction, publication.flow))?.revision
        if (replaces !== undefined && replaces !== liveNow) return { liveNow }
        const isLive = liveNow === publication.revision
        if (!isLive || publication.note !== null) await addAndPublish(transaction, publication, 'publish')
        return isLive ? 'already live' : 'published'
      },
      BEGIN,
    ),

  async earlier({ api }, flow, revision) {
    if (revision === undefined) return (await query<{ revision: string }>(api, EARLIER, [flow]))[0]?.revision
    const text = 'select revision from flow_revisions where flow = $1 and revision = $2'
    return (await query<{ revision: string }>(api, text, [flow, revision]))[0]?.revision
  },

  goBack: ({ api }, flow, revision, { author, note, atMs }) =>
    inTransaction(
      api,
      async (transaction) => {
        const isLive = (await liveOf(transaction, flow))?.revision === revision
        if (isLive && note === null) return { outcome: 'already live', revision }
        const made = await ask(transaction, PUBLISH, [flow, revision, 'rollback', author, note, atMs])
        if (made.length === 0) return { outcome: 'none' }
        await transaction.query(END_CANARY, [flow, revision, author, atMs])
        await notify(transaction, 'flows')
        return { outcome: isLive ? 'already live' : 'live', revision }
      },
      BEGIN,
    ),

  newsOf: ({ control }, node, files) => newsOf(control, node, files),

  takeFile: ({ control }, node, file) =>
    inTransaction(
      control,
      async (transaction) => {
        const isNews = (await newsOf(transaction, node, [file])).has(file.flow)
        await transaction.query(REMEMBER, [node, file.flow, file.revision])
        if (!isNews) return 'no news'
        // Who published this text before its file was looked at has given the reason.
        const live = await liveOf(transaction, file.flow)
        const note = live?.revision === file.revision ? live.note : file.note
        await addAndPublish(transaction, { ...file, note }, 'file')
        return 'published'
      },
      BEGIN,
    ),

  draft: async ({ api }, flow) => (await query<FlowDraft>(api, DRAFT, [flow]))[0],

  async saveDraft({ api }, flow, { text, author, note, savedAtMs }) {
    return (await query(api, SAVE_DRAFT, [flow, text, author, note, savedAtMs])).length > 0
  },

  async dropDraft({ api }, flow) {
    return (await query(api, 'delete from flow_drafts where flow = $1 returning flow', [flow])).length > 0
  },
} satisfies In<FlowRevisions>

/** The live revision of a flow. */
export async function liveOf(transaction: Transaction, flow: FlowName): Promise<LiveFlow | undefined> {
  return (await ask<LiveFlow>(transaction, `${LIVE} where p.flow = $1 ${LAST}`, [flow]))[0]
}

/** Makes a text the live one. */
export async function addAndPublish(
  transaction: Transaction,
  { flow, revision, text, author, note, atMs }: NewPublication,
  way: PublishedBy,
): Promise<void> {
  await transaction.query(ADD, [flow, revision, text, author, note, atMs])
  await transaction.query(PUBLISH, [flow, revision, way, author, note, atMs])
  await transaction.query(END_CANARY, [flow, revision, author, atMs])
  await notify(transaction, 'flows')
}

async function newsOf(
  asked: Parameters<typeof ask>[0],
  node: string,
  files: readonly FlowId[],
): Promise<ReadonlySet<FlowName>> {
  const values = [node, files.map(({ flow }) => flow), files.map(({ revision }) => revision)]
  return new Set((await ask<{ flow: FlowName }>(asked, NEWS, values)).map(({ flow }) => flow))
}

/** Revisions of flows in PostgreSQL. */
export function postgresFlowRevisions(pools: Pools): FlowRevisions {
  return portOf<FlowRevisions>(pools, flowRevisions)
}
