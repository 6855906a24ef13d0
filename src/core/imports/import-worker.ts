/** Works off large imports, a piece at a time (D-08). What a crash interrupts is done again without doubles. */

import type { GivenCallTask } from '../../dialer/import-call-tasks.ts'
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { ImportJob, ImportPiece, PieceResult } from '../../ports/dialer-admin-repository.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { type CarryDependencies, carryOut } from './run-import.ts'

/** What a worker works with. */
export type ImportWorkerDependencies = CarryDependencies & { readonly log: Log }

const LOOK_EVERY_MS = 500
/** Much longer than a piece takes; then another worker takes it for left behind. */
const PIECE_MS = 60_000
const FORGET_EVERY_MS = 10 * 60_000
const KEPT_MS = 30 * 24 * 3_600_000

/** Several processes may each have one: they share the pieces out. */
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
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'the imports cannot be worked off')
      else log.warn({ error: error.message }, 'the imports wait for the database')
    }
  }
  return new Periodic({ clock, pauseMs: () => LOOK_EVERY_MS, work })
}

/** One piece of any import; false when there is none to be done. */
export async function workOffPiece(dependencies: ImportWorkerDependencies): Promise<boolean> {
  const { clock, dialerAdmin, log } = dependencies
  const claimed = await dialerAdmin.claimImportPiece(clock.nowMs(), clock.nowMs() + PIECE_MS)
  if (!claimed) return false
  const { job, piece } = claimed
  const result = await carryOutPiece(dependencies, job, piece).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) throw error
    log.error({ err: error, importId: job.importId, firstIndex: piece.firstIndex }, 'a piece of an import failed')
    return allUnexpected(piece)
  })
  if (typeof result === 'string') await dialerAdmin.failImport(job.importId, result, clock.nowMs())
  else await dialerAdmin.settleImportPiece(job.importId, piece.firstIndex, result, clock.nowMs())
  return true
}

/** What came of it, or why the whole import cannot go on. */
async function carryOutPiece(
  dependencies: ImportWorkerDependencies,
  job: ImportJob,
  { firstIndex, callTasks }: ImportPiece,
): Promise<PieceResult | string> {
  const search = { corporations: [job.corporation], ids: [job.campaign], page: 0, rowsMax: 1 }
  const [stored] = (await dependencies.dialerAdmin.findCampaigns(search)).campaigns
  if (!stored) return 'the campaign is gone'
  const reading = campaignOf(stored)
  if ('missing' in reading) return `the campaign is not ready any more: ${reading.missing.join(', ')}`
  const { corporation, externalSystem, attemptsMax, intervalMs } = job
  const done = await carryOut(dependencies, {
    // The name of the piece: asked for again after a crash, it answers as it did then.
    importId: `${job.importId}#${firstIndex}`,
    campaign: reading.campaign,
    ...{ corporation, externalSystem, attemptsMax, intervalMs, firstIndex },
    callTasks: callTasks as readonly GivenCallTask[],
  })
  if (done === 'no such campaign') return 'the campaign is gone'
  return { imported: done.imported.length, faults: done.faults }
}

/** A mistake of ours must not keep an import running for ever; nothing of the piece was made. */
function allUnexpected({ firstIndex, callTasks }: ImportPiece): PieceResult {
  const text = 'something went wrong on our side; import it again'
  const faults = callTasks.map((_, place) => ({ index: firstIndex + place, kinds: ['unexpected' as const], text }))
  return { imported: 0, faults }
}
