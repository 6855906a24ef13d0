/**
 * What a chosen outcome asks for, and the button that saves it, stand below the list: on a small screen they would be
 * below what is seen (console-35).
 */
import { type KeyboardEvent, useEffect, useRef } from 'react'

/**
 * `asked`: for what is to be seen. `watch`: for the form. What was chosen before the page was loaded moves nothing.
 * `wrong`: what is said there to be missing or wrong, anew for each try.
 */
export function useAskedInView(chosen: number | null, wrong: object | undefined) {
  const asked = useRef<HTMLDivElement>(null)
  const shown = useRef(chosen)
  const isStepping = useRef(false)
  useEffect(() => {
    if (shown.current === chosen && !wrong) return
    shown.current = chosen
    asked.current?.scrollIntoView({ block: 'nearest' })
    // Who steps through a long list has to see where they are.
    if (isStepping.current) document.activeElement?.closest('label')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, wrong])
  const watch = {
    onKeyDownCapture: ({ key }: KeyboardEvent) => {
      isStepping.current = key.startsWith('Arrow')
    },
    onPointerDownCapture: () => {
      isStepping.current = false
    },
  }
  return { asked, watch }
}
