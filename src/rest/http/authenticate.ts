/** Proves who asks: the three values of D-03 against the credentials that are kept. */
import { timingSafeEqual } from 'node:crypto'
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { Credential, CredentialRepository } from '../../ports/credentials.ts'
import { type CredentialValues, isCheckValue, isPlausible, secretHash } from './credential-values.ts'
import { FailedTries } from './failed-logins.ts'
import { isAllowed } from './ip-allow-list.ts'
import { type Asker, SCOPES, type Scope } from './route.ts'

/** What proving needs. */
export interface AuthenticatorDependencies {
  readonly credentials: CredentialRepository
  readonly clock: Clock
  readonly log: Log
  readonly secretBytes: SecretBytes
  readonly environment: string
}

/** `unknown`: one answer for every reason, so that nothing is learned from it. `locked`: too many tries failed. */
export type Proof =
  | { readonly proof: 'proved'; readonly asker: Asker }
  | { readonly proof: 'unknown' }
  | { readonly proof: 'locked'; readonly waitMs: number }

/** D-03: a revoked credential is refused everywhere within 5 s. The news of it usually comes at once. */
const CACHE_MS = 4_000
const CACHE_MAX = 5_000
/** D-31. */
const TRIES_PER_ADDRESS = 10
const TRIES_PER_CREDENTIAL = 5
/** When credentials were used is for people to look at: once a minute is exact enough. */
const NOTE_USE_MS = 60_000
const KEY_BYTES = 32

interface Cached {
  readonly credential: Promise<Credential | undefined>
  readonly untilAtMs: AtMs
}

/** Knows credentials for a few seconds, and who fails to prove them. */
export class Authenticator {
  readonly #dependencies: AuthenticatorDependencies
  readonly #cache = new Map<string, Cached>()
  readonly #byAddress = new FailedTries(TRIES_PER_ADDRESS)
  readonly #byCredential = new FailedTries(TRIES_PER_CREDENTIAL)
  readonly #notedAtMs = new Map<string, AtMs>()
  #key: Promise<Buffer> | undefined

  constructor(dependencies: AuthenticatorDependencies) {
    this.#dependencies = dependencies
  }

  /** Rejects with `RecordsUnavailable` when nobody can say. `values` undefined: not all three were sent. */
  async prove(values: CredentialValues | undefined, address: string): Promise<Proof> {
    const nowMs = this.#dependencies.clock.nowMs()
    const lockedMs = this.#byAddress.lockedMs(address, nowMs)
    if (lockedMs > 0) return { proof: 'locked', waitMs: lockedMs }
    // Whoever sends nothing guesses nothing.
    if (!values) return { proof: 'unknown' }
    const key = await this.checkKey()
    if (!isPlausible(key, values, this.#dependencies.environment)) return this.#failed(address, undefined)
    const lockedForMs = this.#byCredential.lockedMs(values.rcntrl, nowMs)
    if (lockedForMs > 0) return { proof: 'locked', waitMs: lockedForMs }
    const credential = await this.#credential(values.rcntrl, nowMs)
    if (!credential || !this.#fits(credential, values, key, address, nowMs)) {
      // Only who knows two of the three values can lock a credential: its public id stands in logs.
      return this.#failed(address, values.rcntrl)
    }
    this.#noteUse(credential, address, nowMs)
    return { proof: 'proved', asker: askerOf(credential) }
  }

  /** The key of check values; the first node of an installation makes it. */
  checkKey(): Promise<Buffer> {
    this.#key ??= this.#dependencies.credentials
      .checkKey(this.#dependencies.secretBytes(KEY_BYTES))
      .catch((error: unknown) => {
        this.#key = undefined
        throw error
      })
    return this.#key
  }

  /** Something about credentials has changed: nothing that is remembered counts. */
  forget(): void {
    this.#cache.clear()
  }

  /** Counts a sign-on with a password that failed; how long the name or address is locked by now. */
  failedSignOn(address: string, userName: string): void {
    const nowMs = this.#dependencies.clock.nowMs()
    this.#byAddress.fail(address, nowMs)
    this.#byCredential.fail(userName, nowMs)
    this.#dependencies.log.warn({ address }, 'a sign-on failed')
  }

  /** How long sign-on with this name or from this address has to wait. */
  signOnLockedMs(address: string, userName: string): number {
    const nowMs = this.#dependencies.clock.nowMs()
    return Math.max(this.#byAddress.lockedMs(address, nowMs), this.#byCredential.lockedMs(userName, nowMs))
  }

  #failed(address: string, rcntrl: string | undefined): Proof {
    const { clock, log } = this.#dependencies
    const nowMs = clock.nowMs()
    const signs = [this.#byAddress.fail(address, nowMs)]
    if (rcntrl !== undefined) signs.push(this.#byCredential.fail(rcntrl, nowMs))
    if (signs.includes('alarm')) log.error({ address, rcntrl }, 'many tries with wrong credentials: somebody guesses')
    else log.warn({ address, rcntrl }, 'a credential was refused')
    return { proof: 'unknown' }
  }

  #fits(credential: Credential, values: CredentialValues, key: Buffer, address: string, nowMs: AtMs): boolean {
    const { corporations, secretSha256, expiresAtMs, ipAllowList, user } = credential
    const { environment } = this.#dependencies
    // All are looked at, whichever fails: the time it takes says nothing.
    const isSecret = timingSafeEqual(secretSha256, secretHash(values.tokenv2))
    const isChecked = isCheckValue(key, values, { environment, corporations })
    const isInForce = expiresAtMs > nowMs && user?.active !== false && isAllowed(address, ipAllowList)
    return isSecret && isChecked && isInForce
  }

  #credential(rcntrl: string, nowMs: AtMs): Promise<Credential | undefined> {
    const cached = this.#cache.get(rcntrl)
    if (cached && cached.untilAtMs > nowMs) return cached.credential
    const credential = this.#dependencies.credentials.credential(rcntrl)
    if (this.#cache.size >= CACHE_MAX) this.#cache.clear()
    this.#cache.set(rcntrl, { credential, untilAtMs: nowMs + CACHE_MS })
    credential.catch(() => this.#cache.delete(rcntrl))
    return credential
  }

  #noteUse({ realmControl }: Credential, ip: string, nowMs: AtMs): void {
    const { credentials, log } = this.#dependencies
    if ((this.#notedAtMs.get(realmControl) ?? 0) > nowMs - NOTE_USE_MS) return
    if (this.#notedAtMs.size >= CACHE_MAX) this.#notedAtMs.clear()
    this.#notedAtMs.set(realmControl, nowMs)
    credentials.noteUses([{ realmControl, atMs: nowMs, ip }]).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'that a credential was used could not be kept')
    })
  }
}

function askerOf({ realmControl, scopes, corporations, user, expiresAtMs }: Credential): Asker {
  return {
    credential: realmControl,
    scopes: new Set(scopes.filter(isScope)),
    corporations,
    user: user && { id: user.id, userName: user.userName },
    expiresAtMs,
  }
}

/** Whether a word is a scope: what a newer version wrote counts for nothing here. */
export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word)
}
