import { assert } from '../../kernel/assert.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import {
  SUMMARY_LETTERS_MAX,
  type Summaries,
  type Summary,
  type SummaryNoted,
} from '../../ports/recordings/summaries.ts'
import type { Transaction } from '../db/connection.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { callSeenBy } from '../db/seen-by.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
import { writeEvent } from '../webhooks/write-event.ts'

const COLUMNS = `activity_id as activity, state, version, text, language, source, edited_by as "editedBy", why,
  created_at_ms as "createdAtMs", updated_at_ms as "updatedAtMs"`

/** A call and its summary, both locked. */
interface Standing {
  readonly corporation: CorporationId
  readonly externalSystem: ExternalSystemId | null
  readonly summary: Summary | undefined
}

/**
 * Locks the call, which exists before its summary; then a second statement reads the summary as of the lock. An erased
 * call has none: retention would never look at it again.
 */
async function lock(transaction: Transaction, activity: ActivityId): Promise<Standing | undefined> {
  const [call] = await ask<Omit<Standing, 'summary'>>(
    transaction,
    `select corporation_id as corporation, external_system_id as "externalSystem" from call_activities
      where id = $1 and erased_at_ms is null for no key update`,
    [activity],
  )
  if (!call) return undefined
  const text = `select ${COLUMNS} from summaries where activity_id = $1`
  const [summary] = await ask<Summary>(transaction, text, [activity])
  return { ...call, summary }
}

async function note(
  { jobs }: Pools,
  activity: ActivityId,
  changed: Pick<Summary, 'state' | 'why'>,
  atMs: AtMs,
): Promise<SummaryNoted> {
  return inTransaction(jobs, async (transaction) => {
    const standing = await lock(transaction, activity)
    if (!standing) return 'no such call'
    const { summary } = standing
    if (summary?.state === 'ready') return 'ready already'
    await save(transaction, standing, { ...(summary ?? blank(activity, atMs)), ...changed, updatedAtMs: atMs })
    return 'noted'
  })
}

const summaries = {
  begin(pools, activity, atMs) {
    return note(pools, activity, { state: 'pending', why: null }, atMs)
  },

  fail(pools, activity, why, atMs) {
    return note(pools, activity, { state: 'failed', why }, atMs)
  },

  async complete({ jobs }, activity, made) {
    const { text, language, eventName, atMs } = made
    assertLength(text)
    return inTransaction(jobs, async (transaction) => {
      const standing = await lock(transaction, activity)
      if (!standing) return { outcome: 'no such call' }
      const written = await ask<{ version: number }>(
        transaction,
        `select version from events where name = $1 and activity_id = $2 and version is not null`,
        [eventName, activity],
      )
      if (written[0]) return { outcome: 'told already', version: written[0].version }
      const summary = standing.summary ?? blank(activity, atMs)
      if (summary.source === 'edited') return { outcome: 'edited by hand', version: summary.version }
      const next = { ...summary, text, language, source: 'generated', editedBy: null } as const
      const { version } = await saveText(transaction, standing, next, eventName, atMs)
      return { outcome: 'kept', version }
    })
  },

  async edit({ api }, activity, { corporations, boundTo }, { text, version, user, eventName, atMs }) {
    assertLength(text)
    return inTransaction(api, async (transaction) => {
      const isSeen = (await ask(transaction, SEEN, [activity, corporations, boundTo ?? null])).length > 0
      const standing = isSeen ? await lock(transaction, activity) : undefined
      if (!standing) return { outcome: 'no such call' }
      const summary = standing.summary ?? blank(activity, atMs)
      if (summary.version !== version) return { outcome: 'stale', version: summary.version }
      const next = { ...summary, text, source: 'edited', editedBy: user } as const
      return { outcome: 'edited', summary: await saveText(transaction, standing, next, eventName, atMs) }
    })
  },

  async search({ api }, activities, { corporations, boundTo }) {
    return query<Summary>(api, FOUND, [activities, corporations, boundTo ?? null])
  },
} satisfies Partial<In<Summaries>>

const FOUND: Prepared = {
  name: 'summaries',
  text: `select ${COLUMNS} from summaries
          where activity_id = any($1) and corporation_id = any($2)
            and exists (select from call_activities c where c.id = summaries.activity_id and ${callSeenBy('$3')})
          order by activity_id`,
}

const SEEN = `select from call_activities c
  where c.id = $1 and c.corporation_id = any($2) and ${callSeenBy('$3')}`

/** The next version and the event about it, in one transaction (INV-E1). */
async function saveText(
  transaction: Transaction,
  standing: Standing,
  changed: Summary,
  eventName: string,
  atMs: AtMs,
): Promise<Summary> {
  const { corporation, externalSystem } = standing
  const summary: Summary = { ...changed, state: 'ready', version: changed.version + 1, why: null, updatedAtMs: atMs }
  await save(transaction, standing, summary)
  await writeEvent(transaction, {
    eventName,
    corporation,
    activity: summary.activity,
    version: summary.version,
    atMs,
    type: summary.version === 1 ? 'phone-call-summary.creation' : 'phone-call-summary.update',
    ...(externalSystem !== null && { externalSystem }),
  })
  return summary
}

async function save(transaction: Transaction, { corporation }: Standing, summary: Summary): Promise<void> {
  const { activity, state, version, text, language, source, editedBy, why, createdAtMs, updatedAtMs } = summary
  await transaction.query(
    `insert into summaries (activity_id, corporation_id, state, version, text, language, source, edited_by, why,
       created_at_ms, updated_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (activity_id) do update set state = excluded.state, version = excluded.version, text = excluded.text,
       language = excluded.language, source = excluded.source, edited_by = excluded.edited_by, why = excluded.why,
       updated_at_ms = excluded.updated_at_ms`,
    [activity, corporation, state, version, text, language, source, editedBy, why, createdAtMs, updatedAtMs],
  )
}

function blank(activity: ActivityId, atMs: AtMs): Summary {
  return {
    activity,
    state: 'pending',
    version: 0,
    text: null,
    language: null,
    source: 'generated',
    editedBy: null,
    why: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}

function assertLength(text: string): void {
  assert(text.length <= SUMMARY_LETTERS_MAX, `a summary has at most ${SUMMARY_LETTERS_MAX} letters; cut it before`)
}

/** Summaries in PostgreSQL. */
export function postgresSummaries(pools: Pools): Summaries {
  return portOf<Summaries>(pools, summaries)
}
