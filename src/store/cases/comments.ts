/** Comments on cases (D-22). */

import { takeComment } from '../../cases/case-updates.ts'
import type { CaseRepository, CaseText } from '../../ports/case-repository.ts'
import { CASE_STATUS } from '../../ports/cases.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { listsOf } from './case-lists.ts'
import { lockCases, writeCase } from './case-rows.ts'
import { CASE_TEXT } from './case-search.ts'

export const comments = {
  async addText({ api }, text, hand) {
    const { isInternal, isExternalUpdate, original } = text
    const { corporations, by, atMs } = hand
    return inTransaction(api, async (transaction) => {
      const record = (await lockCases(transaction, [text.case], corporations)).end(text.case)
      if (!record) return { outcome: 'no such case' }
      if (record.status === CASE_STATUS.deleted) return { outcome: 'deleted' }
      const { customs } = await listsOf(transaction, record.corporation)
      const { record: after, logs } = takeComment(record, { isExternal: isExternalUpdate, atMs }, customs)
      await writeCase(transaction, after, logs)
      const [added] = await ask<{ text: CaseText }>(
        transaction,
        `with t as (
           insert into case_texts (case_id, text, original, is_internal, is_external_update, creator_id, created_at_ms)
           values ($1, $2, $3, $4, $5, $6, $7) returning *
         )
         select json_build_object(${CASE_TEXT}) as text from t left join users u on u.id = t.creator_id`,
        [record.id, text.text, original, isInternal, isExternalUpdate, by, after.updatedAtMs],
      )
      // An insert returns one row.
      return { outcome: 'added', text: added!.text }
    })
  },
} satisfies Partial<In<CaseRepository>>
