/** The debt-collection system of the demo: hears of calls by webhook, proves who says so, and looks each call up. */
import type { Clock } from '../kernel/clock.ts'
import { bodyOf, type RunningServer, sendJson, serve } from '../sim/web-server.ts'
import { readSecret, verify } from '../webhooks/sign.ts'
import type { RestClient } from './rest-client.ts'

/** What it knows of one call (Interface §6). */
export interface KnownCall {
  readonly phoneCallId: string
  readonly answered: boolean
  /** From the attempt: tells voicemail, dropped and lost apart. */
  readonly resultName: string | null
  readonly systemLookupCode: string | null
}

/** The system while it runs. */
export interface DebtSystem {
  readonly url: string
  readonly calls: ReadonlyMap<string, KnownCall>
  /** What was wrong with messages or look-ups; empty when all is well. */
  readonly complaints: readonly string[]
  /** From now on messages are believed that are signed with this, and calls are looked up over it. */
  trust(secret: string, client: RestClient): void
  close(): Promise<void>
}

interface LookedUp {
  readonly startTs: string | null
  readonly systemLookupCode: string | null
  readonly callAttempt?: { readonly iccaId: number }
}

/** Starts it on a free port of loopback. */
export async function startDebtSystem(clock: Clock): Promise<DebtSystem> {
  const calls = new Map<string, KnownCall>()
  const complaints: string[] = []
  let trusted: { secret: string; client: RestClient } | undefined
  const server: RunningServer = await serve((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      const secret = trusted && readSecret(trusted.secret)
      const headers = request.headers as Record<string, string | undefined>
      const verdict = secret ? verify(headers, body, [secret], clock.nowMs()) : 'nobody is trusted yet'
      if (verdict !== 'genuine') complaints.push(`a message was not believed: ${verdict}`)
      sendJson(response, verdict === 'genuine' ? 200 : 401, {})
      const event = JSON.parse(body) as { type: string; phoneCallId: string }
      if (trusted && verdict === 'genuine' && event.type === 'phone-call.ended') {
        await lookUp(trusted.client, event.phoneCallId)
      }
    })().catch((error: unknown) => complaints.push(String(error)))
  })

  async function lookUp(client: RestClient, phoneCallId: string): Promise<void> {
    const [call] = await client.ask<LookedUp[]>('POST', '/svcems/calls/search', { eactIds: [phoneCallId] })
    if (!call) return void complaints.push(`call ${phoneCallId} was told of and is not found`)
    const { startTs, systemLookupCode, callAttempt } = call
    const known = { phoneCallId, answered: startTs !== null, systemLookupCode, resultName: null }
    if (!callAttempt) return void calls.set(phoneCallId, known)
    const found = await client.ask<{ callAttempts: { resultName: string }[] }>(
      'POST',
      '/svcdialer/calltaskcallattempts/search',
      { iccaIds: [callAttempt.iccaId] },
    )
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
