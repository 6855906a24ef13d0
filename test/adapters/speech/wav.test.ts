import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readWav, readWavHeader, whyNotPlayable, writeWav } from '../../../src/adapters/speech/wav.ts'

async function fileOf(bytes: Uint8Array): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'switchboard-wav-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'x.wav')
  await writeFile(path, bytes)
  return path
}

/** A wav file with one value of its header changed. */
function changed(offset: number, value: number, bytes: 2 | 4 = 2): Buffer {
  const wav = writeWav(new Int16Array(80))
  if (bytes === 2) wav.writeUInt16LE(value, offset)
  else wav.writeUInt32LE(value, offset)
  return wav
}

test('given samples, what is written is read again', async () => {
  const samples = Int16Array.from([0, 1, -1, 32_767, -32_768])
  expect(await readWav(writeWav(samples))).toEqual({ rateHz: 8_000, channels: 1, samples })
  expect(await readWavHeader(await fileOf(writeWav(samples)))).toEqual({
    format: 1,
    channels: 1,
    rateHz: 8_000,
    bitsPerSample: 16,
    dataOffset: 44,
    dataBytes: 10,
  })
})

test('given a size from a writer to a pipe, the bytes that are there count', async () => {
  const wav = changed(40, 0x7ffff000, 4)
  expect((await readWav(wav))?.samples).toHaveLength(80)
  expect(await readWavHeader(await fileOf(wav))).toMatchObject({ dataBytes: 160 })
})

test('given tags before the sound, they are skipped', async () => {
  const wav = writeWav(Int16Array.from([7, 8]))
  const tags = Buffer.from('LIST\x05\0\0\0INFOx\0', 'latin1')
  const tagged = Buffer.concat([wav.subarray(0, 36), tags, wav.subarray(36)])
  expect((await readWav(tagged))?.samples).toEqual(Int16Array.from([7, 8]))
})

test.each([
  ['nothing', new Uint8Array()],
  ['text', Buffer.from('RIFFRIFFRIFFRIFFRIFFRIFF')],
  ['half a header', writeWav(new Int16Array(80)).subarray(0, 30)],
  ['no sound chunk', writeWav(new Int16Array(80)).subarray(0, 36)],
  ['a chunk larger than the file', changed(16, 0xffffffff, 4)],
  ['noise', Buffer.concat([Buffer.from('RIFF    WAVE'), Buffer.alloc(4_096)])],
])('given %s, it is not a wav file', async (_, bytes) => {
  expect(whyNotPlayable(await readWavHeader(await fileOf(bytes)))).toBe('it is not a wav file')
  expect(await readWav(Buffer.from(bytes))).toBeUndefined()
})

test.each([
  ['stereo', changed(22, 2), '2 channel(s)'],
  ['16 kHz', changed(24, 16_000, 4), '16000 Hz'],
  ['8 bit', changed(34, 8), '8 bit'],
  ['u-law', changed(20, 7), 'format 7'],
  ['no samples', changed(40, 0, 4), 'no sound'],
])('given %s, the file is refused: the switch could not play it', async (_, bytes, why) => {
  expect(whyNotPlayable(await readWavHeader(await fileOf(bytes)))).toContain(why)
})
