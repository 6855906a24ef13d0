/** Creates credentials for the API, sign-on and the command line (D-03). */
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId, UserId } from '../../kernel/ids.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { NewCredential } from '../../ports/credentials.ts'
import { type CredentialValues, newValues, secretHash } from '../http/credential-values.ts'
import type { Scope } from '../http/route.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Default lifetime of integration credentials. */
export const LIFE_MS = 365 * DAY_MS
/** Maximum lifetime; every credential expires (D-03). */
export const LIFE_MAX_MS = 730 * DAY_MS
/** Login credentials expire this long after the last use, and after one shift at the latest. */
const IDLE_MS = 12 * HOUR_MS
const SHIFT_MS = 24 * HOUR_MS

export interface CredentialRequest {
  readonly name: string
  readonly user: UserId | undefined
  readonly scopes: readonly Scope[]
  readonly corporations: readonly CorporationId[]
  readonly ipAllowList: readonly string[]
  readonly expiresAtMs: AtMs
  readonly sliding?: NewCredential['sliding']
}

interface Issuer {
  readonly key: Buffer
  readonly secretBytes: SecretBytes
  readonly environment: string
  readonly nowMs: AtMs
  /** Of a browser session: its secret is valid in a cookie alone. */
  readonly isSession?: boolean
}

/** The three values, to be shown once, and the stored credential. */
export function issue(
  request: CredentialRequest,
  issuer: Issuer,
): { values: CredentialValues; credential: NewCredential } {
  const { environment, key, secretBytes, nowMs, isSession = false } = issuer
  const values = newValues(secretBytes, key, { environment, corporations: request.corporations, isSession })
  const credential: NewCredential = {
    ...request,
    realmControl: values.rcntrl,
    secretSha256: secretHash(values.tokenv2),
    createdAtMs: nowMs,
    sliding: request.sliding,
  }
  return { values, credential }
}

/** Expiry of a login credential. */
export function shift(nowMs: AtMs): Pick<CredentialRequest, 'expiresAtMs' | 'sliding'> {
  return { expiresAtMs: nowMs + IDLE_MS, sliding: { idleMs: IDLE_MS, endsAtMs: nowMs + SHIFT_MS } }
}
