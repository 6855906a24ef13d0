/** Once an hour: what was kept for its time is erased, and the heads of the audit trail are anchored (F-K3, F-K5). */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { Audit, AuditAnchors } from '../../ports/audit.ts'
import type { KeptBytes, Privacy, RetainedKind } from '../../ports/privacy.ts'

/** How many days each kind is kept after its end, or after its last change. */
export type RetentionDays = Readonly<Record<RetainedKind | 'audit', number>>

/** What the work needs. */
export interface RetentionDependencies {
  readonly privacy: Privacy
  readonly audit: Audit
  readonly anchors: AuditAnchors
  readonly bytes: KeptBytes
  readonly days: RetentionDays
  readonly clock: Clock
  readonly log: Log
}

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 3_600_000
/** Not among everything that happens at a start. */
export const FIRST_AFTER_MS = 60_000
const BATCH = 200
const KINDS: readonly RetainedKind[] = ['recordings', 'transcripts', 'calls', 'tasks', 'activities']
/** A file without a row is as old before it is one that nobody will ever ask for: outcomes may wait in the spool. */
const ORPHAN_DAYS = 7

/** What was erased, and of whom. */
export type Retained = Readonly<Record<RetainedKind | 'audit' | 'orphans', number>>

/** Does what is due at this instant, in small transactions; `mayGoOn` false ends it after the one under way. */
export async function retainOnce(
  dependencies: RetentionDependencies,
  mayGoOn: () => boolean = () => true,
): Promise<Retained> {
  const { audit, anchors, clock } = dependencies
  const atMs = clock.nowMs()
  anchors.keep(await audit.heads(), atMs)
  const done = { recordings: 0, transcripts: 0, calls: 0, tasks: 0, activities: 0, audit: 0, orphans: 0 }
  for (const kind of KINDS) done[kind] = await retainKind(dependencies, kind, atMs, mayGoOn)
  done.audit = await retainAudit(dependencies, atMs)
  while ((await audit.takeIntents(atMs)) > 0);
  done.orphans = await sweepOrphans(dependencies, atMs)
  return done
}

async function retainKind(
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

/** Only up to an anchor that is old enough: with it anybody can see that what is gone was old (`audit verify`). */
async function retainAudit({ privacy, anchors, days }: RetentionDependencies, atMs: AtMs): Promise<number> {
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

/** Bytes whose rows are gone, as after a crash between the commit and the disk. */
async function sweepOrphans({ privacy, bytes }: RetentionDependencies, atMs: AtMs): Promise<number> {
  const left = await privacy.orphans(await bytes.olderThan(atMs - ORPHAN_DAYS * DAY_MS))
  await bytes.remove(left)
  return left.recordings.length + left.files.length
}

/** Several nodes may each have one: they share the rows out. To be started `FIRST_AFTER_MS` after all else. */
export function retentionWorker(dependencies: RetentionDependencies): Periodic {
  const { clock, log } = dependencies
  const work = async (mayGoOn: () => boolean) => {
    try {
      const done = await retainOnce(dependencies, mayGoOn)
      if (Object.values(done).some((count) => count > 0)) log.info(done, 'what was kept for its time was erased')
    } catch (error) {
      log.warn({ err: error }, 'what was kept for its time is erased later')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
