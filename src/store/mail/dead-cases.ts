/** Email into cases that nobody looks at (email-21). */
import { complete, logOf } from '../../cases/case-change.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, ExtensionId, TeamName } from '../../kernel/ids.ts'
import { LINK_TYPE } from '../../ports/activities.ts'
import { CASE_STATUS } from '../../ports/cases.ts'
import { lockCases, writeCase } from '../cases/case-rows.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { openCaseOf } from './mail-case.ts'

interface Arrived {
  readonly corporation: CorporationId
  readonly team: TeamName | undefined
  readonly subject: string
  readonly extension: ExtensionId | null
  readonly atMs: AtMs
}

const { closed, deleted, merged, spam } = CASE_STATUS

/** The number of the case, if it is deleted or spam and no case that is worked on is a part of it. */
const UNSEEN = `
select c.seq_no as number from cases c
 where c.activity_id = $1 and c.status = any($2) and not exists (
   select from activity_links l join cases part on part.activity_id = l.from_id
    where l.type = $3 and l.to_id = c.activity_id and part.status <> all($4))`

/** Opens a case that says so, as a part of the dead one: one until somebody has closed it. */
export async function tellOfDeadCase(transaction: Transaction, dead: ActivityId, arrived: Arrived): Promise<void> {
  const { corporation, subject, atMs } = arrived
  const values = [dead, [deleted, spam], LINK_TYPE.partOfCase, [closed, deleted, merged, spam]]
  const [found] = await ask<{ number: number }>(transaction, UNSEEN, values)
  if (!found) return
  const title = `Email to case ${found.number}, which is deleted or spam: ${subject}`
  const opened = await openCaseOf(transaction, { ...arrived, title })
  const link = `
    insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, $4, $5)`
  await transaction.query(link, [LINK_TYPE.partOfCase, opened, dead, corporation, atMs])
  const record = (await lockCases(transaction, [opened], [corporation])).named(opened)!
  const hand = { by: null, nowMs: atMs }
  const { record: after, logs } = complete(record, record, hand, [logOf('part of', null, dead, hand, atMs)])
  await writeCase(transaction, after, logs)
}
