/** Uploads of files to a case: a change of the case itself (contract.md §4.5, D-20). */

import { complete, logOf } from '../../cases/case-change.ts'
import { CASE_STATUS } from '../../ports/cases.ts'
import { CASE_FILES_MAX, type Files } from '../../ports/files.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { lockCases, writeCase } from './case-rows.ts'
import { addFiles } from './file-rows.ts'

/** Adds the files to the case at the end of the chain of merges, and updates its log, time and version. */
export const caseUploads = {
  async addToCase({ api }, upload) {
    const { corporations, files, by, atMs } = upload
    return inTransaction(api, async (transaction) => {
      const record = (await lockCases(transaction, [upload.case], corporations)).end(upload.case)
      if (!record) return { outcome: 'no such case' }
      if (record.status === CASE_STATUS.deleted) return { outcome: 'case is deleted' }
      const kept = await ask(transaction, 'select from files where activity_id = $1', [record.id])
      if (kept.length + files.length > CASE_FILES_MAX) return { outcome: 'case is full' }
      const ids = await addFiles(transaction, record.id, record.corporation, files, by, atMs)
      const hand = { by, nowMs: atMs }
      const { record: after, logs } = complete(record, record, hand, [logOf('files', null, ids, hand, atMs)])
      await writeCase(transaction, after, logs)
      return { outcome: 'added', case: record.id, ids }
    })
  },
} satisfies Partial<In<Files>>
