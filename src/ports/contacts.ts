/** Contacts: people and companies, their numbers, and what they are to us (contract.md §2.5). */
import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId, EntityId, ExtensionId, ExternalSystemId, PhoneNumber } from '../kernel/ids.ts'

export type EntityKind = 'private' | 'company'
export type NumberKind = 'mobile' | 'home' | 'work' | 'other'

export interface EntityNumber {
  /** As it was written. */
  readonly given: string
  /** Null where what was written is no number. */
  readonly number: PhoneNumber | null
  readonly kind: NumberKind
  readonly isPrimary: boolean
}

/** A contact in an external system. Belongs to at most one contact. */
interface ExternalCustomer {
  readonly externalSystem: ExternalSystemId
  readonly externalCustomer: string
}

export interface EntityToSave {
  /** Absent: the contact that one of `customers` is already, else a new one. */
  readonly id?: EntityId
  readonly corporation: CorporationId
  /** Absent fields stay as they are; of a new contact they are private, unknown and empty. */
  readonly kind?: EntityKind
  /** Of a person the first names, of a company its name. A new contact needs it. */
  readonly name?: string
  /** Of a person the last name. */
  readonly secondName?: string
  /** BCP 47; null: unknown. */
  readonly language?: string | null
  /** All of them, in their order: others are taken away, and imports do not add those again. */
  readonly numbers?: readonly EntityNumber[]
  /** Those that it has beside them stay: an extension, once given out, is never taken away. */
  readonly customers: readonly ExternalCustomer[]
  /** `updatedAtMs` of the contact that was read; absent: whatever it is by now. */
  readonly seenAtMs?: AtMs
  readonly atMs: AtMs
}

/**
 * What came of saving; unless `saved`, nothing was changed. `customer is taken`: one of the customers is another
 * contact. `no name`: it would be a new contact. `stale`: it is not as it was at `seenAtMs`. An erased contact is none
 * any more.
 */
/** Most customers that a contact is: each reading of it has all (rest-47). */
export const CUSTOMERS_MAX = 1_000

export type EntitySaved =
  | {
      readonly outcome: 'saved'
      readonly id: EntityId
      readonly isNew: boolean
      readonly extensions: readonly ExtensionId[]
    }
  | {
      readonly outcome:
        | 'no such entity'
        | 'no such corporation'
        | 'no such external system'
        | 'customer is taken'
        | 'too many customers'
        | 'no name'
        | 'stale'
    }

interface KeptNumber extends EntityNumber {
  /** It is on the stop list and is not dialed. */
  readonly stopped: boolean
}

/** What a contact is to us; a customer so far. */
export interface EntityExtension {
  readonly id: ExtensionId
  readonly kind: 'customer'
  /** Our own number of the customer, without gaps within the corporation. */
  readonly sequenceNumber: number
  /** Null for a customer that no other system knows. */
  readonly external: { readonly system: ExternalSystemId; readonly code: string; readonly customer: string } | null
  /** The customer is on the stop list: none of their numbers is dialed. */
  readonly stopped: boolean
}

/** A contact as it is kept. `extensions` only where they were asked for, the oldest first. */
export interface Entity {
  readonly id: EntityId
  readonly corporation: CorporationId
  readonly kind: EntityKind
  readonly name: string
  readonly secondName: string
  /** BCP 47. */
  readonly language: string | null
  readonly numbers: readonly KeptNumber[]
  readonly extensions: readonly EntityExtension[] | null
  /** Later with each change of it, an import's too: no two states have the same. */
  readonly updatedAtMs: AtMs
}

/** Which contacts: of a list any, of all criteria every one. By id. */
export interface EntitySearch {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly EntityId[]
  readonly extensions?: readonly ExtensionId[]
  readonly sequenceNumber?: number
  readonly numbers?: readonly PhoneNumber[]
  /** A part of both names together, in capitals or not. */
  readonly name?: string
  readonly withExtensions: boolean
  readonly offset: number
  readonly rowsMax: number
}

/** May reject with `DatabaseUnavailable`. What belongs to a corporation not asked for does not exist (D-04). */
export interface ContactRepository {
  /** All or nothing, by a person or an integrator; imports make contacts themselves (cases-13). Repeatable. */
  saveEntity(entity: EntityToSave): Promise<EntitySaved>
  searchEntities(search: EntitySearch): Promise<{ readonly found: number; readonly entities: readonly Entity[] }>
}
