/** Answers that are kept for a repeated request are sealed: nobody but the asker can read them (D-32, D-03). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** An answer as it was sent. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals with the asker's own secret, of which we keep a hash alone. Our choice: an answer may hold a new token, which
 * is stored nowhere (D-03), and what debtors owe, which the database need not hold twice.
 */
export function seal(answer: KeptAnswer, tokenv2: string, secretBytes: SecretBytes): Buffer {
  const iv = secretBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(tokenv2), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** The answer; undefined when it was sealed by another secret or has been changed. */
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
