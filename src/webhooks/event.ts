import type { AtMs } from '../kernel/clock.ts'
import { type Random, randomInt } from '../kernel/random.ts'
import type { EventId } from '../ports/webhook.ts'

/** Crockford's base 32: no letter that is mistaken for a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LETTERS = 10
const CHANCE_LETTERS = 16

/**
 * An id such as `evt_01JH…`: a ULID (github.com/ulid/spec), which sorts by time, and holds no full stop, because
 * that divides the parts of what is signed (Standard Webhooks, "Signature scheme").
 */
export function makeEventId(atMs: AtMs, random: Random): EventId {
  let time = ''
  for (let left = atMs, i = 0; i < TIME_LETTERS; i++, left = Math.floor(left / 32)) time = LETTERS[left % 32] + time
  let chance = ''
  for (let i = 0; i < CHANCE_LETTERS; i++) chance += LETTERS[randomInt(random, 0, 31)]
  return `evt_${time}${chance}` as EventId
}
