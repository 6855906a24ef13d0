/** Ends expired holds (contract.md §3.1, INV-C6). */

import { endHold } from '../../cases/case-updates.ts'
import type { CaseRepository } from '../../ports/case-repository.ts'
import type { CaseRecord } from '../../ports/cases.ts'
import type { In } from '../db/port-methods.ts'
import { BOTH_CLOCKS } from '../db/sql.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { listsOf } from './case-lists.ts'
import { CASE_RECORD, writeCase } from './case-rows.ts'

const BATCH_MAX = 100

const DUE = `
select ${CASE_RECORD} from cases c join activities a on a.id = c.activity_id
 where c.status = 8 and c.hold_until_ms <= ${BOTH_CLOCKS}
 order by c.hold_until_ms, c.activity_id limit ${BATCH_MAX} for no key update of c, a skip locked`

/** The next run handles cases that another transaction has locked. */
export const expireHolds = {
  async endHolds({ jobs }, nowMs) {
    return inTransaction(jobs, async (transaction) => {
      const due = await ask<CaseRecord>(transaction, DUE, [nowMs])
      for (const record of due) {
        const { customs } = await listsOf(transaction, record.corporation)
        const { record: after, logs } = endHold(record, customs, nowMs)
        await writeCase(transaction, after, logs)
      }
      return due.length
    })
  },
} satisfies Partial<In<CaseRepository>>
