/** A database with one corporation and a campaign, a REST server on it in a process of its own, and a client. */
import { RealClock } from '../src/kernel/clock.ts'
import type { CorporationId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { systemSecretBytes } from '../src/kernel/secret-bytes.ts'
import { issue } from '../src/rest/access/issue-credential.ts'
import { SCOPES } from '../src/rest/http/route.ts'
import { postgresAccess } from '../src/store/access/credentials.ts'
import { type Database, openDatabase } from '../src/store/db/open-database.ts'
import type { Kit } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import type { RestApi, RestUse } from './processes/rest-process.ts'

/** What came of one request. Times are from sending it. */
export interface Exchange {
  readonly status: number
  readonly firstByteMs: number
  readonly totalMs: number
  readonly bytes: number
  readonly text: string
  /** Of the server, meanwhile. */
  readonly use: RestUse
}

/** An open house. */
export interface RestHouse {
  readonly database: Database
  /** For clients that send many requests at once. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  ask(method: string, path: string, body?: string): Promise<Exchange>
  /** What the server used while this went on. */
  useOf(work: () => Promise<void>): Promise<RestUse>
  close(): Promise<void>
}

/** The campaign that is imported into. */
export const CAMPAIGN = 7
const DAY_MS = 86_400_000

/** Opens it. Call tasks that are there from an earlier run stay only with `keepsTasks`. */
export async function openRestHouse({ directory, onLine }: Kit, keepsTasks: boolean): Promise<RestHouse> {
  const clock = new RealClock()
  const opened = await openDatabase({ dataDirectory: directory, clock, log: silentLog, onLine })
  if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
  await furnish(opened, keepsTasks)
  const headers = await credentialOf(opened)
  const child = startChild<RestApi>('rest-process.ts')
  const url = await child.ask('start', directory)
  return {
    database: opened,
    url,
    headers,
    ask: (method, path, body) => exchange(child, url, { method, path, headers, body }),
    useOf: async (work) => {
      await child.ask('begin', undefined)
      await work()
      return child.ask('use', undefined)
    },
    close: async () => {
      await child.ask('stop', undefined).catch(() => {})
      await child.end()
      await opened.close()
    },
  }
}

/** The audit trail of an earlier run goes as well, which it would never let happen. */
const EMPTY = `
  alter table audit_records disable trigger user;
  truncate corporations, imports cascade;
  alter table audit_records enable trigger user`

async function furnish({ pools }: Database, keepsTasks: boolean): Promise<void> {
  if (!keepsTasks) await pools.jobs.query(EMPTY)
  const settings = {
    callerId: '+4570001000',
    dialMode: 'progressive',
    callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
  }
  await pools.jobs.query(`
    insert into corporations (id, name, created_at_ms) values (1, 'Bench', 0) on conflict do nothing;
    insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'Debt') on conflict do nothing;
    insert into teams (id, corporation_id, name, title) values (12, 1, 'team', 'Team') on conflict do nothing`)
  await pools.jobs.query(
    `insert into campaigns
       (id, corporation_id, external_system_id, team_name, name, active, settings, created_at_ms, updated_at_ms)
     values ($1, 1, 3, 'team', 'Bench', true, $2, 0, 0) on conflict do nothing`,
    [CAMPAIGN, JSON.stringify(settings)],
  )
}

async function credentialOf({ pools }: Database): Promise<Record<string, string>> {
  const credentials = postgresAccess(pools)
  const key = await credentials.checkKey(systemSecretBytes(32))
  const nowMs = Date.now()
  const options = {
    name: 'bench',
    user: undefined,
    scopes: SCOPES,
    corporations: [1 as CorporationId],
    ipAllowList: [],
  }
  const issuer = { key, secretBytes: systemSecretBytes, environment: 'development', nowMs }
  const { credential, values } = issue({ ...options, expiresAtMs: nowMs + DAY_MS }, issuer)
  await credentials.addCredential(credential)
  return { ...values }
}

interface Query {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

async function exchange(child: Child<RestApi>, url: string, { method, path, headers, body }: Query): Promise<Exchange> {
  await child.ask('begin', undefined)
  const sentAtMs = performance.now()
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  let firstByteMs = Number.NaN
  const parts: Uint8Array[] = []
  if (answer.body) {
    for await (const part of answer.body) {
      if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - sentAtMs
      parts.push(part)
    }
  }
  const totalMs = performance.now() - sentAtMs
  const use = await child.ask('use', undefined)
  const bytes = Buffer.concat(parts)
  return { status: answer.status, firstByteMs, totalMs, bytes: bytes.length, text: bytes.toString(), use }
}
