import type { Redis } from 'ioredis'
import type { ExpiringEntry } from './expiring-map.ts'

/** Everything of ours in Redis begins so. */
export const PREFIX = 'switchboard:live'

/** Far more nodes or agents than there can be; a script that runs long stops Redis for everybody. */
const ENTRIES_MAX = 10_000

/** Something found on a shelf, and how long ago it was put there by Redis's own clock. */
interface RedisEntry {
  readonly key: string
  readonly text: string
  readonly ageMs: number
}

/**
 * What is told under one name by all nodes: the texts, and until when each holds. Whoever tells also clears away what
 * has run out, and when nobody tells any more Redis forgets both keys. Redis's clock rules: those of nodes may differ.
 *
 * ARGV of the first: key, text, life (ms), and so on. Scripts, because each must be done whole or not at all.
 */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

const TELL = `${NOW}
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ${ENTRIES_MAX})
for _, gone in ipairs(over) do
  redis.call('HDEL', KEYS[1], gone)
  redis.call('ZREM', KEYS[2], gone)
end
local longest = math.max(redis.call('PTTL', KEYS[1]), 1)
for i = 1, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[i], string.format('%.0f ', now) .. ARGV[i + 1])
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[i + 2]), ARGV[i])
  longest = math.max(longest, math.ceil(ARGV[i + 2]))
end
redis.call('PEXPIRE', KEYS[1], longest)
redis.call('PEXPIRE', KEYS[2], longest)
return 1`

const ASK = `${NOW}
local found = { string.format('%.0f', now) }
local after = string.format('(%.0f', now)
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], after, '+inf', 'LIMIT', 0, ${ENTRIES_MAX})) do
  local text = redis.call('HGET', KEYS[1], key)
  if text then
    found[#found + 1] = key
    found[#found + 1] = text
  end
end
return found`

const FORGET = `for _, key in ipairs(ARGV) do
  redis.call('HDEL', KEYS[1], key)
  redis.call('ZREM', KEYS[2], key)
end
return 1`

/** Nodes, or agents, as Redis keeps them. Every method rejects as the client does. */
export class RedisEntries {
  readonly #keys: readonly [string, string]

  constructor(name: string) {
    this.#keys = [`${PREFIX}:${name}`, `${PREFIX}:${name}:until`]
  }

  /** Puts texts there, each for its own time. */
  async write(redis: Redis, entries: readonly ExpiringEntry<string>[]): Promise<true> {
    const values = entries.flatMap(({ key, value, leftMs }) => [key, value, leftMs])
    await redis.eval(TELL, 2, ...this.#keys, ...values)
    return true
  }

  /** What holds just now, of all nodes. */
  async ask(redis: Redis): Promise<RedisEntry[]> {
    const [now, ...found] = (await redis.eval(ASK, 2, ...this.#keys)) as string[]
    return found.flatMap((key, index) => {
      const told = /^(\d+) (.*)$/s.exec(found[index + 1] ?? '')
      return index % 2 === 0 && told ? [{ key, text: told[2] ?? '', ageMs: Number(now) - Number(told[1]) }] : []
    })
  }

  /** Takes texts away. */
  async forget(redis: Redis, keys: readonly string[]): Promise<true> {
    await redis.eval(FORGET, 2, ...this.#keys, ...keys)
    return true
  }
}
