/** Files over REST: bytes are stored unchanged, and never served as an active type (D-20). */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { FileKind, FileStore } from '../../../src/ports/files.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { plainFileName } from '../../../src/rest/http/file-response.ts'
import { addFiles } from '../../../src/store/cases/file-rows.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { postgresDialerAdmin } from '../../../src/store/dialer/dialer-admin-repository.ts'
import { fullDisk } from '../../adapters/files/full-disk.ts'
import { NASTY_NAMES } from '../../adapters/files/nasty-names.ts'
import { putter } from '../../store/cases/put-activities.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

let world: RestWorld
let fileStore: FileStore
let directory: string
let putCase: ReturnType<typeof putter>['putCase']
let ours: ActivityId

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchboard-files-'))
  fileStore = await openFileStore({ directory, clock: new RealClock(), secretBytes: randomBytes, log: silentLog })
  world = await openRestWorld({
    parts: (pools) => ({
      dialerAdmin: postgresDialerAdmin(pools),
      files: postgresFiles(pools),
      fileStore,
      log: silentLog,
    }),
    routes: coreFileRoutes,
  })
  putCase = putter(world.pools).putCase
  ours = await putCase()
})
afterAll(async () => {
  await world.close()
  await rm(directory, { recursive: true })
})

async function* whole(bytes: Buffer) {
  yield bytes
}

/** Adds a file to our case, past the upload; returns its id. */
async function keep(kind: FileKind, fileName: string, mimeType: string, bytes = Buffer.from('bytes')) {
  const kept = await fileStore.write(whole(bytes), 1e9)
  if (typeof kept === 'string') throw new Error(kept)
  const files = [{ ...kept, kind, fileName, mimeType }]
  const [id] = await inTransaction(world.pools.api, (asked) => addFiles(asked, ours, OURS, files, null, 0))
  return id
}

const get = (cfreId: unknown, headers: Record<string, string> = {}, as = world.values) =>
  world.call('GET', `/core/corefile?cfreId=${cfreId}`, undefined, { headers, as })

interface Part {
  readonly name?: string
  readonly fileName?: string
  readonly type?: string
  readonly bytes?: Buffer | string
}

const BOUNDARY = '----form7'

