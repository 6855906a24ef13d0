import { type RefObject, useEffect, useRef } from 'react'

interface CaretInput {
  /** The call is up, and can have a note. */
  readonly isTalked: boolean
  /** Whether there are outcomes that the caret could go to. */
  readonly isLoaded: boolean
  readonly note: RefObject<HTMLElement | null>
  readonly panel: RefObject<HTMLElement | null>
}

/**
 * The caret is in the note while the call is talked, and on the outcomes when it is over. Whoever writes keeps it:
 * digits and Enter belong to what they write. Outcomes that come late take it from nobody who has gone on meanwhile.
 */
export function useCaret({ isTalked, isLoaded, note, panel }: CaretInput): void {
  /** What had it when the call was over; undefined before. */
  const from = useRef<Element | null>(undefined)
  useEffect(() => {
    const at = document.activeElement
    // Reasons of a pause, say: their digits are not for the note.
    const isAsked = at?.closest('[role=dialog]') != null
    if (isTalked) {
      from.current = undefined
      if (!isAsked) note.current?.focus()
      return
    }
    const isStill = from.current === undefined || from.current === at || isNowhere(at)
    from.current = at
    const isAtWork = isAsked || panel.current?.contains(at) || isWriting(at)
    if (isLoaded && isStill && !isAtWork) panel.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isTalked, isLoaded, note, panel])
}

/** On nothing that keys could reach. */
function isNowhere(at: Element | null): boolean {
  return at === null || at === document.body || at.matches(':disabled')
}

/** What is there in the call alone goes with it. */
function isWriting(at: Element | null): boolean {
  const isField = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement
  return isField && at.value !== '' && at.closest('[data-in-call]') === null
}
