import type { Pool } from 'pg'
import type { Benchmark, Kit, Plan, Result } from '../benchmark.ts'
import { figure } from '../report.ts'
import { openRestHouse } from '../rest-house.ts'
import type { CaseDiary, Outcome } from './case-diary.ts'
import { lostUpdates, shownFaults, storedFaults } from './case-faults.ts'
import { caseStorm } from './case-storm.ts'

/** So often the server loses a connection in the middle of a transaction. */
const CUT_EVERY_MS = 500

/** Many clients on the same cases at once; a broken promise ends the command with status 1. */
export const cases: Benchmark = {
  name: 'cases',
  about: 'clients that make, merge, comment on and change the same cases at once, over HTTP (INV-C)',
  defaults: { clients: 50, seconds: 60 },
  async run({ clients, seconds, seed }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, false)
    const { database, url, headers } = house
    try {
      kit.onLine(`cases: ${clients} clients for ${seconds} s, seed ${seed}`)
      const untilMs = performance.now() + seconds * 1_000
      const cutting = setInterval(() => void cutOne(database.pools.jobs), CUT_EVERY_MS)
      const goesOn = () => performance.now() < untilMs
      const diary = await caseStorm({ url, headers, clients, seed, goesOn, mayBeUnavailable: true })
      clearInterval(cutting)
      kit.onLine(`cases: ${figure(diary.requests)} requests; checking the database against them`)
      const stored = (await storedFaults(database.pools)).map((row) => JSON.stringify(row))
      const lost = await lostUpdates(database.pools, diary)
      const faults = [...diary.faults, ...stored, ...lost, ...(await shownFaults(url, headers, diary))]
      for (const fault of faults.slice(0, 20)) kit.onLine(`cases: ✗ ${fault}`)
      if (faults.length > 0) process.exitCode = 1
      return resultOf(diary, faults.length, seconds)
    } finally {
      await house.close()
    }
  },
}

/** Takes a connection of the server away that works just now: whatever it had begun is rolled back. */
async function cutOne(jobs: Pool): Promise<void> {
  await jobs.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'switchboard api' and state <> 'idle' limit 1`,
  )
}

function resultOf(diary: CaseDiary, faults: number, seconds: number): Result {
  const { counts, requests } = diary
  const names = Object.keys(counts) as Outcome[]
  return {
    bars: [{ what: 'violations of INV-C', measured: faults, unit: 'violations', limit: { atMost: 0 } }],
    tables: [
      {
        head: [...names, 'requests per second', 'p50, ms', 'p95, ms', 'p99, ms'],
        rows: [
          [
            ...names.map((name) => figure(counts[name])),
            figure(requests / seconds),
            ...[0.5, 0.95, 0.99].map((part) => figure(diary.quantileMs(part))),
          ],
        ],
      },
    ],
    notes: [NOTE],
  }
}

const NOTE =
  'Each client sends its next request after the last response, mostly about the 40 newest cases, which makes changes ' +
  'collide. A tenth of the changes is aborted within 20 ms; an aborted creation is repeated under the same ' +
  'Idempotency-Key. Refused are stale versions, merged or deleted cases, and invalid input. ' +
  'Twice a second the server loses a database connection in the middle of its work, which rolls back ' +
  'whatever that had begun (503). Afterwards INV-C is looked for by SQL and in the answers of REST: statuses that ' +
  'agree, every move allowed and in the log, numbers without gap or repeat, merged cases at rest and nothing left ' +
  'on them, every accepted change and comment there exactly once.'
