import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeWav } from '../../src/adapters/speech/wav.ts'
import { readSettings } from '../../src/app/settings.ts'
import { flowCheck } from '../../src/cli/flow-check.ts'

const FLOW = `flow: hello
start: say
steps:
  say: { play: [{ file: sounds/welcome.wav }, { file: sounds/hours.mp3 }], next: bye }
  bye: { hangup: }
`

function placeOf(recordings: Readonly<Record<string, Uint8Array | string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'sounds'))
  const file = join(directory, 'hello.yaml')
  writeFileSync(file, FLOW)
  for (const [name, bytes] of Object.entries(recordings)) writeFileSync(join(directory, 'sounds', name), bytes)
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory })
  const code = flowCheck([], { settings: settings!, env: {}, write: (line) => lines.push(line) })
  return { code, lines, sounds: join(directory, 'sounds'), file }
}

test('given recordings that are there, the flow has no errors', () => {
  const { code, lines } = placeOf({ 'welcome.wav': writeWav(new Int16Array(80)), 'hours.mp3': 'ID3 and sound' })
  expect(code).toBe(0)
  expect(lines.at(-1)).toBe('no errors')
})

test('given a missing recording and one without sound, each is an error at its place', () => {
  const { code, lines, sounds, file } = placeOf({ 'hours.mp3': 'We are open from nine to five' })
  expect(code).toBe(1)
  expect(lines).toEqual([
    `${file}:4:25 error ${sounds}/welcome.wav cannot be read (ENOENT); put the recording there`,
    `${file}:4:55 error ${sounds}/hours.mp3 holds no mp3 sound; export it again as mp3`,
    '2 errors',
  ])
})
