import { anchorsFile, auditAnchors } from '../services/audit-anchors.ts'
import { verifyAudit } from '../store/audit-verify.ts'
import type { Doors } from './flow-check.ts'
import { withDatabase } from './with-database.ts'

const DAY_MS = 24 * 3_600_000

/** `switchboard audit verify`: walks every chain of the audit trail. 0 when all of it is as it was written. */
export async function auditVerify(doors: Pick<Doors, 'settings' | 'write'>): Promise<number> {
  const { settings, write } = doors
  const anchors = auditAnchors(anchorsFile(settings.dataDir)).read()
  return withDatabase(doors, async ({ pools, nowMs }) => {
    const { records, chains, breaks } = await verifyAudit(pools, {
      anchors,
      removableUntilAtMs: nowMs - settings.retention.auditDays * DAY_MS,
      onProgress: (done) => write(`${done.records} records so far, corporation ${done.corporation}`),
    })
    for (const { corporation, number, why } of breaks) {
      write(`corporation ${corporation}: the chain breaks at record ${number}: ${why}`)
    }
    write(`${records} records in ${chains} chains, ${anchors.length} anchors: ${breaks.length} chains are broken`)
    return breaks.length === 0 ? 0 : 1
  })
}
