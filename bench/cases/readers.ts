/** What pages of long cases cost the thread that controls calls. */
import type { Benchmark, Kit, Plan, Result } from '../benchmark.ts'
import { figure } from '../report.ts'
import { openRestHouse, type RestHouse } from '../rest-house.ts'

const CASES = 1_000
const COMMENTS = 50
const READERS = 12
const STALL_LIMIT_MS = 100
const MEMORY_LIMIT_MB = 512

/** The benchmark. */
export const readers: Benchmark = {
  name: 'readers',
  about: `${READERS} readers of pages of ${CASES} cases with ${COMMENTS} comments of 1 KB each (50 MB), over HTTP`,
  defaults: { rounds: 3 },
  async run({ rounds }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, false)
    try {
      kit.onLine(`readers: ${figure(CASES)} cases are made`)
      await house.database.pools.jobs.query(FILL)
      const body = JSON.stringify({ eactIds: Array.from({ length: CASES }, (_, place) => place + 1) })
      // One page first: what is loaded on demand is loaded.
      await pageOf(house, body)
      const idle = await house.useOf(async () => {})
      let bytes = 0
      const use = await house.useOf(async () => {
        const all = Array.from({ length: READERS }, async () => {
          for (let round = 0; round < rounds; round++) {
            const read = await pageOf(house, body)
            bytes += read
          }
        })
        await Promise.all(all)
      })
      const moreMb = use.peakMb - idle.peakMb
      return {
        bars: [
          {
            what: 'longest stall of the event loop',
            measured: use.stallMs,
            unit: 'ms',
            limit: { atMost: STALL_LIMIT_MS },
          },
          { what: 'memory above idle', measured: moreMb, unit: 'MB', limit: { atMost: MEMORY_LIMIT_MB } },
        ],
        tables: [
          {
            head: [
              'pages',
              'MB sent',
              'longest stall, ms',
              'longest own work, ms',
              'CPU of the server, s',
              'memory above idle, MB',
            ],
            rows: [
              [READERS * rounds, bytes / 1e6, use.stallMs, use.heldMs, use.cpuMs / 1_000, moreMb].map((value) =>
                figure(value),
              ),
            ],
          },
        ],
        notes: [NOTE],
      }
    } finally {
      await house.close()
    }
  },
}

const FILL = `
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
  select n, 1, 'case', 'Rent ' || n, n, n from generate_series(1, ${CASES}) n;
insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
    last_open_ems_status_id, priority_id)
  select n, 1, n, 1, s.id, n, s.id, p.id from generate_series(1, ${CASES}) n,
    (select id from ems_statuses where corporation_id = 1 and status = 1 and is_default) s,
    (select id from priorities where corporation_id = 1 and is_default) p;
insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
  select n, rpad(n || ' ' || i || ' ', 1000, md5(n || 'x' || i)), '', true, false, i
    from generate_series(1, ${CASES}) n, generate_series(1, ${COMMENTS}) i`

async function pageOf({ url, headers }: RestHouse, body: string): Promise<number> {
  const answer = await fetch(`${url}/svcems/cases/search`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  let bytes = 0
  for await (const part of answer.body!) bytes += part.length
  if (answer.status !== 200 || bytes < CASES * COMMENTS * 1_000) throw new Error(`${answer.status}, ${bytes} bytes`)
  return bytes
}

const NOTE =
  'Each reader takes one page after another. A stall is the longest time between two firings of a timer of 1 ms in ' +
  'the server, whoever had the processor meanwhile; own work is what its main thread did in such a time. Server, ' +
  'readers and the embedded PostgreSQL share the machine.'
