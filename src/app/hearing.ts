import { httpHearing } from '../adapters/hearing/http-hearing.ts'
import { pocketSphinx } from '../adapters/hearing/pocketsphinx.ts'
import { addressGuard, portOf } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Hearing } from '../ports/hearing.ts'
import type { Settings } from './settings.ts'

interface HearingOptions {
  readonly settings: Pick<Settings, 'listen'>
  readonly clock: Clock
  readonly log: Log
}

const CONNECT_TIMEOUT_MS = 2_000

/** The engine for speech of the settings; undefined without one. */
export function hearingOf({ settings: { listen }, clock, log }: HearingOptions): {
  readonly hearing: Hearing | undefined
  close(): Promise<void>
} {
  if (listen === undefined || typeof listen === 'string') {
    return { hearing: listen === undefined ? undefined : pocketSphinx({ program: listen }), close: async () => {} }
  }
  // The service may stand in a private network; redirects are not followed.
  const { hostname, port, protocol } = new URL(listen.url)
  const guard = addressGuard({ allowedHosts: [`${hostname}:${portOf({ port, protocol })}`] })
  const web = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  return { hearing: httpHearing({ place: listen, web, clock }), close: () => web.close() }
}
