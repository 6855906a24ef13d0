import type { Settings } from '../../app/settings.ts'

/** What a command gets from the command line: its settings, the environment, and where it prints. */
export interface CliContext {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly write: (line: string) => void
}
