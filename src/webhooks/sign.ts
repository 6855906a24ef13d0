/** Signatures of the Standard Webhooks specification 1.0.0, symmetric scheme (`v1`, HMAC-SHA-256). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert } from '../kernel/assert.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { WebhookSecret } from '../kernel/ids.ts'

/** `atMs` is the instant of the attempt, not of the event, so that a replay is recognized by its age. */
interface Message {
  readonly id: string
  readonly atMs: AtMs
  readonly body: string
}

/** Names of the standard, in lower case. */
interface SignatureHeaders {
  readonly 'webhook-id': string
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string
  /** `v1,` and base64; several, separated by blanks, during a rotation of secrets. */
  readonly 'webhook-signature': string
}

export type Verification = 'genuine' | 'incomplete' | 'tooOld' | 'tooNew' | 'forged'

const PREFIX = 'whsec_'
const SECRET_BYTES_MIN = 24
const SECRET_BYTES_MAX = 64
/** Accepted age, as in the standard's reference libraries. */
const TOLERANCE_MS = 5 * 60_000
/** Bounds the comparisons for a header with many signatures. */
const SIGNATURES_MAX = 16

/** Makes a secret from random bytes, 32 in this service (D-27). `Random` is not cryptographically secure. */
export function secretOf(bytes: Uint8Array): WebhookSecret {
  const isLongEnough = bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX
  assert(isLongEnough, `a webhook secret has ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} bytes, not ${bytes.length}`)
  return (PREFIX + Buffer.from(bytes).toString('base64')) as WebhookSecret
}

/** Parses a secret; undefined if it is invalid. */
export function readSecret(text: string): WebhookSecret | undefined {
  return keyOf(text) ? (text as WebhookSecret) : undefined
}

/** Signs a message with every valid secret, newest first. */
export function sign({ id, atMs, body }: Message, secrets: readonly WebhookSecret[]): SignatureHeaders {
  assert(secrets.length > 0, 'a webhook is never sent unsigned')
  assert(!id.includes('.'), 'a full stop in a webhook id would let its parts be shifted')
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = secrets.map((secret) => `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** Verifies a message as its receiver should: one valid signature by any secret is enough, within the accepted age. */
export function verify(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secrets: readonly WebhookSecret[],
  nowMs: AtMs,
): Verification {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) return 'incomplete'
  const ageMs = Math.floor(nowMs / 1000) * 1000 - Number(timestamp) * 1000
  if (ageMs > TOLERANCE_MS) return 'tooOld'
  if (ageMs < -TOLERANCE_MS) return 'tooNew'
  const expected = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
  const given = signatures.split(' ', SIGNATURES_MAX).flatMap((signature) => {
    return signature.startsWith('v1,') ? [signature.slice('v1,'.length)] : []
  })
  return given.some((one) => expected.some((other) => isSame(one, other))) ? 'genuine' : 'forged'
}

function signatureOf(secret: WebhookSecret, signed: string): string {
  const key = keyOf(secret)
  assert(key, 'a webhook secret is whsec_ and base64 of 24 to 64 bytes; make it with secretOf')
  return createHmac('sha256', key).update(signed).digest('base64')
}

function keyOf(text: string): Buffer | undefined {
  // Node's decoder skips characters outside base64, so the spelling is checked first.
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const key = Buffer.from(text.slice(PREFIX.length), 'base64')
  return key.length >= SECRET_BYTES_MIN && key.length <= SECRET_BYTES_MAX ? key : undefined
}

/** In constant time. The length is that of every SHA-256 and not secret. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