function form(...parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name = 'files', fileName, type, bytes = 'x' }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`
    return [head, type === undefined ? '' : `Content-Type: ${type}\r\n`, '\r\n', bytes, '\r\n']
  })
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

const IS_FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

const post = (id: unknown, body: Buffer, headers: Record<string, string> = IS_FORM, query = 'tblId=35007&type=3') =>
  world.call('POST', `/rest/core/corefile?${query}&id=${id}`, undefined, { text: body, headers })

/** How many files are on the disk: a refused upload must leave none. */
const storedRows = async () => (await world.pools.jobs.query('select count(*) as count from files')).rows[0].count
const onDisk = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length

describe('a file of an activity', () => {
  test('is returned by its id: an image, an attachment, an upload', async () => {
    for (const kind of ['inline image', 'attachment', 'upload'] as const) {
      const { status, text, headers } = await get(await keep(kind, 'a.txt', 'text/plain', Buffer.from(kind)))
      expect([status, text, headers['content-type']]).toEqual([200, kind, 'text/plain'])
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-disposition']).toMatch(/^attachment; /)
    }
  })

  test('that is an email is none of these: 404, which names the right operation', async () => {
    const { status, body } = await get(await keep('email content', 'mail.eml', 'message/rfc822'))
    expect([status, body.detail.includes('emailcontent')]).toEqual([404, true])
  })

  test('is displayed only if it is an inline picture without script', async () => {
    const disposition = async (kind: FileKind, type: string) => {
      const { headers } = await get(await keep(kind, 'a', type))
      return `${headers['content-disposition']?.split(';')[0]} ${headers['content-type']}`
    }
    for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
      expect(await disposition('inline image', type)).toBe(`inline ${type}`)
      expect(await disposition('attachment', type)).toBe(`attachment ${type}`)
    }
    for (const type of [
      'image/svg+xml',
      'text/html',
      'application/xhtml+xml',
      'text/javascript',
      'x',
      '',
      'a\r\nb: c',
    ]) {
      expect(await disposition('inline image', type)).toBe('attachment application/octet-stream')
    }
  })

  test('is not sent again to a client that has it, and in ranges on request', async () => {
    const id = await keep('attachment', 'a.wav', 'audio/wav', Buffer.from('0123456789'))
    const { etag = '' } = (await get(id)).headers
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await get(id, { 'if-none-match': known })).status).toBe(304)
    }
    expect((await get(id, { 'if-none-match': '"other"' })).status).toBe(200)
    const part = await get(id, { range: 'bytes=2-4' })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    expect((await get(id, { range: 'bytes=10-' })).status).toBe(416)
    const empty = await get(await keep('attachment', 'empty', 'text/plain', Buffer.alloc(0)))
    expect([empty.status, empty.text]).toEqual([200, ''])
  })

  test('is not read from the disk for its head alone', async () => {
    const sizeBytes = 8 * 1024 * 1024
    const id = await keep('attachment', 'a.wav', 'audio/wav', Buffer.alloc(sizeBytes))
    const { read } = fileStore
    let bytesRead = Promise.resolve(Number.NaN)
    const spied = vi.spyOn(fileStore, 'read').mockImplementation(async (...asked) => {
      const stream = (await read(...asked)) as ReadStream
      bytesRead = once(stream, 'close').then(() => stream.bytesRead)
      return stream
    })
    const { status, headers, text } = await world.call('HEAD', `/core/corefile?cfreId=${id}`)
    spied.mockRestore()
    expect([status, headers['content-length'], text]).toEqual([200, String(sizeBytes), ''])
    expect(await bytesRead).toBeLessThan(1024 * 1024)
  })

  test('without its bytes is 404', async () => {
    const id = await keep('attachment', 'a', 'text/plain')
    const { rows } = await world.pools.api.query('select storage from files where id = $1', [id])
    await fileStore.remove(rows[0].storage)
    expect((await get(id)).status).toBe(404)
  })

  test('F-J7, F-J16: keeps no folder and no second header in its name, whatever its original name', async () => {
    for (const name of [
      'a";x="b',
      'æøå €.pdf',
      'a\r\nset-cookie: b',
      '../../etc/passwd',
      'C:\\boot.ini',
      '\u202egpj.exe',
    ]) {
      const { headers, status } = await get(await keep('attachment', name, 'text/plain'))
      const said = headers['content-disposition'] ?? ''
      expect(status).toBe(200)
      expect(said).toMatch(/^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[\w.!~%-]+$/)
      expect(headers['set-cookie']).toBeUndefined()
    }
    const { headers } = await get(await keep('attachment', 'æ (1).pdf', 'application/pdf'))
    expect(headers['content-disposition']).toBe(
      `attachment; filename="_ (1).pdf"; filename*=UTF-8''%C3%A6%20%281%29.pdf`,
    )
  })

  test('F-J20: opens only to a credential of its corporation with the scope', async () => {
    const id = await keep('attachment', 'secret.txt', 'text/plain')
    const others = await world.credential(['files:read'], [THEIRS])
    const noFiles = await world.credential(['cases:read', 'calls:read'])
    expect((await get(id, {}, others)).status).toBe(404)
    expect((await get(id, {}, noFiles)).status).toBe(403)
    const { tokenv2, rcntrl, ccntrl } = world.values
    const query = `tokenv2=${tokenv2}&rcntrl=${rcntrl}&ccntrl=${ccntrl}`
    for (const path of [`/core/corefile?cfreId=${id}`, `/core/corefile?cfreId=${id}&${query}`]) {
      expect((await world.call('GET', path, undefined, { as: null })).status).toBe(401)
    }
    const { headers } = await get(id)
    expect([headers['cache-control'], headers['cross-origin-resource-policy']]).toEqual(['no-store', 'same-origin'])
  })
})

describe('files added to a case', () => {
  test('are stored and listed unchanged', async () => {
    const id = await putCase()
    const bytes = randomBytes(100_000)
    const parts = [
      { fileName: 'brev æ.pdf', type: 'application/pdf', bytes },
      { fileName: 'b.txt', type: 'text/plain; charset=utf-8' },
    ]
    const { status, body, headers } = await post(id, form(...parts, { name: 'comment', bytes: 'hello' }))
    expect([status, headers['svc-total-found'], headers['totalfound']]).toEqual([200, '2', '2'])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(body).toEqual([
      {
        cfreId: expect.any(Number),
        type: 3,
        fileName: 'brev æ.pdf',
        mimeType: 'application/pdf',
        size: 100_000,
        sha256,
        creationTs: expect.any(String),
        activity: { eactId: id },
      },
      expect.objectContaining({ fileName: 'b.txt', mimeType: 'text/plain', size: 1 }),
    ])
    const url = `${world.rest.url}/rest/core/corefile?cfreId=${body[0].cfreId}`
    const answer = await fetch(url, { headers: { ...world.values } })
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    const { rows } = await world.pools.api.query(
      `select a.updated_at_ms > 0 as updated, c.version, l.what, l.becomes from cases c
         join activities a on a.id = c.activity_id join case_logs l on l.case_id = a.id where a.id = $1`,
      [id],
    )
    const ids = body.map(({ cfreId }: { cfreId: number }) => cfreId)
    expect(rows).toEqual([{ updated: true, version: 2, what: 'files', becomes: ids }])
  })

  test('of a merged case go to the end of its chain, which the answer names', async () => {
    const target = await putCase()
    const between = await putCase({ mergedInto: target })
    const merged = await putCase({ mergedInto: between })
    const { status, headers, body } = await post(merged, form({ fileName: 'a' }))
    expect([status, headers['svc-redirected-eactid']]).toEqual([200, String(target)])
    expect(body[0].activity).toEqual({ eactId: target })
    expect((await post(target, form({ fileName: 'a' }))).headers['svc-redirected-eactid']).toBeUndefined()
  })

  test('of a case are 1,000 at most; what is too much leaves nothing', async () => {
    const id = await putCase()
    await world.pools.jobs.query(
      `insert into files (corporation_id, activity_id, kind, file_name, mime_type, size_bytes, sha256, storage,
         created_at_ms)
       select 1, $1, 3, 'a', '', 0, '', 'kept-' || n, 0 from generate_series(1, 998) n`,
      [id],
    )
    const before = await onDisk()
    const [two, three] = [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ].map((names) => form(...names.map((fileName) => ({ fileName }))))
    const refused = await post(id, three!)
    expect([refused.status, refused.body.detail]).toEqual([409, 'a case has at most 1000 files; use another case'])
    expect(await onDisk()).toBe(before)
    expect((await post(id, two!)).status).toBe(200)
  })

  test('are refused, and leave nothing on the disk, if they cannot be added', async () => {
    const before = await onDisk()
    const theirs = await putCase({ corporation: THEIRS })
    const deleted = await putCase({ status: 4 })
    const good = form({ fileName: 'a' })
    expect((await post(999_999, good)).status).toBe(404)
    expect((await post(theirs, good)).status).toBe(404)
    expect((await post(deleted, good)).status).toBe(409)
    for (const query of ['tblId=35008&type=3', 'tblId=35007&type=2', 'type=3', 'tblId=35007', 'tblId=x&type=3']) {
      expect((await post(ours, good, IS_FORM, query)).status).toBe(400)
    }
    expect((await post(ours, good, { 'content-type': 'application/json' })).status).toBe(415)
    expect((await post(ours, good, { 'content-type': 'multipart/mixed; boundary=x' })).status).toBe(415)
    const as = await world.credential(['files:read', 'cases:write'])
    const options = { as, text: good, headers: IS_FORM }
    const path = `/core/corefile?tblId=35007&type=3&id=${ours}`
    expect((await world.call('POST', path, undefined, options)).status).toBe(403)
    expect(await onDisk()).toBe(before)
  })

  test('F-I12: a malformed form is 400, an oversized one 413, and nothing of either is stored', async () => {
    const before = await onDisk()
    const status = async (body: Buffer, headers?: Record<string, string>) => (await post(ours, body, headers)).status
    const good = form({ fileName: 'a' }, { fileName: 'b' })
    const nested = `--${BOUNDARY}\r\nContent-Disposition: attachment\r\n\r\nx\r\n--${BOUNDARY}--`
    const encoded = good.toString().replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n')
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ]) {
      expect(await status(good, { 'content-type': type })).toBe(400)
    }
    for (const body of [
      Buffer.alloc(0),
      Buffer.from('no form'),
      Buffer.from(nested),
      Buffer.from(encoded),
      form({ name: 'file' }),
      form(),
    ]) {
      expect(await status(body), body.toString()).toBe(400)
    }
    // However much of it comes.
    for (let end = 0; end < good.length - 4; end += 3) expect(await status(good.subarray(0, end))).toBe(400)
    const many = (count: number, name: string) =>
      form(...Array.from({ length: count }, () => ({ name, fileName: 'a' })))
    expect(await status(many(11, 'files'))).toBe(413)
    expect(await status(many(10_000, 'others'))).toBe(413)
    const longHead = good.toString().replace('name=', `x="${'y'.repeat(20_000)}"; name=`)
    expect(await status(Buffer.from(longHead))).toBe(400)
    expect(await onDisk()).toBe(before)
    expect(await status(many(10, 'files'))).toBe(200)
  })

  test('that are larger than 25 MiB, or 50 MiB together, are 413; 25 MiB are not', async () => {
    const before = await onDisk()
    const mib = (count: number, more = 0) => ({ fileName: 'a', bytes: Buffer.alloc(count * 1024 * 1024 + more) })
    expect((await post(ours, form({ fileName: 'small' }, mib(25, 1)))).status).toBe(413)
    expect((await post(ours, form(mib(20), mib(20), mib(10, 1)))).status).toBe(413)
    expect(await onDisk()).toBe(before)
    expect((await post(ours, form(mib(25)))).body[0].size).toBe(25 * 1024 * 1024)
  })

  test('without room on the disk are 507, all of them removed, and the key may be used again', async () => {
    const full = await openFileStore({
      directory,
      clock: new RealClock(),
      secretBytes: randomBytes,
      log: silentLog,
      openFile: fullDisk({ bytesLeft: 40 }),
    })
    const [before, rows] = [await onDisk(), await storedRows()]
    const write = vi.spyOn(fileStore, 'write').mockImplementation(full.write)
    const headers = { ...IS_FORM, 'idempotency-key': 'no-room' }
    const two = form({ fileName: 'a', bytes: Buffer.alloc(30) }, { fileName: 'b', bytes: Buffer.alloc(30) })
    const { status, body } = await post(ours, two, headers)
    write.mockRestore()
    expect([status, body.status, body.title]).toEqual([507, 507, 'Disk full'])
    expect([await onDisk(), await storedRows()]).toEqual([before, rows])
    expect((await post(ours, two, headers)).status).toBe(200)
  })

  test('that would take what the disk must keep free are 507, and leave nothing', async () => {
    const keeping = (freeBytesMin: number) =>
      openFileStore({ directory, clock: new RealClock(), secretBytes: randomBytes, log: silentLog, freeBytesMin })
    const [before, rows] = [await onDisk(), await storedRows()]
    const withStore = async (store: FileStore) => {
      const write = vi.spyOn(fileStore, 'write').mockImplementation(store.write)
      const { status } = await post(ours, form({ fileName: 'a' }))
      write.mockRestore()
      return status
    }
    // More than any disk has.
    expect(await withStore(await keeping(Number.MAX_SAFE_INTEGER))).toBe(507)
    expect([await onDisk(), await storedRows()]).toEqual([before, rows])
    expect(await withStore(await keeping(1))).toBe(200)
  })

  test('are stored once, also if the answer was lost and they are sent again', async () => {
    const id = await putCase()
    const headers = { ...IS_FORM, 'idempotency-key': 'upload-1' }
    const before = await onDisk()
    const first = await post(id, form({ fileName: 'a' }), headers)
    const again = await post(id, form({ fileName: 'a' }), headers)
    expect(again.headers['svc-idempotent-replay']).toBe('true')
    expect(again.body).toEqual(first.body)
    expect((await post(id, form({ fileName: 'other' }), headers)).status).toBe(422)
    expect(await onDisk()).toBe(before + 1)
  })

  test('F-J7, F-I12: a name is never a path, and the returned name is no path either', async () => {
    const isPlain = /^(?!\.*$)[^/\\\p{Cc}]{1,200}$/u
    for (const name of NASTY_NAMES) expect(plainFileName(name)).toMatch(isPlain)
    const names = NASTY_NAMES.filter((name, place) => !/[\r\n\ud800-\udfff]/.test(name) && place % 9 === 0)
    for (let from = 0; from < names.length; from += 10) {
      const some = names.slice(from, from + 10)
      const { status, body } = await post(ours, form(...some.map((fileName) => ({ fileName }))))
      expect(status).toBe(200)
      for (const { fileName } of body) expect(fileName).toMatch(isPlain)
    }
    const stored = await readdir(directory, { recursive: true, withFileTypes: true })
    const plain = stored.filter((each) => each.isFile()).map(({ name }) => name)
    expect(plain.every((name) => /^[0-9a-f]{40}$/.test(name))).toBe(true)
  })
})
