import { readFileSync, watch } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readCall } from '../adapters/files/journal-folder.ts'
import { readSettings } from '../app/settings.ts'
import { RealClock } from '../kernel/clock.ts'
import { seededRandom } from '../kernel/random.ts'
import { DEFAULT_POLICY, POLICY_NAMES } from '../pacing-sim/policies.ts'
import { CHARSETS } from '../ports/sheets.ts'
import { USE_NAMES } from '../rest/dialer/call-task-sheet-schema.ts'
import type { CallClue, FoundCall } from '../store/calls/find-calls.ts'
import { addInstallationCommands, andMore } from './operate/installation-commands.ts'
import { interruption, outputGone } from './place/interruption.ts'

const write = (text: string) => void process.stdout.write(`${text}\n`)
const complain = (text: string) => void process.stderr.write(`${text}\n`)
// Whoever reads only the beginning, as `head` does, wants no stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
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

const watchFolder = (folder: string, changed: (name: string) => void) => watch(folder, (_, name) => changed(name ?? ''))

const program = new Command('switchboard')
  .description('An open call centre over Asterisk')
  .showHelpAfterError()
  .showSuggestionAfterError()

program
  .command('demo')
  .description('play calls on a real Asterisk and check every result')
  .option('--summary <file>', 'write the result as JSON')
  .option('--seed <number>', 'the same seed chooses the same ports and ids', wholeNumber)
  .option('--keep', 'keep everything running until Ctrl-C')
  .option('--simulated', 'use simulated phones even if Asterisk is available')
  .option('--allow-host <host:port...>', 'servers of this machine that webhooks and flows may call')
  .action(async (options) => {
    const { demoCommand } = await import('../../demo/demo-command.ts')
    // What an interrupted demo has open would keep the process alive.
    let apply = () => {}
    process.on('SIGUSR2', () => apply())
    const onApply = (whenAsked: () => void) => {
      apply = whenAsked
    }
    const interrupted = Promise.race([interruption(), outputGone()])
    const place = { dataDir: settings().dataDir, write, interrupted, onApply }
    process.exit(await demoCommand(options, place))
  })

program
  .command('apply')
  .description('show what switchboard.yaml changes, and let the running service apply it')
  .option('--dry-run', 'only show')
  .action(async ({ dryRun = false }) => {
    const { applyCommand } = await import('./apply.ts')
    exitWith(await applyCommand({ settings: settings(), env, write, dryRun }))
  })

const flow = program.command('flow').description('work with flows')
flow
  .command('check')
  .description('check flow files; report every error with file:line:column')
  .argument('[files...]', 'default: all of FLOWS_DIR')
  .action(async (files: string[]) => {
    const { flowCheck } = await import('./flow-check.ts')
    exitWith(flowCheck(files, { settings: settings(), write }))
  })
flow
  .command('test')
  .description('play the tests of flows (FLOW.test.yaml beside FLOW.yaml) on virtual time')
  .argument('[files...]', 'flows or their tests; default: all of FLOWS_DIR')
  .option('--coverage', 'name every step and branch that no test goes through')
  .option('--coverage-min <percent>', 'fail below this share of steps and branches', percentage)
  .option('--mutate', 'put small mistakes into the flow, and name those that no test notices')
  .option('--mutation-min <percent>', 'fail below this share of mistakes found', percentage)
  .option('--propose', 'print a test for each branch that no test takes, instead of the report')
  .option('--json', 'print the report as JSON')
  .option('--junit <file>', 'also write the report for build servers')
  .option('--seed <number>', 'of the random callers; default: 1', wholeNumber)
  .option('--watch', 'test again after every change of a file, until Ctrl-C')
  .option('--phone', 'play them by phone instead: on a real Asterisk, in real time')
  .action(async (files: string[], options) => {
    if (options.phone) {
      const { flowTestPhone } = await import('./flow-test-phone.ts')
      const clock = new RealClock()
      const random = seededRandom(options.seed ?? clock.nowMs())
      const world = { settings: settings(), write, clock, random, progress: complain }
      // Timers of services that have stopped would keep the process alive.
      process.exit(await flowTestPhone(files, options, world))
    }
    const { flowTest } = await import('./flow-test.ts')
    const { flowTestWatch } = await import('./flow-test-watch.ts')
    const context = { settings: settings(), write }
    if (!options.watch) return exitWith(flowTest(files, options, context))
    const world = { ...context, clock: new RealClock(), watchFolder, interrupted: interruption() }
    exitWith(await flowTestWatch(files, options, world))
  })
