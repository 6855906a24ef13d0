/**
 * A text for storage and display (F-I6): composed (NFC), in one line, without control characters, without marks of
 * direction, which can make a name read as another one, and without halves of surrogate pairs.
 */
export function cleanText(text: string): string {
  // Composed last: a removed character may have stood between a letter and its accent.
  return text.toWellFormed().replaceAll(BREAKS, ' ').replaceAll(UNSEEN, '').normalize('NFC').trim()
}

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** Controls (Cc), marks of direction and formatting characters; joiners stay, because scripts and emoji need them. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu
