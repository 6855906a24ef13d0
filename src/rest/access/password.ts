import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** OWASP Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3: 32 MiB per hash. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const MEMORY_MAX = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32

/** ASVS V6: length matters, composition does not. */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** What is wrong with a new password, as the end of "the password …"; undefined if acceptable. */
export function checkPassword(password: string, userName: string): string | undefined {
  const { min, max } = PASSWORD_LENGTH
  const length = [...password].length
  if (length < min) return `has fewer than ${min} characters`
  if (length > max) return `has more than ${max} characters`
  if (password.toLowerCase().includes(userName.toLowerCase())) return 'contains the user name'
  if (new Set(password).size < 5) return 'has too few different characters'
  return undefined
}

/** Contains algorithm and cost, so the cost can be raised later. Takes about 0.2 s. */
export async function hashPassword(password: string, secretBytes: SecretBytes): Promise<string> {
  const salt = secretBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  const { N, r, p } = COST
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Checking this hash takes as long as checking a real one. */
const DUMMY_HASH = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Checks a password. Unknown users take as long as known ones, so names cannot be probed. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [kind, N, r, p, salt = '', kept = ''] = (hash ?? DUMMY_HASH).split('$')
  if (kind !== 'scrypt') return false
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost)
  const expected = Buffer.from(kept, 'base64url')
  return derived.length === expected.length && timingSafeEqual(derived, expected) && hash !== null && hash !== undefined
}

/** Normalizes Unicode, because keyboards differ (NIST SP 800-63B). */
function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: MEMORY_MAX }, (error, hash) => {
      if (error) reject(error)
      else resolve(hash)
    })
  })
}
