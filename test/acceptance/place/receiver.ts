/** A receiver of webhooks that believes signed ones only. */
import { createServer } from 'node:http'
import { bodyOf, sendJson } from '../../../demo/servers/web-server.ts'
import type { Client } from '../../../src/client/client.ts'
import { openWebhook, type WebhookEvent } from '../../../src/client/webhook.ts'
import { place } from './doors.ts'
import type { PeerName } from './installation.ts'

/** What came, in order. */
export interface Receiver {
  readonly events: readonly WebhookEvent[]
  readonly complaints: readonly string[]
  /** Asks the service for these events, and believes its signature from now on. */
  subscribe(client: Client, events: readonly string[], more?: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

/** Opens it at its port. `look` is done with each event before it is accepted. */
export async function openReceiver(
  peer: PeerName,
  look: (event: WebhookEvent) => Promise<void> = async () => undefined,
): Promise<Receiver> {
  const events: WebhookEvent[] = []
  const complaints: string[] = []
  const secrets: string[] = []
  const server = createServer(async (request, response) => {
    const opened = openWebhook(request.headers, await bodyOf(request), secrets)
    if (opened.genuine) {
      await look(opened.event)
      events.push(opened.event)
    } else complaints.push(opened.why)
    sendJson(response, opened.genuine ? 200 : 401, {})
  })
  const port = place.ports.peers[peer]
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done))
  return {
    events,
    complaints,
    async subscribe(client, wanted, more = {}) {
      const body = { url: `http://127.0.0.1:${port}/hooks`, events: wanted, ...more }
      secrets.push((await client.ask('POST /rest/core/webhooks', { body } as never)).secret)
    },
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
