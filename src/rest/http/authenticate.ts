/** Authenticates requests: checks the three values of D-03 against stored credentials. */
import { timingSafeEqual } from 'node:crypto'
import type { AtMs, Clock } from '../../kernel/clock.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { Credential, CredentialRepository } from '../../ports/credentials.ts'
import type { Role } from '../../ports/directory.ts'
import { type CredentialValues, isCheckValue, isPlausible, secretHash } from './credential-values.ts'
import { FailedTries } from './failed-logins.ts'
import { isAllowed } from './ip-allow-list.ts'
import { type Asker, SCOPES, type Scope } from './route.ts'

interface AuthenticatorDependencies {
  readonly credentials: CredentialRepository
  readonly clock: Clock
  readonly log: Log
  readonly secretBytes: SecretBytes
  readonly environment: string
  /** Whose people need a second factor (rest-38). */
  readonly secondFactorRoles: readonly Role[]
}

/**
 * `unknown` does not say why, which would help an attacker. `locked`: too many attempts failed. `owesFactor`: the
 * sign-on of a person who has yet to turn on the second factor that their role demands.
 */
type Proof =
  | { readonly proof: 'proved'; readonly asker: Asker; readonly owesFactor: boolean }
  | { readonly proof: 'unknown' }
  | { readonly proof: 'locked'; readonly waitMs: number }

/** `expired`: nothing else is wrong with it. */
type Standing = 'inForce' | 'expired' | 'wrong'

/** D-03: every node refuses a revoked credential within 5 s; the notification usually arrives at once. */
const CACHE_MS = 4_000
const CACHE_MAX = 5_000
/** D-31. */
const TRIES_PER_ADDRESS = 10
const TRIES_PER_CREDENTIAL = 5
/** The time of the last use is stored at most once a minute. */
const NOTE_USE_MS = 60_000
const KEY_BYTES = 32
/** Checking a password takes 32 MiB and 0.2 s, so the number of concurrent and waiting checks is limited. */
const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 20

interface Cached {
  readonly credential: Promise<Credential | undefined>
  readonly untilAtMs: AtMs
}

/** Caches credentials for a few seconds and counts failed attempts. */
export class Authenticator {
  /** One for all ways to sign on with a password. */
  readonly passwordChecks = new ConcurrencyLimit(CHECKS_AT_ONCE, CHECKS_WAITING)
  readonly #dependencies: AuthenticatorDependencies
  readonly #cache = new Map<string, Cached>()
  readonly #byAddress = new FailedTries(TRIES_PER_ADDRESS)
  readonly #byCredential = new FailedTries(TRIES_PER_CREDENTIAL)
  readonly #notedAtMs = new Map<string, AtMs>()
  #key: Promise<Buffer> | undefined

