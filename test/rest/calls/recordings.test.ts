import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import type { RecordingMade } from '../../../src/ports/call-recordings.ts'
import { readRange } from '../../../src/rest/http/byte-range.ts'
import { callOf, type DialerWorld, openDialerWorld } from '../dialer/dialer-world.ts'
import { THEIRS } from '../rest-world.ts'

let world: DialerWorld
let recordingsDirectory: string
const SOUND = Buffer.from(Array.from({ length: 1_000 }, (_, place) => place % 256))

beforeAll(async () => {
  recordingsDirectory = mkdtempSync(join(tmpdir(), 'switchboard-recordings-'))
  writeFileSync(join(recordingsDirectory, 'sb-rec-1.wav'), SOUND)
  writeFileSync(join(recordingsDirectory, 'empty.wav'), '')
  symlinkSync('/etc/passwd', join(recordingsDirectory, 'link.wav'))
  world = await openDialerWorld({ recordingsDirectory, log: silentLog })
})
afterAll(async () => {
  await world.close()
  rmSync(recordingsDirectory, { recursive: true })
})

let calls = 0

/** The file id of a recording with this file name. */
async function recorded(file: string, state: RecordingMade['state'] = 'ready'): Promise<number> {
  const recordings = [{ file, startedAtMs: 0, endedAtMs: 1, state }]
  const result = await world.dialerRepository.finishCall(callOf(`call-${++calls}`, 60_000, { recordings }))
  if (result.outcome === 'refused') throw new Error(result.why)
  const text = 'select file_id from recordings where activity_id = $1'
  return (await world.pools.api.query(text, [result.activity])).rows[0].file_id
}

/** Over the wire: bytes are bytes there. */
async function fetchFile(cfreId: unknown, headers: Record<string, string> = {}) {
  const url = `${world.rest.url}/rest/core/corefile?cfreId=${cfreId}`
  const answer = await fetch(url, { headers: { ...world.values, ...headers } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('the file of a recording', () => {
  test('is sent whole, as a download and not for display', async () => {
    const { status, headers, bytes } = await fetchFile(await recorded('sb-rec-1.wav'))
    expect(status).toBe(200)
    expect(bytes.equals(SOUND)).toBe(true)
    expect(headers.get('content-type')).toBe('audio/wav')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="sb-rec-1.wav"; filename*=UTF-8''sb-rec-1.wav`,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('content-length')).toBe('1000')
  })

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=900-', 900, 999],
    ['bytes=-1', 999, 999],
    ['bytes=990-5000', 990, 999],
  ])('%s returns that part', async (range, from, to) => {
    const { status, headers, bytes } = await fetchFile(await recorded('sb-rec-1.wav'), { range })
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/1000`])
    expect(bytes.equals(SOUND.subarray(from, to + 1))).toBe(true)
  })

  test('beyond its end is 416 with its length', async () => {
    const { status, headers } = await fetchFile(await recorded('sb-rec-1.wav'), { range: 'bytes=1000-' })
    expect([status, headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  })

  test('that is unchanged is not sent again, and a range of a changed one returns the whole', async () => {
    const cfreId = await recorded('sb-rec-1.wav')
    const etag = (await fetchFile(cfreId)).headers.get('etag')!
    expect((await fetchFile(cfreId, { 'if-none-match': etag })).status).toBe(304)
    expect((await fetchFile(cfreId, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    expect((await fetchFile(cfreId, { range: 'bytes=0-9', 'if-range': '"old"' })).status).toBe(200)
  })

  test('that is empty has no range', async () => {
    const cfreId = await recorded('empty.wav')
    expect(await fetchFile(cfreId)).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect((await fetchFile(cfreId, { range: 'bytes=0-' })).status).toBe(416)
  })

  test('that leads out of the folder, is a link or is missing is 404', async () => {
    const names = [
      '../../etc/passwd',
      '/etc/passwd',
      '..',
      '.',
      '.hidden',
      'link.wav',
      'gone.wav',
      'a/b.wav',
      'x\\y.wav',
      '',
    ]
    for (const name of names) expect((await fetchFile(await recorded(name))).status).toBe(404)
  })

  test('of a failed, unknown or foreign recording is 404; an invalid id is 400', async () => {
    expect((await fetchFile(await recorded('sb-rec-1.wav', 'failed'))).status).toBe(404)
    expect((await fetchFile(999_999)).status).toBe(404)
    const as = await world.credential(['files:read'], [THEIRS])
    const mine = await recorded('sb-rec-1.wav')
    expect((await world.call('GET', `/core/corefile?cfreId=${mine}`, undefined, { as })).status).toBe(404)
    for (const id of ['', 'x', '-1', '1.5', '../1']) expect((await fetchFile(encodeURIComponent(id))).status).toBe(400)
  })
})

test('with an invalid range is sent whole (RFC 9110, 14.2)', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=a-b',
  ]) {
    expect(readRange(header, 100)).toBe('whole')
  }
  expect(readRange('bytes=-0', 100)).toBe('not satisfiable')
  expect(readRange('bytes=-500', 100)).toEqual({ from: 0, to: 99 })
})
