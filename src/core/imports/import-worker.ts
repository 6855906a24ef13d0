/** Carries out large imports, a piece at a time (D-08). A piece interrupted by a crash is repeated without doubles. */
import type { GivenCallTask } from '../../dialer/check-import.ts'
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { ImportJob, ImportPiece, PieceResult } from '../../ports/dialer-admin-repository.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { type CarryDependencies, carryOut } from './run-import.ts'

export type ImportWorkerDependencies = CarryDependencies & { readonly log: Log }

const LOOK_EVERY_MS = 500
/** Much longer than a piece takes; afterwards another worker takes the piece over. */
const PIECE_MS = 60_000
const FORGET_EVERY_MS = 10 * 60_000
const KEPT_MS = 30 * 24 * 3_600_000

/** Several processes may each run one: they share the pieces. */
export function importWorker(dependencies: ImportWorkerDependencies): Periodic {
  const { clock, log, dialerAdmin } = dependencies
  let forgetAtMs = 0
  const forget = async () => {
    if (clock.nowMs() < forgetAtMs) return
    forgetAtMs = clock.nowMs() + FORGET_EVERY_MS
    await dialerAdmin.forgetImports(clock.nowMs() - KEPT_MS)
  }
  const work = async (mayGoOn: () => boolean) => {
    try {
      while (mayGoOn() && (await workOffPiece(dependencies)));
      await forget()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'imports failed')
      else log.warn({ error: error.message }, 'imports wait for the database')
    }
  }
  return new Periodic({ clock, pauseMs: () => LOOK_EVERY_MS, work })
}

/** Imports one piece; false if no piece is due. */
export async function workOffPiece(dependencies: ImportWorkerDependencies): Promise<boolean> {
  const { clock, dialerAdmin, log } = dependencies
  const claimed = await dialerAdmin.claimImportPiece(clock.nowMs(), clock.nowMs() + PIECE_MS)
  if (!claimed) return false
  const { job, piece } = claimed
  const result = await carryOutPiece(dependencies, job, piece).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) throw error
    log.error({ err: error, importId: job.importId, firstIndex: piece.firstIndex }, 'piece of an import failed')
    return allUnexpected(piece)
  })
  if (typeof result === 'string') await dialerAdmin.failImport(job.importId, result, clock.nowMs())
  else await dialerAdmin.settleImportPiece(job.importId, piece.firstIndex, result, clock.nowMs())
  return true
}

/** The result, or why the whole import cannot continue. */
async function carryOutPiece(
  dependencies: ImportWorkerDependencies,
  job: ImportJob,
  { firstIndex, callTasks }: ImportPiece,
): Promise<PieceResult | string> {
  const search = { corporations: [job.corporation], ids: [job.campaign], page: 0, rowsMax: 1 }
  const [stored] = (await dependencies.dialerAdmin.findCampaigns(search)).campaigns
  if (!stored) return 'the campaign was deleted during the import'
  const reading = campaignOf(stored)
  if ('missing' in reading) return `the campaign is no longer ready; set ${reading.missing.join(', ')}`
  const { corporation, externalSystem, attemptsMax, intervalMs } = job
  const done = await carryOut(dependencies, {
    // The id of the piece: repeated after a crash, it gives the same result.
    importId: `${job.importId}#${firstIndex}`,
    campaign: reading.campaign,
    corporation,
    externalSystem,
    attemptsMax,
    intervalMs,
    firstIndex,
    callTasks: callTasks as readonly GivenCallTask[],
  })
  if (done === 'no such campaign') return 'the campaign was deleted during the import'
  return { imported: done.imported.length, faults: done.faults }
}

/** A defect must not keep an import running for ever; nothing of the piece was imported. */
function allUnexpected({ firstIndex, callTasks }: ImportPiece): PieceResult {
  const text = 'internal error; import the call task again'
  const faults = callTasks.map((_, place) => ({ index: firstIndex + place, kinds: ['unexpected' as const], text }))
  return { imported: 0, faults }
}
