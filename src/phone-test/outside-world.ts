/** The world around a call by phone: servers on loopback that give the answers of `given`, and take text messages. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startFakeTwilio } from '../../demo/servers/fake-twilio.ts'
import { bodyOf, type RunningServer, serve } from '../../demo/servers/web-server.ts'
import type { Given } from '../flow-test/script.ts'
import type { ScriptedCall } from '../flow-test/scripted-call.ts'
import { worldOf } from '../flow-test/test-world.ts'
import type { Reply } from '../flow-test/world.ts'
import type { Clock } from '../kernel/clock.ts'
import type { SmsResult } from '../ports/sms.ts'

/** What came in, in order, and where the service finds it. */
export interface OutsideWorld {
  readonly requests: ScriptedCall['requests']
  readonly unanswered: ScriptedCall['unanswered']
  readonly texts: ScriptedCall['texts']
  /** `integrator` → the address of its server. */
  readonly env: Readonly<Record<string, string>>
  /** `host:port` of every server. */
  readonly hosts: readonly string[]
  /** The provider of text messages, for the settings of the service. */
  readonly twilio: { readonly accountSid: string; readonly authToken: string; readonly baseUrl: string }
  close(): Promise<void>
}

const ACCOUNT = { accountSid: `AC${'f'.repeat(32)}`, authToken: 'phone-test' }
/** Twilio's codes for the results that a test can ask for. */
const TWILIO_CODE: Readonly<Record<Exclude<SmsResult['outcome'], 'sent' | 'uncertain'>, number>> = {
  noMobile: 21614,
  refused: 21610,
  failed: 20429,
}
/** Over the cap of the service. */
const TOO_LARGE = 'x'.repeat(300 * 1024)

/** Opens it. `news` is called after everything that came in. Rejects only when no port is free. */
export async function openOutsideWorld(given: Given, clock: Clock, news: () => void): Promise<OutsideWorld> {
  const requests: ScriptedCall['requests'][number][] = []
  const unanswered: ScriptedCall['unanswered'][number][] = []
  const texts: ScriptedCall['texts'][number][] = []
  const world = worldOf(given)
  const answer = async (base: string, request: IncomingMessage, response: ServerResponse) => {
    const text = await bodyOf(request)
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const ask = { method: request.method as 'GET', url: `${base}${request.url ?? ''}`, body }
    requests.push(ask)
    const reply = world.answer({ ...ask, headers: {}, timeoutMs: Number.POSITIVE_INFINITY })
    if (!reply) unanswered.push(ask)
    news()
    if (!reply) response.writeHead(404).end()
    else clock.schedule(clock.nowMs() + (reply.afterMs ?? 0), () => send(response, reply))
  }
  const servers = new Map<string, RunningServer>()
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given.env)) {
    if (!/^https?:\/\//.test(value)) {
      env[name] = value
      continue
    }
    const { origin } = new URL(value)
    const server = await serve((request, response) => {
      answer(origin, request, response).catch(() => response.destroy())
    })
    servers.set(name, server)
    env[name] = value.replace(origin, server.url)
  }
  const twilio = await startFakeTwilio({
    ...ACCOUNT,
    judge({ to, text }) {
      texts.push({ to, text })
      news()
      const result = world.settleText(to)
      if (!result || result.outcome === 'uncertain') return 'silence'
      return result.outcome === 'sent' ? undefined : TWILIO_CODE[result.outcome]
    },
  })
  const all = [...servers.values(), twilio]
  return {
    requests,
    unanswered,
    texts,
    env,
    hosts: [...servers.values()].map(({ url }) => new URL(url).host),
    twilio: { ...ACCOUNT, baseUrl: twilio.url },
    async close() {
      await Promise.all(all.map((server) => server.close()))
    },
  }
}

function send(response: ServerResponse, { answer }: Reply): void {
  if (answer.outcome === 'answered') {
    const { status, contentType, body } = answer
    response.writeHead(status, { 'content-type': contentType }).end(body)
  } else if (answer.outcome === 'tooLarge') response.end(TOO_LARGE)
  else if (answer.outcome !== 'timeout') response.destroy()
}
