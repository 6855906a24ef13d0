/** The set-up that was last applied, as text: `switchboard apply` compares the next one with it. */
import type { InstallationConfig } from './config.ts'

/** Raised when an older text would be misread; such a text then counts as nothing applied. */
const VERSION = 2

/** A set-up as JSON with its maps kept in order. It holds names of environment variables, never their values. */
export function saveConfig(config: InstallationConfig): string {
  const asEntries = (_key: string, value: unknown) => (value instanceof Map ? { $map: [...value] } : value)
  return `${JSON.stringify({ version: VERSION, setup: config }, asEntries, 2)}\n`
}

/** What `saveSetup` wrote. Undefined when the text is damaged or of another version: then everything is new. */
export function loadConfig(text: string): InstallationConfig | undefined {
  try {
    const saved = JSON.parse(text, asMaps) as { version?: unknown; setup?: InstallationConfig } | null
    const isOurs = saved?.version === VERSION && saved.setup?.numbers instanceof Map
    return isOurs ? saved.setup : undefined
  } catch {
    return undefined
  }
}

function asMaps(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$map' in value)) return value
  return new Map(value.$map as [string, unknown][])
}
