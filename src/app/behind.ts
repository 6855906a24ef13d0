/** Whether the database is older than what the files beside it witness: it was restored from a backup (storage-08). */
import { anchorsFile, auditAnchors } from '../adapters/files/audit-anchors.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { newestClaims } from '../adapters/files/read-witnesses.ts'
import { spoolFile } from '../adapters/files/spool-file.ts'
import { highestAttemptIn } from '../ari/cel/cel-reader.ts'
import { type Log, silentLog } from '../kernel/log.ts'
import type { Audit } from '../ports/audit.ts'
import type { Pools } from '../store/db/pools.ts'
import { restoredState, unknownClaims, waitForConfirmation } from '../store/nodes/restored.ts'
import type { Settings } from './settings.ts'

interface Witnessing {
  readonly settings: Pick<Settings, 'dataDir'>
  readonly pools: Pools
  readonly audit: Pick<Audit, 'heads'>
}

/** What shows that the database is behind; undefined: nothing does. */
async function whyBehind({ settings, pools, audit }: Witnessing): Promise<string | undefined> {
  const { journalDirectory } = tracePlaces(settings.dataDir)
  const { confirmedAtMs, highestAttempt } = await restoredState(pools)
  const claims = await newestClaims(journalDirectory, confirmedAtMs)
  const unknown = await unknownClaims(pools, claims)
  if (unknown.size > 0) return `it does not know ${unknown.size} calls that the journal shows`
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

/** The highest attempt that Asterisk's events or the outcomes on their way name; 0 without any. */
export async function highestWitness({ dataDir }: Pick<Settings, 'dataDir'>): Promise<number> {
  const places = tracePlaces(dataDir)
  const spooled = spoolFile(places.spoolFile, silentLog).read() as readonly { value?: { attempt?: unknown } }[]
  const numbers = spooled.map(({ value }) => Number(value?.attempt)).filter(Number.isSafeInteger)
  return Math.max(0, await highestAttemptIn(places.callEventsFile), ...numbers)
}

/** Stops all dialing if the database is behind; callers are served. */
export async function stopIfBehind(witnessing: Witnessing, log: Log): Promise<void> {
  const why = await whyBehind(witnessing)
  if (why !== undefined) await waitForConfirmation(witnessing.pools, `the database is behind its files: ${why}`)
  const { toConfirm } = await restoredState(witnessing.pools)
  if (toConfirm === null) return
  const remedy = '`switchboard restore confirm` imports what the database lacks, and lets it dial'
  log.error({ why: toConfirm, remedy }, 'nothing is dialed: the database was restored')
}
