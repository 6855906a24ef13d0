/** How loud the beep before a call is: kept in this browser, as its language is. */

/** In the order of the choice at `/me`. */
export const BEEPS = ['off', 'soft', 'normal', 'loud'] as const

export type Beep = (typeof BEEPS)[number]

const STORED = 'sb-beep'

/** What another version has kept is the first choice. */
export function beepChoice(): Beep {
  const text = localStorage.getItem(STORED)
  return BEEPS.find((one) => one === text) ?? 'normal'
}

/** From the next call on. */
export function keepBeepChoice(choice: Beep): void {
  localStorage.setItem(STORED, choice)
}
