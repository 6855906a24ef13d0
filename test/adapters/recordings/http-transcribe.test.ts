/** Recordings sent to an OpenAI-compatible service, which answers well, badly, late or not at all (F-E14). */
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressGuard } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { httpTranscribe } from '../../../src/adapters/recordings/http-transcribe.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { answerJson, deadPort, type LocalServer, serveHttp } from '../http/local-server.ts'
import { joined, tone, writeRecording } from './call-audio.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-transcribe-'))
  writeRecording(join(directory, 'two.wav'), joined(tone(400, 300), tone(600, 0)), joined(tone(500, 0), tone(500, 700)))
  writeRecording(join(directory, 'one.wav'), tone(1_000, 300))
  writeRecording(join(directory, 'silent.wav'), tone(1_000, 0))
  writeRecording(join(directory, 'long.wav'), tone(200_000, 300))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** The received request, read by an independent parser. */
interface Heard {
  readonly authorization: string | undefined
  readonly path: string | undefined
  readonly model: unknown
  readonly format: unknown
  readonly sound: Buffer
}

async function formOf(request: IncomingMessage): Promise<Heard> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const file = form.get('file') as File
  return {
    authorization: request.headers.authorization,
    path: request.url,
    model: form.get('model'),
    format: form.get('response_format'),
    sound: Buffer.from(await file.arrayBuffer()),
  }
}

const clock = new VirtualClock()
/** Asks a server about a file. */
function ask(server: LocalServer, file: string, signal = new AbortController().signal, allowedHosts = [server.place]) {
  const web = webOverUndici({ clock, guard: addressGuard({ allowedHosts }), log: silentLog })
  const place = { url: `${server.url}/v1`, key: 'sk-test', model: 'whisper-1' }
  return httpTranscribe({ place, web, clock, directory }).transcribe(file, signal)
}
const serving = (answer: (response: ServerResponse, heard: Heard) => void) =>
  serveHttp((request, response) => void formOf(request).then((heard) => answer(response, heard)))
const segment = (start: number, end: number, text: string, more: object = {}) => ({ start, end, text, ...more })
const verbose = (...segments: readonly object[]) => ({ task: 'transcribe', language: 'danish', text: 'all', segments })

describe('a recording', () => {
  test('of two channels is sent one side at a time, and each part has its speaker', async () => {
    const heard: Heard[] = []
    const server = await serving((response, form) => {
      heard.push(form)
      const isCustomer = heard.length === 1
      const said = isCustomer ? [segment(0.02, 0.4, ' Hej, ')] : [segment(0.5, 0.9, 'Goddag', { avg_logprob: -0.5 })]
      answerJson(response, 200, verbose(...said))
    })
    expect(await ask(server, 'two.wav')).toEqual({
      outcome: 'done',
      transcription: {
        language: 'da',
        durationMs: 1_000,
        parts: [
          { channel: 0, speaker: 'customer', startMs: 20, endMs: 400, text: 'Hej,', confidence: null },
          { channel: 1, speaker: 'agent', startMs: 500, endMs: 900, text: 'Goddag', confidence: 0.607 },
        ],
      },
    })
    const common = { authorization: 'Bearer sk-test', path: '/v1/audio/transcriptions' }
    for (const form of heard) expect(form).toMatchObject({ ...common, model: 'whisper-1', format: 'verbose_json' })
    // A wav file of one channel each: 44 bytes of header and 8,000 samples.
    expect(heard.map(({ sound }) => [sound.toString('latin1', 0, 4), sound.readUInt16LE(22), sound.length])).toEqual([
      ['RIFF', 1, 16_044],
      ['RIFF', 1, 16_044],
    ])
  })

  test('of one channel has parts without a speaker', async () => {
    const server = await serving((response) => answerJson(response, 200, verbose(segment(0, 1, 'Hej'))))
    const done = await ask(server, 'one.wav')
    expect(done).toMatchObject({ transcription: { parts: [{ channel: 0, speaker: null, text: 'Hej' }] } })
  })

  test('without speech is not sent', async () => {
    const done = await ask(await deadPort(), 'silent.wav')
    expect(done).toEqual({ outcome: 'done', transcription: { language: null, durationMs: 1_000, parts: [] } })
  })

  test('that is long is sent in pieces with continuous times', async () => {
    const server = await serving((response) => answerJson(response, 200, verbose(segment(1, 2, 'Hej'))))
    const done = await ask(server, 'long.wav')
    if (done.outcome !== 'done') throw new Error(done.why)
    const [first, second] = done.transcription.parts
    expect(done.transcription.parts).toHaveLength(2)
    expect(first?.startMs).toBe(1_000)
    expect(second?.startMs).toBeGreaterThan(165_000)
    expect(second?.startMs).toBeLessThanOrEqual(181_000)
  })

  test('that is missing is asked for later; a name that leads out of the folder is never asked for', async () => {
    const server = await deadPort()
    expect(await ask(server, 'gone.wav')).toMatchObject({ outcome: 'later', why: expect.stringContaining('ENOENT') })
    expect(await ask(server, '../two.wav')).toMatchObject({ outcome: 'never' })
  })
})

