/** Whether the database is older than what its node knows: it was restored from a backup, or replaced (storage-08). */
import { anchorsFile, auditAnchors } from '../adapters/files/audit-anchors.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { newestClaims } from '../adapters/files/read-witnesses.ts'
import { spoolFile } from '../adapters/files/spool-file.ts'
import { highestAttemptIn } from '../ari/cel/cel-reader.ts'
import { type Log, silentLog } from '../kernel/log.ts'
import type { Audit } from '../ports/audit.ts'
import type { ClaimWitness } from '../ports/calls/witness.ts'
import type { Pools } from '../store/db/pools.ts'
import { restoredState, unknownClaims, waitForConfirmation } from '../store/nodes/restored.ts'
import type { Settings } from './settings.ts'

export type EarlierClaim = Pick<ClaimWitness, 'attempt' | 'task'>

interface Witnessing {
  readonly settings: Pick<Settings, 'dataDir'>
  readonly pools: Pools
  readonly audit: Pick<Audit, 'heads'>
}

/** What shows that the database is behind; undefined: nothing does. */
async function whyBehind(
  { settings, pools, audit }: Witnessing,
  claims: readonly EarlierClaim[],
): Promise<string | undefined> {
  const { confirmedAtMs, highestAttempt } = await restoredState(pools)
  const forgotten = await whyForgotten(pools, claims)
  if (forgotten !== undefined) return forgotten
  const highest = await highestWitness(settings)
  if (highest > highestAttempt) return `it has ${highestAttempt} attempts, and ${highest} were made`
  const heads = new Map((await audit.heads()).map(({ corporation, number }) => [corporation, number]))
  const anchor = auditAnchors(anchorsFile(settings.dataDir))
    .read()
    .find(({ atMs, corporation, number }) => atMs > confirmedAtMs && number > (heads.get(corporation) ?? 0))
  return (
    anchor &&
    `its audit trail ends before record ${anchor.number} of corporation ${anchor.corporation}, which is anchored`
  )
}

async function whyForgotten(pools: Pools, claims: readonly EarlierClaim[]): Promise<string | undefined> {
  const unknown = await unknownClaims(pools, claims)
  return unknown.size > 0 ? `it does not know ${unknown.size} of the newest calls that the journal shows` : undefined
}

/** The highest attempt that Asterisk's events or the outcomes on their way name; 0 without any. */
export async function highestWitness({ dataDir }: Pick<Settings, 'dataDir'>): Promise<number> {
  const places = tracePlaces(dataDir)
  const spooled = spoolFile(places.spoolFile, silentLog).read() as readonly { value?: { attempt?: unknown } }[]
  const numbers = spooled.map(({ value }) => Number(value?.attempt)).filter(Number.isSafeInteger)
  return Math.max(0, await highestAttemptIn(places.callEventsFile), ...numbers)
}

/** Stops all dialing if the database is behind; callers are served. Returns the newest claims that it knows. */
export async function stopIfBehind(witnessing: Witnessing, log: Log): Promise<readonly EarlierClaim[]> {
  const { pools, settings } = witnessing
  const { confirmedAtMs } = await restoredState(pools)
  const claims = await newestClaims(tracePlaces(settings.dataDir).journalDirectory, confirmedAtMs)
  const isStopped = await stopFor(pools, await whyBehind(witnessing, claims), log)
  return isStopped ? [] : claims
}

/** The same while the service runs, for claims that the database once knew. True: it waits for a confirmation. */
export async function stopIfForgotten(pools: Pools, claims: readonly EarlierClaim[], log: Log): Promise<boolean> {
  const why = await whyForgotten(pools, claims)
  return why !== undefined && stopFor(pools, why, log)
}

/** Says so as well where the database waits for another reason. */
async function stopFor(pools: Pools, why: string | undefined, log: Log): Promise<boolean> {
  if (why !== undefined) await waitForConfirmation(pools, `the database is behind its files: ${why}`)
  const { toConfirm } = await restoredState(pools)
  if (toConfirm === null) return false
  const remedy = '`switchboard restore confirm` imports what the database lacks, and lets it dial'
  log.error({ why: toConfirm, remedy }, 'nothing is dialed: the database was restored')
  return true
}
