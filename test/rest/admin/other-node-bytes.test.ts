/** Recordings and files that lie on the disk of another node than the one that erases them. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tracePlaces } from '../../../src/adapters/files/erase-files.ts'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { keptBytes } from '../../../src/adapters/files/stored-bytes.ts'
import { eraseExpired } from '../../../src/core/workers/retention-worker.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { systemSecretBytes } from '../../../src/kernel/secret-bytes.ts'
import type { KeptBytes } from '../../../src/ports/privacy.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = { recordings: 90, transcripts: 90, tasks: 730, calls: 730, activities: 730, contacts: 730, audit: 1_900 }
const clock = new RealClock()

/** Its requests are answered by one node; the bytes lie on the other. */
let world: WholeWorld
let us: Tenant
let other: string
let otherBytes: KeptBytes

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
  other = await mkdtemp(join(tmpdir(), 'switchboard-other-node-'))
  const filesDirectory = join(other, 'files')
  const store = { directory: filesDirectory, clock, log: silentLog, secretBytes: systemSecretBytes }
  const fileStore = await openFileStore(store)
  otherBytes = keptBytes({
    recordingsDirectory: other,
    filesDirectory,
    quarantineDirectory: join(other, 'quarantine'),
    fileStore,
    ...tracePlaces(other),
  })
})
afterAll(async () => {
  await world.close()
  await rm(other, { recursive: true })
})

/** The hour of a node. */
function hourOf(bytes: KeptBytes) {
  const { privacy, audit, flowEvents } = world.parts
  const anchors = { keep: () => 0, read: () => [] }
  return eraseExpired({ privacy, audit, flowEvents, anchors, bytes, days: DAYS, log: silentLog, clock })
}

async function ask(method: string, path: string, body?: unknown, options = {}) {
  const reply = await world.call(method, path, body, { as: us.as, ...options })
  if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
  return reply.body
}

const filesOf = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length

test('the recordings and files of an erased person are gone from every node within the hour', async () => {
  const { eeexId } = us.ids
  const named = { description: 'theirs', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const { eactId } = await ask('POST', '/svcems/case', named)
  const text = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nletter\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  await ask('POST', `/core/corefile?tblId=35007&type=3&id=${eactId}`, undefined, { text, headers })
  const { recordingsDirectory } = world.parts
  await rename(join(recordingsDirectory, 'talk.wav'), join(other, 'talk.wav'))
  await rm(join(other, 'files'), { recursive: true })
  await rename(join(recordingsDirectory, 'files'), join(other, 'files'))
  await mkdir(join(recordingsDirectory, 'files'))
  const before = await filesOf(join(other, 'files'))

  await ask('POST', '/core/persons/erase', { eeexId, reason: 'request 7' })
  await hourOf(otherBytes)
  expect(existsSync(join(other, 'talk.wav'))).toBe(false)
  expect(await filesOf(join(other, 'files'))).toBe(before - 1)
})

test('recordings whose time was over are gone from the node that has them, however many', async () => {
  const endedAtMs = clock.nowMs() - 91 * DAY_MS
  const names = Array.from({ length: 20 }, (_, place) => `old-${place}.wav`)
  for (const file of names) {
    const recordings = [{ file, startedAtMs: endedAtMs - 9_000, endedAtMs, state: 'ready' as const }]
    await world.parts.dialerRepository.finishCall(callOf(file, endedAtMs, { recordings }))
    await writeFile(join(other, file), 'sound')
    await utimes(join(other, file), endedAtMs / 1_000, endedAtMs / 1_000)
  }
  await writeFile(join(other, 'nobodys.wav'), 'sound')
  expect((await hourOf(world.parts.keptBytes)).recordings).toBe(names.length)
  await hourOf(otherBytes)
  expect(names.filter((name) => existsSync(join(other, name)))).toEqual([])
  expect(existsSync(join(other, 'nobodys.wav'))).toBe(true)
})

test('what could not be removed goes with a later hour, and keeps no other', async () => {
  const endedAtMs = clock.nowMs() - 91 * DAY_MS
  const names = ['locked.wav', 'free.wav']
  for (const file of names) {
    const recordings = [{ file, startedAtMs: endedAtMs - 9_000, endedAtMs, state: 'ready' as const }]
    await world.parts.dialerRepository.finishCall(callOf(file, endedAtMs, { recordings }))
  }
  // Nobody, root included, removes a folder that is not empty as a file.
  await mkdir(join(other, 'locked.wav', 'inside'), { recursive: true })
  await writeFile(join(other, 'free.wav'), 'sound')
  await hourOf(otherBytes)
  expect(names.filter((name) => existsSync(join(other, name)))).toEqual(['locked.wav'])
  await rm(join(other, 'locked.wav'), { recursive: true })
  await writeFile(join(other, 'locked.wav'), 'sound')
  await hourOf(otherBytes)
  expect(existsSync(join(other, 'locked.wav'))).toBe(false)
})
