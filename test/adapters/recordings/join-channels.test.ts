import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sidesInFolder } from '../../../src/adapters/recordings/join-channels.ts'
import { tone, wavOf, writeRecording } from './call-audio.ts'

const NAMES = { left: 'left.wav', right: 'right.wav' }
const FRAMES_PER_MS = 8

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-sides-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const at = (name: string) => join(directory, name)

/** Writes both sides; each is as old as `bornAtMs` says, the left one first. */
function join2(left?: Int16Array, right?: Int16Array, bornAtMs: readonly number[] = [1, 1]) {
  if (left) writeRecording(at(NAMES.left), left)
  if (right) writeRecording(at(NAMES.right), right)
  const dates = bornAtMs.values()
  return sidesInFolder(directory, () => dates.next().value ?? 0)('talk.wav', NAMES)
}

function channelsOf(name = 'talk.wav'): [Int16Array, Int16Array] {
  const wav = readFileSync(at(name))
  expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
    ...[1, 2, 8_000, 16],
  ])
  expect([wav.readUInt32LE(4), wav.readUInt32LE(40)]).toEqual([wav.length - 8, wav.length - 44])
  const samples = new Int16Array(Uint8Array.from(wav.subarray(44)).buffer)
  return [samples.filter((_, place) => place % 2 === 0), samples.filter((_, place) => place % 2 === 1)]
}

describe('two sides', () => {
  test('become one file of two channels, sample by sample, and are removed; the shorter ends in silence', async () => {
    const [customer, agent] = [tone(500, 300), tone(300, 700)]
    expect(await join2(customer, agent)).toBeUndefined()
    const [left, right] = channelsOf()
    expect(left).toEqual(customer)
    expect(right.subarray(0, agent.length)).toEqual(agent)
    expect(right.subarray(agent.length)).toEqual(tone(200, 0))
    expect(readdirSync(directory)).toEqual(['talk.wav'])
  })

  test('of any length and start time are aligned as they were spoken', async () => {
    const one = fc.record({ frames: fc.integer({ min: 0, max: 70_000 }), bornAtMs: fc.integer({ min: 1, max: 9_000 }) })
    await fc.assert(
      fc.asyncProperty(one, one, async (a, b) => {
        fc.pre(a.frames + b.frames > 0)
        const [left, right] = [a, b].map(({ frames }) => new Int16Array(frames).map((_, place) => place % 30_000))
        expect(await join2(left, right, [a.bornAtMs, b.bornAtMs])).toBeUndefined()
        const firstAtMs = Math.min(a.bornAtMs, b.bornAtMs)
        const laid = (samples: Int16Array, bornAtMs: number, length: number) => {
          const channel = new Int16Array(length)
          channel.set(samples, (bornAtMs - firstAtMs) * FRAMES_PER_MS)
          return channel
        }
        const channels = channelsOf()
        const { length } = channels[0]
        expect(channels[0]).toEqual(laid(left!, a.bornAtMs, length))
        expect(channels[1]).toEqual(laid(right!, b.bornAtMs, length))
        rmSync(at('talk.wav'))
      }),
      { seed: 4711, numRuns: 25 },
    )
  })

  test.each([
    ['a file system that knows no dates of birth', [0, 90_000]],
    ['dates too far apart to be true', [1, 90_000]],
  ])('given %s, start together', async (_what, dates) => {
    expect(await join2(tone(100, 300), tone(100, 700), dates)).toBeUndefined()
    expect(channelsOf()).toEqual([tone(100, 300), tone(100, 700)])
  })

  test('that a dying switch left unfinished are kept as far as they go', async () => {
    const cut = wavOf([tone(100, 300)])
    cut.writeUInt32LE(0, 40)
    writeFileSync(at(NAMES.left), cut)
    expect(await join2(undefined, tone(100, 700))).toBeUndefined()
    expect(channelsOf()[0]).toEqual(tone(100, 300))
  })
})

describe('given a failure, the reason is returned and no file is removed,', () => {
  test.each([
    ['nobody was heard', tone(0, 0), tone(0, 0), 'no sound came', false],
    ['there is neither', undefined, undefined, 'its file is not there', false],
    ['there is one of them, which is kept', undefined, tone(100, 700), 'one of its two sides is missing', true],
  ])('when %s', async (_what, left, right, why, isKept) => {
    expect(await join2(left, right)).toBe(why)
    expect(existsSync(at('talk.wav'))).toBe(isKept)
    expect([existsSync(at(NAMES.left)), existsSync(at(NAMES.right))]).toEqual([left !== undefined, right !== undefined])
    if (isKept) expect(channelsOf()).toEqual([tone(100, 0), tone(100, 700)])
  })

  test('when the folder is gone, or a side leads elsewhere', async () => {
    writeRecording(at('secret.wav'), tone(100, 300))
    symlinkSync(at('secret.wav'), at(NAMES.left))
    expect(await join2(undefined, tone(100, 700))).toBe('its two sides cannot be joined (ELOOP)')
    rmSync(directory, { recursive: true })
    expect(await sidesInFolder(directory)('talk.wav', NAMES)).toBe('its file is not there')
  })
})

describe('a crash', () => {
  test('before the joined file is whole loses nothing: the next request joins the sides again', async () => {
    writeFileSync(at('talk.wav.joining'), 'half of it, and longer than the whole'.repeat(1_000))
    expect(await join2(tone(100, 300), tone(100, 700))).toBeUndefined()
    expect(channelsOf()).toEqual([tone(100, 300), tone(100, 700)])
    expect(readdirSync(directory)).toEqual(['talk.wav'])
  })

  test('after the joined file is whole leaves the sides behind, which are removed', async () => {
    writeRecording(at('talk.wav'), tone(100, 300), tone(100, 700))
    expect(await join2(undefined, tone(50, 500))).toBeUndefined()
    expect(channelsOf()).toEqual([tone(100, 300), tone(100, 700)])
    expect(readdirSync(directory)).toEqual(['talk.wav'])
  })
})
