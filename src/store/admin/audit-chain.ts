/** The chain of the audit trail: every record holds the hash of the record before. Pure functions, no database. */
import { createHash } from 'node:crypto'
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditAnchor, AuditEntry, AuditHead, AuditRecord } from '../../ports/audit.ts'

/** The previous hash of the first record of a chain. */
export const CHAIN_BEGIN = '0'.repeat(64)

/** The record after `head`. */
export function nextRecord({ corporation, number, hash }: AuditHead, entry: AuditEntry): AuditRecord {
  const record = { ...entry, corporation, number: number + 1, previousHash: hash }
  return { ...record, hash: hashOf(record) }
}

/** SHA-256 over the fields as a JSON array in this order: every node gets the same bytes. */
function hashOf(record: Omit<AuditRecord, 'hash'>): string {
  const { corporation, number, previousHash, atMs, credential, user, action, object, ids, count } = record
  const { operation, reason, address, traceId } = record
  const fields = [
    ...[corporation, number, previousHash, atMs, credential, user, action, object, ids, count],
    ...[operation, reason, address, traceId],
  ]
  return createHash('sha256').update(JSON.stringify(fields), 'utf8').digest('hex')
}

/** A break of a chain. `number`: the first record that was changed or is missing. */
export interface ChainBreak {
  readonly corporation: CorporationId
  readonly number: number
  readonly why: string
}

/** The values that a chain must agree with. */
export interface ChainClaims {
  /** Where the chain begins: number 0 unless expired records were removed. */
  readonly base: AuditHead
  /** Where the chain ends according to the database. */
  readonly head: AuditHead
  /** Heads of earlier days, also of other corporations. */
  readonly anchors: readonly AuditAnchor[]
  /** Records up to an anchor older than this may have been removed; later records may not. */
  readonly removableUntilAtMs: AtMs
}

/** Checks one chain from its beginning, record by record. Mutable: it holds the last record. */
export class ChainWalk {
  readonly #claims: ChainClaims
  /** A quiet chain has the same head for many days: of one number there are many. */
  readonly #anchors: ReadonlyMap<number, readonly AuditAnchor[]>
  #last: Pick<AuditHead, 'number' | 'hash'>

  constructor(claims: ChainClaims) {
    const { base, anchors } = claims
    this.#claims = claims
    const own = anchors.filter(({ corporation }) => corporation === base.corporation)
    this.#anchors = Map.groupBy(own, ({ number }) => number)
    this.#last = base
  }

  /** Checks the next record; undefined if it follows the last one and is unchanged. */
  take(record: AuditRecord): ChainBreak | undefined {
    const { number, hash } = this.#last
    if (record.number !== number + 1) return this.#broken(number + 1, `record ${number + 1} is missing`)
    if (record.previousHash !== hash) return this.#broken(record.number, 'it does not follow on the one before')
    if (record.hash !== hashOf(record)) return this.#broken(record.number, 'it is not as it was written')
    if (this.#anchors.get(record.number)?.some(({ hash }) => hash !== record.hash)) {
      return this.#broken(record.number, 'it differs from the anchor of its day: the chain was written anew')
    }
    this.#last = { number: record.number, hash: record.hash }
    return undefined
  }

  /** Call it after the last record: checks that the chain ends at its head and begins early enough. */
  end(): ChainBreak | undefined {
    const { base, head, removableUntilAtMs } = this.#claims
    const { number, hash } = this.#last
    if (head.number !== number || head.hash !== hash) {
      return this.#broken(number + 1, `the chain ends at ${number}, and its head says ${head.number}`)
    }
    const anchors = [...this.#anchors.values()].flat().sort((a, b) => a.number - b.number)
    const cutTail = anchors.find((anchor) => anchor.number > number)
    if (cutTail) return this.#broken(number + 1, `the chain ends at ${number}, and an anchor knows ${cutTail.number}`)
    const isOld = (anchor: AuditAnchor) => anchor.number >= base.number && anchor.atMs <= removableUntilAtMs
    if (base.number > 0 && !anchors.some(isOld)) {
      return this.#broken(1, `no anchor shows that the records up to ${base.number} were old when they were removed`)
    }
    return undefined
  }

  #broken(number: number, why: string): ChainBreak {
    return { corporation: this.#claims.base.corporation, number, why }
  }
}
