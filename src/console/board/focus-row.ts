/** A row that was scrolled to is drawn within a few frames; one that has gone meanwhile never is. */
const FRAMES = 60

/** Puts the focus on the row of this list that a selector means, as soon as it is drawn. */
export function focusWhenDrawn(list: HTMLElement | null, selector: string, frames = FRAMES): void {
  const row = list?.querySelector<HTMLElement>(selector)
  if (row && !row.contains(document.activeElement)) row.focus({ preventScroll: true })
  else if (!row && frames > 0) requestAnimationFrame(() => focusWhenDrawn(list, selector, frames - 1))
}
