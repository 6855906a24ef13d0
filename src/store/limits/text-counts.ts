import type { SentTexts, TextLimits } from '../../ports/calls/sent-texts.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const sentTexts = {
  /** Texts are noted one after another, so that two at the same instant cannot both take the last place. */
  async note({ control }, { key, number, abroad, caseNumber, atMs }, limits) {
    const call = callOf(key)
    return inTransaction(control, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.texts])
      await transaction.query('delete from sent_texts where sent_at_ms <= $1', [atMs - DAY_MS])
      const about = [number, caseNumber ?? null, call, atMs - HOUR_MS, abroad ?? null]
      const [counts] = await ask<Record<keyof TextLimits, number>>(transaction, COUNTS, about)
      const full = ORDER.find((limit) => counts![limit] >= limits[limit])
      if (full !== undefined) return full
      const text = `insert into sent_texts (key, call, number, abroad, case_number, sent_at_ms)
                    values ($1, $2, $3, $4, $5, $6) on conflict (key) do nothing`
      await transaction.query(text, [key, call, number, abroad ?? null, caseNumber ?? null, atMs])
      return 'noted'
    })
  },

  async forget({ control }, key) {
    await query(control, 'delete from sent_texts where key = $1', [key])
  },
} satisfies Partial<In<SentTexts>>

/** The first that is full is told. */
const ORDER = ['ofNumber', 'ofCase', 'ofCountry', 'ofAll'] as const satisfies readonly (keyof TextLimits)[]

const COUNTS: Prepared = {
  name: 'count-sent-texts',
  text: `
select count(*) filter (where number = $1)::int as "ofNumber",
  count(distinct call) filter (where case_number = $2 and call <> $3 and sent_at_ms > $4)::int as "ofCase",
  count(*) filter (where abroad = $5)::int as "ofCountry", count(*)::int as "ofAll"
  from sent_texts`,
}

function callOf(key: string): string {
  return key.split('/', 1)[0]!
}

/** The texts of a day in PostgreSQL. */
export function postgresSentTexts(pools: Pools): SentTexts {
  return portOf<SentTexts>(pools, sentTexts)
}
