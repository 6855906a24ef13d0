/**
 * What a chosen outcome asks for, and the button that saves it, stand below the list: on a small screen they would be
 * below what is seen (console-35).
 */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Trouble } from './use-save.ts'

/** `asked`: for what is to be seen. `watch`: for the form. What was chosen before the page was loaded moves nothing. */
export function useAskedInView(chosen: number | null, trouble: Trouble | undefined) {
  const asked = useRef<HTMLDivElement>(null)
  const shown = useRef(chosen)
  const isStepping = useRef(false)
  useEffect(() => {
    // What is wrong with the note has taken the caret there.
    const isWrong = trouble !== undefined && trouble.at !== 'note'
    if (shown.current === chosen && !isWrong) return
    shown.current = chosen
    asked.current?.scrollIntoView({ block: 'nearest' })
    // Who steps through a long list has to see where they are.
    if (isStepping.current) document.activeElement?.closest('label')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, trouble])
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
