import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditAnchor, AuditHead, AuditRecord } from '../../ports/audit.ts'
import type { Transaction } from '../db/connection.ts'
import type { Pools } from '../db/pools.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { RECORD_FIELDS } from './audit.ts'
import { CHAIN_BEGIN, type ChainBreak, ChainWalk } from './audit-chain.ts'

const PAGE = 1_000

/** The values that the trail must agree with. */
interface VerifyOptions {
  readonly anchors: readonly AuditAnchor[]
  /** Records up to an anchor older than this may have been removed. */
  readonly removableUntilAtMs: AtMs
  /** Called after each thousand records. */
  readonly onProgress: (progress: { readonly corporation: CorporationId; readonly records: number }) => void
}

/** The result; only the first break of each corporation, ordered by corporation. */
interface Verified {
  readonly records: number
  readonly chains: number
  readonly breaks: readonly ChainBreak[]
}

/** Checks every chain in one snapshot: entries added meanwhile do not matter. */
export function verifyAudit({ jobs }: Pick<Pools, 'jobs'>, options: VerifyOptions): Promise<Verified> {
  const begin = 'begin isolation level repeatable read read only'
  return inTransaction(jobs, (transaction) => verifyAll(transaction, options), begin)
}

async function verifyAll(transaction: Transaction, options: VerifyOptions): Promise<Verified> {
  const chains = await ask<Chain>(transaction, CHAINS, [CHAIN_BEGIN])
  const known = new Set(chains.map(({ corporation }) => corporation))
  const gone = new Set(options.anchors.map(({ corporation }) => corporation).filter((id) => !known.has(id)))
  const breaks: ChainBreak[] = [...gone].map((corporation) => {
    return { corporation, number: 1, why: 'the whole chain is gone, and an anchor knows it' }
  })
  let records = 0
  for (const chain of chains) {
    const { corporation } = chain
    const broken = await walkChain(transaction, chain, options, () => {
      records++
      if (records % PAGE === 0) options.onProgress({ corporation, records })
    })
    if (broken) breaks.push(broken)
  }
  return { records, chains: chains.length, breaks }
}

interface Chain extends AuditHead {
  readonly baseNumber: number
  readonly baseHash: string
}

async function walkChain(
  transaction: Transaction,
  { corporation, number, hash, baseNumber, baseHash }: Chain,
  options: VerifyOptions,
  onRecord: () => void,
): Promise<ChainBreak | undefined> {
  const base = { corporation, number: baseNumber, hash: baseHash }
  const walk = new ChainWalk({ base, head: { corporation, number, hash }, ...options })
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await ask<AuditRecord>(transaction, PAGE_OF, [corporation, after, PAGE])
    for (const record of page) {
      const broken = walk.take(record)
      if (broken) return broken
      onRecord()
    }
    if (page.length < PAGE) return walk.end()
    after = page.at(-1)!.number
  }
}

/** Includes chains whose head was removed. */
const CHAINS = `
select c.id as corporation, coalesce(h.number, 0) as number, coalesce(h.hash, $1) as hash,
  coalesce(h.base_number, 0) as "baseNumber", coalesce(h.base_hash, $1) as "baseHash"
  from corporations c left join audit_heads h on h.corporation_id = c.id order by c.id`

const PAGE_OF = `
select ${RECORD_FIELDS} from audit_records where corporation_id = $1 and number > $2 order by number limit $3`
