import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActivityId, CorporationId, StorageName } from '../../../src/kernel/ids.ts'
import type { FileKind, NewFile } from '../../../src/ports/files.ts'
import { addFiles } from '../../../src/store/cases/file-rows.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { NASTY_NAMES } from '../../adapters/files/nasty-names.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, NOON, openShop } from '../shop.ts'

const OTHERS = 2 as CorporationId

describe.each(servers)('files of activities on $name', (server) => {
  let database: TestDatabase
  let email: ActivityId

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    await database.pools.jobs.query('truncate corporations restart identity cascade')
    await openShop(database.pools)
    const text = `insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
                  values (1, 'email', 'Hello', 0, 0) returning id`
    const { rows } = await database.pools.jobs.query<{ id: ActivityId }>(text)
    email = rows[0]!.id
  })
  afterAll(() => database.drop())

  let made = 0
  const file = (change: Partial<NewFile> = {}): NewFile => ({
    kind: 'attachment',
    fileName: 'letter.pdf',
    mimeType: 'application/pdf',
    sizeBytes: 5,
    sha256: 'ab'.repeat(32),
    storage: `storage-${++made}` as StorageName,
    ...change,
  })
  const add = (files: readonly NewFile[]) =>
    inTransaction(database.pools.api, (transaction) => addFiles(transaction, email, CORPORATION, files, null, NOON))

  test('are stored in their order, and found by their own corporation only', async () => {
    const kinds: FileKind[] = ['inline image', 'attachment', 'upload', 'email content']
    const files = kinds.map((kind) => file({ kind, ...(kind === 'inline image' && { contentId: 'pic@1' }) }))
    const ids = await add(files)
    const found = await Promise.all(ids.map((id) => postgresFiles(database.pools).file([CORPORATION], id)))
    expect(found).toEqual(
      files.map((each, place) => ({
        ...each,
        id: ids[place],
        corporation: CORPORATION,
        activity: email,
        createdAtMs: NOON,
      })),
    )
    expect(await postgresFiles(database.pools).file([OTHERS], ids[0]!)).toBeUndefined()
    expect(await postgresFiles(database.pools).file([], ids[0]!)).toBeUndefined()
  })

  test('F-J7: any file name is a text, and stays one', async () => {
    const ids = await add(NASTY_NAMES.map((fileName) => file({ fileName })))
    const found = await postgresFiles(database.pools).file([CORPORATION], ids[0]!)
    expect(found?.fileName).toBe(NASTY_NAMES[0])
    const count = await database.pools.jobs.query('select from files')
    expect(count.rowCount).toBe(NASTY_NAMES.length)
  })
})
