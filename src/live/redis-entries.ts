import type { Redis } from 'ioredis'
import type { ExpiringEntry } from './expiring-map.ts'

/** Prefix of all our keys in Redis. */
export const PREFIX = 'switchboard:live'

/** Far more than any installation has; a long-running script blocks Redis for all clients. */
const ENTRIES_MAX = 10_000

/**
 * One sorted list of entries that all nodes write: the texts, and until when each holds. Every write also removes
 * expired entries, and Redis drops both keys when no node writes. Redis's clock decides: the nodes' clocks may differ.
 *
 * ARGV of the first script: key, text, life (ms), and so on. Scripts, because each must run as a whole or not at all.
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

/** The nodes, or the agents, in Redis. Every method rejects as the client does. */
export class RedisEntries {
  readonly #keys: readonly [string, string]

  constructor(name: string) {
    this.#keys = [`${PREFIX}:${name}`, `${PREFIX}:${name}:until`]
  }

  async write(redis: Redis, entries: readonly ExpiringEntry<string>[]): Promise<true> {
    const values = entries.flatMap(({ key, value, leftMs }) => [key, value, leftMs])
    await redis.eval(TELL, 2, ...this.#keys, ...values)
    return true
  }

  async ask(redis: Redis): Promise<{ readonly key: string; readonly text: string; readonly ageMs: number }[]> {
    const [now, ...found] = (await redis.eval(ASK, 2, ...this.#keys)) as string[]
    return found.flatMap((key, index) => {
      const entry = /^(\d+) (.*)$/s.exec(found[index + 1] ?? '')
      return index % 2 === 0 && entry ? [{ key, text: entry[2] ?? '', ageMs: Number(now) - Number(entry[1]) }] : []
    })
  }

  async forget(redis: Redis, keys: readonly string[]): Promise<true> {
    await redis.eval(FORGET, 2, ...this.#keys, ...keys)
    return true
  }
}
