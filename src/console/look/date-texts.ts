import { catalogue } from '../texts/catalogue.ts'

/** Texts of a field for a date. */
export const DATE_TEXTS = catalogue({
  en: { half: 'Not a whole date: write day, month and year.' },
  da: { half: 'Ufuldstændig dato: skriv dag, måned og år.' },
})
