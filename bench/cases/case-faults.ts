/** What is wrong with cases, by the invariants of `INV-C`: as they are stored, and as they are shown. */
import { checkMove } from '../../src/cases/case-status.ts'
import { CASE_STATUS, type CaseStatus } from '../../src/ports/cases.ts'
import type { Pools } from '../../src/store/db/pools.ts'
import type { CaseDiary } from './case-diary.ts'

/** One row for each case that breaks a rule, with its name. */
export async function storedFaults({ jobs }: Pick<Pools, 'jobs'>): Promise<readonly unknown[]> {
  const { rows } = await jobs.query(STORED)
  const moves = await jobs.query<{ was: CaseStatus; becomes: CaseStatus }>(MOVES)
  // A merge, and its undoing, are no moves by hand.
  const strange = moves.rows.filter(
    ({ was, becomes }) => ![was, becomes].includes(CASE_STATUS.merged) && checkMove(was, becomes, true) !== 'allowed',
  )
  return [...rows, ...strange.map((move) => ({ rule: 'INV-C2', ...move }))]
}

const STORED = `
select 'INV-C1' as rule, c.activity_id from cases c join ems_statuses s on s.id = c.ems_status_id
 where s.status <> c.status or s.corporation_id <> c.corporation_id
union all
select 'INV-C2', case_id from (
  select case_id, what, was -> 'status' as was,
    lag(becomes -> 'status') over (partition by case_id order by id) as before
    from case_logs where what in ('created', 'status')) logs
 where what = 'status' and was is distinct from before
union all
select 'INV-C2', c.activity_id from cases c where to_jsonb(c.status) is distinct from (
  select l.becomes -> 'status' from case_logs l
   where l.case_id = c.activity_id and l.what in ('created', 'status') order by l.id desc limit 1)
union all
select 'INV-C3', count(*) from cases c left join counters n on n.corporation_id = c.corporation_id and n.name = 'case'
 group by c.corporation_id, n.value
 having max(seq_no) <> count(*) or min(seq_no) <> 1 or count(distinct seq_no) <> count(*)
   or n.value is distinct from count(*)
union all
select 'INV-C4', c.activity_id from cases c join activities a on a.id = c.activity_id
 where c.merged_at_ms is not null and (a.updated_at_ms <> c.merged_at_ms
   or exists (select from case_logs l where l.case_id = c.activity_id and l.at_ms > c.merged_at_ms)
   or exists (select from activity_links l where l.to_id = c.activity_id and l.type = 14)
   or exists (select from case_texts t where t.case_id = c.activity_id)
   or exists (select from files f where f.activity_id = c.activity_id)
   or not exists (select from case_logs l where l.case_id = c.merged_into_id and l.what = 'merged from'
        and l.becomes = to_jsonb(c.activity_id)))
union all
select 'INV-C4', activity_id from (
  select c.activity_id, (with recursive way (id, steps) as (
    select c.merged_into_id, 1 union all
    select n.merged_into_id, way.steps + 1 from way join cases n on n.activity_id = way.id
     where n.merged_into_id is not null and way.steps < 1000) select max(steps) from way) as steps
  from cases c where c.merged_into_id is not null) chains where steps >= 1000
union all
select 'INV-C5', activity_id from activity_members where ended_at_ms is null and role in (1, 20)
 group by activity_id, role having count(*) > 1`

const MOVES = `
select distinct (was -> 'status')::int as was, (becomes -> 'status')::int as becomes
  from case_logs where what = 'status'`

/** What was accepted and is not there, or is there more than once (INV-C7, INV-P2). */
export async function lostUpdates({ jobs }: Pick<Pools, 'jobs'>, diary: CaseDiary): Promise<readonly string[]> {
  const { rows } = await jobs.query<{ text: string; times: number }>(
    `select text, count(*)::int as times from case_texts group by text
     union all
     select title, count(*)::int from (
       select becomes #>> '{}' as title from case_logs where what = 'title'
       union all
       select coalesce((select l.was #>> '{}' from case_logs l where l.case_id = a.id and l.what = 'title'
         order by l.id limit 1), a.subject) from activities a where a.kind = 'case') titles
      group by title`,
  )
  const there = new Map(rows.map(({ text, times }) => [text, times]))
  const accepted = [...diary.comments, ...diary.titles]
  return accepted.flatMap((text) => {
    const times = there.get(text) ?? 0
    return times === 1 ? [] : [`INV-C7: "${text}" was accepted once and is there ${times} times`]
  })
}

interface Shown {
  readonly eactId: number
  readonly seqNo: number
  readonly status: number
  readonly emsStatus: { readonly internalStatus: number }
  readonly mergedTo: { readonly eactId: number } | null
}

const PAGE = 500

/** All cases by their numbers over REST, held against each other and against what was answered when they were made. */
export async function shownFaults(
  url: string,
  headers: Readonly<Record<string, string>>,
  { numbers }: CaseDiary,
): Promise<readonly string[]> {
  const shown: Shown[] = []
  for (let first = 1; ; first += PAGE) {
    const seqNos = Array.from({ length: PAGE }, (_, place) => first + place)
    const answer = await fetch(`${url}/rest/svcems/cases/search`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ seqNos, limitTo: PAGE }),
    })
    const page = (await answer.json()) as Shown[]
    if (answer.status !== 200) return [`a page of cases was answered ${answer.status}: ${JSON.stringify(page)}`]
    shown.push(...page.toSorted((a, b) => a.seqNo - b.seqNo))
    if (page.length < PAGE) break
  }
  const byId = new Map(shown.map((one) => [one.eactId, one]))
  const gaps = shown.filter(({ seqNo }, place) => seqNo !== place + 1)
  const others = [...numbers].filter(([eactId, seqNo]) => byId.get(eactId)?.seqNo !== seqNo)
  const split = shown.filter(({ status, emsStatus }) => status !== emsStatus.internalStatus)
  const astray = shown.filter(({ status, mergedTo }) => (status === CASE_STATUS.merged) !== (mergedTo !== null))
  const nowhere = shown.filter(({ mergedTo }) => mergedTo !== null && !byId.has(mergedTo.eactId))
  return [
    ...gaps.slice(0, 1).map(({ seqNo }) => `INV-C3: ${seqNo} is shown where another number comes first`),
    ...others.map(([eactId, seqNo]) => `INV-C3: case ${eactId} was answered as number ${seqNo}, and is not`),
    ...split.map(({ eactId }) => `INV-C1: case ${eactId} is shown with two statuses`),
    ...[...astray, ...nowhere].map(({ eactId }) => `INV-C4: case ${eactId} is shown as merged and is not, or nowhere`),
  ]
}
