import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId, TeamName, UserId } from '../kernel/ids.ts'
import type { Role } from './directory.ts'

/** A credential as it is kept: the public id and a hash of the secret, never the secret (D-03). */
export interface Credential {
  readonly realmControl: string
  readonly secretSha256: Buffer
  readonly name: string
  /** The person behind it; absent for a system. Not active any more: the credential proves nothing. */
  readonly user: CredentialUser | undefined
  readonly scopes: readonly string[]
  readonly corporations: readonly CorporationId[]
  /** Addresses or networks (`10.0.0.0/8`) it may be used from; empty: any. */
  readonly ipAllowList: readonly string[]
  readonly createdAtMs: AtMs
  readonly expiresAtMs: AtMs
  /** People's: each use moves the end to so long after it, but never beyond `endsAtMs`. */
  readonly sliding: { readonly idleMs: number; readonly endsAtMs: AtMs } | undefined
  readonly lastUsedAtMs: AtMs | undefined
  readonly lastUsedIp: string | undefined
}

interface CredentialUser {
  readonly id: UserId
  readonly userName: string
  readonly active: boolean
  readonly roles: readonly Role[]
  /** Turned on. */
  readonly hasSecondFactor: boolean
  /** The active teams that they belong to, by name. */
  readonly teams: readonly TeamName[]
}

export type NewCredential = Omit<Credential, 'user' | 'lastUsedAtMs' | 'lastUsedIp'> & {
  readonly user: UserId | undefined
}

/** That a credential was used; kept now and then, not at every request. */
interface Use {
  readonly realmControl: string
  readonly atMs: AtMs
  readonly ip: string
}

/** The first request with an idempotency key (D-32). `route` names the operation, `print` the very request. */
export interface KeyedRequest {
  readonly realmControl: string
  readonly route: string
  readonly key: string
  readonly print: Buffer
  readonly atMs: AtMs
  /** No other server may carry it out until then; afterwards the server that does is taken for dead. */
  readonly runsUntilAtMs: AtMs
  readonly keptUntilAtMs: AtMs
}

/** What the idempotency keys of one credential take of the database. */
export interface KeysKept {
  readonly keys: number
  readonly answerBytes: number
}

/** `mine`: carry it out. `answered`: here is what was said. `carried out`: nobody knows what was said. */
type KeyClaim =
  | { readonly claim: 'mine' }
  | { readonly claim: 'running' }
  | { readonly claim: 'carried out' }
  | { readonly claim: 'other request' }
  | { readonly claim: 'answered'; readonly answer: Buffer }

/** May reject with `DatabaseUnavailable`. Changes of credentials notify all nodes (`onNotification`, 'access'). */
export interface CredentialRepository {
  /** The key of the check values (`ccntrl`): made on the first call of the first node, the same for all (32 bytes). */
  checkKey(fresh: Buffer): Promise<Buffer>
  addCredential(credential: NewCredential): Promise<void>
  /** Undefined: the credential is unknown or revoked. It may have expired. */
  credential(realmControl: string): Promise<Credential | undefined>
  /** Those that reach nothing outside of these corporations and were not revoked, newest first; 1,000 at the most. */
  credentials(corporations: readonly CorporationId[]): Promise<readonly Credential[]>
  /** Adds `successor`; the old credential ends at `untilAtMs` at the latest. False: no credential to replace. */
  replaceCredential(realmControl: string, successor: NewCredential, untilAtMs: AtMs): Promise<boolean>
  /** False: there was none. */
  revokeCredential(realmControl: string, atMs: AtMs): Promise<boolean>
  noteUses(uses: readonly Use[]): Promise<void>
  claimKey(request: KeyedRequest): Promise<KeyClaim>
  keepAnswer(request: Pick<KeyedRequest, 'realmControl' | 'route' | 'key'>, answer: Buffer): Promise<void>
  /** Runs `work`; a change that it commits is never made again under this key. */
  carryOutKeyed<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T>
  /** It broke off: the key is as if never used, unless a change was committed. */
  breakOffKey(request: Pick<KeyedRequest, 'realmControl' | 'route' | 'key'>): Promise<void>
  /** It came to nothing that should be repeated: the key is as if never used. */
  releaseKey(request: Pick<KeyedRequest, 'realmControl' | 'route' | 'key'>): Promise<void>
  /** How many keys of a credential are kept, and the bytes of their answers. */
  keysKept(realmControl: string): Promise<KeysKept>
  /** Removes all keys that are out of their time, and credentials long dead. */
  sweepAccess(atMs: AtMs): Promise<void>
}
