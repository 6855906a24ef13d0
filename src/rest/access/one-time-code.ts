/** One-time codes by time (TOTP, RFC 6238): six digits, SHA-1, 30 s, as all authenticator apps have them. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { AtMs } from '../../kernel/clock.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

const STEP_MS = 30_000
const DIGITS = 6
/** RFC 4226 4: 160 bits are recommended. */
const SECRET_BYTES = 20
/** RFC 6238 5.2: a clock may be wrong by one step, and typing takes its time. */
const STEPS_BESIDE = [0, -1, 1] as const
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** 120 bits each: with 112 and more a fast hash is enough (ASVS 6.5.2). */
const RECOVERY = { codes: 10, letters: 24, inGroup: 6 } as const

/** In Base32, as apps read it. */
export function newSecret(secretBytes: SecretBytes): string {
  return toBase32(secretBytes(SECRET_BYTES))
}

/** The code of one step. `secret` in Base32. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = hash[hash.length - 1]! & 0xf
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The step that the code is of; undefined: of none that counts now. */
export function stepOf(secret: string, code: string, nowMs: AtMs): number | undefined {
  const now = Math.floor(nowMs / STEP_MS)
  return STEPS_BESIDE.map((beside) => now + beside).find((step) => step >= 0 && isSame(codeAt(secret, step), code))
}

/** The address that an app reads from a picture (Key Uri Format of the authenticator apps). */
export function appAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** Codes for whoever has lost the app. Each serves once. */
export function newRecoveryCodes(secretBytes: SecretBytes): string[] {
  return Array.from({ length: RECOVERY.codes }, () => {
    const letters = [...secretBytes(RECOVERY.letters)].map((byte) => BASE32[byte % BASE32.length]!.toLowerCase())
    return letters
      .map((letter, place) => (place > 0 && place % RECOVERY.inGroup === 0 ? `-${letter}` : letter))
      .join('')
  })
}

/** How it is stored; spaces and capitals do not count. A slow hash is for secrets that people choose. */
export function recoveryHash(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}

function isSame(expected: string, given: string): boolean {
  const plain = given.replaceAll(/\s/g, '')
  return plain.length === expected.length && timingSafeEqual(Buffer.from(plain), Buffer.from(expected))
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
