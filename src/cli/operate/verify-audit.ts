import { anchorsFile, auditAnchors } from '../../adapters/files/audit-anchors.ts'
import { verifyAudit } from '../../store/admin/audit-verify.ts'
import type { CliContext } from '../place/cli-context.ts'
import { type Registry, withDatabase } from '../place/with-database.ts'

const DAY_MS = 24 * 3_600_000

/** `switchboard audit verify`: checks every chain of the audit trail; 0 if no record was changed. */
export async function auditVerify(context: CliContext): Promise<number> {
  return withDatabase(context, (registry) => verifyTrail(registry, context))
}

/** The same on an open database. */
export async function verifyTrail(
  { pools, nowMs }: Pick<Registry, 'pools' | 'nowMs'>,
  { settings, write }: CliContext,
): Promise<number> {
  const anchors = auditAnchors(anchorsFile(settings.dataDir)).read()
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
}
