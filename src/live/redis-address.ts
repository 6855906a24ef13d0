/** Where a Redis is and how to be let in. `place` names it for people, without user and password. */
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
 * Reads `redis://user:password@host:port/db` (`rediss:` for TLS); undefined when it is no such address. Our own
 * reading, because ioredis takes options from the query (`?enableOfflineQueue=true`) and guesses where it cannot read.
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
    // Brackets belong to the text of an IPv6 address, not to the address.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    db: Number(db[1] ?? 0),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}

/** Without percent signs; undefined when they are not those of an address. */
function plain(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
