import { assert } from '../../kernel/assert.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, ExtensionId, TeamId, TeamName } from '../../kernel/ids.ts'
import { CASE_LETTERS } from '../../ports/case-repository.ts'
import { listsOf } from '../cases/case-lists.ts'
import { openCase } from '../cases/save-case.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { storable } from './mail-rows.ts'

interface CaseOfMail {
  readonly corporation: CorporationId
  readonly team: TeamName | undefined
  readonly title: string
  /** A hint: the contact of the sender's earlier cases. */
  readonly extension: ExtensionId | null
  readonly atMs: AtMs
}

/** Opens a case with all defaults; without a queue if the configured team does not exist. */
export async function openCaseOf(transaction: Transaction, request: CaseOfMail): Promise<ActivityId> {
  const { corporation, title, extension, atMs, team: name } = request
  const text = 'select id from teams where corporation_id = $1 and name = $2 and active'
  const [team] = name === undefined ? [] : await ask<{ id: TeamId }>(transaction, text, [corporation, name])
  const lists = await listsOf(transaction, corporation)
  const named = { corporation, title: storable(title.slice(0, CASE_LETTERS.title)), extension, team: team?.id ?? null }
  const opened = await openCase(transaction, named, lists, { by: null, isAdmin: false, nowMs: atMs })
  assert(opened.ok, 'a case with nothing but defaults could not be opened')
  return opened.id
}
