/** `npm run keys -- --help`: callers type on a real switch in every way in which telephones send keys. */
import { keyMatrix } from '../test/e2e/key-matrix.ts'
import { startLive } from '../test/e2e/live.ts'
import { TYPING_FLOW, typeKeys } from '../test/e2e/typed-keys-run.ts'
import { developmentCommand, installedTree, print, wholeNumber } from './command.ts'

interface Options {
  readonly callers: number
  readonly only: string
  readonly seed: number
  readonly tree: string
}

const DESCRIPTION = `Callers type into a flow on a real switch: RFC 4733 with short, long and close keys, jitter, lost,
doubled and reordered packets, SIP INFO, tones. Prints a table of the keys that the flow got wrong. Ends with 1 when a
key of a usual telephone was wrong.`

const values = developmentCommand('keys', DESCRIPTION)
  .option('--callers <count>', 'callers at once', wholeNumber, 10)
  .option('--only <words>', 'only the rows whose name contains these words', '')
  .option('--seed <number>', 'other keys, another jitter', wholeNumber, 1)
  .option('--tree <directory>', 'an Asterisk that is installed already', '.data/asterisk')
  .parse()
  .opts<Options>()

/** The journal of one installation keeps the calls of so many rows; its replay is part of the check. */
const ROWS_PER_SWITCH = 4

const treeDirectory = await installedTree(values.tree)
process.env['SWITCHBOARD_TEST_TREE'] = treeDirectory
const rows = keyMatrix(values.callers).filter(({ name }) => name.includes(values.only))
const sums = new Map([true, false].map((isUsual) => [isUsual, { typed: 0, wrong: 0 }]))
print('| Telephone | Callers | Keys | Wrong | Example |\n|---|---:|---:|---:|---|')
for (let from = 0; from < rows.length; from += ROWS_PER_SWITCH) {
  const live = await startLive({ flow: TYPING_FLOW })
  for (const [at, { name, isUsual, ...given }] of rows.slice(from, from + ROWS_PER_SWITCH).entries()) {
    const { typed, wrong, example = '' } = await typeKeys(live, given, values.seed * 1_000 + from + at)
    print(`| ${name} | ${given.callers} | ${typed} | ${wrong} | ${example} |`)
    const sum = sums.get(isUsual)!
    sum.typed += typed
    sum.wrong += wrong
  }
  await live.close()
}
const { typed, wrong } = sums.get(true)!
const rest = sums.get(false)!
print(`\nusual telephones: ${wrong} of ${typed} keys wrong; all others: ${rest.wrong} of ${rest.typed}`)
process.exitCode = wrong === 0 ? 0 : 1
