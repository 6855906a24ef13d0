import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { LEADER, type LetterPage, letterKeys } from './letter-keys.ts'
import { PATHS } from './paths.ts'

/** Goes to a page by `g` and its letter, while nobody types and no dialog is open. */
export function useLetterNavigation(mayOpen: (path: string) => boolean): void {
  const [, go] = useLocation()
  useEffect(() => {
    let isLed = false
    const pressed = (event: KeyboardEvent) => {
      const { key, target } = event
      const { isOn, letters } = letterKeys()
      const wasLed = isLed
      isLed = false
      if (!isOn || event.ctrlKey || event.altKey || event.metaKey || isTyping(target)) return
      isLed = key === LEADER && !wasLed
      if (!wasLed) return
      const page = (Object.keys(letters) as LetterPage[]).find((each) => letters[each] === key)
      if (!page || !mayOpen(PATHS[page])) return
      event.preventDefault()
      go(PATHS[page])
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [go, mayOpen])
}

/** Lists take letters as well: they choose. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, dialog, [role="dialog"]') !== null
  )
}
