import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SoundStore } from '../../../src/adapters/speech/sound-store.ts'

test('given too many files, the least recently used are removed, but none that may still be played', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'switchboard-sounds-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const store = new SoundStore(directory)
  const files = ['a', 'b', 'c', 'd'].map((part) => store.fileFor([part]))
  for (const [age, file] of files.entries()) {
    await store.write(file, new Int16Array(80))
    await utimes(`${file}.wav`, 1_000 + age, 1_000 + age)
  }
  const small = new SoundStore(directory, 2)
  small.remember('a', { file: files[0]!, text: 'a', durationMs: 10 })
  const youngest = small.fileFor(['e'])
  await small.write(youngest, new Int16Array(80))
  expect((await readdir(directory)).sort()).toEqual(
    [files[0], files[3], youngest].map((file) => `${file}.wav`.slice(directory.length + 1)).sort(),
  )
})

test('other parts give another file', () => {
  const store = new SoundStore('/sounds')
  expect(store.fileFor(['ab', 'c'])).not.toBe(store.fileFor(['a', 'bc']))
  expect(store.fileFor(['a'])).toMatch(/^\/sounds\/[0-9a-f]{64}$/)
})
