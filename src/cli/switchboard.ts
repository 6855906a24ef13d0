/** The `switchboard` command: one verb per file, this one only knows their names. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readCall } from '../adapters/files/journal-folder.ts'
import { readSettings } from '../app/settings.ts'
import { DEFAULT_POLICY, POLICY_NAMES } from '../pacing-sim/policies.ts'
import { CHARSETS } from '../ports/sheets.ts'
import { USE_NAMES } from '../rest/dialer/call-task-sheet-schema.ts'
import { applyCommand } from './apply.ts'
import { asteriskConfig, asteriskInstall, asteriskStart, asteriskStop } from './asterisk.ts'
import { auditVerify } from './audit.ts'
import { callReplay } from './call-replay.ts'
import { callShow } from './call-show.ts'
import { demoCommand } from './demo.ts'
import { flowCheck } from './flow-check.ts'
import { importSheet } from './import-sheet.ts'
import { simulateCommand } from './simulate.ts'
import { tokenCreate } from './token-create.ts'
import { userAdd, userPassword } from './user.ts'

const write = (text: string) => void process.stdout.write(`${text}\n`)
const { env } = process
const read = readSettings(env)
const settings = () => {
  if (read.settings) return read.settings
  for (const problem of read.problems) write(problem)
  process.exit(1)
}
const journal = () => ({
  read: (call: Parameters<typeof readCall>[1]) => readCall(resolve(settings().dataDir, 'journal'), call),
})
const exitWith = (status: number) => {
  process.exitCode = status
}

const program = new Command('switchboard')
  .description('An open call centre over Asterisk')
  .showHelpAfterError()
  .showSuggestionAfterError()

program
  .command('demo')
  .description('people phone in on a real Asterisk, and everything that must come of it is checked')
  .option('--summary <file>', 'write the result as JSON')
  .option('--seed <number>', 'the same seed chooses the same ports and ids', wholeNumber)
  .option('--keep', 'leave everything running until Ctrl-C')
  .option('--simulated', 'simulated phones even where Asterisk can be had')
  .action(async (options) => {
    const interrupted = new Promise<void>((done) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done())
    })
    // What an interrupted demo has open would keep the process alive.
    process.exit(await demoCommand(options, { dataDir: settings().dataDir, write, interrupted }))
  })

program
  .command('apply')
  .description('show what switchboard.yaml changes, and let the running service follow it')
  .option('--dry-run', 'only show')
  .action(async ({ dryRun = false }) => exitWith(await applyCommand({ settings: settings(), env, write, dryRun })))

const flow = program.command('flow').description('work with flows')
flow
  .command('check')
  .description('check flow files: every mistake with file:line:column')
  .argument('[files...]', 'default: all of FLOWS_DIR')
  .action((files: string[]) => exitWith(flowCheck(files, { settings: settings(), env, write })))

const call = program.command('call').description('look at calls that were made')
call
  .command('show')
  .description('the story of one call as a ladder: caller, engine, agent')
  .argument('<id>')
  .option('--numbers', 'show telephone numbers uncovered')
  .action(async (id: string, { numbers = false }) =>
    exitWith(await callShow(id, { journal: journal(), write }, { showsNumbers: numbers })),
  )
call
  .command('replay')
  .description('tell the recorded facts of a call to its flow again, and compare')
  .argument('<id>')
  .action(async (id: string) => exitWith(await callReplay(id, { journal: journal(), settings: settings(), write })))

const asterisk = program.command('asterisk').description('the private Asterisk of this installation')
asterisk
  .command('install')
  .description('install it into DATA_DIR, without root')
  .action(async () => exitWith(await asteriskInstall(settings(), write)))
asterisk
  .command('config')
  .description('write the configuration that the set-up asks for')
  .option('--out <directory>', 'where to; printed when absent')
  .action(async ({ out }) => exitWith(await asteriskConfig({ settings: settings(), env, write }, out)))
asterisk
  .command('start')
  .description('start it; it goes on running, and npm start uses it')
  .action(async () => exitWith(await asteriskStart({ settings: settings(), env, write })))
asterisk
  .command('stop')
  .description('stop it; calls are hung up')
  .action(async () => exitWith(await asteriskStop(settings(), write)))

program
  .command('token')
  .description('credentials of integrations')
  .command('create')
  .description('issue one and print its three values, once')
  .requiredOption('--name <text>', 'what it is for')
  .option('--user <name>', 'the person behind it; a system when absent')
  .option('--scopes <list>', 'what it may do, divided by commas; default: everything')
  .option('--days <number>', 'how long it is in force, 730 at the most; default: 365', wholeNumber)
  .action(async (options) => exitWith(await tokenCreate(options, { settings: settings(), write })))

const user = program.command('user').description('people who sign on')
user
  .command('add')
  .description('add somebody; agents of the set-up are there without it')
  .argument('<user-name>')
  .option('--name <text>', 'how they are called on screens')
  .option('--roles <list>', 'agent, supervisor, admin; default: agent')
  .action(async (userName: string, options) =>
    exitWith(await userAdd({ userName, ...options }, { settings: settings(), write })),
  )
user
  .command('password')
  .description('set a new password; one is made and printed once unless it is read with --stdin')
  .argument('<user-name>')
  .option('--stdin', 'read it from standard input')
  .action(async (userName: string, { stdin = false }) => {
    const given = stdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : undefined
    exitWith(await userPassword(userName, given, { settings: settings(), write }))
  })

program
  .command('audit')
  .description('the audit trail')
  .command('verify')
  .description('walk every chain, and name the first record of each that is not as it was written')
  .action(async () => exitWith(await auditVerify({ settings: settings(), write })))

program
  .command('import')
  .description('import call tasks from a spreadsheet: .xlsx, .ods or CSV; try it with --dry-run first')
  .argument('<file>')
  .requiredOption('--campaign <number>', 'the callCode of the campaign that receives them', wholeNumber)
  .requiredOption('--system <code>', 'the systemCode of the external system that they come from')
  .requiredOption('--attempts <number>', 'unanswered attempts of each call task, 1 to 100', wholeNumber)
  .requiredOption('--interval-hours <number>', 'hours between two attempts, 0 to 8760', wholeNumber)
  .option('--dry-run', 'only say what would be imported')
  .option('--map <column=field>', `a heading or a letter, and its field: ${USE_NAMES}; may be repeated`, andMore, [])
  .option('--sheet <number>', 'which sheet of a workbook; default: the first', fromOneOn)
  .addOption(new Option('--charset <name>', 'encoding of a CSV file; found out when absent').choices(CHARSETS))
  .option('--out <file>', 'write a copy as CSV, with what became of each row')
  .addHelpText('after', '\nExit status: 0 all rows, 2 some of them were refused, 1 nothing was done.')
  .action(async (file: string, options) => exitWith(await importSheet(file, options, { settings: settings(), write })))

program
  .command('simulate')
  .description('run days of a scenario on virtual time, under one way of pacing or several')
  .argument('<file>', 'a scenario, such as bench/pacing/reference-30.yaml')
  .option('--policy <names>', `divided by commas: ${POLICY_NAMES.join(', ')}`, DEFAULT_POLICY)
  .option('--days <number>', 'how many days, instead of those of the file', fromOneOn)
  .option('--seed <number>', 'the same seed gives the same days', wholeNumber)
  .option('--agents <number>', 'how many agents, instead of those of the file', fromOneOn)
  .option('--csv <file>', 'write a row for each day')
  .option('--summary <file>', 'write the figures as JSON')
  .action((file: string, options) => {
    const progress = (text: string) => void process.stderr.write(`\r\x1b[K${text}`)
    exitWith(simulateCommand(file, options, { write, ...(process.stderr.isTTY && { progress }) }))
  })

await program.parseAsync()

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function fromOneOn(text: string): number {
  const number = wholeNumber(text)
  if (number < 1) throw new InvalidArgumentError('It must be 1 or more.')
  return number
}

function andMore(text: string, before: readonly string[]): readonly string[] {
  return [...before, text]
}
