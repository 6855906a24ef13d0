/** The files of the built console as browsers fetch them: compressed, kept where they may be, and refused in words. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NONCE_PLACE } from '../../../src/rest/http/console-pages.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

const SCRIPT = `export const text = ${JSON.stringify('a desk '.repeat(500))}`
const FONT = Buffer.from('wOF2, compressed already')
const directory = mkdtempSync(join(tmpdir(), 'switchboard-console-'))
let world: RestWorld
let broken: RestWorld
let nonces = 0

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), `<!doctype html><meta nonce="${NONCE_PLACE}">`)
  writeFileSync(join(directory, 'assets', 'main-abc123.js'), SCRIPT)
  writeFileSync(join(directory, 'assets', 'letters-def456.woff2'), FONT)
  const console = { paths: ['/', '/desk'], nonceBytes: (length: number) => Buffer.alloc(length, ++nonces) }
  world = await openRestWorld({ rest: { console: Object.assign({ built: Promise.resolve({ directory }) }, console) } })
  const problem = 'the console could not be built (main.tsx is missing); run npm ci, and start again'
  broken = await openRestWorld({ rest: { console: Object.assign({ built: Promise.resolve({ problem }) }, console) } })
})
afterAll(async () => {
  await world?.close()
  await broken?.close()
  rmSync(directory, { recursive: true })
})

/** As a browser gets it, before it unpacks anything. */
async function fetched(path: string, acceptEncoding: string, of = world) {
  const { statusCode, headers, rawPayload } = await of.rest.node!.inject({
    url: path,
    headers: { 'accept-encoding': acceptEncoding },
  })
  return { status: statusCode, headers, bytes: rawPayload }
}

test('a script is compressed for whoever takes that, and kept for a year under its name', async () => {
  const zipped = await fetched('/assets/main-abc123.js', 'gzip, deflate, br')
  const whole = await fetched('/assets/main-abc123.js', 'identity')
  for (const { status, headers } of [zipped, whole]) {
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['vary']).toBe('accept-encoding')
  }
  expect([zipped.headers['content-encoding'], whole.headers['content-encoding']]).toEqual(['gzip', undefined])
  expect(zipped.bytes.length).toBeLessThan(SCRIPT.length / 5)
  expect([gunzipSync(zipped.bytes).toString(), whole.bytes.toString()]).toEqual([SCRIPT, SCRIPT])
})

test('what is compressed already is sent as it is', async () => {
  const { headers, bytes } = await fetched('/assets/letters-def456.woff2', 'gzip')
  expect([headers['content-type'], headers['content-encoding'], bytes]).toEqual(['font/woff2', undefined, FONT])
})

test('the page is never kept, and each answer has a nonce of its own', async () => {
  const [one, other] = [await fetched('/', 'gzip'), await fetched('/desk', 'gzip')]
  for (const { status, headers, bytes } of [one, other]) {
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    const [, nonce] = /nonce="([\w-]{22})"/.exec(String(bytes)) ?? []
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  }
  expect(String(one.bytes)).not.toBe(String(other.bytes))
})

test.each(['/assets/main-older.js', '/assets/..%2Findex.html', '/assets/%2e%2e%2findex.html'])(
  '%s is not there, and that is not kept',
  async (path) => {
    const { status, headers } = await fetched(path, 'gzip')
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  },
)

test('a console that could not be built says why on each page, and the operations are served', async () => {
  for (const path of ['/', '/desk']) {
    const { status, headers, bytes } = await fetched(path, 'gzip', broken)
    expect([status, headers['cache-control']]).toEqual([503, 'no-store'])
    expect(JSON.parse(String(bytes)).detail).toContain('the console could not be built (main.tsx is missing)')
  }
  expect((await fetched('/assets/main-abc123.js', 'gzip', broken)).status).toBe(404)
  expect((await broken.call('GET', '/rest/core/tokens')).status).toBe(200)
})
