/** A paid server among the engines: deadlines, money, what is kept, and who speaks in its place. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type SpeechOptions, telephoneSpeech } from '../../../src/adapters/speech/speech.ts'
import { SpeechBudget } from '../../../src/adapters/speech/speech-budget.ts'
import { readWav, writeWav } from '../../../src/adapters/speech/wav.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import type { Speech, SpeechResult, Utterance } from '../../../src/ports/speech.ts'
import type { WebAnswer, WebRequest } from '../../../src/ports/web.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const program = process.env['SWITCHBOARD_TEST_ESPEAK'] ?? 'espeak-ng'
const RATE_HZ = 24_000
/** The server speaks for exactly two seconds, which espeak-ng never does. */
const SERVED_MS = 2_000
const sound = writeWav(
  Int16Array.from({ length: (SERVED_MS * RATE_HZ) / 1_000 }, (_, at) => (at % 40 < 20 ? 9_000 : -9_000)),
  RATE_HZ,
)
const answerOf = (bytes: Uint8Array, contentType = 'audio/wav', status = 200): WebAnswer => {
  return { outcome: 'answered', status, body: '', contentType, bytes }
}
const SPOKEN = answerOf(sound)
const text = (words: string): Utterance => ({ text: words, voice: 'en' })
const isServed = (result: SpeechResult) => result.ok && result.sound.durationMs === SERVED_MS
const DAY_MS = 24 * 3_600_000

let directory: string
class CountingClock extends VirtualClock {
  /** Of every timer, in the order in which they were set. */
  readonly waitsMs: number[] = []

  override schedule(atMs: number, action: () => void) {
    this.waitsMs.push(atMs - this.nowMs())
    return super.schedule(atMs, action)
  }
}

let clock: CountingClock
let logged: string[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-voices-'))
  clock = new CountingClock()
  logged = []
  return () => rmSync(directory, { recursive: true })
})

interface Open {
  /** Undefined: the test answers by hand. */
  readonly answer?: WebAnswer | undefined
  readonly voice?: string
  readonly model?: string
  readonly charactersPerDay?: number
  readonly options?: Partial<SpeechOptions>
}

/** A node, as after a start, with a server in memory. */
function open({ answer = SPOKEN, voice = 'nova', model = 'm', charactersPerDay = 1_000, options = {} }: Open = {}) {
  const requests: { readonly request: WebRequest; answer(answer: WebAnswer): void }[] = []
  const state: { answer: WebAnswer | undefined } = { answer }
  const web = {
    request(request: WebRequest, done: (answer: WebAnswer) => void) {
      requests.push({ request, answer: done })
      if (state.answer) done(state.answer)
      return { cancel() {} }
    },
  }
  const log = makeLog('info', { write: (line: string) => void logged.push(line) })
  const budget = new SpeechBudget({ file: join(directory, 'budget.json'), charactersPerDay, clock, log })
  const speech = telephoneSpeech({
    program,
    directory: join(directory, 'sounds'),
    recordings: { directory, program: 'sndfile-convert' },
    voices: new Map([['en', { engine: 'http', voice }]]),
    server: { client: { place: { url: 'http://s/v1', key: 'k', model }, web, clock }, voice: 'alloy', budget },
    clock,
    log,
    ...options,
  })
  return { speech, requests, state, say: (utterance: Utterance, isAhead = false) => said(speech, utterance, isAhead) }
}

function said(speech: Speech, utterance: Utterance, isAhead: boolean): Promise<SpeechResult> {
  return new Promise((done) => speech.render(utterance, done, isAhead))
}

const isAsked = (requests: readonly unknown[], count: number) => expect.poll(() => requests.length).toBe(count)

