/** Text from outside as it may be shown: everything that came over a wire is hostile. Pure. */

/**
 * What shows nothing, or turns the direction of others: controls, formats, line separators, letters that are blank.
 * Variation selectors stay, which choose between two pictures of a letter.
 */
const UNSEEN = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Joiners of scripts and pictures that need them, such as Persian names; never between Latin letters or blanks. */
const JOINED = new RegExp(
  String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<!\p{Script=Latin})` +
    String.raw`[\u200c\u200d](?=\p{L}|\p{Extended_Pictographic})`,
  'gu',
)
/** A letter has four marks at most in any living script (Hebrew with points and accents); more climb over the lines. */
const TOWER = /(\p{M}{4})\p{M}+/gu

const visible = (text: string) => {
  const joiners = new Set([...text.matchAll(JOINED)].map(({ index }) => index))
  return text.replaceAll(UNSEEN, (sign, at: number) => (joiners.has(at) ? sign : '␣')).replaceAll(TOWER, '$1')
}

/** A name in one line: what cannot be seen is shown as ␣, and what is too long is cut. */
export function plainText(text: string, lettersMax = 80): string {
  // Each letter may have marks and a half of a pair; a longer beginning than this can only be cut again.
  const letters = [...visible(text.slice(0, 8 * lettersMax))]
  return letters.length > lettersMax ? `${letters.slice(0, lettersMax).join('')}…` : letters.join('')
}

/** A text of several lines, whole: its line ends and tabs are its own. */
export function plainLines(text: string): string {
  return text
    .split(/(\r\n|[\r\n\t])/)
    .map((part, at) => (at % 2 === 0 ? visible(part) : part === '\t' ? part : '\n'))
    .join('')
}
