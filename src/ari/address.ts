export interface AriAddress {
  /** Scheme, host and port for HTTP: `http://127.0.0.1:8088`. */
  readonly origin: string
  /** The path of ARI there, without a slash at its end: `/ari`. */
  readonly path: string
  /** The same address for WebSockets, with path: `ws://127.0.0.1:8088/ari`. */
  readonly socket: string
}

/** Reads `ARI_URL`, with or without `/ari`; `ws:` counts as `http:`. Credentials in it are ignored (own settings). */
export function ariAddress(url: string): AriAddress {
  const secure = /^(https|wss):/i.test(url)
  if (!secure && !/^(http|ws):/i.test(url)) throw unusable()
  const parsed = URL.parse(url.replace(/^ws/i, 'http'))
  if (!parsed) throw unusable()
  const bare = parsed.pathname.replace(/\/+$/, '')
  const path = bare.endsWith('/ari') ? bare : `${bare}/ari`
  return {
    origin: `${secure ? 'https' : 'http'}://${parsed.host}`,
    path,
    socket: `${secure ? 'wss' : 'ws'}://${parsed.host}${path}`,
  }
}

/** The message does not repeat the text: it may hold a password. */
function unusable(): Error {
  return new Error('ARI_URL is not an address; write it like http://127.0.0.1:8088')
}

/**
 * The UDP port at which copies of SIP messages arrive: the number of ARI's port, as `asterisk/general.ts` configures
 * it. Undefined where Asterisk is on another machine: copies travel over loopback only.
 */
export function sipCopiesPortOf(url: string): number | undefined {
  const { hostname, port } = new URL(ariAddress(url).origin)
  return /^(127\.|localhost$)/.test(hostname) && port !== '' ? Number(port) : undefined
}