test('given a server, it speaks once, and its sound is kept over a restart', async () => {
  const { say, requests } = open()
  const first = await say(text('Hello.'))
  expect(isServed(first)).toBe(true)
  expect(requests[0]!.request).toMatchObject({
    method: 'POST',
    url: 'http://s/v1/audio/speech',
    headers: { authorization: 'Bearer k' },
    body: { model: 'm', voice: 'nova', input: 'Hello.', response_format: 'wav' },
  })
  expect(await say(text('Hello.'))).toEqual(first)
  const again = open()
  expect(await again.say(text('Hello.'))).toEqual(first)
  expect([requests.length, again.requests.length]).toEqual([1, 0])
})

test('given another voice or model, no sound of the other one is served', async () => {
  const files = []
  for (const changed of [{}, { voice: 'onyx' }, { model: 'other' }]) {
    const { say, requests } = open(changed)
    const result = await say(text('Hello.'))
    expect(requests).toHaveLength(1)
    files.push(result.ok && result.sound.file)
  }
  expect(new Set(files).size).toBe(3)
})

test('given bare samples, they are heard at the rate of the protocol', async () => {
  const { say } = open({ answer: answerOf(sound.subarray(44), 'audio/pcm') })
  expect(isServed(await say(text('Hello.')))).toBe(true)
})

test.each<[string, WebAnswer]>([
  ['an error', answerOf(sound, 'audio/wav', 500)],
  ['garbage', answerOf(Buffer.from('<html>'), 'text/html')],
  ['silence', answerOf(writeWav(new Int16Array(24_000), RATE_HZ))],
  ['nothing', answerOf(Buffer.alloc(0))],
  ['a rate of no telephone', answerOf(writeWav(new Int16Array(100).fill(9), 4_000))],
  ['too much', { outcome: 'tooLarge', why: 'the answer is larger than 8192 kB' }],
  ['no connection', { outcome: 'network', why: 'refused' }],
])('given %s, espeak-ng speaks, nothing of it is kept, and the server is asked for the next caller', async (_, bad) => {
  const { say, state, requests } = open({ answer: bad })
  const result = await say(text('Hello.'))
  expect(result.ok && !isServed(result)).toBe(true)
  expect(readdirSync(join(directory, 'sounds'))).toHaveLength(1)
  state.answer = SPOKEN
  expect(isServed(await say(text('Hello.')))).toBe(true)
  expect(requests).toHaveLength(2)
})

test('given a slow server, the caller waits 1 s, and the late answer serves the next caller', async () => {
  const { say, requests, state } = open()
  state.answer = undefined
  const asked = say(text('Hello.'))
  await isAsked(requests, 1)
  expect(clock.waitsMs).toEqual([1_000])
  clock.run(1_000)
  const result = await asked
  expect(result.ok && !isServed(result)).toBe(true)
  requests[0]!.answer(SPOKEN)
  await expect.poll(async () => isServed(await say(text('Hello.')))).toBe(true)
  expect(requests).toHaveLength(1)
})

test('given a server that is late five times, callers do not wait; it is still asked ahead of calls', async () => {
  const { say, requests, state } = open()
  state.answer = undefined
  for (let caller = 1; caller <= 5; caller++) {
    const asked = say(text(`Caller ${caller}.`))
    await isAsked(requests, caller)
    clock.run(1_000)
    expect(isServed(await asked)).toBe(false)
  }
  expect(isServed(await say(text('Caller 6.')))).toBe(false)
  expect(requests).toHaveLength(5)
  state.answer = SPOKEN
  expect(isServed(await say(text('Welcome.'), true))).toBe(true)
  clock.run(10_000)
  expect(isServed(await say(text('Caller 7.')))).toBe(true)
  expect(isServed(await say(text('Caller 8.')))).toBe(true)
})

test('given a sentence ahead of calls, the server has 10 s; a caller who wants it meanwhile waits 1 s', async () => {
  const { say, requests, state } = open()
  state.answer = undefined
  const ahead = say(text('Welcome.'), true)
  await isAsked(requests, 1)
  const caller = say(text('Welcome.'))
  // The patience of both has begun.
  await expect.poll(() => clock.waitsMs).toEqual([10_000, 1_000])
  clock.run(1_000)
  expect(isServed(await caller)).toBe(false)
  requests[0]!.answer(SPOKEN)
  expect(isServed(await ahead)).toBe(true)
  expect(requests).toHaveLength(1)
})

