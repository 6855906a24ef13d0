/** Commands for whoever operates the installation: its files and database, and that they are whole. */
import { type Command, Option } from 'commander'
import type { CliContext } from '../place/cli-context.ts'

interface InstallationCommandsOptions {
  readonly settings: () => CliContext['settings']
  readonly write: CliContext['write']
  readonly exitWith: (status: number) => void
}

/** Adds them to the program. */
export function addInstallationCommands(program: Command, options: InstallationCommandsOptions): void {
  addBackups(program, options)
  addChecks(program, options)
  addPrivacy(program, options)
}

function addBackups(program: Command, { settings, write, exitWith }: InstallationCommandsOptions): void {
  program
    .command('backup')
    .description('write database, files, recordings, journal and set-up into one archive; calls go on meanwhile')
    .argument('<file>', 'such as backup.tar.gz')
    .action(async (file: string) => {
      const { backup } = await import('./backup.ts')
      exitWith(await backup(file, { settings: settings(), write }))
    })
  const restoreCommand = program
    .command('restore')
    .description('restore an archive of `backup`; then the kill switch is on, and nothing is dialed before `confirm`')
    .argument('<file>')
    .option('--replace', 'delete what the database holds')
    .action(async (file: string, { replace = false }) => {
      const { restore } = await import('./restore.ts')
      exitWith(await restore(file, replace, { settings: settings(), write }))
    })
  restoreCommand
    .command('confirm')
    .description('import the attempts and stops that a restored database lacks, and let it dial')
    .option('--journal <folder>', 'journal of another node or of a lost machine; repeatable', andMore, [])
    .option('--accept-gap', 'dial although people may have been called whom nobody can name')
    .action(async (order) => {
      const { confirmRestore } = await import('./confirm-restored.ts')
      exitWith(await confirmRestore(order, { settings: settings(), write }))
    })
}

function addChecks(program: Command, { settings, write, exitWith }: InstallationCommandsOptions): void {
  program
    .command('adopt')
    .description('let DATA_DIR work with the database of these settings, although they are of different installations')
    .option('--confirm', 'do it; otherwise only show the two')
    .action(async ({ confirm = false }) => {
      const { adopt } = await import('./adopt.ts')
      exitWith(await adopt(confirm, { settings: settings(), write }))
    })
  program
    .command('clock')
    .description('the clock that the rules of dialing go by')
    .command('reset')
    .description('forget a latest instant that is ahead of the clock: nothing is dialed before it')
    .action(async () => {
      const { clockReset } = await import('./clock-reset.ts')
      exitWith(await clockReset({ settings: settings(), write }))
    })
  program
    .command('killswitch')
    .description('show whether all dialing is stopped, or stop and allow it')
    .addOption(new Option('--on', 'stop all dialing, on all nodes').conflicts('off'))
    .option('--off', 'allow it')
    .action(async ({ on, off }) => {
      const { killSwitch } = await import('./turn-kill-switch.ts')
      exitWith(await killSwitch(on ? 'on' : off && 'off', { settings: settings(), write }))
    })
  program
    .command('quarantine')
    .description('list the files of DATA_DIR that the database does not know; they are deleted after 30 days')
    .option('--json', 'print the list as JSON')
    .option('--sweep', 'look for such files now and take all of them, however many')
    .action(async (order) => {
      const { showQuarantine } = await import('./show-quarantine.ts')
      exitWith(await showQuarantine(order, { settings: settings(), write }))
    })
  program
    .command('audit')
    .description('the audit trail')
    .command('verify')
    .description('check every chain and name the first changed record of each')
    .action(async () => {
      const { auditVerify } = await import('./verify-audit.ts')
      exitWith(await auditVerify({ settings: settings(), write }))
    })
}

function addPrivacy(program: Command, { settings, write, exitWith }: InstallationCommandsOptions): void {
  program
    .command('retention')
    .description('what the service erases once an hour when its time is over')
    .requiredOption('--dry-run', 'only show what would be erased now, what would not, and why')
    .option('--json', 'print it as JSON')
    .action(async ({ json = false }) => {
      const { showRetention } = await import('./show-retention.ts')
      exitWith(await showRetention(json, { settings: settings(), write }))
    })
  program
    .command('find-person')
    .description('where names, numbers or addresses are in the database and the files of DATA_DIR: proves an erasure')
    .argument('<word...>', 'each as it may stand in a text; - reads them from the standard input, one on a line')
    .option('--json', 'print it as JSON')
    .action(async (words: string[], { json = false }) => {
      const { findPerson } = await import('./find-person.ts')
      const given = words.includes('-') ? (await textOfInput()).split('\n') : words
      exitWith(await findPerson(given, json, { settings: settings(), write }))
    })
}

async function textOfInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** For an option that may be given several times. */
export function andMore(text: string, before: readonly string[]): readonly string[] {
  return [...before, text]
}
