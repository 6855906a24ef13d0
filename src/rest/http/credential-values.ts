/** The three values of a credential (D-03): how they are made and checked. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { CorporationId } from '../../kernel/ids.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** Values that a client sends with every request. Only `rcntrl` may be logged. */
export interface CredentialValues {
  /** The secret. */
  readonly tokenv2: string
  /** The public id. */
  readonly rcntrl: string
  /** The check value. */
  readonly ccntrl: string
}

/** A check value is bound to these and to the public id. */
interface Binding {
  readonly environment: string
  readonly corporations: readonly CorporationId[]
}

/** RFC 4648 in lower case: no digit looks like a letter. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const PUBLIC_ID_LENGTH = 20
const SECRET_BYTES = 32
/** Half of a check value: 64 bit. */
const HALF_BYTES = 8

/** How the secret of a browser session begins: it is valid in a cookie alone, as `tv2_` is in headers alone. */
export const SESSION_SECRET = 'sbs_'

const FORMS: Readonly<Record<keyof CredentialValues, RegExp>> = {
  tokenv2: /^(tv2|sbs)_[A-Za-z0-9_-]{43}$/,
  rcntrl: /^rc_[a-z2-7]{20}$/,
  ccntrl: /^[A-Za-z0-9_-]{22}$/,
}

/** New values. `key` belongs to the installation (`CredentialRepository.checkKey`). */
export function newValues(
  secretBytes: SecretBytes,
  key: Buffer,
  { isSession = false, ...binding }: Binding & { readonly isSession?: boolean },
): CredentialValues {
  const rcntrl = `rc_${[...secretBytes(PUBLIC_ID_LENGTH)].map((byte) => BASE32[byte & 31]).join('')}`
  const tokenv2 = `${isSession ? SESSION_SECRET : 'tv2_'}${secretBytes(SECRET_BYTES).toString('base64url')}`
  return { tokenv2, rcntrl, ccntrl: checkValue(key, rcntrl, binding) }
}

/** First half: id and environment, to refuse junk without a query. Second: corporations, known once it is loaded. */
function checkValue(key: Buffer, rcntrl: string, { environment, corporations }: Binding): string {
  const sorted = [...corporations].sort((a, b) => a - b).join(',')
  const halves = [firstHalf(key, rcntrl, environment), keyed(key, `2\n${environment}\n${rcntrl}\n${sorted}`)]
  return Buffer.concat(halves).toString('base64url')
}

/** Whether the values are well-formed and the check value belongs to this installation and environment. */
export function isPlausible(key: Buffer, values: CredentialValues, environment: string): boolean {
  for (const name of ['tokenv2', 'rcntrl', 'ccntrl'] as const) if (!FORMS[name].test(values[name])) return false
  const given = Buffer.from(values.ccntrl, 'base64url').subarray(0, HALF_BYTES)
  return timingSafeEqual(given, firstHalf(key, values.rcntrl, environment))
}

/** Checks the whole check value. All comparisons in this file take constant time. */
export function isCheckValue(key: Buffer, values: CredentialValues, binding: Binding): boolean {
  return isSame(values.ccntrl, checkValue(key, values.rcntrl, binding))
}

/** The stored hash of the secret. The secret has 256 random bits, so a slow hash would add nothing. */
export function secretHash(tokenv2: string): Buffer {
  return createHash('sha256').update(tokenv2).digest()
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(secretHash(a), secretHash(b))
}

function firstHalf(key: Buffer, rcntrl: string, environment: string): Buffer {
  return keyed(key, `1\n${environment}\n${rcntrl}`)
}

function keyed(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, HALF_BYTES)
}
