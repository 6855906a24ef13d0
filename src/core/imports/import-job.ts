/** Import jobs: their ids, their pieces and their results (D-08). */
import type { Campaign } from '../../dialer/campaign.ts'
import type { GivenCallTask } from '../../dialer/check-import.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { type Random, randomText } from '../../kernel/random.ts'
import type { DialerAdminRepository, ImportPiece, NewImportJob } from '../../ports/dialer-admin-repository.ts'
import type { CarriedOut } from './run-import.ts'

/** Call tasks that are stored and imported together. */
const PIECE_TASKS = 1_000

/** A new import job. */
export function jobOf(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  order: ImportOrder,
): NewImportJob {
  const { corporation, campaign, externalSystem, attemptsMax, intervalMs, callTasks } = order
  const createdAtMs = clock.nowMs()
  return {
    importId: newImportId(createdAtMs, random),
    corporation,
    externalSystem,
    attemptsMax,
    intervalMs,
    createdAtMs,
    campaign: campaign.id,
    submitted: callTasks.length,
  }
}

function newImportId(atMs: number, random: Random): string {
  return `imp_${atMs.toString(36)}${randomText(random, 10)}`
}

/** The call tasks in pieces; `read` translates a piece. */
export function* piecesOf<T>(
  callTasks: readonly T[],
  read: (piece: readonly T[]) => readonly GivenCallTask[],
): Generator<ImportPiece & { readonly callTasks: readonly GivenCallTask[] }> {
  for (let firstIndex = 0; firstIndex < callTasks.length; firstIndex += PIECE_TASKS) {
    yield { firstIndex, callTasks: read(callTasks.slice(firstIndex, firstIndex + PIECE_TASKS)) }
  }
}

/** Stores a finished import. A failure is only logged: an error would say that nothing was imported. */
export async function keepJob(
  { dialerAdmin, log }: { readonly dialerAdmin: Pick<DialerAdminRepository, 'keepImport'>; readonly log: Log },
  job: NewImportJob,
  done: CarriedOut,
): Promise<void> {
  try {
    await dialerAdmin.keepImport(job, { imported: done.imported.length, faults: done.faults })
  } catch (error) {
    log.warn({ importId: job.importId, err: error }, 'import finished, but its result could not be stored')
  }
}

/** An import request without faults at request level. */
export interface ImportOrder {
  readonly corporation: CorporationId
  readonly campaign: Campaign
  readonly externalSystem: ExternalSystemId
  readonly attemptsMax: number
  readonly intervalMs: number
  readonly callTasks: readonly unknown[]
}
