import { type RefObject, useEffect, useRef } from 'react'

/**
 * What was opened has taken the focus, and takes it away with it when it is closed: then keys would reach nothing. The
 * focus goes back to where it was before; where that is gone or off, to `otherwise`. It is taken from nobody who has
 * gone on to something else.
 */
export function useFocusBack(isOpen: boolean, otherwise?: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false)
  const before = useRef<Element>(null)
  // While it is drawn for the first time, nothing of it has the focus yet.
  if (isOpen && !wasOpen.current) before.current = document.activeElement
  wasOpen.current = isOpen
  useEffect(() => {
    if (isOpen || before.current === null) return
    const back = before.current
    before.current = null
    if (document.activeElement !== null && document.activeElement !== document.body) return
    if (back instanceof HTMLElement) back.focus()
    if (document.activeElement !== back) otherwise?.current?.focus()
  }, [isOpen, otherwise])
}
