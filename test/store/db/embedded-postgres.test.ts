import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type Clock, RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { type Database, openDatabase } from '../../../src/store/db/open-database.ts'
import { nativeTree } from '../../../src/store/db/postgres-binaries.ts'
import { query } from '../../../src/store/db/transaction.ts'
import { embeddedOf } from './database.ts'

const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'switchboard-embedded-'))
chmodSync(directory, 0o755)

afterAll(async () => {
  await (await embeddedOf(directory)).stop()
  rmSync(directory, { recursive: true, force: true })
})

async function open(clock: Clock = new RealClock()): Promise<Database> {
  const dataDirectory = join(directory, 'data')
  const database = await openDatabase({ dataDirectory, clock, log: silentLog, onLine: () => {} })
  if (!database.ok) throw new Error(database.why)
  return database
}

test('given two starts at once on an empty directory, both get the same server', async () => {
  const [one, other] = await Promise.all([open(), open()])
  await one.pools.api.query(`insert into corporations (name, created_at_ms) values ('Collectors', 0)`)
  const { rows } = await other.pools.api.query('select name from corporations')
  expect(rows).toEqual([{ name: 'Collectors' }])
  await Promise.all([one.close(), other.close()])
})

test('the server listens on no network, and only its socket’s folder leads to it', async () => {
  const database = await open()
  const { rows } = await database.pools.api.query(
    `select current_setting('listen_addresses') as listens, current_setting('fsync') as fsync,
            current_setting('server_encoding') as encoding, current_setting('lc_collate', true) as collate`,
  )
  expect(rows[0]).toMatchObject({ listens: '', fsync: 'on', encoding: 'UTF8' })
  await database.close()
  expect((await embeddedOf(directory)).runningPid()).toBeUndefined()
})

test.runIf(process.getuid?.() === 0)('started by root, it lets no process of the user who runs it in', async () => {
  const database = await open()
  const connection = (await embeddedOf(directory)).connection()
  // Root first, so that the modules can be read wherever they are.
  const asUser = (uid: number) => `
    const { Client } = require('pg')
    process.setuid(${uid})
    const client = new Client(${JSON.stringify(connection)})
    client.connect().then(() => client.query('show is_superuser')).then(
      ({ rows }) => console.log(rows[0].is_superuser), ({ message }) => console.log(message)).then(() => client.end())`
  const said = async (uid: number) => (await run(process.execPath, ['-e', asUser(uid)])).stdout
  expect(await said(0)).toBe('on\n')
  expect(await said(65_534)).toContain('Peer authentication failed')
  await database.close()
})

test('given kill -9 of the server, it restarts by itself, with every committed change', async () => {
  const { pools, close } = await open()
  const insert = 'insert into corporations (name, created_at_ms) values ($1, 0)'
  const before = committedRows(await pools.control.query('select count(*) as count from corporations'))
  const isHeard = heardAgain(pools)
  await isHeard()
  let committed = 0
  // Writes until the connection breaks: every acknowledged write must exist afterwards.
  const writing = (async () => {
    for (;;) {
      await query(pools.control, insert, [`corporation ${committed}`])
      committed++
      if (committed === 20) process.kill((await embeddedOf(directory)).runningPid()!, 'SIGKILL')
    }
  })()
  await expect(writing).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(committed).toBeGreaterThanOrEqual(20)
  await isHeard()
  const after = committedRows(await pools.control.query('select count(*) as count from corporations'))
  // The last write may have been committed although its answer was lost.
  expect([committed, committed + 1]).toContain(after - before)
  await close()
})

/** Resolves when the server is reached: each new connection sends notifications of every kind, `access` only then. */
function heardAgain({ news }: Database['pools']): () => Promise<void> {
  let hear = Promise.withResolvers<void>()
  news.onNotification((kind) => kind === 'access' && hear.resolve())
  return async () => {
    await hear.promise
    hear = Promise.withResolvers()
  }
}

test('a command that closes its database leaves the server to the service, and the last one stops it', async () => {
  const [service, command] = [await open(), await open()]
  await heardAgain(service.pools)()
  await command.close()
  expect(await query(service.pools.api, 'select 1 as one', [])).toEqual([{ one: 1 }])
  await service.close()
  expect((await embeddedOf(directory)).runningPid()).toBeUndefined()
})

test('a command that gets no answer when it closes leaves the server to the service', async () => {
  const service = await open()
  const real = new RealClock()
  let onSchedule = () => {}
  const clock: Clock = {
    nowMs: () => real.nowMs(),
    schedule: (atMs, action) => {
      onSchedule()
      return real.schedule(atMs, action)
    },
  }
  const command = await open(clock)
  await heardAgain(service.pools)()
  const pid = (await embeddedOf(directory)).runningPid()!
  process.kill(pid, 'SIGSTOP')
  // The command pauses after its first look, which nobody answered.
  onSchedule = () => process.kill(pid, 'SIGCONT')
  await command.close()
  expect(await query(service.pools.api, 'select 1 as one', [])).toEqual([{ one: 1 }])
  await service.close()
  expect((await embeddedOf(directory)).runningPid()).toBeUndefined()
})

test('a command whose every look is refused leaves the server to the service', async () => {
  const [service, command] = [await open(), await open()]
  await heardAgain(service.pools)()
  const allow = async (isAllowed: boolean) => {
    const client = new Client((await embeddedOf(directory)).connection('template1'))
    await client.connect()
    await client.query(`alter database postgres allow_connections ${isAllowed}`)
    await client.end()
  }
  await allow(false)
  await command.close()
  await allow(true)
  expect(await query(service.pools.api, 'select 1 as one', [])).toEqual([{ one: 1 }])
  await service.close()
  expect((await embeddedOf(directory)).runningPid()).toBeUndefined()
})

function committedRows({ rows }: { rows: unknown[] }): number {
  return (rows[0] as { count: number }).count
}

test('given a crash of ours, the next start finds the server that survived', async () => {
  const first = await open()
  await first.pools.close()
  const pid = (await embeddedOf(directory)).runningPid()
  const second = await open()
  expect((await embeddedOf(directory)).runningPid()).toBe(pid)
  await second.close()
})

test.each([
  ['Alpine', { os: 'linux', architecture: 'x64', isMusl: true }],
  ['another system', { os: 'darwin', architecture: 'arm64', isMusl: false }],
])('given %s, the refusal asks for DATABASE_URL', async (_, platform) => {
  const refusal = await nativeTree(directory, platform)
  expect(refusal).toMatchObject({ ok: false, remedy: expect.stringContaining('DATABASE_URL') })
})

test('given an unusable data directory, the refusal names it', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const options = { dataDirectory: file, clock: new RealClock(), log: silentLog, onLine: () => {} }
  expect(await openDatabase(options)).toMatchObject({ ok: false, why: expect.stringContaining(file) })
})

test('given the address of no server, the refusal names the setting', async () => {
  const options = { dataDirectory: directory, clock: new RealClock(), log: silentLog, onLine: () => {} }
  const refusal = await openDatabase({ ...options, databaseUrl: `postgres:///none?host=${directory}` })
  expect(refusal).toMatchObject({ ok: false, remedy: expect.stringContaining('DATABASE_URL') })
})