flow
  .command('run')
  .description('call a flow from the terminal: read what is heard, press keys, see every step')
  .argument('<file>')
  .option('--given <file>', 'answers of other systems and the like: `given` as in a test, or a file of tests')
  .option('--caller <number>', 'number of the caller, +37255512345 or withheld')
  .option('--called <number>', 'number that was called; in a flow of several numbers')
  .option('--time <instant>', 'when the call begins, 2026-03-02T10:00:00+02:00')
  .option('--language <code>', 'language of the number')
  .option('--as-test', 'print the call as a test at its end')
  .action(async (file: string, options) => {
    const { flowPhone } = await import('./flow-phone.ts')
    const { openTerminal } = await import('./terminal.ts')
    const { ask, close } = openTerminal(process.stdin, process.stdout)
    exitWith(await flowPhone(file, options, { write, ask }))
    close()
  })
flow
  .command('diff')
  .description('what callers would notice between two revisions of a flow')
  .argument('<old>', 'a flow file, or NAME@REVISION of a published one')
  .argument('<new>', 'likewise')
  .option('--json', 'print the differences as JSON')
  .action(async (old: string, now: string, options) => {
    const { flowDiff } = await import('./flow-diff.ts')
    const { storedText } = await import('./stored-flow.ts')
    const stored = (name: string, revision: string) => storedText(name, revision, { settings: settings(), complain })
    exitWith(await flowDiff(old, now, options, { write, stored }))
  })
flow
  .command('replay')
  .description('play recorded calls through a draft, and count what their callers would notice')
  .argument('<draft>')
  .requiredOption('--journals <folder>', 'journals of the service: DATA_DIR/journal, or a copy')
  .option('--json', 'print the report as JSON')
  .action(async (draft: string, options) => {
    const { flowReplay } = await import('./flow-replay.ts')
    exitWith(await flowReplay(draft, options, write))
  })
flow
  .command('diagram')
  .description('print a flow as a Mermaid diagram, with the key, condition or failure on each arrow')
  .argument('<file>')
  .option('--svg', 'print it as an SVG image instead, which every browser shows')
  .action(async (file: string, { svg = false }) => {
    const { flowShow } = await import('./flow-show.ts')
    exitWith(flowShow(svg ? 'picture' : 'diagram', file, write))
  })
flow
  .command('describe')
  .description('print a flow as numbered plain sentences')
  .argument('<file>')
  .action(async (file: string) => {
    const { flowShow } = await import('./flow-show.ts')
    exitWith(flowShow('describe', file, write))
  })

flow
  .command('revisions')
  .description('list the live revision of every flow, or all revisions of one; * is live')
  .argument('[flow]')
  .option('--json', 'print the list as JSON')
  .action(async (name: string | undefined, options) => {
    const { flowRevisions } = await import('./publish-flow.ts')
    exitWith(await flowRevisions(name, options, { settings: settings(), env, write }))
  })
flow
  .command('show')
  .description('print the text of a published revision')
  .argument('<flow>')
  .argument('[revision]', 'default: the live one')
  .action(async (name: string, revision: string | undefined) => {
    const { flowText } = await import('./stored-flow.ts')
    exitWith(await flowText(name, revision, { settings: settings(), write, complain }))
  })
flow
  .command('publish')
  .description('check a flow file and publish it: new calls take it, running calls keep their revision')
  .argument('<file>')
  .option('--canary <percent>', 'put it on trial with a share of the new calls, 1 to 99')
  .option('--note <text>', 'why; shown in the list of revisions')
  .option('--json', 'print the result as JSON')
  .action(async (file: string, options) => {
    const { flowPublish } = await import('./publish-flow.ts')
    exitWith(await flowPublish(file, options, { settings: settings(), env, write }))
  })
