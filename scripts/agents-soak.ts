/** `npm run desk-soak -- --help`: many desks through many calls, and what became of each. */
import { runDeskSoak } from '../test/console/desk/soak/desk-soak-run.ts'
import { deskSoakFigures, deskSoakTable, isSound } from '../test/console/desk/soak/desk-soak-table.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

const DESCRIPTION = `Agents at desks in a real browser, which are their phones too, on a real switch. Each outcome is
saved by the keyboard. Then carrier, desks and node are asked what became of each call, and whether a page has grown
(medians of the early and the late looks). Ends with 1 when something happened that must not.`

const values = developmentCommand('desk-soak', DESCRIPTION)
  .option('--desks <count>', 'agents, each with a page of their own', wholeNumber, 15)
  .option('--calls <count>', 'of all desks together', wholeNumber, 1_000)
  .option('--talk-seconds <count>', 'until an agent ends a call; callees talk 2 s longer', wholeNumber, 2)
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--json', 'the figures as one line of JSON; progress goes to the error output', false)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<{ desks: number; calls: number; talkSeconds: number; seed: number; json: boolean; tree: string }>()

const { tree, json, ...plan } = values
process.env['SWITCHBOARD_TEST_TREE'] = await installedTree(tree)
const soak = await runDeskSoak(plan, json ? (line) => process.stderr.write(`${line}\n`) : print)
if (json) print(JSON.stringify(deskSoakFigures(soak)))
else for (const line of deskSoakTable(soak)) print(line)
process.exit(isSound(soak) ? 0 : 1)
