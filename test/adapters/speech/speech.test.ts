import { chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runProgram } from '../../../src/adapters/speech/run-program.ts'
import { type SpeechOptions, telephoneSpeech } from '../../../src/adapters/speech/speech.ts'
import { readWav, readWavHeader, whyNotPlayable } from '../../../src/adapters/speech/wav.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { makeLog, silentLog } from '../../../src/kernel/log.ts'
import type { Sound, SpeechResult, Utterance } from '../../../src/ports/speech.ts'

const program = process.env['SWITCHBOARD_TEST_ESPEAK'] ?? 'espeak-ng'
const clock = new RealClock()
const TEXT = { text: 'Your case number is 1 2 3.', voice: 'en' }

let directory: string

beforeEach(async () => {
  const found = await runProgram(program, ['--version'], '', { timeoutMs: 5_000, outputBytesMax: 10_000 })
  expect(found.ok, `"${program}" cannot be run: install espeak-ng or set SWITCHBOARD_TEST_ESPEAK to its path`).toBe(
    true,
  )
  directory = await mkdtemp(join(tmpdir(), 'switchboard-speech-'))
  return () => rm(directory, { recursive: true })
})

const noRecordings = () => ({ directory, program: 'sndfile-convert' })

function speechOf(options: Partial<SpeechOptions> = {}) {
  const speech = telephoneSpeech({ program, directory, recordings: noRecordings(), clock, log: silentLog, ...options })
  return (utterance: Utterance) => new Promise<SpeechResult>((done) => speech.render(utterance, done))
}

function soundOf(result: SpeechResult): Sound {
  if (!result.ok) throw new Error(result.why)
  return result.sound
}

/** A program in place of espeak that writes a line to a file at each start, and then behaves as espeak does. */
async function counting(): Promise<{ program: string; starts: () => Promise<string[]> }> {
  const counted = join(directory, 'starts')
  const script = join(directory, 'counting-espeak')
  await writeFile(script, `#!/bin/sh\necho "$*" >> '${counted}'\nexec '${program}' "$@"\n`)
  await chmod(script, 0o755)
  const starts = async () => (await readFile(counted, 'utf8')).split('\n').filter((line) => line.includes('--stdout'))
  return { program: script, starts }
}

async function scriptOf(lines: string): Promise<string> {
  const script = join(directory, 'script')
  await writeFile(script, `#!/bin/sh\n${lines}\n`)
  await chmod(script, 0o755)
  return script
}

