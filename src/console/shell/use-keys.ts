import { useEffect, useRef } from 'react'

/** Keys that work anywhere on the page, also while somebody types: they are no characters (WCAG 2.1.4). */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const present = useRef(keys)
  present.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = present.current[event.key]
      if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      if (!event.repeat) act()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}
