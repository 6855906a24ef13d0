/** `npm run chaos -- --help`: a campaign on a real switch while all that it stands on is killed. */
import { FAULTS, type FaultName } from '../test/e2e/chaos/chaos-faults.ts'
import { runChaos, tableOf } from '../test/e2e/chaos/chaos-run.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

interface Options {
  readonly calls: number
  readonly kills: number
  readonly asteriskKills: number
  readonly cuts: number
  readonly faults: number
  readonly only?: string
  readonly seed: number
  readonly agents: number
  readonly predictive: boolean
  readonly tree: string
  readonly keep: boolean
}

const DESCRIPTION = `A campaign on a real switch, while the engine and the switch are killed and their line is cut at
random moments. Ends with 1 when a rule was broken.`

const values = developmentCommand('chaos', DESCRIPTION)
  .option('--calls <count>', 'people to be called', wholeNumber, 2_000)
  .option('--kills <count>', 'kills of the engine', wholeNumber, 10)
  .option('--asterisk-kills <count>', 'kills of Asterisk', wholeNumber, 5)
  .option('--cuts <count>', 'cuts of the line between them', wholeNumber, 20)
  .option('--faults <count>', `of each of ${Object.keys(FAULTS).join(', ')}; a full disk takes root`, wholeNumber, 0)
  .option('--only <list>', 'only these of the further faults, separated by commas')
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--agents <count>', 'agents at work', wholeNumber, 8)
  .option('--predictive', 'dial ahead of the agents', false)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .option('--keep', 'leave everything where it was, to look into', false)
  .parse()
  .opts<Options>()

const names = Object.keys(FAULTS) as FaultName[]
const wanted = values.only === undefined ? names : names.filter((name) => values.only!.split(',').includes(name))
const treeDirectory = await installedTree(values.tree)
const plan = {
  calls: values.calls,
  engineKills: values.kills,
  asteriskKills: values.asteriskKills,
  cuts: values.cuts,
  others: Object.fromEntries(wanted.map((name) => [name, values.faults])),
  seed: values.seed,
  agents: values.agents,
  ...(values.predictive && { mode: 'predictive' as const }),
}
const result = await runChaos(plan, { treeDirectory, onLine: print, isKept: values.keep })
for (const line of tableOf(result)) print(line)
process.exitCode = result.violations.length === 0 ? 0 : 1
