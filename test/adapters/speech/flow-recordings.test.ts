/** Recordings of flow authors, in the formats in which they come, converted by the program of the installed tree. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { flowRecordings } from '../../../src/adapters/speech/flow-recordings.ts'
import { RECORDING_BYTES_MAX, whyNoRecording } from '../../../src/adapters/speech/recording-file.ts'
import { SoundStore } from '../../../src/adapters/speech/sound-store.ts'
import { readWav, writeWav } from '../../../src/adapters/speech/wav.ts'
import { RealClock } from '../../../src/kernel/clock.ts'

const PROGRAM = findTree(process.env['SWITCHBOARD_TEST_TREE']!)!.sndfileConvert
const TONE_HZ = 600

let directory: string
let sounds: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-recordings-'))
  sounds = join(directory, 'kept')
  mkdirSync(sounds)
})

afterEach(() => rmSync(directory, { recursive: true }))

const play = (name: string, program = PROGRAM) =>
  flowRecordings({ directory, program }, new SoundStore({ directory: sounds, clock: new RealClock() }))(name)

/** A tone of one second at this rate. */
function tone(rateHz: number): Int16Array {
  return Int16Array.from({ length: rateHz }, (_, at) => 8_000 * Math.sin((2 * Math.PI * TONE_HZ * at) / rateHz))
}

function record(name: string, rateHz: number): void {
  const wav = join(directory, 'plain.wav')
  writeFileSync(wav, writeWav(tone(rateHz), rateHz))
  execFileSync(PROGRAM, name.endsWith('.wav') ? ['-ulaw', wav, join(directory, name)] : [wav, join(directory, name)])
}

/** The pitch of a sound of 8 kHz, by the number of times that it rises through zero. */
async function heardIn(file: string): Promise<{ hz: number; ms: number }> {
  const { samples, rateHz } = (await readWav(await readFile(`${file}.wav`)))!
  const rises = samples.filter((sample, at) => at > 0 && sample >= 0 && samples[at - 1]! < 0).length
  return { hz: (rises * rateHz) / samples.length, ms: (samples.length * 1_000) / rateHz }
}

test.each([
  ['welcome.mp3', 44_100],
  ['welcome.ogg', 48_000],
  ['welcome.wav', 22_050],
])('given %s of %i samples per second, the telephone hears its tone', async (name, rateHz) => {
  record(name, rateHz)
  const result = await play(name)
  if (!result.ok) throw new Error(result.why)
  expect(result.sound.text).toBe(name)
  const { hz, ms } = await heardIn(result.sound.file)
  expect(Math.abs(hz - TONE_HZ)).toBeLessThan(TONE_HZ * 0.05)
  expect(ms).toBeGreaterThanOrEqual(1_000)
  expect(ms).toBeLessThan(1_150)
  expect(result.sound.durationMs).toBe(ms)
  // Nothing of the conversion stays behind.
  expect(readdirSync(sounds)).toHaveLength(1)
})

test('given a PCM file of two channels, they are mixed, without any program', async () => {
  const left = tone(16_000)
  const both = new Int16Array(left.length * 2)
  for (const [at, sample] of left.entries()) both[at * 2] = sample
  const wav = writeWav(both, 16_000)
  wav.writeUInt16LE(2, 22)
  writeFileSync(join(directory, 'stereo.wav'), wav)
  const result = await play('stereo.wav', '/nonexistent')
  if (!result.ok) throw new Error(result.why)
  const { hz, ms } = await heardIn(result.sound.file)
  expect(Math.abs(hz - TONE_HZ)).toBeLessThan(TONE_HZ * 0.05)
  expect(ms).toBe(1_000)
})

test('given a replaced file, the new sound is played', async () => {
  writeFileSync(join(directory, 'a.wav'), writeWav(tone(8_000)))
  const first = await play('a.wav')
  expect(await play('a.wav', '/nonexistent')).toEqual(first)
  writeFileSync(join(directory, 'a.wav'), writeWav(new Int16Array(4_000)))
  expect(await play('a.wav')).toMatchObject({ ok: true, sound: { durationMs: 500 } })
})

test.each([
  ['gone.wav', () => {}, 'cannot be read (ENOENT); put the recording there'],
  ['folder.wav', (path: string) => mkdirSync(path), 'is not a file; name a sound file'],
  ['text.mp3', (path: string) => writeFileSync(path, 'Welcome to us'), 'holds no mp3 sound; export it again as mp3'],
  ['empty.ogg', (path: string) => writeFileSync(path, ''), 'holds no ogg sound; export it again as ogg'],
  ['renamed.mp3', (path: string) => writeFileSync(path, writeWav(tone(8_000))), 'holds no mp3 sound'],
  ['large.wav', (path: string) => writeFileSync(path, Buffer.alloc(RECORDING_BYTES_MAX + 1)), 'bytes; shorten it'],
])('given %s, the check says why it cannot be played', async (name, make, why) => {
  make(join(directory, name))
  expect(whyNoRecording(directory, name)).toContain(`${join(directory, name)} `)
  expect(whyNoRecording(directory, name)).toContain(why)
  expect(await play(name)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

test.each([
  ['damaged.mp3', () => Buffer.concat([Buffer.from('ID3'), Buffer.alloc(4_096, 7)]), 'export it again as 16-bit WAV'],
  ['silent.wav', () => writeWav(new Int16Array()), 'it holds no sound'],
  ['slow.wav', () => writeWav(tone(4_000), 4_000), 'it has 4000 samples per second; export it with 8000 to 48000'],
  ['long.wav', () => writeWav(new Int16Array(8_000 * 301)), 'it lasts 301 s; shorten it to at most 300 s'],
])('given %s, the conversion says why it cannot be played', async (name, bytes, why) => {
  writeFileSync(join(directory, name), bytes())
  expect(await play(name)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  expect(readdirSync(sounds)).toEqual([])
})

test('given no converter, the failure says how to get one', async () => {
  record('welcome.mp3', 44_100)
  const missing = await play('welcome.mp3', join(directory, 'nothing'))
  expect(missing).toMatchObject({ ok: false, why: expect.stringContaining('apt-get install sndfile-programs') })
})
