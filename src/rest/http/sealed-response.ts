/** Encrypts stored answers of idempotent requests: only the same client can read them (D-32, D-03). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key is the client's secret, stored as a hash only: an answer may hold a new token (D-03) and personal data. */
export function seal(answer: KeptAnswer, tokenv2: string, secretBytes: SecretBytes): Buffer {
  const iv = secretBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(tokenv2), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Undefined if the answer was encrypted with another secret or changed. */
export function unseal(sealed: Buffer, tokenv2: string): KeptAnswer | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(tokenv2), sealed.subarray(0, IV_BYTES))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const parts = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as KeptAnswer
  } catch {
    return undefined
  }
}

function keyOf(tokenv2: string): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenv2, '', 'switchboard kept answer', 32))
}
