/** Links set by users: an activity to a case, a case to its parent (D-17). */

import { complete, logOf } from '../../cases/case-change.ts'
import type { ActivityId, CorporationId } from '../../kernel/ids.ts'
import { type Activities, LINK_TYPE, LINKS_MAX, type LinkChange, type LinkSet } from '../../ports/activities.ts'
import { CASE_STATUS, type CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { callSeenBy } from '../db/seen-by.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { countLinks, lockCases, writeCase } from './case-rows.ts'
import { holdOn } from './held.ts'
import { incomingUpdate } from './incoming-activity.ts'
import { ancestorsOf, lockParts } from './sub-cases.ts'

/** Nothing of a deleted case changes but that it is restored (cases-10, cases-22, cases-26). */
const IS_DELETED = 'the case is deleted; restore it first'
const IS_IN_DELETED = 'it is in a deleted case; restore that case first'

export const activityLinks = {
  /** The new link replaces the activity's link of the same type. An existing link stays unchanged. */
  async setLink({ api }, change) {
    return inTransaction(api, (transaction) => {
      return change.type === LINK_TYPE.activityOfCase ? linkToCase(transaction, change) : setParent(transaction, change)
    })
  },

  /** Removes a link; the case, or the subcase, logs it. */
  async removeLink({ api }, change) {
    const { corporations, type, from, to, by, atMs } = change
    return inTransaction(api, async (transaction) => {
      const ofPart = type === LINK_TYPE.partOfCase
      if (!(await find(transaction, change))) return 'no such link'
      const locked = await lockCases(transaction, ofPart ? [from, to] : [to], corporations)
      const whole = locked.end(to)
      if (!whole || !(await isThere(transaction, type, from, whole.id))) return 'no such link'
      const part = ofPart ? locked.named(from) : undefined
      const hold = (part ?? whole).status === CASE_STATUS.deleted ? IS_DELETED : await holdOn(transaction, from)
      if (hold) return { heldBy: hold }
      const text = 'delete from activity_links where type = $1 and from_id = $2 and to_id = $3'
      await transaction.query(text, [type, from, whole.id])
      const about = part ? { what: 'part of', was: whole.id } : { what: 'link', was: from }
      await log(transaction, part ?? whole, { ...about, becomes: null }, { by, atMs })
      return 'removed'
    })
  },
} satisfies Partial<In<Activities>>

interface Found {
  readonly kind: string
  readonly corporation: CorporationId
  readonly direction: 'in' | 'out' | null
}

const FIND = `
select kind, corporation_id as corporation, direction from activities where id = $1 and corporation_id = any($2)
union all
select 'call', c.corporation_id, c.direction from call_activities c
 where c.id = $1 and c.corporation_id = any($2) and $4::boolean and ${callSeenBy('$3')}`

async function find(transaction: Transaction, change: LinkChange): Promise<Found | undefined> {
  const { from, corporations, boundTo, seesCalls } = change
  return (await ask<Found>(transaction, FIND, [from, corporations, boundTo ?? null, seesCalls]))[0]
}

async function linkToCase(transaction: Transaction, change: LinkChange): Promise<LinkSet> {
  const { from, to, by, atMs, type } = change
  const found = await find(transaction, change)
  if (!found) return { outcome: 'no such activity' }
  if (found.kind === 'case') return { outcome: 'wrong kind' }
  const former = await caseOf(transaction, from)
  const locked = await lockCases(transaction, [to, ...former], [found.corporation])
  const record = locked.end(to)
  if (!record) return { outcome: 'no such case' }
  if (record.status === CASE_STATUS.deleted) return { outcome: 'case is deleted' }
  const isExternal = found.direction === 'in'
  const left = former[0] === undefined ? undefined : locked.end(former[0])
  // A repetition changes nothing: it does not reopen a closed case.
  if (!(await isThere(transaction, type, from, record.id))) {
    // Emails come into a deleted case by themselves, and whoever is told of it may take them elsewhere (email-21).
    if (found.kind === 'call' && left?.status === CASE_STATUS.deleted) return { outcome: 'held', why: IS_IN_DELETED }
    const hold = await holdWhereItIs(transaction, change)
    if (hold) return hold
    if (await isFull(transaction, record.id)) return { outcome: 'case is full' }
    const { corporation } = found
    await incomingUpdate(transaction, { case: to, activity: from, corporation, atMs, isExternal, by })
    if (left) await log(transaction, left, { what: 'link', was: from, becomes: null }, { by, atMs })
  }
  return { outcome: 'linked', to: record.id }
}

/** The case that an activity is in, or none. */
async function caseOf(transaction: Transaction, activity: ActivityId): Promise<ActivityId[]> {
  const text = 'select to_id as id from activity_links where type = $1 and from_id = $2'
  const rows = await ask<{ id: ActivityId }>(transaction, text, [LINK_TYPE.activityOfCase, activity])
  return rows.map(({ id }) => id)
}

async function setParent(transaction: Transaction, change: LinkChange): Promise<LinkSet> {
  const { corporations, from, to, by, atMs, type } = change
  await lockParts(transaction, corporations)
  const locked = await lockCases(transaction, [from, to], corporations)
  const [part, whole] = [locked.named(from), locked.end(to)]
  if (!part || !whole || part.corporation !== whole.corporation)
    return { outcome: part ? 'no such case' : 'no such activity' }
  if (part.status === CASE_STATUS.merged) return { outcome: 'wrong kind' }
  if (part.status === CASE_STATUS.deleted) return { outcome: 'part is deleted' }
  if (whole.status === CASE_STATUS.deleted) return { outcome: 'case is deleted' }
  if ([whole.id, ...(await ancestorsOf(transaction, whole.id))].includes(part.id)) return { outcome: 'circle' }
  if (await isThere(transaction, type, from, whole.id)) return { outcome: 'linked', to: whole.id }
  const hold = await holdWhereItIs(transaction, change)
  if (hold) return hold
  if (await isFull(transaction, whole.id)) return { outcome: 'case is full' }
  const text = `
    insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, $4, $5)
    on conflict (from_id, type) do update set to_id = excluded.to_id`
  await transaction.query(text, [type, from, whole.id, part.corporation, atMs])
  await log(transaction, part, { what: 'part of', was: null, becomes: whole.id }, { by, atMs })
  return { outcome: 'linked', to: whole.id }
}

/** The link would replace another one, and a legal hold keeps that. */
async function holdWhereItIs(transaction: Transaction, { type, from }: LinkChange): Promise<LinkSet | undefined> {
  const text = 'select from activity_links where type = $1 and from_id = $2'
  const isSomewhere = (await ask(transaction, text, [type, from])).length > 0
  const why = isSomewhere ? await holdOn(transaction, from) : undefined
  return why === undefined ? undefined : { outcome: 'held', why }
}

/** What arrives by itself is linked all the same: an email must not be refused for what users did. */
async function isFull(transaction: Transaction, to: ActivityId): Promise<boolean> {
  return (await countLinks(transaction, [to])) >= LINKS_MAX
}

async function isThere(transaction: Transaction, type: number, from: ActivityId, to: ActivityId): Promise<boolean> {
  const text = 'select from activity_links where type = $1 and from_id = $2 and to_id = $3'
  return (await ask(transaction, text, [type, from, to])).length > 0
}

async function log(
  transaction: Transaction,
  record: CaseRecord,
  { what, was, becomes }: { readonly what: string; readonly was: unknown; readonly becomes: unknown },
  { by, atMs }: Pick<LinkChange, 'by' | 'atMs'>,
): Promise<void> {
  const hand = { by, nowMs: atMs }
  const { record: after, logs } = complete(record, record, hand, [logOf(what, was, becomes, hand, atMs)])
  await writeCase(transaction, after, logs)
}
