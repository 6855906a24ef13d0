import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesInFolder } from '../../../src/adapters/recordings/keep-message.ts'
import { TELEPHONE_HZ, wavHeader, writeWav } from '../../../src/adapters/speech/wav.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'messages-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Seconds of sound with this height, in silence before and after. */
function sound(spokenS: number, height = 3_000, quietS = 1): Int16Array {
  const [quiet, spoken] = [quietS * TELEPHONE_HZ, Math.round(spokenS * TELEPHONE_HZ)]
  const samples = new Int16Array(2 * quiet + spoken)
  for (let at = quiet; at < quiet + spoken; at++) samples[at] = at % 16 < 8 ? height : -height
  return samples
}

const keep = (name: string) => messagesInFolder(folder)(name)

test.each([
  { name: 'a sentence', spokenS: 3, result: { result: 'stored', lengthMs: 5_000 } },
  { name: 'a single word', spokenS: 0.3, result: { result: 'stored', lengthMs: 2_300 } },
  { name: 'a click', spokenS: 0.05, result: { result: 'silent' } },
  { name: 'nothing', spokenS: 0, result: { result: 'silent' } },
  { name: 'line noise', spokenS: 3, height: 60, result: { result: 'silent' } },
])('$name: $result.result; only a silent file is removed', async ({ name, spokenS, height, result }) => {
  const path = join(folder, name)
  writeFileSync(path, writeWav(sound(spokenS, height)))
  expect([await keep(name), existsSync(path)]).toEqual([result, result.result === 'stored'])
})

test('a file that Asterisk left open when it died is whole afterwards', async () => {
  const path = join(folder, 'open')
  const whole = writeWav(sound(2))
  writeFileSync(
    path,
    Buffer.concat([wavHeader({ channels: 1, rateHz: TELEPHONE_HZ, dataBytes: 0 }), whole.subarray(44)]),
  )
  expect(await keep('open')).toEqual({ result: 'stored', lengthMs: 4_000 })
  expect(readFileSync(path).equals(whole)).toBe(true)
  expect(await keep('open')).toEqual({ result: 'stored', lengthMs: 4_000 })
})

test('an empty file is no silence: on a full disk Asterisk cannot even write the header', async () => {
  writeFileSync(join(folder, 'full'), writeWav(sound(1)))
  truncateSync(join(folder, 'full'), 0)
  expect(await keep('full')).toEqual({ result: 'failed', why: 'its file holds no telephone audio' })
})

test('a missing file and a link are failures', async () => {
  symlinkSync(join(folder, 'open'), join(folder, 'link'))
  expect(await keep('missing')).toMatchObject({ result: 'failed', why: expect.stringContaining('ENOENT') })
  expect(await keep('link')).toMatchObject({ result: 'failed', why: expect.stringContaining('ELOOP') })
})
