/**
 * The note of a call that came up meanwhile left the caret to what was open, and where it was `before` is no more:
 * then the next letters are for nobody. In the next frame: what was open is gone by then, and the key that has closed
 * it is not for the note.
 */
export function toNoteFrom(before: Element | null): void {
  requestAnimationFrame(() => {
    const isThere = before !== document.body && before?.isConnected
    if (!isThere && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-note-of]')?.focus()
  })
}