test('given a text, the result is a wav of 8 kHz mono with sound, of exactly the reported length', async () => {
  const sound = soundOf(await speechOf()(TEXT))
  expect(sound.text).toBe(TEXT.text)
  expect(sound.file).toMatch(/\/[0-9a-f]{64}$/)
  expect(whyNotPlayable(await readWavHeader(`${sound.file}.wav`))).toBeUndefined()
  const wav = await readWav(await readFile(`${sound.file}.wav`))
  expect(wav?.samples.length).toBe(sound.durationMs * 8)
  expect(sound.durationMs).toBeGreaterThan(1_000)
  expect(sound.durationMs).toBeLessThan(5_000)
  expect(wav?.samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeCloseTo(23_197, -2)
  expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('given the same text twice at once and once more, it is rendered once', async () => {
  const { program, starts } = await counting()
  const render = speechOf({ program })
  const [first, second] = await Promise.all([render(TEXT), render({ ...TEXT })])
  expect(first).toEqual(second)
  expect(await render(TEXT)).toEqual(first)
  expect(await starts()).toHaveLength(1)
})

test('given a known sound, the callback runs before render returns', async () => {
  const speech = telephoneSpeech({ program, directory, recordings: noRecordings(), clock, log: silentLog })
  await new Promise<SpeechResult>((done) => speech.render(TEXT, done))
  let answer: SpeechResult | undefined
  speech.render(TEXT, (result) => {
    answer = result
  })
  expect(answer).toMatchObject({ ok: true })
})

test('given a restart, the sound is found on disk; given a broken file, it is rendered again', async () => {
  const { program, starts } = await counting()
  const sound = soundOf(await speechOf({ program })(TEXT))
  expect(await speechOf({ program })(TEXT)).toEqual({ ok: true, sound })
  expect(await starts()).toHaveLength(1)
  await truncate(`${sound.file}.wav`, 20)
  expect(await speechOf({ program })(TEXT)).toEqual({ ok: true, sound })
  expect(await starts()).toHaveLength(2)
})

test('given other voices and texts, the files differ', async () => {
  const render = speechOf()
  const utterances = [TEXT, { ...TEXT, voice: 'en-gb' }, { ...TEXT, voice: 'de' }, { ...TEXT, text: 'Another.' }]
  const sounds = (await Promise.all(utterances.map(render))).map(soundOf)
  expect(new Set(sounds.map(({ file }) => file)).size).toBe(4)
})

test('given missing voices, the nearest one speaks and the log says so once', async () => {
  const lines: string[] = []
  const { program, starts } = await counting()
  const render = speechOf({ program, log: makeLog('warn', { write: (line: string) => void lines.push(line) }) })
  for (const voice of ['de-ch', 'tlh', '../../etc/passwd', '-w pwned', ''])
    soundOf(await render({ text: 'Test', voice }))
  soundOf(await render({ text: 'Another test', voice: 'de-ch' }))
  const spoken = (await starts()).map((line) => /-v (\S+)/.exec(line)?.[1])
  expect(spoken).toEqual(['de', 'en-us', 'de'])
  expect(lines.filter((line) => line.includes('"asked":"de-ch"'))).toHaveLength(1)
  expect(lines).toHaveLength(5)
})

test('given markup, phonemes, commands and shell words, they are spoken as words', async () => {
  const render = speechOf()
  const durationMs = async (text: string) => soundOf(await render({ text, voice: 'en' })).durationMs
  expect(await durationMs('Wait <break time="30s"/> here')).toBeLessThan(10_000)
  expect(await durationMs('one\u0001200S\u0000 two\u001b[31m\n\n\n three')).toBeLessThan(10_000)
  const phonemes = soundOf(await render({ text: "[[he'loU]]", voice: 'en' }))
  expect(phonemes.text).toBe("[ [he'loU]]")
  await durationMs('$(touch pwned) `touch pwned`; --stdout -w pwned')
  await durationMs('-w pwned')
  expect(await readdir(directory)).not.toContain('pwned')
})

test('given other scripts and broken characters, there is sound', async () => {
  const render = speechOf()
  for (const text of ['Ü ä õ ß', 'Привет', '你好', '\ud800 half', '👍', '…', '<>&"\'']) {
    expect(soundOf(await render({ text, voice: 'et' })).durationMs).toBeGreaterThan(0)
  }
})

test('given no words, the sound is a moment of silence', async () => {
  const render = speechOf()
  for (const text of ['', ' \n\t', '\u0000\u200b']) {
    expect(soundOf(await render({ text, voice: 'en' })).durationMs).toBe(20)
  }
})

test('given more than 1,000 characters, the text is refused and not cut', async () => {
  const render = speechOf()
  expect(await render({ text: 'a'.repeat(1_001), voice: 'en' })).toMatchObject({
    ok: false,
    why: 'the text has 1001 characters; at most 1000 can be spoken at once',
  })
})

test('given a pause, the sound is a silence of that length', async () => {
  const sound = soundOf(await speechOf()({ pauseMs: 500 }))
  expect(sound).toMatchObject({ text: '', durationMs: 500 })
  const wav = await readWav(await readFile(`${sound.file}.wav`))
  expect(wav?.samples).toEqual(new Int16Array(4_000))
  for (const pauseMs of [-1, 60_001, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(await speechOf()({ pauseMs })).toMatchObject({ ok: false })
  }
})

test('given no espeak-ng, the failure says how to install it; pauses still work', async () => {
  const render = speechOf({ program: join(directory, 'nothing-here') })
  expect(await render(TEXT)).toMatchObject({ ok: false, why: expect.stringContaining('install espeak-ng') })
  expect(await render({ pauseMs: 100 })).toMatchObject({ ok: true })
})

test.each([
  ['that fails', 'case "$*" in *--voices*) exec ESPEAK --voices;; esac; echo "no data" >&2; exit 3', 'no data'],
  ['that says nothing', 'case "$*" in *--voices*) exec ESPEAK --voices;; esac', 'did not answer'],
  ['that says nonsense', 'echo nonsense', 'no voices'],
])('given a program %s, the answer is a failure, and nothing is kept', async (_, lines, why) => {
  const render = speechOf({ program: await scriptOf(lines.replace('ESPEAK', program)) })
  expect(await render(TEXT)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  expect((await readdir(directory)).filter((name) => name.endsWith('.wav'))).toEqual([])
})

test('given an unwritable directory, the outcome is a failure', async () => {
  await writeFile(join(directory, 'file'), '')
  const render = speechOf({ directory: join(directory, 'file') })
  expect(await render(TEXT)).toMatchObject({ ok: false, why: expect.stringContaining('cannot be kept') })
})

test('given more requests at once than allowed, the others fail at once', async () => {
  const render = speechOf({ wantedMax: 3 })
  const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => render({ text, voice: 'en' })))
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true, false, false])
  expect(await render({ text: 'f', voice: 'en' })).toMatchObject({ ok: true })
})

test('given many requests at once, two programs run in parallel', async () => {
  const script = await scriptOf(`case "$*" in *--voices*) exec '${program}' --voices;; esac
mkdir '${directory}'/running.$$
ls -d '${directory}'/running.* | wc -l >> '${directory}/most'
'${program}' "$@"
rmdir '${directory}'/running.$$`)
  const render = speechOf({ program: script })
  await Promise.all(Array.from({ length: 10 }, (_, i) => render({ text: `Number ${i}`, voice: 'en' })))
  const most = (await readFile(join(directory, 'most'), 'utf8')).trim().split(/\s+/).map(Number)
  expect(most).toHaveLength(10)
  expect(Math.max(...most)).toBeLessThanOrEqual(2)
})

test('the program gets the text on its standard input only', async () => {
  const { program, starts } = await counting()
  await speechOf({ program })({ text: 'a secret amount', voice: 'en' })
  expect((await starts()).join()).not.toContain('secret')
})

test('given a sound, its quiet twin has a fifth of its loudness and the same length, and is made once', async () => {
  const speech = telephoneSpeech({ program, directory, recordings: noRecordings(), clock, log: silentLog })
  const sound = soundOf(await speechOf()(TEXT))
  const quieten = (one: Sound) => new Promise<Sound>((done) => speech.quieten(one, done))
  const { quietFile } = await quieten(sound)
  const samplesOf = async (file: string) => (await readWav(await readFile(`${file}.wav`)))!.samples
  const [loud, quiet] = [await samplesOf(sound.file), await samplesOf(quietFile!)]
  expect(quiet.length).toBe(loud.length)
  expect(quiet.every((sample, at) => Math.abs(sample - loud[at]! / 5) <= 1)).toBe(true)
  await rm(`${sound.file}.wav`)
  expect(await quieten(sound)).toEqual({ ...sound, quietFile })
  const gone = { ...sound, file: join(directory, 'gone') }
  expect(await quieten(gone)).toEqual(gone)
})
