/** `npm run soak -- --help`: ordinary life on a real switch, and whether everything adds up afterwards. */
import { resolve } from 'node:path'
import { installAsterisk } from '../asterisk/install.ts'
import { accountOf, runSoak } from '../test/e2e/soak-run.ts'
import { developmentCommand, wholeNumber } from './command.ts'

const DESCRIPTION = `Callers, a campaign, agents who come and go, a webhook that fails, and a client of the API, on a
real switch. Then INVITEs, attempts, activities and events are compared, and what is still open is counted. Ends with
1 when the accounting does not hold, or memory or handles grow.`

const values = developmentCommand('soak', DESCRIPTION)
  .option('--minutes <count>', 'so long', wholeNumber, 30)
  .option('--agents <count>', 'agents at work', wholeNumber, 6)
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<{ minutes: number; agents: number; seed: number; tree: string }>()

const onLine = (line: string) => void process.stdout.write(`${line}\n`)
const treeDirectory = resolve(values.tree)
const installed = await installAsterisk(treeDirectory, onLine)
if (!installed.ok) {
  onLine(`${installed.why}\n${installed.remedy}`)
  process.exit(1)
}
const { agents, seed, minutes } = values
const result = await runSoak({ lengthMs: minutes * 60_000, agents, seed }, { treeDirectory, onLine })
for (const line of accountOf(result)) onLine(line)
process.exitCode = result.violations.length === 0 ? 0 : 1
