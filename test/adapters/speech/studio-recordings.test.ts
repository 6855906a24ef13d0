/** Sentences that a person has recorded, in place of an engine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { telephoneSpeech } from '../../../src/adapters/speech/speech.ts'
import { readStudioLists } from '../../../src/adapters/speech/studio-recordings.ts'
import { writeWav } from '../../../src/adapters/speech/wav.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { formatProblem } from '../../../src/kernel/file-problem.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import type { SpeechResult } from '../../../src/ports/speech.ts'

const program = process.env['SWITCHBOARD_TEST_ESPEAK'] ?? 'espeak-ng'
/** Lengths that espeak-ng would not speak. */
const soundOf = (ms: number) => writeWav(new Int16Array(ms * 8).fill(5_000))

let flows: string
let logged: string[]

beforeEach(() => {
  flows = mkdtempSync(join(tmpdir(), 'switchboard-studio-'))
  logged = []
  return () => rmSync(flows, { recursive: true })
})

function write(name: string, content: string | Uint8Array): void {
  const path = join(flows, 'recordings', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function speaker() {
  const speech = telephoneSpeech({
    program,
    directory: join(flows, 'sounds'),
    recordings: { directory: flows, program: 'sndfile-convert' },
    clock: new RealClock(),
    log: makeLog('warn', { write: (line: string) => void logged.push(line) }),
  })
  return async (text: string, voice = 'en', isAhead = false) => {
    const result = await new Promise<SpeechResult>((done) => speech.render({ text, voice }, done, isAhead))
    if (!result.ok) throw new Error(result.why)
    expect(result.sound.text).toBe(text)
    return result.sound.durationMs
  }
}

test('given a recorded sentence, it is played word for word in its language, and in those below it', async () => {
  write('en.yaml', '"Goodbye,  and thanks.": en/bye.wav\n')
  write('en/bye.wav', soundOf(4_321))
  const lengthOf = speaker()
  expect(await lengthOf('Goodbye, and thanks.')).toBe(4_321)
  expect(await lengthOf('Goodbye, and thanks.', 'en-GB')).toBe(4_321)
  expect(await lengthOf('Goodbye, and thanks.', 'da')).not.toBe(4_321)
  expect(await lengthOf('Goodbye, and thanks!')).not.toBe(4_321)
})

test('given a new recording or a new list, the next publication takes it', async () => {
  write('en.yaml', '"Goodbye.": bye.wav\n')
  write('bye.wav', soundOf(4_321))
  const lengthOf = speaker()
  expect(await lengthOf('Goodbye.')).toBe(4_321)
  write('bye.wav', soundOf(4_999))
  expect(await lengthOf('Goodbye.')).toBe(4_999)
  expect(await lengthOf('Hello.')).not.toBe(4_999)
  write('en.yaml', '"Hello.": bye.wav\n"Goodbye for now.": bye.wav\n')
  expect(await lengthOf('Hello.', 'en', true)).toBe(4_999)
  expect(await lengthOf('Hello.')).toBe(4_999)
  expect(await lengthOf('Goodbye.')).not.toBe(4_999)
})

test('given a recording that is gone or broken, an engine speaks, and the log says so', async () => {
  write('en.yaml', '"Goodbye.": bye.wav\n"Hello.": hello.wav\n')
  write('bye.wav', soundOf(4_321))
  const lengthOf = speaker()
  expect(await lengthOf('Hello.')).toBeGreaterThan(200)
  write('bye.wav', Buffer.from('RIFF....WAVE and no more'))
  expect(await lengthOf('Goodbye.')).not.toBe(4_321)
  expect(await lengthOf('Goodbye.')).not.toBe(4_321)
  expect(logged.filter((line) => line.includes('hello.wav cannot be read'))).toHaveLength(1)
  expect(logged.filter((line) => line.includes('bye.wav cannot be played'))).toHaveLength(1)
})

test.each([
  ['a list', '- hello.wav', 'en.yaml:1:1 error the file must map sentences to sound files'],
  ['nothing', '', 'en.yaml:1:1 error the file must map sentences to sound files'],
  ['wrong YAML', '"Hello.": "x', 'en.yaml:1:11 error'],
  ['a path to the outside', '"Hello.": ../../secret.wav', 'en.yaml:1:1 error the sound file must be a path'],
  ['an absolute path', '"Hello.": /etc/x.wav', 'en.yaml:1:1 error the sound file must be a path'],
  ['another kind of file', '"Hello.": hello.flac', 'en.yaml:1:1 error the sound file must be a path'],
  ['a number', '"Hello.": 7', 'en.yaml:1:1 error the sound file must be a path'],
  ['a missing file', '\n"Hello.": hello.wav', 'en.yaml:2:1 error'],
  ['a text as a sound', '"Hello.": en.wav', 'en.wav holds no wav sound; export it again as wav'],
  ['a value', '"Hello ${name}.": bye.wav', 'en.yaml:1:1 error a sentence with values has no recording'],
  ['no words', '" ": bye.wav', 'en.yaml:1:1 error the sentence has 0 characters'],
  [
    'a sentence twice',
    '"Hi.": bye.wav\n"Hi.": bye.wav',
    'en.yaml:2:1 error "Hi." is already used above; rename it, or remove one',
  ],
])('given %s in a list, the problem stands at its place', (_, list, problem) => {
  write('en.wav', 'We are open from nine to five')
  write('bye.wav', soundOf(10))
  write('en.yaml', list)
  const { sentences, problems } = readStudioLists(flows)
  expect(problems.map(formatProblem).join('\n')).toContain(problem)
  expect(sentences.length).toBeLessThan(1)
})

test('given a list of no language, it says how to name it', () => {
  write('Sales.yaml', '"Hello.": hello.wav')
  expect(readStudioLists(flows).problems[0]!.message).toBe(
    'the file is not named after a language; rename it, such as en.yaml',
  )
})
