/** What erased texts become: keyed hashes, which show that two were equal and nothing else. */
import type { Transaction } from './connection.ts'

/** What a text becomes; null where nothing was erased yet, and the transaction has no key (`useErasureKey`). */
export const erasedText = (text: string) =>
  `'erased:' || left(encode(sha256(convert_to(current_setting('switchboard.erasure_key', true) || ${text}, 'UTF8')),
    'hex'), 24)`
/** Likewise what bytes become. */
export const erasedBytes = (bytes: string) =>
  `sha256(convert_to(current_setting('switchboard.erasure_key', true), 'UTF8') || ${bytes})`

/** Random bits of the database: 244 of them. */
const MAKE_KEY = `
insert into service_keys (name, value)
values ('erasure', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))
    on conflict (name) do nothing`

/** Puts the key into the transaction's settings: statements then need no parameter. `makes` it, if there is none. */
export async function useErasureKey(transaction: Transaction, makes = false): Promise<void> {
  if (makes) await transaction.query(MAKE_KEY)
  await transaction.query(
    `select set_config('switchboard.erasure_key', encode(value, 'hex'), true) from service_keys where name = 'erasure'`,
  )
}
