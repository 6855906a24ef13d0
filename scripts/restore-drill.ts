/** `npm run restore-drill -- --help`: backups during load, the loss of the database, and the restore. */
import { runRestore } from '../test/e2e/restore-run.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

interface Options {
  readonly tasks: number
  readonly runs: number
  readonly seed: number
  readonly agents: number
  readonly before: number
  readonly lost: number
  readonly after: number
  readonly tree: string
}

const DESCRIPTION = `A backup is made while a campaign is dialed on a real switch; then the engine is killed, database,
recordings and files are lost, and the backup is restored. Ends with 1 if anybody was called too often or too early, or
a file was lost.`

const values = developmentCommand('restore-drill', DESCRIPTION)
  .option('--tasks <count>', 'call tasks in the database', wholeNumber, 1_000)
  .option('--runs <count>', 'drills, one after another, each with the next seed', wholeNumber, 1)
  .option('--seed <number>', 'of the first one', wholeNumber, 1)
  .option('--agents <count>', 'agents at work', wholeNumber, 8)
  .option('--before <count>', 'people dialed before the backup', wholeNumber, 30)
  .option('--lost <count>', 'people dialed after it, whom the backup does not know', wholeNumber, 40)
  .option('--after <count>', 'people dialed after the restore', wholeNumber, 60)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<Options>()

const { runs, seed, tree, ...plan } = values
const treeDirectory = await installedTree(tree)
let faults = 0
for (let run = 0; run < runs; run++) {
  const result = await runRestore({ ...plan, seed: seed + run }, { treeDirectory, onLine: print })
  const { dialed, imported, tooOften, tooEarly, openAfterTalk, keptFiles, lostFiles } = result
  faults += tooOften.length + tooEarly + openAfterTalk + lostFiles
  const calls = `${dialed} dialed, ${imported} imported, ${tooOften.length} too often, ${tooEarly} too early`
  const left = `${openAfterTalk} open after a talk, ${lostFiles} of ${keptFiles} files lost`
  print(`seed ${seed + run}: ${calls}, ${left}`)
  for (const one of tooOften) print(`  ✗ ${one}`)
}
print(`${runs} drills, ${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
