/** Digits within what a caller said, in words or in figures: `four seven one one`, `Four, seven, 11.` */

/** By language; PocketSphinx knows the English ones. Services for transcripts write most digits as figures. */
const WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  en: [['zero', 'oh'], ['one'], ['two'], ['three'], ['four'], ['five'], ['six'], ['seven'], ['eight'], ['nine']],
  da: [['nul'], ['en', 'et'], ['to'], ['tre'], ['fire'], ['fem'], ['seks'], ['syv'], ['otte'], ['ni']],
  de: [['null'], ['eins'], ['zwei', 'zwo'], ['drei'], ['vier'], ['fünf'], ['sechs'], ['sieben'], ['acht'], ['neun']],
  et: [['null'], ['üks'], ['kaks'], ['kolm'], ['neli'], ['viis'], ['kuus'], ['seitse'], ['kaheksa'], ['üheksa']],
}

/** `isAll`: nothing else was said. */
interface SpokenDigits {
  readonly digits: string
  readonly isAll: boolean
}

/** The digits of `text` in order. English words count in languages that have none here. */
export function digitsIn(text: string, language: string): SpokenDigits {
  const words = WORDS[language] ?? WORDS[language.slice(0, 2)] ?? WORDS['en']!
  let digits = ''
  let isAll = true
  for (const word of text.toLowerCase().match(/\p{Nd}+|\p{L}+/gu) ?? []) {
    const digit = words.findIndex((names) => names.includes(word))
    if (/^[0-9]+$/.test(word)) digits += word
    else if (digit >= 0) digits += digit
    else isAll = false
  }
  return { digits, isAll }
}
