/** Text from outside, as it may be shown: everything that came over a wire is hostile. Pure. */

const SHOWN_MAX = 80

/** Characters that show nothing, or turn the direction of others, become visible; what is too long is cut. */
export function shownText(text: string, max = SHOWN_MAX): string {
  const letters = [...text.slice(0, 4 * max)].map((letter) =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(letter) ? '␣' : letter,
  )
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : letters.join('')
}

/** "2:14", "1:02:14"; a duration that has not begun is 0:00. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`
}
