/**
 * The words of a text. No SSML; `[[` begins phonemes, control characters commands (F-J27). Zero-width joiners stay:
 * scripts need them.
 */
export function speakable(text: string): string {
  return text
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\[(?=\[)/g, '[ ')
    .trim()
}
