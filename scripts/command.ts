/** What the development commands share: `--help`, and complaints that say what is wrong. */
import { Command, InvalidArgumentError } from 'commander'

/** A command that is called as `npm run NAME -- …`. */
export function developmentCommand(name: string, description: string): Command {
  return new Command(`npm run ${name} --`).description(description).showHelpAfterError()
}

/** The value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
