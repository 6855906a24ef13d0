/** What can be done from anywhere with Ctrl+K: each page offers its own acts while it is shown. */
import { useEffect, useRef } from 'react'
import { type Catalogue, fill, LANGUAGES, type Language } from '../texts/catalogue.ts'

/** One act. Its names in every language are searched, whatever language is shown. */
export interface Command {
  readonly id: string
  readonly names: Readonly<Record<Language, string>>
  /** Its own key, as it is written on keyboards. */
  readonly keys?: string
  readonly run: () => void
}

const offers = new Set<() => readonly Command[]>()

/** All acts that are offered now, the page's own first. */
export function commandsNow(): Command[] {
  return [...offers].reverse().flatMap((offer) => offer())
}

/** Offers these acts while the caller is shown. */
export function useCommands(commands: readonly Command[]): void {
  const present = useRef(commands)
  present.current = commands
  useEffect(() => {
    const offer = () => present.current
    offers.add(offer)
    return () => void offers.delete(offer)
  }, [])
}

/** The names of an act from a catalogue; `name` fills the place `{name}` from another text of it. */
export function namesOf<Key extends string>(texts: Catalogue<Key>, key: Key, name?: Key): Command['names'] {
  const inLanguage = (language: Language) =>
    fill(texts[language][key], name === undefined ? {} : { name: texts[language][name] })
  return Object.fromEntries(LANGUAGES.map((language) => [language, inLanguage(language)])) as Command['names']
}