test('given a server that fails five times, it is left alone, and the log says so once', async () => {
  const { say, requests, state } = open({ answer: answerOf(sound, 'audio/wav', 503) })
  for (let caller = 0; caller < 20; caller++) expect((await say(text(`Caller ${caller}.`))).ok).toBe(true)
  expect(requests).toHaveLength(5)
  expect(logged.filter((line) => line.includes('in place of the speech server'))).toHaveLength(1)
  state.answer = SPOKEN
  clock.run(10 * 60_000)
  expect(isServed(await say(text('Hello.')))).toBe(true)
  expect(logged.filter((line) => line.includes('the speech server answers again'))).toHaveLength(1)
})

test('given a day whose characters are spent, nothing is sent until the next one, also after a restart', async () => {
  const one = open({ charactersPerDay: 10 })
  expect(isServed(await one.say(text('12345678')))).toBe(true)
  const two = open({ charactersPerDay: 10 })
  expect(isServed(await two.say(text('abc')))).toBe(false)
  expect(isServed(await two.say(text('abd')))).toBe(false)
  expect(isServed(await two.say(text('ab')))).toBe(true)
  expect(isServed(await two.say(text('12345678')))).toBe(true)
  expect(two.requests).toHaveLength(1)
  expect(logged.filter((line) => line.includes('no more of the day'))).toHaveLength(1)
  clock.run(DAY_MS)
  expect(isServed(await two.say(text('abc')))).toBe(true)
})

test('given a budget that cannot be read, nothing is sent on that day', async () => {
  writeFileSync(join(directory, 'budget.json'), '{"day":"20')
  const { say, requests } = open()
  expect(isServed(await say(text('Hello.')))).toBe(false)
  clock.run(DAY_MS)
  expect(isServed(await say(text('Hello.')))).toBe(true)
  expect(requests).toHaveLength(1)
  expect(JSON.parse(readFileSync(join(directory, 'budget.json'), 'utf8'))).toMatchObject({ characters: 6 })
})

test('given a secret of the caller, no server gets it', async () => {
  const { say, requests } = open()
  const result = await say({ ...text('4,'), isPrivate: true })
  expect(result.ok && !isServed(result)).toBe(true)
  expect(requests).toEqual([])
})

test('given no server for it, espeak-ng speaks the language', async () => {
  const { say, requests } = open({ options: { server: undefined as never } })
  expect((await say(text('Hello.'))).ok).toBe(true)
  expect(requests).toEqual([])
})

test('given Flite, it speaks English with its own voices; where it is missing, espeak-ng speaks', async () => {
  const flite = program.replace(/espeak-ng$/, 'flite')
  const voices = new Map([
    ['en', { engine: 'flite', voice: undefined }],
    ['en-gb', { engine: 'flite', voice: 'rms' }],
  ] as const)
  const lengths = []
  for (const [path, voice] of [
    [flite, 'en-US'],
    [flite, 'en-GB'],
    ['no-such-flite', 'en'],
  ] as const) {
    const { say } = open({ options: { flite: path, voices } })
    const result = await say({ text: 'Your case is closed. Goodbye; "$(touch x)".', voice })
    expect(result.ok).toBe(true)
    if (result.ok) lengths.push((await readWav(readFileSync(`${result.sound.file}.wav`)))!.samples.length)
    // One file: Flite leaves nothing beside it. The next engine must not find it.
    expect(readdirSync(join(directory, 'sounds'))).toHaveLength(1)
    rmSync(join(directory, 'sounds'), { recursive: true })
  }
  expect(new Set(lengths).size).toBe(3)
  expect(logged.filter((line) => line.includes('in place of Flite'))).toHaveLength(1)
})
