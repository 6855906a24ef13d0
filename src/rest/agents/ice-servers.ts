import { createHmac } from 'node:crypto'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'

/** An entry of `iceServers` (W3C WebRTC 4.2.3). */
export interface IceServer {
  readonly urls: string
  readonly username?: string
  readonly credential?: string
}

/** What the configuration says: `addresses` are those of STUN and TURN servers. */
interface IcePlaces {
  readonly addresses: readonly string[]
  /** The secret that we share with the TURN servers; undefined where there is none. */
  readonly turnSecret: string | undefined
}

/**
 * What a browser is given. Credentials of TURN are made for one agent and end by themselves: the secret stays here
 * (draft-uberti-behave-turn-rest-00 2.2; coturn: `use-auth-secret`).
 */
export function iceServersOf(
  { addresses, turnSecret }: IcePlaces,
  agent: AgentName,
  untilAtMs: AtMs,
): readonly IceServer[] {
  const username = `${Math.ceil(untilAtMs / 1_000)}:${agent}`
  return addresses.map((urls) => {
    if (turnSecret === undefined || urls.startsWith('stun:')) return { urls }
    return { urls, username, credential: createHmac('sha1', turnSecret).update(username).digest('base64') }
  })
}
