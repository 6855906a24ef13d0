/** What callers say, sent to an OpenAI-compatible service, which answers well, badly or not at all. */
import { expect, test } from 'vitest'
import { httpHearing } from '../../../src/adapters/hearing/http-hearing.ts'
import { addressGuard } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { readWav } from '../../../src/adapters/speech/wav.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { answerJson, deadPort, type LocalServer, serveHttp } from '../http/local-server.ts'

const clock = new VirtualClock()
const SAMPLES = Int16Array.from({ length: 8_000 }, (_, at) => at % 100)

async function hear({ url, place }: LocalServer, language = 'en-GB') {
  const web = webOverUndici({ clock, guard: addressGuard({ allowedHosts: [place] }), log: silentLog })
  const heard = await httpHearing({ place: { url: `${url}/v1`, key: 'k', model: 'm' }, web, clock }).understand(
    SAMPLES,
    language,
  )
  await web.close()
  return heard
}

async function answered(json: unknown, status = 200) {
  const server = await serveHttp((request, response) => {
    request.resume().once('end', () => answerJson(response, status, json))
  })
  return hear(server)
}

test('the sound goes as a wav, with the language, to POST /audio/transcriptions', async () => {
  let form: FormData | undefined
  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    form = await new Response(Buffer.concat(chunks), { headers }).formData()
    expect([request.method, request.url]).toEqual(['POST', '/v1/audio/transcriptions'])
    answerJson(response, 200, { text: '4711', segments: [{ start: 0, end: 1, text: ' 4711.', avg_logprob: -0.1 }] })
  })
  expect(await hear(server)).toEqual({ ok: true, text: '4711.', confidence: 0.905 })
  const wav = await readWav(Buffer.from(await (form!.get('file') as File).arrayBuffer()))
  expect([form!.get('model'), form!.get('language'), wav?.rateHz, wav?.samples]).toEqual(['m', 'en', 8_000, SAMPLES])
})

test('the least sure part counts, and a service that does not say how sure it is counts as unsure', async () => {
  const part = (text: string, avg_logprob: number) => ({ start: 0, end: 1, text, avg_logprob })
  expect(await answered({ text: '', segments: [part('47', -0.1), part('11', -1.2)] })).toEqual({
    ok: true,
    text: '47 11',
    confidence: 0.301,
  })
  expect(await answered({ text: '4711' })).toEqual({ ok: true, text: '4711', confidence: 0 })
  expect(await answered({ text: '' })).toEqual({ ok: true, text: '', confidence: 0 })
})

test('a failure says why', async () => {
  expect(await answered({}, 503)).toEqual({ ok: false, why: 'the service answered with HTTP 503' })
  expect(await answered({ words: 1 })).toMatchObject({ ok: false, why: expect.stringContaining('protocol') })
  expect(await hear(await deadPort())).toMatchObject({ ok: false })
})
