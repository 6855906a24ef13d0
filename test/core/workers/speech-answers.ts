/** The answers of the speech and language service of tests. */
import type { ServerResponse } from 'node:http'
import { answerJson } from '../../adapters/http/local-server.ts'

/** How it answers one request. */
export type Answer = (response: ServerResponse) => void

/** A transcription with this text in it. */
export const words = (text: string) => (response: ServerResponse) => {
  const segments = [{ start: 0.1, end: 0.4, text }]
  answerJson(response, 200, { task: 'transcribe', language: 'danish', text, segments })
}

/** A bare status, such as 503. */
export const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end()

/** A completion with this content. */
export const summary = (content: string) => (response: ServerResponse) => {
  answerJson(response, 200, { choices: [{ message: { content } }] })
}
