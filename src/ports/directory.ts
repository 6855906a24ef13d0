import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId, ExternalSystemId, InfoFieldId, TeamId, TeamName, UserId } from '../kernel/ids.ts'

/** What a person is allowed to do, in words of the house; `rest` knows which scopes follow. */
export const ROLES = ['agent', 'supervisor', 'admin'] as const

/** One of the roles. A person may have several. */
export type Role = (typeof ROLES)[number]

/** A tenant: nothing of one is seen by another. */
export interface Corporation {
  readonly id: CorporationId
  readonly name: string
}

/** A person who may sign on. An agent's `userName` is the name that the configuration gives them. */
export interface User {
  readonly id: UserId
  readonly userName: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly active: boolean
  readonly corporation: Corporation
  readonly roles: readonly Role[]
  readonly teams: readonly { readonly id: TeamId; readonly name: TeamName }[]
}

/** One-time codes by time (RFC 6238). `secret` in Base32; not `isOn`: it was never confirmed by a code. */
export interface SecondFactor {
  readonly secret: string
  readonly isOn: boolean
  readonly recoveryCodesLeft: number
}

interface NewUser {
  readonly userName: string
  readonly name: string
  readonly email?: string
  readonly phone?: string
  readonly corporation: CorporationId
  readonly roles: readonly Role[]
}

/** A team of the configuration, as queues are listed. */
export interface TeamEntry {
  readonly id: TeamId
  readonly name: TeamName
  readonly title: string
  readonly corporation: CorporationId
  readonly active: boolean
}

/** An external system that imports call tasks and shows a page about each (D-28). */
export interface ExternalSystem {
  readonly id: ExternalSystemId
  readonly corporation: CorporationId
  readonly code: string
  readonly name: string
  readonly popupUrlTemplate: string | null
  readonly lookup: CaseLookup | null
  /** Stored only: they open no address to flows (calls-and-flows-72). */
  readonly allowedHosts: readonly string[]
  readonly active: boolean
}

/** Where its cases are looked up. `authSecretRef` names a secret of the configuration; it is never the secret. */
export interface CaseLookup {
  readonly urlTemplate: string
  readonly authHeaderName?: string
  readonly authSecretRef?: string
  readonly timeoutMs?: number
}

/** Its fields without the id; for a change only those that change. */
export type ExternalSystemFields = Omit<ExternalSystem, 'id' | 'corporation'>

export interface InfoField {
  readonly id: InfoFieldId
  readonly corporation: CorporationId
  readonly name: string
  readonly active: boolean
}

/** Agents and teams of the configuration, as they are mirrored. */
export interface StaffEntry {
  readonly agents: readonly { readonly name: string; readonly title: string }[]
  readonly teams: readonly { readonly name: TeamName; readonly title: string; readonly agents: readonly string[] }[]
}

/** May reject with `DatabaseUnavailable`. What belongs to a corporation not asked for does not exist (D-04). */
export interface Directory {
  /** The first start: corporation 1 is there afterwards, by this name if it is new. Later starts change nothing. */
  ensureCorporation(name: string, atMs: AtMs): Promise<CorporationId>
  corporations(): Promise<readonly Corporation[]>
  /** Agents who are gone become inactive; users added by hand stay. A user with an agent's name becomes that agent. */
  syncStaff(staff: StaffEntry, corporation: CorporationId, atMs: AtMs): Promise<void>
  addUser(user: NewUser, atMs: AtMs): Promise<UserId | 'name is taken' | 'no such corporation'>
  /** False: no user has this name. `hash` is made by `rest/password.ts`. */
  setPassword(userName: string, hash: string): Promise<boolean>
  /** For sign-on; undefined when no active user has this name. A user without a password cannot sign on. */
  passwordHash(userName: string): Promise<{ readonly id: UserId; readonly hash: string | null } | undefined>
  secondFactor(user: UserId): Promise<SecondFactor | undefined>
  /** A secret that was never confirmed is replaced. False: a second factor is on. */
  beginSecondFactor(user: UserId, secret: string): Promise<boolean>
  /** Turns it on. False: none was begun, or it is on already. */
  confirmSecondFactor(
    user: UserId,
    first: { readonly step: number; readonly recoveryHashes: readonly string[]; readonly atMs: AtMs },
  ): Promise<boolean>
  /** False: a code of this step, or of a later one, was used before. */
  useOneTimeStep(user: UserId, step: number): Promise<boolean>
  /** False: there is no such code any more. */
  useRecoveryCode(user: UserId, hash: string): Promise<boolean>
  /** False: there was none. */
  removeSecondFactor(user: UserId): Promise<boolean>
  user(id: UserId): Promise<User | undefined>
  userByName(userName: string): Promise<User | undefined>
  /** By name. `found` counts before the page is cut out. */
  users(page: UsersPage): Promise<{ readonly found: number; readonly users: readonly User[] }>
  teams(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly TeamEntry[]>
  externalSystems(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly ExternalSystem[]>
  addExternalSystem(
    corporation: CorporationId,
    fields: ExternalSystemFields,
  ): Promise<ExternalSystem | 'code is taken' | 'no such corporation'>
  changeExternalSystem(
    id: ExternalSystemId,
    corporations: readonly CorporationId[],
    change: Partial<ExternalSystemFields>,
  ): Promise<ExternalSystem | 'no such system' | 'code is taken'>
  infoFields(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly InfoField[]>
  addInfoField(corporation: CorporationId, name: string): Promise<InfoField | 'name is taken' | 'no such corporation'>
}

interface UsersPage {
  readonly corporations: readonly CorporationId[]
  readonly offset: number
  readonly size: number
  readonly withInactive: boolean
  /** Only those of these names. */
  readonly userNames?: readonly string[]
}
