/**
 * Control characters except line ends, and marks of direction: a service that was given callers' words must not send
 * control sequences to a terminal, a database or a page (F-E14). HTML stays: it is shown as text.
 */
const DISTURBING = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A service's text as trimmed plain text of at most `lettersMax` letters. */
export function plainText(text: string, lettersMax: number): string {
  // The rest may be arbitrarily long, so it is cut unread.
  const beginning = text.slice(0, lettersMax * 4).toWellFormed()
  const clean = beginning.replaceAll('\r\n', '\n').replaceAll('\t', ' ').replaceAll(DISTURBING, '').trim()
  return clean.length <= lettersMax ? clean : cut(clean, lettersMax)
}

/** Cuts at the end of a sentence in the last third, or else between words. Never cuts a letter in half. */
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
