/** Passwords of people who sign on: what is kept of them, and how one is proved. */
import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** OWASP's password storage page: 2^15 rounds, blocks of 8, 3 at once: 32 MiB each time. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const MEMORY_MAX = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32

/** ASVS V6: long enough counts, what it is made of does not. */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** What is wrong with a new password, as the end of "the password …"; undefined when it will do. */
export function checkPassword(password: string, userName: string): string | undefined {
  const { min, max } = PASSWORD_LENGTH
  const length = [...password].length
  if (length < min) return `has fewer than ${min} characters`
  if (length > max) return `has more than ${max} characters`
  if (password.toLowerCase().includes(userName.toLowerCase())) return 'holds the user name'
  if (new Set(password).size < 5) return 'is made of too few different characters'
  return undefined
}

/** What is kept: algorithm, its cost, salt and hash, so that the cost can grow later. Takes about 0.2 s. */
export async function hashPassword(password: string, secretBytes: SecretBytes): Promise<string> {
  const salt = secretBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  const { N, r, p } = COST
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Somebody's hash of nothing: proving it takes as long as proving a true one. */
const NOBODYS = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Whether it is the password. Without a hash it never is, and takes as long: names cannot be found out. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [kind, N, r, p, salt = '', kept = ''] = (hash ?? NOBODYS).split('$')
  if (kind !== 'scrypt') return false
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost)
  const expected = Buffer.from(kept, 'base64url')
  return derived.length === expected.length && timingSafeEqual(derived, expected) && hash !== null && hash !== undefined
}

/** Unicode has several spellings of one text; keyboards differ in which they send (NIST SP 800-63B). */
function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: MEMORY_MAX }, (error, hash) => {
      if (error) reject(error)
      else resolve(hash)
    })
  })
}
