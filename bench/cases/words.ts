/** How fast cases are found by their words, among a million. */
import type { Database } from '../../src/store/db/open-database.ts'
import type { Benchmark, Kit, Plan, Result } from '../benchmark.ts'
import { figure } from '../report.ts'
import { openRestHouse, type RestHouse } from '../rest-house.ts'
import { quantile } from '../statistics.ts'

const CASES = 1_000_000
const EMAILS = 200_000
const PART = 50_000
const LIMIT_MS = 100

/** Words of two or three syllables; the first are the most frequent, as in a language. */
const WORDS = `
create temporary table syllables as select row_number() over () as n, s from unnest(string_to_array(
  'be,ta,ling,rå,te,køb,sæl,ger,fak,tu,ra,mø,de,hår,fæl,les,kon,to,på,min,der,ud,skrift,øre,vær,ning,grøn,bro', ','))
  as s;
create temporary table words as select row_number() over (order by md5(a.s || b.s || coalesce(c.s, '')))::int as n,
  a.s || b.s || coalesce(c.s, '') as word
  from syllables a cross join syllables b left join syllables c on c.n % 3 = b.n % 3;
create unique index on words (n)`
/** As many words as it says; small numbers are frequent. The row makes each call another. */
const sentence = (words: number, row: string) => `(select string_agg(w.word, ' ')
  from generate_series(1, ${words}) i
  join words w on w.n = 1 + floor(power(random() + 0 * (i + ${row}), 4) * 5000)::int)`

/** What is asked for, and how often it is there. */
const ASKED: readonly (readonly [string, string])[] = [
  ['one case, by its number in the title', 'faktura 712345'],
  ['a name in 1 of 1,000 titles', 'SØREN KJÆR'],
  ['a name in 1 of 1,000 comments', 'müller-ærø'],
  ['a word in 1 of 100 comments', 'Åndsværk'],
  ['a word in every third title', 'rykker'],
  ['a word in every comment', 'ringet'],
  ['words of emails', 'vedhæftet kvittering 4711'],
  ['two letters', 'øv'],
  ['nothing', 'findes ikke'],
]

/** The benchmark. */
export const words: Benchmark = {
  name: 'words',
  about: 'cases found by words of titles, comments and emails among 1,000,000, and contacts by name, over HTTP',
  defaults: { rounds: 30 },
  async run({ rounds }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, true)
    try {
      await fill(house.database, kit.onLine)
      const rows: [string, number, number[]][] = []
      for (const [what, text] of ASKED) rows.push([what, ...(await ask(house, text, rounds))])
      return resultOf(rows)
    } finally {
      await house.close()
    }
  },
}

async function fill({ pools: { jobs } }: Database, onLine: (line: string) => void): Promise<void> {
  const { rows } = await jobs.query<{ count: number }>('select count(*)::int as count from cases')
  if (rows[0]?.count === CASES) return
  const connection = await jobs.connect()
  try {
    await connection.query('set statement_timeout = 0; set jit = off')
    await connection.query('truncate activities, activity_links restart identity cascade; select setseed(0.5)')
    await connection.query(WORDS)
    for (let first = 1; first <= CASES; first += PART) {
      onLine(`words: ${figure(first - 1)} of ${figure(CASES)} cases are there`)
      await connection.query(casesFrom(first))
    }
    for (let first = 1; first <= EMAILS; first += PART) {
      onLine(`words: ${figure(first - 1)} of ${figure(EMAILS)} emails are there`)
      await connection.query(emailsFrom(first))
    }
    await connection.query(`select setval('activity_ids', ${CASES + 2 * EMAILS + 1})`)
    await connection.query('vacuum analyze')
  } finally {
    connection.release(true)
  }
}

/** Ids of cases follow those of the emails. */
const FIRST_CASE = 2 * EMAILS

const casesFrom = (first: number) => `
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
select ${FIRST_CASE} + n, 1, 'case', case when n % 3 = 0 then 'Rykker ' else 'Faktura ' end || n || ' ' ||
    case when n % 1000 = 7 then 'Søren Kjær ' else '' end || ${sentence(4, 'n')}, n, n
  from generate_series(${first}, ${first + PART - 1}) n;
insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
  last_open_ems_status_id, priority_id, team_id)
select ${FIRST_CASE} + n, 1, n, 1, s.id, n, s.id, p.id, 12 from generate_series(${first}, ${first + PART - 1}) n,
  (select id from ems_statuses where corporation_id = 1 and status = 1 and is_default) s,
  (select id from priorities where corporation_id = 1 and is_default) p;
insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
select ${FIRST_CASE} + n, '<p>Ringet <b>i dag</b>: ' || ${sentence(20, 'n')} ||
    case when n % 1000 = 11 then ' Müller-Ærø' when n % 100 = 13 then ' åndsværk' else '' end || '</p>',
  '', true, false, n from generate_series(${first}, ${first + PART - 1}) n`

/** Of every fifth case, each in a conversation of its own. */
const emailsFrom = (first: number) => `
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
select n, 1, 'email', 'Vedr. faktura ' || n, n, n from generate_series(${first}, ${first + PART - 1}) n;
insert into emails (activity_id, corporation_id, message_id, sender, recipients, copies, parties, sent_at_ms, body_text,
  threaded, mailbox, raw_bytes)
select n, 1, 'm' || n, 'p' || n || '@debtor.example', '[]', '[]', '{}', n,
  'Vedhæftet kvittering ' || n || '. ' || ${sentence(60, 'n')}, '', 'help@us.example', 1
  from generate_series(${first}, ${first + PART - 1}) n;
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
select ${EMAILS} + n, 1, 'conversation', '', n, n from generate_series(${first}, ${first + PART - 1}) n;
insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
select 13, n, ${EMAILS} + n, 1, n from generate_series(${first}, ${first + PART - 1}) n
union all
select 14, ${EMAILS} + n, ${FIRST_CASE} + n * 5, 1, n from generate_series(${first}, ${first + PART - 1}) n`

async function ask(house: RestHouse, text: string, rounds: number): Promise<[number, number[]]> {
  const timesMs: number[] = []
  let found = 0
  for (let round = 0; round <= rounds; round++) {
    const answer = await house.ask('POST', '/svcems/cases/search', JSON.stringify({ text }))
    if (answer.status !== 200) throw new Error(answer.text.slice(0, 300))
    found = (JSON.parse(answer.text) as unknown[]).length
    if (round > 0) timesMs.push(answer.totalMs)
  }
  return [found, timesMs]
}

function resultOf(rows: readonly [string, number, number[]][]): Result {
  return {
    bars: rows.map(([what, , timesMs]) => ({
      what: `${what}, p95`,
      measured: quantile(timesMs, 0.95),
      unit: 'ms',
      limit: { atMost: LIMIT_MS },
    })),
    tables: [
      {
        head: ['searched', 'cases on the page', 'p50, ms', 'p95, ms', 'max, ms'],
        rows: rows.map(([what, found, timesMs]) => [
          what,
          figure(found),
          ...[0.5, 0.95, 1].map((part) => figure(quantile(timesMs, part))),
        ]),
      },
    ],
    notes: [NOTE],
  }
}

const NOTE =
  'One search after another, from sending the request to the last byte of the page of 100; the first of each is not ' +
  'counted. Server, client and the embedded PostgreSQL are processes of their own on one machine. One million cases ' +
  'with a comment each, and 200,000 emails.'
