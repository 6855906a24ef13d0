/** Keys of whoever was writing when the next call or an offered task took the screen: they belong to what is gone. */
import { useEffect, useRef } from 'react'

/** Our choice: within it the next key is of the same words. Nobody has read a new name sooner. */
const SAME_WORDS_MS = 1_000
const FIELDS = 'textarea, input:not([type=radio], [type=checkbox])'
/** Of the next letter. */
const BEFORE_A_LETTER = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/

interface Writing {
  readonly field: HTMLElement
  /** Of the call whose note it is, where the caret is at its end. */
  readonly callId: string | undefined
  readonly atMs: number
}

/**
 * A field that goes while somebody writes in it takes their next keys along, until they pause: letters are added to
 * its note by `write`, everything else is dropped. Without it a space dials what is offered, a digit chooses an
 * outcome, and the rest of a note is in that of somebody else.
 */
export function useLateKeys(write: (callId: string, letters: string) => void): void {
  const present = useRef(write)
  present.current = write
  useEffect(() => {
    let writing: Writing | undefined
    const pressed = (event: KeyboardEvent) => {
      const { key, target, timeStamp: atMs } = event
      if (BEFORE_A_LETTER.test(key)) return
      const isSame = writing && atMs - writing.atMs < SAME_WORDS_MS
      if (writing && isSame && !writing.field.isConnected && isTyped(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        writing = Object.assign({}, writing, { atMs })
        if (writing.callId !== undefined) present.current(writing.callId, lettersOf(key))
        return
      }
      const field = target instanceof HTMLElement ? target.closest<HTMLElement>(FIELDS) : null
      // Whoever goes on by themselves, as with Tab, means what they go to; so does who has sent off what they wrote.
      const isSent = key === 'Enter' && (event.ctrlKey || !(field instanceof HTMLTextAreaElement))
      writing = field && isTyped(event) && !isSent ? { field, callId: noteOf(field), atMs } : undefined
    }
    const pointed = () => {
      writing = undefined
    }
    window.addEventListener('keydown', pressed, true)
    window.addEventListener('pointerdown', pointed, true)
    return () => {
      window.removeEventListener('keydown', pressed, true)
      window.removeEventListener('pointerdown', pointed, true)
    }
  }, [])
}

/** Letters, and what goes with them; not the keys of the desk, nor those that lead elsewhere. */
function isTyped(event: KeyboardEvent): boolean {
  if (/^(Enter|Backspace|Delete)$/.test(event.key)) return true
  const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph')
  return [...event.key].length === 1 && !isCommand
}

function lettersOf(key: string): string {
  if (key === 'Enter') return '\n'
  return [...key].length === 1 ? key : ''
}

function noteOf(field: HTMLElement): string | undefined {
  const isAtEnd = field instanceof HTMLTextAreaElement && field.selectionStart === field.value.length
  return isAtEnd ? field.dataset['noteOf'] : undefined
}
