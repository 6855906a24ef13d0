import type { AtMs } from './clock.ts'

/** Whether the day exists: `Date.parse` takes 30 February for 1 March. */
export function isDate(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text)
}

/** An instant that begins with its day, as in RFC 3339; undefined if there is none. */
export function instantOf(text: string): AtMs | undefined {
  const atMs = isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}
