/** `npm run soak -- --help`: ordinary life on a real switch, and whether everything adds up afterwards. */
import { accountOf, runSoak } from '../test/e2e/soak/soak-run.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

const DESCRIPTION = `Callers, a campaign, agents who come and go, a webhook that fails, and a client of the API, on a
real switch. Then INVITEs, attempts, activities and events are compared, and what is still open is counted. Ends with
1 when the accounting does not hold, or memory or handles grow.`

const values = developmentCommand('soak', DESCRIPTION)
  .option('--minutes <count>', 'so long', wholeNumber, 30)
  .option('--agents <count>', 'agents at work', wholeNumber, 6)
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--rate <count>', 'calls of the campaign in a second, most of them to busy lines', wholeNumber)
  .option('--fault-percent <count>', 'calls and events of a hundred that end in a fault', wholeNumber)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<{ minutes: number; agents: number; seed: number; rate?: number; faultPercent?: number; tree: string }>()

const treeDirectory = await installedTree(values.tree)
const { minutes, tree: _, ...plan } = values
const result = await runSoak({ ...plan, lengthMs: minutes * 60_000 }, { treeDirectory, onLine: print })
for (const line of accountOf(result)) print(line)
process.exitCode = result.violations.length === 0 ? 0 : 1
