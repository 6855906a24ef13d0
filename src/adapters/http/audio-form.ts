import { createHash } from 'node:crypto'

/** `multipart/form-data` (RFC 7578) with a wav file. The boundary is derived from it, so it cannot occur in it. */
export function audioForm(fields: Readonly<Record<string, string>>, sound: Buffer) {
  const boundary = `switchboard-${createHash('sha256').update(sound).digest('hex').slice(0, 40)}`
  const part = (about: string, content: string | Buffer) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]
  const bytes = Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value)),
    ...part('name="file"; filename="recording.wav"\r\ncontent-type: audio/wav', sound),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { bytes, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
