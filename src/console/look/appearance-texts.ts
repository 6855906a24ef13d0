import { catalogue } from '../texts/catalogue.ts'

/** Texts of the choice of language and theme. */
export const APPEARANCE_TEXTS = catalogue({
  en: {
    appearance: 'Language and theme',
    language: 'Language',
    theme: 'Theme',
    auto: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  da: {
    appearance: 'Sprog og tema',
    language: 'Sprog',
    theme: 'Tema',
    auto: 'Som systemet',
    light: 'Lyst',
    dark: 'Mørkt',
  },
})

/** Each language by its own name, in every language the same. */
export const LANGUAGE_NAMES = { en: 'English', da: 'Dansk' } as const

/** In the order of the choice. */
export const THEMES = ['auto', 'light', 'dark'] as const
