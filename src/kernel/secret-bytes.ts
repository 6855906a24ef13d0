import { randomBytes } from 'node:crypto'

/** Unguessable bytes, for keys and tokens. Injected, like time and randomness: `Random` is not for secrets. */
export type SecretBytes = (count: number) => Buffer

/** The system's own source. */
export const systemSecretBytes: SecretBytes = (count) => randomBytes(count)
