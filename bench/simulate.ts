/** `npm run simulate -- FILE`: `switchboard simulate`, with other dialers and the referee as policies too. */
import { Command, InvalidArgumentError } from 'commander'
import { simulateCommand } from '../src/cli/simulate.ts'
import { DEFAULT_POLICY } from '../src/pacing-sim/policies.ts'
import { ALL_POLICY_NAMES, anyPolicyNamed } from './policies.ts'

const policies = { names: ALL_POLICY_NAMES, named: anyPolicyNamed }
const write = (line: string) => void process.stdout.write(`${line}\n`)

await new Command('npm run simulate --')
  .description('run days of a scenario on virtual time, under our own policies and those of other dialers')
  .argument('<file>', 'a scenario, such as bench/pacing/reference-30.yaml')
  .option('--policy <names>', `divided by commas: ${ALL_POLICY_NAMES.join(', ')}`, DEFAULT_POLICY)
  .option('--days <number>', 'how many days, instead of those of the file', wholeNumber)
  .option('--seed <number>', 'the same seed gives the same days', wholeNumber)
  .option('--agents <number>', 'how many agents, instead of those of the file', wholeNumber)
  .option('--csv <file>', 'write a row for each day')
  .option('--summary <file>', 'write the figures as JSON')
  .action((file: string, options) => {
    process.exitCode = simulateCommand(file, options, { write, policies })
  })
  .parseAsync()

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
