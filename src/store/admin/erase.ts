import type { AtMs } from '../../kernel/clock.ts'
import type { LeftBytes } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import { useErasureKey } from '../db/erasure-key.ts'
import { ask } from '../db/transaction.ts'
import { rememberLeft } from './left-bytes.ts'
import { MARKED, PERSONAL_TABLES, type PersonalKind } from './personal-data.ts'

/** Anonymizes records of one kind. A repetition is harmless. */
export async function eraseThings(
  transaction: Transaction,
  kind: PersonalKind,
  ids: readonly number[],
  atMs: AtMs,
): Promise<LeftBytes> {
  await useErasureKey(transaction, true)
  // Who writes to one of them just now is waited for: what is written before the instant of the erasure goes with it.
  await transaction.query(`select from ${MARKED[kind]} where id = any($1) order by id for no key update`, [ids])
  const left = await bytesOf(transaction, kind, ids)
  await rememberLeft(transaction, left, atMs)
  for (const { table, where, becomes, erases = where } of PERSONAL_TABLES.filter((each) => each.kind === kind)) {
    const changes = Object.entries(becomes ?? {}).map(([column, value]) => `${column} = ${value}`)
    const text = becomes
      ? `update ${table} set ${changes.join(', ')} where ${erases}`
      : `delete from ${table} where ${erases}`
    await transaction.query(text, [ids])
  }
  await transaction.query(`update ${MARKED[kind]} set erased_at_ms = $2 where id = any($1)`, [ids, atMs])
  return left
}

async function bytesOf(transaction: Transaction, kind: PersonalKind, ids: readonly number[]): Promise<LeftBytes> {
  const names = async (text: string) => (await ask<{ name: string }>(transaction, text, [ids])).map(({ name }) => name)
  const recordings = `select file as name from recordings where activity_id = any($1) and file <> ''`
  const files = `select storage as name from files where activity_id = any($1)`
  return {
    recordings: kind === 'calls' ? await names(recordings) : [],
    files: kind === 'activities' ? await names(files) : [],
  }
}