  constructor(dependencies: AuthenticatorDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Rejects with `DatabaseUnavailable`. `values` undefined: the client did not send all three. A right credential
   * passes while its address is locked: whoever shares the address must not be able to lock it out (rest-20).
   */
  async prove(values: CredentialValues | undefined, address: string): Promise<Proof> {
    const nowMs = this.#dependencies.clock.nowMs()
    const lockedMs = this.#byAddress.lockedMs(address, nowMs)
    const locked: Proof | undefined = lockedMs > 0 ? { proof: 'locked', waitMs: lockedMs } : undefined
    // A request without credentials is not a guess and is not counted.
    if (!values) return locked ?? { proof: 'unknown' }
    const key = await this.checkKey()
    if (!isPlausible(key, values, this.#dependencies.environment)) return locked ?? this.#failed(address, undefined)
    const lockedForMs = this.#byCredential.lockedMs(values.rcntrl, nowMs)
    if (lockedForMs > 0) return { proof: 'locked', waitMs: lockedForMs }
    const credential = await this.#credential(values.rcntrl, nowMs)
    const standing = credential ? this.#standing(credential, values, key, address, nowMs) : 'wrong'
    // Who had it once guesses nothing. A centre has many tabs that slept over the end of their session (rest-56).
    if (standing === 'expired') return { proof: 'unknown' }
    if (!credential || standing === 'wrong') {
      // Locking a credential takes two of the three values: its public id alone is in logs.
      return locked ?? this.#failed(address, values.rcntrl)
    }
    this.#noteUse(credential, address, nowMs)
    const owes = owesFactor(credential, this.#dependencies.secondFactorRoles)
    return { proof: 'proved', asker: askerOf(credential), owesFactor: owes }
  }

  demandsFactor(roles: readonly Role[]): boolean {
    return isDemanded(roles, this.#dependencies.secondFactorRoles)
  }

  /** The key of check values; the first node of an installation creates it. */
  checkKey(): Promise<Buffer> {
    this.#key ??= this.#dependencies.credentials
      .checkKey(this.#dependencies.secretBytes(KEY_BYTES))
      .catch((error: unknown) => {
        this.#key = undefined
        throw error
      })
    return this.#key
  }

  /** Empties the cache, because credentials changed. */
  forget(): void {
    this.#cache.clear()
  }

  failedSignOn(address: string, userName: string): void {
    const nowMs = this.#dependencies.clock.nowMs()
    this.#byAddress.fail(address, nowMs)
    this.#byCredential.fail(userName, nowMs)
    this.#dependencies.log.warn({ address }, 'login failed')
  }

  /** How long logins with this name or from this address are locked. */
  signOnLockedMs(address: string, userName: string): number {
    const nowMs = this.#dependencies.clock.nowMs()
    return Math.max(this.#byAddress.lockedMs(address, nowMs), this.#byCredential.lockedMs(userName, nowMs))
  }

  #failed(address: string, rcntrl: string | undefined): Proof {
    const { clock, log } = this.#dependencies
    const nowMs = clock.nowMs()
    const results = [this.#byAddress.fail(address, nowMs)]
    if (rcntrl !== undefined) results.push(this.#byCredential.fail(rcntrl, nowMs))
    if (results.includes('alarm'))
      log.error({ address, rcntrl }, 'many requests with wrong credentials: possible attack')
    else log.warn({ address, rcntrl }, 'credential refused')
    return { proof: 'unknown' }
  }

  #standing(credential: Credential, values: CredentialValues, key: Buffer, address: string, nowMs: AtMs): Standing {
    const { corporations, secretSha256, expiresAtMs, ipAllowList, user } = credential
    const { environment } = this.#dependencies
    // All checks always run, so the response time reveals nothing.
    const isSecret = timingSafeEqual(secretSha256, secretHash(values.tokenv2))
    const isChecked = isCheckValue(key, values, { environment, corporations })
    const isAdmitted = user?.active !== false && isAllowed(address, ipAllowList)
    if (!isSecret || !isChecked || !isAdmitted) return 'wrong'
    return expiresAtMs > nowMs ? 'inForce' : 'expired'
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
      log.warn({ error: String(error) }, 'time of the last use of a credential not stored')
    })
  }
}

const isDemanded = (roles: readonly Role[], of: readonly Role[]) => roles.some((role) => of.includes(role))

/** Issued credentials owe none: they do not come from a password, and a program has no phone (rest-32). */
export function owesFactor({ sliding, user }: Pick<Credential, 'sliding' | 'user'>, of: readonly Role[]): boolean {
  return sliding !== undefined && user !== undefined && !user.hasSecondFactor && isDemanded(user.roles, of)
}

/** Who a credential proves to be. */
export function askerOf({ realmControl, name, scopes: words, corporations, user, expiresAtMs }: Credential): Asker {
  const scopes = new Set(words.filter(isScope))
  const teams = user && user.teams.length > 0 && !scopes.has('admin') ? user.teams : undefined
  const isSupervisor = scopes.has('dialer:write')
  return {
    credential: realmControl,
    name,
    scopes,
    corporations,
    user: user && { id: user.id, userName: user.userName },
    boundTo: isSupervisor && !teams ? undefined : user?.id,
    teams: isSupervisor ? teams : undefined,
    expiresAtMs,
  }
}

/** Whether a word is a scope; scopes of newer versions are ignored. */
export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word)
}
