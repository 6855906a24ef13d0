import { type Language, LOCALES } from '../texts/catalogue.ts'

/** A day such as 2026-11-28 as people of this language write it, `28 Nov 2026`; nothing where it is no day. */
export function writtenDay(day: string, language: Language): string {
  const atMs = Date.parse(`${day}T00:00:00Z`)
  if (!Number.isFinite(atMs)) return ''
  const style = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(LOCALES[language], style).format(atMs)
}
