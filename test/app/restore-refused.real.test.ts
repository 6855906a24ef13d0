/** Backup and restore around a change of version, and what a restore refuses before it deletes anything. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { guardOneNode } from '../../src/store/nodes/single-node-guard.ts'
import { makeDatabase, servers, type TestDatabase } from '../store/db/database.ts'
import { openServicePlace, urlOf } from './service-place.ts'
import { switchboard } from './service-process.ts'

let place: Awaited<ReturnType<typeof openServicePlace>>
let database: TestDatabase
let env: Record<string, string>
let archive: string

const recorded = async () => {
  const { rows } = await database.pools.jobs.query<{ name: string }>('select name from kysely_migration order by 1')
  return rows.map(({ name }) => name)
}

/** The same archive with something changed in it. */
function changed(name: string, change: (folder: string) => void): string {
  const [folder, file] = [join(place.directory, name), join(place.directory, `${name}.tar.gz`)]
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  change(folder)
  execFileSync('sh', ['-c', `cd ${folder} && tar -czf ${file} *`])
  return file
}

beforeAll(async () => {
  place = await openServicePlace('agents: { anna: { phone: { host: 127.0.0.101 } } }\n')
  database = await makeDatabase(servers[0]!)
  env = await place.env({ DATABASE_URL: urlOf(database.connection as ClientConfig) })
  await switchboard(['user', 'add', 'kept'], env)
  archive = join(place.directory, 'backup.tar.gz')
  await switchboard(['backup', archive], env)
})
afterAll(async () => {
  await database.drop()
  await place.close()
})

const isThere = () => expect(switchboard(['user', 'add', 'kept'], env)).rejects.toThrow('user kept already exists')

test('a backup of a newer version deletes nothing in the database that it is to replace', async () => {
  const newer = changed('newer', (folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'))
    manifest.database.migrations.push('9999-later')
    writeFileSync(join(folder, 'backup.json'), JSON.stringify(manifest))
  })
  const restored = switchboard(['restore', newer, '--replace'], env)
  await expect(restored).rejects.toThrow(/nothing was restored: this version does not know the migration 9999-later/)
  await isThere()
})

test('a database that a service of another DATA_DIR uses is not replaced', async () => {
  const options = { node: 'copenhagen', clock: new RealClock(), log: silentLog, onChange: () => {} }
  const guard = await guardOneNode(database.pools, options)
  const restored = switchboard(['restore', archive, '--replace'], env)
  await expect(restored).rejects.toThrow(/served by the node "copenhagen".*; nothing was changed; stop it first/)
  if (guard.ok) await guard.release()
  await isThere()
})

test('whoever may delete everything and make nothing deletes nothing', async () => {
  const { rows } = await database.pools.jobs.query<{ name: string }>('select current_user as name')
  await database.pools.jobs.query(`create role lodger login;
    alter schema public owner to lodger; grant all on all tables in schema public to lodger`)
  const url = urlOf(database.connection as ClientConfig)
  const lodging = await place.env({ DATABASE_URL: `${url}&options=-crole%3Dlodger` })
  const restored = switchboard(['restore', archive, '--replace'], lodging)
  await expect(restored).rejects.toThrow(/nothing was restored: .*permission denied for database/)
  await isThere()
  await database.pools.jobs.query(`alter schema public owner to ${rows[0]!.name};
    revoke all on all tables in schema public from lodger; drop role lodger`)
})

test('an archive that cannot be loaded says that the database is empty now', async () => {
  const broken = changed('broken', (folder) => writeFileSync(join(folder, 'database', 'users'), 'no row\n'))
  await expect(switchboard(['restore', broken, '--replace'], env)).rejects.toThrow('is empty now: restore a whole')
  expect(await switchboard(['restore', archive, '--replace'], env)).toContain('the kill switch is on')
  await isThere()
})

test('files that could not be restored are named, and the next restore completes them', async () => {
  const withFiles = changed('files', (folder) => {
    mkdirSync(join(folder, 'files', 'ab'), { recursive: true })
    writeFileSync(join(folder, 'files', 'ab', 'cut'), 'the whole file')
    writeFileSync(join(folder, 'files', 'ab', 'newer'), 'old')
  })
  const files = join(env['DATA_DIR']!, 'files')
  rmSync(files, { recursive: true, force: true })
  writeFileSync(files, 'where a folder should be')
  const restored = () => switchboard(['restore', withFiles, '--replace'], env)
  await expect(restored()).rejects.toThrow(/the files were not all restored: tar: .*; the database has the rows/s)
  const { rows } = await database.pools.jobs.query(
    'select kill_switch, to_confirm is not null as waits from dial_state',
  )
  expect(rows).toEqual([{ kill_switch: true, waits: true }])
  rmSync(files)
  mkdirSync(join(files, 'ab'), { recursive: true })
  writeFileSync(join(files, 'ab', 'cut'), 'the who')
  writeFileSync(join(files, 'ab', 'newer'), 'newer')
  await restored()
  const read = (name: string) => readFileSync(join(files, 'ab', name), 'utf8')
  expect([read('cut'), read('newer')]).toEqual(['the whole file', 'newer'])
})

test('an archive of so many files is restored that their names alone are 64 MiB', async () => {
  const [levels, names] = [15, 18_000]
  const path = join('files', ...Array(levels).fill('d'.repeat(250)))
  const many = changed('many', (folder) => {
    mkdirSync(join(folder, path), { recursive: true })
    for (let name = 0; name < names; name++) writeFileSync(join(folder, path, `${name}`), '')
  })
  await switchboard(['restore', many, '--replace'], env)
  expect(readdirSync(join(env['DATA_DIR']!, path))).toHaveLength(names)
  rmSync(join(env['DATA_DIR']!, 'files'), { recursive: true })
}, 120_000)

test('commands of a new version leave the tables of a running older one alone; its backup leads back', async () => {
  const last = (await recorded()).at(-1)!
  const older = await makeDatabase(servers[0]!, false)
  const all = await recorded()
  expect(await migrate(older.pools, all.slice(0, -1))).toBeUndefined()
  const there = await place.env({
    DATABASE_URL: urlOf(older.connection as ClientConfig),
    DATA_DIR: join(place.directory, 'older'),
  })
  const names = async () =>
    (await older.pools.jobs.query<{ name: string }>('select name from kysely_migration')).rows.map(({ name }) => name)
  const options = { node: 'older', clock: new RealClock(), log: silentLog, onChange: () => {} }
  const guard = await guardOneNode(older.pools, options)
  await expect(switchboard(['user', 'add', 'new'], there)).rejects.toThrow(/older version, and .* node "older"/)
  const before = join(place.directory, 'before.tar.gz')
  expect(await switchboard(['backup', before], there)).toContain(before)
  expect(await names()).not.toContain(last)
  if (guard.ok) await guard.release()
  expect(await switchboard(['user', 'add', 'new'], there)).toContain('new is user')
  expect(await names()).toContain(last)
  expect(await switchboard(['restore', before, '--replace'], there)).toContain('the kill switch is on')
  await older.drop()
})
