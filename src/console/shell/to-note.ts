/** A second: nothing that is closed stays longer, however busy the machine is. */
const FRAMES_MAX = 60

/**
 * The note of a call that came up meanwhile left the caret to what was open, and where it was `before` is no more:
 * then the next letters are for nobody. In the next frame: the key that has closed it is not for the note. Where what
 * was open is not gone by then, in one of the frames after it.
 */
export function toNoteFrom(before: Element | null, framesLeft = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const isOpen = document.activeElement?.closest('[role=dialog]') != null
    if (isOpen && framesLeft > 0) return toNoteFrom(before, framesLeft - 1)
    const isThere = before !== document.body && before?.isConnected
    if (!isThere && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-note-of]')?.focus()
  })
}
