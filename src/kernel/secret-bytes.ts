import { randomBytes } from 'node:crypto'

/** Unguessable bytes, for keys and tokens. Handed in, like time and chance: `Random` is not for secrets. */
export type SecretBytes = (count: number) => Buffer

/** The system's own source. */
export const systemSecretBytes: SecretBytes = (count) => randomBytes(count)
