import { installationIn, keepInstallation } from '../../adapters/files/installation-file.ts'
import { runningService } from '../../app/pid-file.ts'
import { contentOf, installationOf } from '../../store/nodes/installation-id.ts'
import type { CliContext } from '../place/cli-context.ts'
import { databaseOf } from '../place/data-place.ts'
import { withDatabase } from '../place/with-database.ts'

/** `switchboard adopt`: joins a data directory with a database of another installation (storage-06). */
export async function adopt(isConfirmed: boolean, { settings, write }: CliContext): Promise<number> {
  const { dataDir } = settings
  if (runningService(dataDir) !== undefined) {
    write(`a service runs in ${dataDir}; stop it first`)
    return 1
  }
  return withDatabase({ settings, write }, async ({ pools }) => {
    const [ofFiles, ofDatabase] = [installationIn(dataDir), await installationOf(pools)]
    const { tasks, calls, files } = await contentOf(pools)
    write(`files:    ${dataDir} belongs to ${ofFiles ?? 'no installation yet'}`)
    write(`database: ${databaseOf(settings)} is ${ofDatabase}: ${tasks} call tasks, ${calls} calls, ${files} files`)
    if (ofFiles === ofDatabase) {
      write('they belong together: there is nothing to adopt')
      return 0
    }
    if (!isConfirmed) {
      write(
        'nothing was changed; --confirm lets them work together. Files that the database does not know are not lost:',
      )
      write('`switchboard quarantine` lists what was put aside')
      return 1
    }
    keepInstallation(dataDir, ofDatabase)
    write(`${dataDir} belongs to ${ofDatabase} now`)
    return 0
  })
}
