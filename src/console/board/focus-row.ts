/** Of the row in this list that a selector means; it may be drawn only in the frame after it was scrolled to. */
export function focusWhenDrawn(list: HTMLElement | null, selector: string): void {
  const focus = () => {
    const row = list?.querySelector<HTMLElement>(selector)
    if (row && !row.contains(document.activeElement)) row.focus({ preventScroll: true })
    return row
  }
  if (!focus()) requestAnimationFrame(focus)
}
