import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSilent, openSound, type SoundPiece } from '../../../src/adapters/recordings/recorded-audio.ts'
import { joined, tone, wavOf, writeRecording } from './call-audio.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-sound-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const place = (name = 'talk.wav') => join(directory, name)

async function piecesOf(path: string): Promise<SoundPiece[]> {
  const sound = await openSound(path)
  if ('why' in sound) throw new Error(sound.why)
  const pieces: SoundPiece[] = []
  for await (const piece of sound.pieces()) pieces.push(piece)
  await sound.close()
  return pieces
}

describe('a recording', () => {
  test('of two channels is read one side at a time, sample by sample', async () => {
    const [customer, agent] = [tone(500, 300), tone(500, 700)]
    writeRecording(place(), customer, agent)
    const pieces = await piecesOf(place())
    expect(pieces.map(({ channel, startMs, durationMs }) => [channel, startMs, durationMs])).toEqual([
      [0, 0, 500],
      [1, 0, 500],
    ])
    expect(pieces[0]?.samples).toEqual(customer)
    expect(pieces[1]?.samples).toEqual(agent)
  })

  test('that is long is read in pieces that end in pauses, without a gap', async () => {
    const quietFrom = 172_000
    const talk = joined(tone(quietFrom, 300), tone(100, 0), tone(90_000, 300))
    writeRecording(place(), talk)
    const pieces = await piecesOf(place())
    expect(pieces).toHaveLength(2)
    const [first, second] = pieces
    expect(first?.durationMs).toBeGreaterThan(quietFrom)
    expect(first?.durationMs).toBeLessThanOrEqual(quietFrom + 100)
    expect(second?.startMs).toBe(first?.durationMs)
    expect(Buffer.from(joined(...pieces.map(({ samples }) => samples)).buffer).equals(Buffer.from(talk.buffer))).toBe(
      true,
    )
  })

  test('is silent if nothing is louder than line noise', () => {
    expect(isSilent(tone(100, 0))).toBe(true)
    expect(isSilent(tone(100, 0).fill(90))).toBe(true)
    expect(isSilent(tone(100, 300))).toBe(false)
  })

  test.each([
    ['is no wav file', Buffer.from('<html>')],
    ['holds no sound', wavOf([tone(0, 0)])],
    ['3 channel', wavOf([tone(9, 1), tone(9, 1), tone(9, 1)])],
    ['format 49', patched((wav) => wav.writeUInt16LE(49, 20))],
    ['8 bit', patched((wav) => wav.writeUInt16LE(8, 34))],
    ['0 Hz', patched((wav) => wav.writeUInt32LE(0, 24))],
  ])('is refused when it %s', async (why, bytes) => {
    const path = place('bad.wav')
    writeFileSync(path, bytes)
    expect(await openSound(path)).toMatchObject({ why: expect.stringContaining(why), isMissing: false })
  })

  test('of more than four hours is refused before it is read', async () => {
    const path = place('forgotten.wav')
    const bytes = 4 * 3_600 * 16_000 + 2 * 8_000
    writeFileSync(
      path,
      patched((wav) => wav.writeUInt32LE(bytes, 40)),
    )
    // A sparse file: it takes no room on the disk.
    truncateSync(path, 44 + bytes)
    expect(await openSound(path)).toEqual({ why: 'it is longer than 4 hours', isMissing: false })
  })

  test('that does not exist, or leads elsewhere, is missing', async () => {
    symlinkSync('/etc/passwd', place('link.wav'))
    for (const name of ['nothing.wav', 'link.wav', '.']) {
      expect(await openSound(place(name))).toMatchObject({
        why: expect.stringContaining('cannot be read'),
        isMissing: true,
      })
    }
  })

  test('whose end is missing is read as far as it goes', async () => {
    const path = place('cut.wav')
    writeFileSync(path, wavOf([tone(500, 300), tone(500, 300)]).subarray(0, 44 + 4 * 80 + 3))
    expect((await piecesOf(path)).map(({ samples }) => samples.length)).toEqual([80, 80])
  })
})

function patched(change: (wav: Buffer) => void): Buffer {
  const wav = wavOf([tone(20, 300)])
  change(wav)
  return wav
}
