/** A stand-in of the service that writes recordings down (`POST /audio/transcriptions`); it knows voices by tone. */
import { createServer, type IncomingMessage } from 'node:http'
import { sendJson } from '../../../demo/servers/web-server.ts'
import { toUlaw } from '../../../demo/sip/audio.ts'
import { RtpEar } from '../../../demo/sip/rtp-ear.ts'
import { place } from './doors.ts'

/** What a voice says; a promise lets the answer wait, null refuses it for good. */
export type Words = string | null | Promise<string>

const WAV_HEADER_BYTES = 44
const HEARD_MS = 200

/** Opens it at the address of `TRANSCRIBE_URL`. `voices`: tone in Hz → words. */
export async function openTranscriber(voices: ReadonlyMap<number, Words>): Promise<{ close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const heard = tonesOf(await wavOf(request), [...voices.keys()])
    const words = heard[0] === undefined ? 'Nothing of ours.' : voices.get(heard[0])
    if (words === null) return sendJson(response, 422, { error: { message: 'it cannot be read' } })
    const text = (await words)!
    const segments = [{ start: 0.1, end: 0.4, text, avg_logprob: Math.log(0.75) }]
    sendJson(response, 200, { task: 'transcribe', language: 'english', text, segments })
  })
  const port = place.ports.peers.transcripts
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done))
  return {
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

/** The wav file of a form: everything from its mark on. */
async function wavOf(request: IncomingMessage): Promise<Buffer> {
  const form = Buffer.concat((await request.toArray()) as Buffer[])
  return form.subarray(form.indexOf('RIFF'))
}

/** Which of the tones are heard in 16-bit sound at 8 kHz, of one of so many channels. */
export function tonesOf(wav: Buffer, tonesHz: readonly number[], channel = 0, channels = 1): number[] {
  const ear = new RtpEar(tonesHz)
  const sound: number[] = []
  for (let at = WAV_HEADER_BYTES + 2 * channel; at + 1 < wav.length; at += 2 * channels) {
    sound.push(toUlaw(wav.readInt16LE(at)))
  }
  ear.takes(Buffer.from(sound))
  return tonesHz.filter((hz) => ear.heardTone(hz) >= HEARD_MS)
}
