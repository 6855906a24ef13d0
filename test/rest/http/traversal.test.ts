/** Names that pretend to be paths, in every place where a foreign name meets a path or a header (F-J7, G22). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request, validateHeaderValue } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptBytes } from '../../../src/adapters/files/stored-bytes.ts'
import type { RecordingFile } from '../../../src/ports/dialer-admin-repository.ts'
import { recordingToSend } from '../../../src/rest/calls/recordings.ts'
import { fileAnswer } from '../../../src/rest/http/file-response.ts'
import { NASTY_NAMES } from '../../adapters/files/nasty-names.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

const home = mkdtempSync(join(tmpdir(), 'switchboard-traversal-'))
const recordings = join(home, 'a/b/recordings')
const files = join(home, 'a/b/files')
let world: RestWorld
beforeAll(async () => {
  for (const folder of [recordings, files]) mkdirSync(folder, { recursive: true })
  // One at every height to which a name may climb.
  for (const folder of ['', 'a', 'a/b', 'a/b/recordings/folder'].map((each) => join(home, each))) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['secret', '.env', 'boot.ini']) writeFileSync(join(folder, name), 'canary')
  }
  writeFileSync(join(recordings, 'call.wav'), 'sound')
  symlinkSync(join(home, 'secret'), join(recordings, 'link.wav'))
  world = await openRestWorld()
})
afterAll(async () => {
  await world.close()
  rmSync(home, { recursive: true })
})

const NAMES = [...NASTY_NAMES, join(home, 'secret'), '../../secret', 'folder/secret', 'folder', 'link.wav', '.env']
const all = () => readdirSync(home, { recursive: true, withFileTypes: true }).length

test('F-J7: of 500 and more such names none returns a recording', async () => {
  expect(NAMES.length).toBeGreaterThan(500)
  const place = { recordingsDirectory: recordings }
  const sent = (name: string) => recordingToSend(place, { name } as RecordingFile, 1)
  const found = await Promise.all(NAMES.map(async (name) => [name, await sent(name)] as const))
  expect(found.filter(([, file]) => file !== undefined)).toEqual([])
  expect(await sent('call.wav')).toMatchObject({ fileName: 'call.wav', sizeBytes: 5 })
})

test('F-J7: nothing is removed under such names', async () => {
  const before = all()
  const fileStore = { remove: async () => {} }
  const places = { recordingsDirectory: recordings, filesDirectory: files, fileStore, journalDirectory: undefined }
  await keptBytes(places as unknown as Parameters<typeof keptBytes>[0]).remove({
    recordings: NAMES.filter((name) => !['folder', 'link.wav'].includes(name)),
    files: [],
  })
  expect(all()).toBe(before)
})

test('F-J7, F-J16: as the name of a downloaded file each is one name in one header', async () => {
  const form = /^attachment; filename="[^"\\\p{Cc}]+"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/u
  for (const fileName of [
    ...NAMES,
    '"; x="y',
    'a\\"b',
    "'()*",
    'é.pdf',
    '%0d%0aset-cookie:a=b',
    'a\u2028b',
    'a;b,c=d',
  ]) {
    const about = { sizeBytes: 1, version: '1', fileName, mimeType: 'text/plain', isInline: false }
    const answer = await fileAnswer({ ...about, open: async () => Readable.from(['x']) }, {})
    const header = String(answer?.headers?.['content-disposition'])
    expect(header).toMatch(form)
    expect(() => validateHeaderValue('content-disposition', header)).not.toThrow()
    expect(decodeURIComponent(header.split("''")[1]!)).toMatch(/^(?!\.*$)[^/\\\p{Cc}]{1,200}$/u)
  }
})

/** Sent unchanged, where `fetch` would normalise it first. */
function get(path: string, agent: Agent): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(world.rest.url!)
    const asking = request({ hostname, port, path, agent, headers: { ...world.values } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
    })
    asking.on('error', fail).end()
  })
}

test('F-J7: as a path of a request they lead to no file', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const inputs = NASTY_NAMES.flatMap((name, place) => {
    // Files that exist, a step or two above the pages.
    const wanted = name.replace('secret', 'package.json').replace('.env', 'README.md')
    const written = /[^\x21-\x7e]/.test(wanted) ? encodeURI(wanted.toWellFormed()) : wanted
    return written.length > 2_000 ? [] : [`${['/docs/static/', '/rest/core/corefile/', '/'][place % 3]}${written}`]
  })
  const wrong: string[] = []
  for (const path of inputs) {
    const { status, text } = await get(path, agent)
    const isTold = /root:|"version"|\[extensions\]|# Switchboard|PATH=/.test(text)
    if (isTold || ![200, 302, 400, 401, 403, 404, 405].includes(status)) wrong.push(`${path}: ${status}`)
    // The shown page is ours, which a path such as `/docs/static/` names.
    if (status === 200 && !/swagger/i.test(text)) wrong.push(`${path}: ${text.slice(0, 100)}`)
  }
  agent.destroy()
  expect(wrong).toEqual([])
})
