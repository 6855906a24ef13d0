/**
 * Control characters but line ends, and what turns the direction of writing: from services that were given what
 * somebody said, nothing comes that a terminal, a database or a page would obey (F-E14). What looks like HTML stays:
 * it is text, and shown as text.
 */
const DISTURBING = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A text of a service as plain text of at most so many letters, without blanks at its ends. */
export function plainText(text: string, lettersMax: number): string {
  // What is cut away unread may be without end.
  const beginning = text.slice(0, lettersMax * 4).toWellFormed()
  const clean = beginning.replaceAll('\r\n', '\n').replaceAll('\t', ' ').replaceAll(DISTURBING, '').trim()
  return clean.length <= lettersMax ? clean : cut(clean, lettersMax)
}

/** At the end of a sentence where there is one in the last third, else between words. Half a letter is none. */
function cut(text: string, lettersMax: number): string {
  const part = text.slice(0, lettersMax)
  const sentence = [...part.matchAll(/[.!?](?=\s)/g)].at(-1)?.index ?? 0
  if (sentence > lettersMax * (2 / 3)) return part.slice(0, sentence + 1)
  const words = part
    .slice(0, -1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  return `${words.replace(/\s+\S*$/, '')}…`
}
