/** Erases expired data and anchors the heads of the audit trail, once an hour (F-K3, F-K5). */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { Audit, AuditAnchors } from '../../ports/audit.ts'
import type { FlowEvents } from '../../ports/flows/flow-events.ts'
import type { KeptBytes, Privacy, RetainedKind } from '../../ports/privacy.ts'

/** Days for which each kind is kept after its end or its last change. */
export type RetentionDays = Readonly<Record<RetainedKind | 'audit', number>>

export interface RetentionDependencies {
  readonly privacy: Privacy
  readonly audit: Audit
  readonly anchors: AuditAnchors
  readonly flowEvents: Pick<FlowEvents, 'forget'>
  readonly bytes: Pick<KeptBytes, 'remove' | 'olderThan' | 'quarantine'>
  readonly days: RetentionDays
  readonly clock: Clock
  readonly log: Log
}

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 3_600_000
/** Keeps the start of the process free of this work. */
export const FIRST_AFTER_MS = 60_000
const BATCH = 200
/** In the order of their erasure. */
export const KINDS: readonly RetainedKind[] = ['recordings', 'transcripts', 'calls', 'tasks', 'activities', 'contacts']
/** Age from which a file without a row is an orphan: outcomes may wait in the spool before. */
const ORPHAN_DAYS = 7

/** A sweep never takes more of them: the database may be the wrong one (storage-06). */
const ORPHANS_MAX = 100
const ORPHANS_SHARE_MAX = 0.01
/** So many may be taken of however few. Our choice: a small installation must get rid of what a crash left. */
const ORPHANS_FREE = 5
const QUARANTINE_DAYS = 30
/** A node that was away for longer finds in its orphans what was erased meanwhile. */
const LEFT_DAYS = 30
/** A node that comes back after that finds nobody logged in. */
const SESSION_DAYS = 30

type ErasedCounts = Readonly<Record<RetainedKind | 'audit' | 'orphans' | 'quarantined', number>>

/**
 * Erases what has expired, in small transactions; `mayGoOn` false stops it after the current one. A kind that fails is
 * logged, and keeps no other from its erasure.
 */
export async function eraseExpired(
  dependencies: RetentionDependencies,
  mayGoOn: () => boolean = () => true,
): Promise<ErasedCounts> {
  const { audit, anchors, bytes, clock, flowEvents, log, privacy } = dependencies
  const atMs = clock.nowMs()
  const erase = async (what: string, work: () => Promise<number>): Promise<number> => {
    try {
      return await work()
    } catch (error) {
      log.error({ err: error, what }, 'expired data of one kind could not be erased; trying again in an hour')
      return 0
    }
  }
  await erase('anchors of the audit trail', async () => {
    anchors.keep(await audit.heads(), atMs)
    return 0
  })
  await erase('bytes of erased rows', async () => {
    // Whichever node erases a row, its bytes lie on the disk of one (files-and-activities-14).
    await bytes.remove(await privacy.leftSince(atMs - LEFT_DAYS * DAY_MS))
    return 0
  })
  const done = { recordings: 0, transcripts: 0, calls: 0, tasks: 0, activities: 0, contacts: 0, audit: 0 }
  for (const kind of KINDS) done[kind] = await erase(kind, () => eraseKind(dependencies, kind, atMs, mayGoOn))
  done.audit = await erase('audit', () => eraseAudit(dependencies, atMs))
  await erase('audit intents', async () => {
    while ((await audit.takeIntents(atMs)) > 0);
    return 0
  })
  await erase('events for flows', async () => {
    await flowEvents.forget(atMs)
    return 0
  })
  await erase('sessions of nodes that are gone', async () => {
    await privacy.forgetSessions(SESSION_DAYS)
    return 0
  })
  const quarantined = await erase('orphans', () => sweepOrphans(dependencies, atMs))
  const orphans = await erase('quarantine', () => bytes.quarantine.forget(atMs - QUARANTINE_DAYS * DAY_MS))
  return { ...done, orphans, quarantined }
}

async function eraseKind(
  { privacy, bytes, days }: RetentionDependencies,
  kind: RetainedKind,
  atMs: AtMs,
  mayGoOn: () => boolean,
): Promise<number> {
  const beforeAtMs = atMs - days[kind] * DAY_MS
  let sum = 0
  while (mayGoOn()) {
    const { left, count } = await privacy.expire(kind, beforeAtMs, atMs, BATCH)
    await bytes.remove(left)
    sum += count
    if (count < BATCH) break
  }
  return sum
}

/** Only up to an expired anchor, which proves that the erased entries were old (`audit verify`). */
async function eraseAudit({ privacy, anchors, days }: RetentionDependencies, atMs: AtMs): Promise<number> {
  const beforeAtMs = atMs - days.audit * DAY_MS
  const upto = new Map<CorporationId, number>()
  for (const anchor of anchors.read()) {
    if (anchor.atMs > beforeAtMs) continue
    upto.set(anchor.corporation, Math.max(anchor.number, upto.get(anchor.corporation) ?? 0))
  }
  let sum = 0
  for (const [corporation, number] of upto) {
    sum += await privacy.expireAudit(corporation, number, atMs)
  }
  return sum
}

/**
 * Puts files without rows into quarantine, such as after a crash between the commit and the removal of the file. Many
 * of them are none: `isOrdered` an operator looked, and says that they are.
 */
export async function sweepOrphans(
  { privacy, bytes, log }: Pick<RetentionDependencies, 'privacy' | 'bytes' | 'log'>,
  atMs: AtMs,
  isOrdered = false,
): Promise<number> {
  const old = await bytes.olderThan(atMs - ORPHAN_DAYS * DAY_MS)
  const left = await privacy.orphans(old)
  const [files, of] = [left, old].map(({ recordings, files }) => recordings.length + files.length) as [number, number]
  if (files > Math.min(ORPHANS_MAX, Math.max(ORPHANS_FREE, of * ORPHANS_SHARE_MAX)) && !isOrdered) {
    const remedy = 'check that the database belongs to DATA_DIR; if so, `switchboard quarantine --sweep` takes them'
    log.error({ files, of, remedy }, 'the database does not know many files; none of them was touched')
    return 0
  }
  await bytes.quarantine.take(left, atMs)
  return files
}

/** Several nodes may each run one: they share the rows. It starts `FIRST_AFTER_MS` after all else. */
export function retentionWorker(dependencies: RetentionDependencies): Periodic {
  const { clock, log, privacy } = dependencies
  const work = async (mayGoOn: () => boolean) => {
    if (await privacy.isAhead(clock.nowMs()).catch(() => true)) {
      return log.error({}, 'nothing is erased: the clock of this machine is ahead of that of the database')
    }
    const done = await eraseExpired(dependencies, mayGoOn)
    if (Object.values(done).some((count) => count > 0)) log.info(done, 'expired data erased')
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
