/** The language of this browser: what its person chose, else what the browser asks for, else English. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { type Catalogue, LANGUAGES, type Language } from './catalogue.ts'

interface Chosen {
  readonly language: Language
  readonly choose: (language: Language) => void
}

const STORED = 'sb-language'
const Context = createContext<Chosen>({ language: 'en', choose: () => {} })

/** Around everything that shows a text. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const chosen = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem(STORED, next)
      setLanguage(next)
    }
    return { language, choose }
  }, [language])
  return <Context value={chosen}>{children}</Context>
}

/** The language, and how to change it. */
export function useLanguage(): Chosen {
  return useContext(Context)
}

/** The texts of a catalogue in the chosen language. */
export function useTexts<Key extends string>(catalogue: Catalogue<Key>): Catalogue<Key>[Language] {
  return catalogue[useContext(Context).language]
}

function initial(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.map((tag) => LANGUAGES.find((language) => language === tag)).find((found) => found) ?? 'en'
}
