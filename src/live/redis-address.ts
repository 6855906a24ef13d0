/** The address of a Redis and its credentials. `place` is host and port for logs, without credentials. */
export interface RedisAddress {
  readonly place: string
  readonly host: string
  readonly port: number
  readonly db: number
  readonly username?: string
  readonly password?: string
  readonly tls?: Record<string, never>
}

const PORT = 6379
const DB_MAX = 15_999

/**
 * Parses `redis://user:password@host:port/db` (`rediss:` for TLS); undefined if malformed. Our own parser, because
 * ioredis takes options from the query (`?enableOfflineQueue=true`) and guesses where it cannot parse.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const db = /^\/?(\d{1,5})?$/.exec(url.pathname)
  const [username, password] = [plain(url.username), plain(url.password)]
  const isRight = /^rediss?:$/.test(url.protocol) && url.hostname !== '' && db !== null && url.port !== '0'
  if (!isRight || Number(db[1] ?? 0) > DB_MAX || username === undefined || password === undefined) return undefined
  const port = url.port === '' ? PORT : Number(url.port)
  return {
    place: `${url.hostname}:${port}`,
    // The URL syntax of IPv6 has brackets; the address has none.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    db: Number(db[1] ?? 0),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}

/** Percent-decoded; undefined if malformed. */
function plain(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