flow
  .command('rollback')
  .description('make an earlier revision live again; the file is published again when it changes')
  .argument('<flow>')
  .argument('[revision]', 'default: the newest one that is older than the live one')
  .option('--note <text>', 'why; shown in the list of revisions')
  .option('--json', 'print the result as JSON')
  .action(async (name: string, revision: string | undefined, options) => {
    const { flowRollback } = await import('./publish-flow.ts')
    exitWith(await flowRollback(name, revision, options, { settings: settings(), env, write }))
  })
flow
  .command('canaries')
  .description('list the revisions of a flow that were on trial, and what became of them; * runs')
  .argument('<flow>')
  .option('--json', 'print the list as JSON')
  .action(async (name: string, options) => {
    const { flowCanaries } = await import('./flow-canary.ts')
    exitWith(await flowCanaries(name, options, { settings: settings(), env, write }))
  })
flow
  .command('promote')
  .description('publish the revision on trial: all new calls take it')
  .argument('<flow>')
  .option('--note <text>', 'why; shown in the list of revisions')
  .option('--json', 'print the result as JSON')
  .action(async (name: string, options) => {
    const { flowPromote } = await import('./flow-canary.ts')
    exitWith(await flowPromote(name, options, { settings: settings(), env, write }))
  })
flow
  .command('withdraw')
  .description('end the trial: all new calls take the live revision')
  .argument('<flow>')
  .option('--note <text>', 'why; shown in the list of canaries')
  .option('--json', 'print the result as JSON')
  .action(async (name: string, options) => {
    const { flowWithdraw } = await import('./flow-canary.ts')
    exitWith(await flowWithdraw(name, options, { settings: settings(), env, write }))
  })

const call = program.command('call').description('inspect past calls')
call
  .command('show')
  .description('draw one call as a ladder: caller, engine, agent; list the calls where several fit')
  .argument('<what>', 'a call id, an activity (67), a telephone number (+4520123456) or a minute (2026-11-22T10:15)')
  .option('--numbers', 'show telephone numbers unmasked')
  .action(async (what: string, { numbers = false }) => {
    const { callShow } = await import('./call-show.ts')
    const { withDatabase } = await import('./place/with-database.ts')
    const { findCalls } = await import('../store/calls/find-calls.ts')
    const find = async (clue: CallClue, countMax: number) => {
      let found: readonly FoundCall[] | undefined
      await withDatabase({ settings: settings(), write }, async ({ pools }) => {
        found = await findCalls(pools, clue, countMax)
        return 0
      })
      return found
    }
    exitWith(await callShow(what, { journal: journal(), find, write }, { showsNumbers: numbers }))
  })
call
  .command('replay')
  .description('run the recorded facts of a call through its flow again and compare')
  .argument('<id>')
  .action(async (id: string) => {
    const { callReplay } = await import('./call-replay.ts')
    exitWith(await callReplay(id, { journal: journal(), settings: settings(), write }))
  })

const asterisk = program.command('asterisk').description('the private Asterisk of this installation')
asterisk
  .command('install')
  .description('install Asterisk into DATA_DIR, without root')
  .action(async () => {
    const { asteriskInstall } = await import('./asterisk.ts')
    exitWith(await asteriskInstall(settings(), write))
  })
asterisk
  .command('config')
  .description('write the configuration of an Asterisk of your own (ARI_URL) for switchboard.yaml')
  .option('--out <directory>', 'target directory; default: print')
  .option('--seen-as <directory>', 'the target directory as Asterisk sees it, for example in a container')
  .option('--modules <directory>', 'modules of that Asterisk; default: as in Debian')
  .option('--data <directory>', 'data of that Asterisk: documentation, sounds, music; default: as in Debian')
  .action(async (order) => {
    const { asteriskConfig } = await import('./asterisk.ts')
    exitWith(asteriskConfig({ settings: settings(), env, write }, order))
  })
asterisk
  .command('start')
  .description('start Asterisk; it keeps running, and npm start uses it')
  .action(async () => {
    const { asteriskStart } = await import('./asterisk.ts')
    exitWith(await asteriskStart({ settings: settings(), env, write }))
  })
asterisk
  .command('stop')
  .description('stop Asterisk; calls are hung up')
  .action(async () => {
    const { asteriskStop } = await import('./asterisk.ts')
    exitWith(await asteriskStop(settings(), write))
  })

