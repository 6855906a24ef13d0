import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { SoundStore } from '../../../src/adapters/speech/sound-store.ts'

const SOUND = new Int16Array(478)
/** With its header, each sound has 1,000 bytes. */
const BYTES = 1_000
const MINUTE_MS = 60_000

let directory: string
let nowMs: number

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchboard-sounds-'))
  nowMs = 1_000_000_000
  return () => rm(directory, { recursive: true })
})

const storeFor = (sounds: number) =>
  new SoundStore({ directory, clock: { nowMs: () => nowMs }, bytesMax: sounds * BYTES })

async function write(store: SoundStore, ...names: string[]): Promise<void> {
  for (const name of names) await store.write(store.fileFor([name]), SOUND)
}

/** Which of these sounds are on disk. */
async function kept(store: SoundStore, names: string): Promise<string> {
  const files = await readdir(directory)
  return [...names].filter((name) => files.includes(`${basename(store.fileFor([name]))}.wav`)).join('')
}

test('sounds that were used longest ago are removed, as many as are too much', async () => {
  const store = storeFor(3)
  await write(store, 'a', 'b', 'c')
  store.remember('b', { file: store.fileFor(['b']), text: 'b', durationMs: 60 })
  nowMs += 20 * MINUTE_MS
  expect(await store.findOnDisk(store.fileFor(['a']))).toBe(60)
  expect(store.recall('b')).toMatchObject({ text: 'b' })
  nowMs += 20 * MINUTE_MS
  await write(store, 'd')
  expect(await kept(store, 'abcd')).toBe('abd')
  nowMs += 20 * MINUTE_MS
  await write(store, 'e', 'f')
  expect(await kept(store, 'abdef')).toBe('def')
  expect(store.recall('b')).toBeUndefined()
})

test('nothing is removed that may still be played, and it is removed later', async () => {
  const store = storeFor(2)
  await write(store, 'a', 'b', 'c', 'd')
  nowMs += 29 * MINUTE_MS
  await write(store, 'e')
  expect(await kept(store, 'abcde')).toBe('abcde')
  nowMs += 2 * MINUTE_MS
  await write(store, 'f')
  expect(await kept(store, 'abcdef')).toBe('ef')
})

test('what an earlier process left is counted and removed first', async () => {
  const earlier = storeFor(9)
  await write(earlier, 'a', 'b', 'c')
  for (const [age, name] of ['b', 'a', 'c'].entries())
    await utimes(`${earlier.fileFor([name])}.wav`, nowMs / 1_000 - 3_600 + age, nowMs / 1_000 - 3_600 + age)
  const store = storeFor(3)
  await store.findOnDisk(store.fileFor(['b']))
  await write(store, 'd')
  expect(await kept(store, 'abcd')).toBe('bcd')
})

test('a sound that nobody has heard for a day is removed, however much room there is', async () => {
  const store = storeFor(9)
  await write(store, 'a', 'b')
  nowMs += 23 * 60 * MINUTE_MS
  await store.findOnDisk(store.fileFor(['b']))
  nowMs += 2 * 60 * MINUTE_MS
  await write(store, 'c')
  expect(await kept(store, 'abc')).toBe('bc')
})

test('a broken sound is written again', async () => {
  const store = storeFor(1)
  await write(store, 'a')
  await rm(`${store.fileFor(['a'])}.wav`)
  expect(await store.findOnDisk(store.fileFor(['a']))).toBeUndefined()
  await write(store, 'a')
  expect(await store.findOnDisk(store.fileFor(['a']))).toBe(60)
})

test('other parts give another file', () => {
  const store = new SoundStore({ directory: '/sounds', clock: { nowMs: () => nowMs } })
  expect(store.fileFor(['ab', 'c'])).not.toBe(store.fileFor(['a', 'bc']))
  expect(store.fileFor(['a'])).toMatch(/^\/sounds\/[0-9a-f]{64}$/)
})
