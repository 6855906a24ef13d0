/** Texts of the console in each of its languages. Each page has a catalogue beside it, in `…-texts.ts`. */
export const LANGUAGES = ['en', 'da'] as const

export type Language = (typeof LANGUAGES)[number]

/** How dates and times of a language are written: the day first, 24 hours. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', da: 'da-DK' }

/** Every language has every text. */
export type Catalogue<Key extends string = string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>

/** Declares a catalogue: a text that a language lacks does not compile. */
export function catalogue<Key extends string>(texts: Catalogue<Key>): Catalogue<Key> {
  return texts
}

/** A number with so many decimals, as the language writes it. */
export function decimal(value: number, digits: number, language: Language): string {
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(LOCALES[language], style).format(value)
}

/** Puts values into `{name}` of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
