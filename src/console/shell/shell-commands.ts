/** The acts of every page: the pages that this person may open, the language, the way out. */
import { useLocation } from 'wouter'
import { useSignOut } from '../session/use-session.ts'
import { LANGUAGES } from '../texts/catalogue.ts'
import { useLanguage } from '../texts/language.tsx'
import { type Command, namesOf, useCommands } from './commands.ts'
import { LEADER, LETTERS, type LetterKeys, type LetterPage } from './letter-keys.ts'
import type { Page } from './page.ts'
import { SHELL_TEXTS } from './shell-texts.ts'

const IN_LANGUAGE = { en: 'inEnglish', da: 'inDanish' } as const

/** Offers them. */
export function useShellCommands(pages: readonly Page[], { isOn, letters }: LetterKeys): void {
  const [, go] = useLocation()
  const signOut = useSignOut()
  const { choose } = useLanguage()
  const toPages = pages.flatMap(({ path, rail }): Command[] => {
    if (!rail) return []
    const letter = isOn && rail.text in LETTERS ? letters[rail.text as LetterPage] : undefined
    const keys = letter === undefined ? {} : { keys: `${LEADER} ${letter}` }
    return [{ id: path, names: namesOf(SHELL_TEXTS, 'goTo', rail.text), ...keys, run: () => go(path) }]
  })
  const languages = LANGUAGES.map((language) => ({
    id: language,
    names: namesOf(SHELL_TEXTS, IN_LANGUAGE[language]),
    run: () => choose(language),
  }))
  const leave = { id: 'sign-out', names: namesOf(SHELL_TEXTS, 'signOut'), run: () => signOut.mutate() }
  useCommands([...toPages, ...languages, leave])
}
