import type { AtMs } from '../../kernel/clock.ts'
import type { LeftBytes } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { MARKED, PERSONAL_TABLES, type PersonalKind } from './personal-data.ts'

/** Anonymizes records of one kind. A repetition is harmless. */
export async function eraseThings(
  transaction: Transaction,
  kind: PersonalKind,
  ids: readonly number[],
  atMs: AtMs,
): Promise<LeftBytes> {
  await useKey(transaction)
  const left = await bytesOf(transaction, kind, ids)
  for (const { table, where, becomes } of PERSONAL_TABLES.filter((each) => each.kind === kind)) {
    const changes = Object.entries(becomes ?? {}).map(([column, value]) => `${column} = ${value}`)
    const text = becomes
      ? `update ${table} set ${changes.join(', ')} where ${where}`
      : `delete from ${table} where ${where}`
    await transaction.query(text, [ids])
  }
  await transaction.query(`update ${MARKED[kind]} set erased_at_ms = $2 where id = any($1)`, [ids, atMs])
  return left
}

/** Puts the key of the hashes into the transaction's settings: the statements then need no parameter for it. */
async function useKey(transaction: Transaction): Promise<void> {
  await transaction.query(MAKE_KEY)
  await transaction.query(
    `select set_config('switchboard.erasure_key', encode(value, 'hex'), true) from service_keys where name = 'erasure'`,
  )
}

/** Random bits of the database: 244 of them. */
const MAKE_KEY = `
insert into service_keys (name, value)
values ('erasure', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))
    on conflict (name) do nothing`

async function bytesOf(transaction: Transaction, kind: PersonalKind, ids: readonly number[]): Promise<LeftBytes> {
  const names = async (text: string) => (await ask<{ name: string }>(transaction, text, [ids])).map(({ name }) => name)
  const recordings = `select file as name from recordings where activity_id = any($1) and file <> ''`
  const files = `select storage as name from files where activity_id = any($1)`
  return {
    recordings: kind === 'calls' ? await names(recordings) : [],
    files: kind === 'activities' ? await names(files) : [],
  }
}
