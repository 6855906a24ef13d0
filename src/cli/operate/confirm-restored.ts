import { tracePlaces } from '../../adapters/files/erase-files.ts'
import { newestLineAtMs, readWitnesses } from '../../adapters/files/read-witnesses.ts'
import { highestWitness } from '../../app/behind.ts'
import { confirmRestored, restoredState } from '../../store/nodes/restored.ts'
import type { CliContext } from '../place/cli-context.ts'
import { withDatabase } from '../place/with-database.ts'

interface ConfirmOrder {
  /** Journals of other nodes, or of a machine that was lost. */
  readonly journal: readonly string[]
  readonly acceptGap?: boolean
}

/**
 * `switchboard restore confirm`: imports every attempt and stop that the journals show and the database lacks, and lets
 * it dial. Without `acceptGap` it refuses where calls remain that nobody can name.
 */
export async function confirmRestore(
  { journal, acceptGap = false }: ConfirmOrder,
  { settings, write }: CliContext,
): Promise<number> {
  return withDatabase({ settings, write }, async ({ pools, nowMs }) => {
    const { toConfirm, confirmedAtMs, backupAtMs, highestAttempt } = await restoredState(pools)
    if (toConfirm === null) {
      write('there is nothing to confirm')
      return 0
    }
    write(toConfirm)
    const folders = [tracePlaces(settings.dataDir).journalDirectory, ...journal]
    const read = await Promise.all(folders.map((folder) => readWitnesses(folder, confirmedAtMs)))
    const [attempts, stops] = [read.flatMap((one) => one.attempts), read.flatMap((one) => one.stops)]
    const named = attempts.reduce((highest, { attempt }) => Math.max(highest, attempt), highestAttempt)
    const highest = Math.max(named, await highestWitness(settings))
    const newestAtMs = Math.max(0, ...(await Promise.all(folders.map(newestLineAtMs))))
    const gaps = [
      ...(highest > named ? [`Asterisk made call ${highest}, and the journal ends at ${named}`] : []),
      ...(backupAtMs !== null && newestAtMs <= backupAtMs ? ['no journal goes on after the backup'] : []),
    ]
    for (const gap of gaps) write(`gap: ${gap}`)
    if (gaps.length > 0 && !acceptGap) {
      write('people may have been called whom nobody can name. Give the journals of every node and of the lost machine')
      write('(--journal FOLDER), or --accept-gap to dial although they may be called again; nothing was changed')
      return 1
    }
    const imported = await confirmRestored(pools, { attempts, stops, highestAttempt: highest, nowMs })
    write(`${imported.attempts} attempts and ${imported.stops} stops were imported; ${attempts.length} are witnessed`)
    for (const { attempt, campaign } of imported.lost) {
      write(`attempt ${attempt} was not imported: the database does not know campaign ${campaign}`)
    }
    write('the database may dial; if the kill switch is on, lift it: PUT /dialer/killswitch')
    return 0
  })
}
