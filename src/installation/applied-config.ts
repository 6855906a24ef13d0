/** The configuration in force as text; `switchboard apply` compares the next one with it. */
import type { InstallationConfig } from './config.ts'

/** Increase it when an older text would be misread; an older text counts as nothing applied. */
const VERSION = 3

/** Maps keep their order. The text holds names of environment variables, never their values. */
export function saveConfig(config: InstallationConfig): string {
  const asEntries = (_key: string, value: unknown) => (value instanceof Map ? { $map: [...value] } : value)
  return `${JSON.stringify({ version: VERSION, setup: config }, asEntries, 2)}\n`
}

/** Reads what `saveConfig` wrote; undefined for a damaged text or another version. */
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
