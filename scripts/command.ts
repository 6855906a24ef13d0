/** What the development commands share: `--help`, complaints that say what is wrong, and an Asterisk. */
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { installAsterisk } from '../asterisk/install.ts'

/** A command that is called as `npm run NAME -- …`. */
export function developmentCommand(name: string, description: string): Command {
  return new Command(`npm run ${name} --`).description(description).showHelpAfterError()
}

/** The value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** A line of progress or of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The absolute path of an installed Asterisk; it is installed if it is missing. Ends the process if that fails. */
export async function installedTree(directory: string): Promise<string> {
  const treeDirectory = resolve(directory)
  const installed = await installAsterisk(treeDirectory, print)
  if (installed.ok) return treeDirectory
  print(`${installed.why}\n${installed.remedy}`)
  process.exit(1)
}
