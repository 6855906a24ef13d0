import type { Settings } from '../../app/settings.ts'

/** What a command gets from the command line: its settings, and where it prints. */
export interface CliContext {
  readonly settings: Settings
  readonly write: (line: string) => void
}

/** Of commands that read the configuration as the service does, with the variables that it names. */
export interface EnvContext extends CliContext {
  readonly env: Readonly<Record<string, string | undefined>>
}
