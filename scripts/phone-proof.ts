/** `npm run desk-proof -- --help`: what an agent and a callee notice of reloads and cut lines. */
import { deskProofTable, runDeskProof } from '../test/e2e/phones/phone-proof-run.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

const DESCRIPTION = `An agent at the desk in a real browser, which is the phone too, on a real switch. Pages are loaded
again and lines are cut in calls. Prints how long each thing took; ends with 1 when something happened that must not.`

const values = developmentCommand('desk-proof', DESCRIPTION)
  .option('--starts <count>', 'beginnings of a shift', wholeNumber, 20)
  .option('--reloads <count>', 'reloads of the page in calls', wholeNumber, 100)
  .option('--cuts <count>', 'cuts of the phone in calls, and as many of the live stream', wholeNumber, 100)
  .option('--calls <count>', 'calls of which the showing is measured', wholeNumber, 200)
  .option('--closes <count>', 'pages that are closed in a call and stay closed', wholeNumber, 50)
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<{ starts: number; reloads: number; cuts: number; calls: number; closes: number; seed: number; tree: string }>()

const { tree, ...plan } = values
process.env['SWITCHBOARD_TEST_TREE'] = await installedTree(tree)
const proof = await runDeskProof(plan, print)
for (const line of deskProofTable(proof)) print(line)
process.exit(proof.violations.length === 0 ? 0 : 1)
