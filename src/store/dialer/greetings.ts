import type { AttemptId } from '../../kernel/ids.ts'
import type { LearntGreeting, MachineWord } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { IS_MACHINE } from './campaigns.ts'

/** Our choice: every answer is compared with all of them, in about 1 ms. Those that agents met last are kept. */
const GREETINGS_MAX = 500

export const greetings = {
  async greetings({ api }, corporation, sinceAtMs) {
    const text = `select g.id, g.print,
                    count(distinct a.number) filter (where ${IS_MACHINE})::integer as "machineNumbers",
                    count(a.id) filter (where not ${IS_MACHINE})::integer as persons
                    from greetings g
                    left join attempts a on a.greeting_id = g.id and a.answered_at_ms >= $2
                      and a.ended_at_ms is not null and a.connected_at_ms is not null
                    left join attempt_corrections c on c.attempt_id = a.id
                   where g.corporation_id = $1 group by g.id order by g.id`
    return query<LearntGreeting>(api, text, [corporation, sinceAtMs])
  },
} satisfies Partial<In<DialerRepository>>

/** Notes whose greeting it was, a new one too, and forgets those that nobody met for the longest time. */
export async function learnGreeting(
  transaction: Transaction,
  attempt: AttemptId,
  { id, print }: NonNullable<MachineWord[3]>,
  atMs: number,
): Promise<void> {
  const { rows } = await transaction.query<{ corporation: number }>(LEARN, [attempt, id, print, atMs])
  await transaction.query(FORGET, [rows[0]!.corporation, GREETINGS_MAX])
}

const LEARN = `
with named as (update attempts set greeting_id = $2 where id = $1 returning corporation_id)
insert into greetings (id, corporation_id, print, told_at_ms) select $2, corporation_id, $3, $4 from named
on conflict (id) do update set told_at_ms = greatest(greetings.told_at_ms, excluded.told_at_ms)
returning corporation_id as corporation`

/** What another word changes just now is left to it. */
const FORGET = `
delete from greetings where id in (select id from greetings where id in
  (select id from greetings where corporation_id = $1 order by told_at_ms desc, id desc offset $2)
  for update skip locked)`