program
  .command('token')
  .description('credentials of integrations')
  .command('create')
  .description('issue a credential and print its three values once')
  .requiredOption('--name <text>', 'what it is for')
  .option('--user <name>', 'user of the credential; default: a system without a user')
  .option('--scopes <list>', 'allowed scopes, separated by commas; default: all')
  .option('--days <number>', 'days that it is valid, at most 730; default: 365', wholeNumber)
  .action(async (options) => {
    const { tokenCreate } = await import('./token-create.ts')
    exitWith(await tokenCreate(options, { settings: settings(), write }))
  })

const user = program.command('user').description('users who sign on')
user
  .command('add')
  .description('add a user; agents of the configuration are users already')
  .argument('<user-name>')
  .option('--name <text>', 'display name')
  .option('--roles <list>', 'agent, supervisor, admin; default: agent')
  .action(async (userName: string, options) => {
    const { userAdd } = await import('./user.ts')
    exitWith(await userAdd({ userName, ...options }, { settings: settings(), write }))
  })
user
  .command('password')
  .description('set a password; without --stdin a new one is made and printed once')
  .argument('<user-name>')
  .option('--stdin', 'read the password from standard input')
  .action(async (userName: string, { stdin = false }) => {
    const { userPassword } = await import('./user.ts')
    const given = stdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : undefined
    exitWith(await userPassword(userName, given, { settings: settings(), write }))
  })

program
  .command('import')
  .description('import call tasks from a spreadsheet (.xlsx, .ods or CSV); try --dry-run first')
  .argument('<file>')
  .requiredOption('--campaign <number>', 'callCode of the campaign', wholeNumber)
  .requiredOption('--system <code>', 'systemCode of the external system')
  .requiredOption('--attempts <number>', 'maximum of unanswered attempts per call task, 1 to 100', wholeNumber)
  .requiredOption('--interval-hours <number>', 'minimum of hours between two attempts, 0 to 8760', wholeNumber)
  .option('--dry-run', 'only show what would be imported')
  .option('--map <column=field>', `heading or letter of a column and its field: ${USE_NAMES}; repeatable`, andMore, [])
  .option('--sheet <number>', 'number of the sheet in a workbook; default: 1', fromOneOn)
  .addOption(new Option('--charset <name>', 'encoding of a CSV file; default: detected').choices(CHARSETS))
  .option('--out <file>', 'write a CSV copy with the result of each row')
  .addHelpText('after', '\nExit status: 0 all rows imported, 2 some rows refused, 1 nothing done.')
  .action(async (file: string, options) => {
    const { importSheet } = await import('./import-sheet.ts')
    exitWith(await importSheet(file, options, { settings: settings(), write }))
  })

program
  .command('simulate')
  .description('run days of a scenario in virtual time under one or more pacing policies')
  .argument('<file>', 'a scenario, such as bench/pacing/reference-30.yaml')
  .option('--policy <names>', `separated by commas: ${POLICY_NAMES.join(', ')}`, DEFAULT_POLICY)
  .option('--days <number>', 'number of days instead of that of the file', fromOneOn)
  .option('--seed <number>', 'the same seed gives the same days', wholeNumber)
  .option('--agents <number>', 'number of agents instead of that of the file', fromOneOn)
  .option('--csv <file>', 'write one row for each day')
  .option('--summary <file>', 'write the figures as JSON')
  .action(async (file: string, options) => {
    const { simulateCommand } = await import('./simulate.ts')
    const progress = (text: string) => void process.stderr.write(`\r\x1b[K${text}`)
    exitWith(simulateCommand(file, options, { write, ...(process.stderr.isTTY && { progress }) }))
  })

addInstallationCommands(program, { settings, write, exitWith })

await program.parseAsync()

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

function percentage(text: string): number {
  const number = wholeNumber(text)
  if (number > 100) throw new InvalidArgumentError('Give a percentage from 0 to 100.')
  return number
}

function fromOneOn(text: string): number {
  const number = wholeNumber(text)
  if (number < 1) throw new InvalidArgumentError('Give a whole number of 1 or more.')
  return number
}
