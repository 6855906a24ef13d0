/** The debt-collection system of the demo: receives webhooks, verifies their signatures and looks each call up. */
import type { Client } from '../src/client/client.ts'
import { openWebhook } from '../src/client/webhook.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { bodyOf, type RunningServer, sendJson, serve } from './servers/web-server.ts'

/** One call as the system knows it (contract.md §6). */
export interface KnownCall {
  readonly phoneCallId: string
  readonly answered: boolean
  /** Of the attempt; distinguishes voicemail, dropped and lost. */
  readonly resultName: string | null
  readonly systemLookupCode: string | null
}

/** The running system. */
export interface DebtSystem {
  readonly url: string
  readonly calls: ReadonlyMap<string, KnownCall>
  /** Problems with webhooks or look-ups. */
  readonly complaints: readonly string[]
  /** Accepts webhooks with this signature and looks calls up with this client. */
  trust(secret: string, client: Client): void
  close(): Promise<void>
}

/** Listens on a free port of loopback. */
export async function startDebtSystem(clock: Clock): Promise<DebtSystem> {
  const calls = new Map<string, KnownCall>()
  const complaints: string[] = []
  let trusted: { secret: string; client: Client } | undefined
  const server: RunningServer = await serve((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      const opened = openWebhook(request.headers, body, trusted ? [trusted.secret] : [], clock)
      sendJson(response, opened.genuine ? 200 : 401, {})
      if (!opened.genuine) return void complaints.push(`a webhook was rejected: ${opened.why}`)
      const { type, phoneCallId } = opened.event
      if (trusted && type === 'phone-call.ended' && phoneCallId) await lookUp(trusted.client, phoneCallId)
    })().catch((error: unknown) => complaints.push(String(error)))
  })

  async function lookUp(client: Client, phoneCallId: string): Promise<void> {
    const [call] = await client.ask('POST /svcems/calls/search', { body: { eactIds: [phoneCallId] } })
    if (!call) return void complaints.push(`call ${phoneCallId} of a webhook was not found`)
    const { startTs, systemLookupCode, callAttempt } = call
    const known = { phoneCallId, answered: startTs !== null, systemLookupCode, resultName: null }
    if (!callAttempt) return void calls.set(phoneCallId, known)
    const found = await client.ask('POST /svcdialer/calltaskcallattempts/search', {
      body: { iccaIds: [callAttempt.iccaId] },
    })
    calls.set(phoneCallId, { ...known, resultName: found.callAttempts[0]?.resultName ?? null })
  }

  return {
    url: server.url,
    calls,
    complaints,
    trust(secret, client) {
      trusted = { secret, client }
    },
    close: () => server.close(),
  }
}