describe('the answer of a service', () => {
  const partsOf = async (answer: unknown, file = 'one.wav') => {
    const server = await serving((response) => answerJson(response, 200, answer))
    const done = await ask(server, file)
    return done.outcome === 'done' ? done.transcription.parts : done
  }

  test('without segments is one part for the whole recording', async () => {
    expect(await partsOf({ text: 'Hej og goddag' })).toEqual([
      { channel: 0, speaker: null, startMs: 0, endMs: 1_000, text: 'Hej og goddag', confidence: null },
    ])
  })

  test('is clipped to the recording, sorted, and cleared of hallucinated text', async () => {
    const parts = await partsOf(
      verbose(
        segment(0.9, 99, 'last', { avg_logprob: 3 }),
        segment(-5, 0.1, 'first\u0000\u202e\u001b[31m'),
        segment(0.5, 0.2, 'backwards'),
        segment(0.3, 0.4, '   '),
        segment(0.3, 0.4, 'Thanks for watching!', { no_speech_prob: 0.9, avg_logprob: -1.5 }),
        { start: 'now', end: 1, text: 'no time' },
        { start: 0, end: 1 },
      ),
    )
    expect(parts).toMatchObject([
      { startMs: 0, endMs: 100, text: 'first[31m' },
      { startMs: 500, endMs: 500, text: 'backwards' },
      { startMs: 900, endMs: 1_000, text: 'last', confidence: 1 },
    ])
  })

  test('with oversized parts is cut', async () => {
    expect(await partsOf(verbose(segment(0, 1, `${'word '.repeat(30_000)}`)))).toMatchObject([
      { text: expect.stringMatching(/^.{4000,5000}$/) },
    ])
  })

  test.each([
    ['no JSON', '<html>busy</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no words', '{"segments":[]}'],
    ['segments by number', '{"text":"a","segments":7}'],
  ])('that is %s is invalid, and the request is repeated', async (_, text) => {
    const server = await serving((response) => void response.writeHead(200).end(text))
    expect(await ask(server, 'one.wav')).toMatchObject({ outcome: 'later', why: expect.stringContaining('protocol') })
  })

  test.each([
    [429, { 'retry-after': '120' }, { outcome: 'later', afterMs: 120_000 }],
    [429, { 'retry-after': '999999' }, { outcome: 'later', afterMs: 3_600_000 }],
    [429, { 'retry-after': 'soon' }, { outcome: 'later' }],
    [503, { 'retry-after': new Date(clock.nowMs() + 60_000).toUTCString() }, { outcome: 'later', afterMs: 60_000 }],
    [500, {}, { outcome: 'later' }],
    [408, {}, { outcome: 'later' }],
    [401, {}, { outcome: 'later' }],
    [404, {}, { outcome: 'later' }],
    [302, { location: 'http://169.254.169.254/' }, { outcome: 'later' }],
    [400, {}, { outcome: 'never' }],
    [413, {}, { outcome: 'never' }],
    [415, {}, { outcome: 'never' }],
    [422, {}, { outcome: 'never' }],
  ])('with status %i and %o means %o', async (status, headers, meaning) => {
    const server = await serving((response) => void response.writeHead(status, headers).end('{"error":{}}'))
    const result = await ask(server, 'one.wav')
    expect(result).toMatchObject({ ...meaning, why: `the service answered with HTTP ${status}` })
    expect('afterMs' in result).toBe('afterMs' in meaning)
  })

  test('without end is aborted', async () => {
    const server = await serving((response) => {
      response.writeHead(200)
      const more = () => void response.write('x'.repeat(65_536), more)
      response.on('error', () => {})
      more()
    })
    expect(await ask(server, 'one.wav')).toMatchObject({ outcome: 'later', why: expect.stringContaining('larger') })
  })

  test('that does not arrive is awaited for four minutes', async () => {
    const server = await serving(() => clock.run(240_000))
    expect(await ask(server, 'one.wav')).toMatchObject({ outcome: 'later', why: expect.stringContaining('240000 ms') })
  })

  test('is abandoned when the worker stops', async () => {
    const stop = new AbortController()
    const server = await serving(() => stop.abort())
    expect(await ask(server, 'one.wav', stop.signal)).toMatchObject({ outcome: 'later' })
    expect(await ask(server, 'one.wav', stop.signal)).toMatchObject({ outcome: 'later' })
  })

  test('is never requested if no service is configured', async () => {
    const server = await serving((response) => answerJson(response, 200, verbose()))
    expect(await ask(server, 'one.wav', undefined, [])).toMatchObject({ outcome: 'later', why: expect.any(String) })
    expect(await ask(await deadPort(), 'one.wav')).toMatchObject({ outcome: 'later' })
  })
})
