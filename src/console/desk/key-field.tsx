import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import css from './call-acts.module.css'
import { CALL_ACTS_TEXTS } from './call-acts-texts.ts'
import type { Orders } from './use-orders.ts'

/** So many of the last keys are shown. */
const SHOWN_MAX = 24

interface KeyFieldProps {
  readonly callId: string
  readonly orders: Orders
  readonly close: () => void
}

/** Each key is pressed for the other side at once, as on a telephone; Esc closes. */
export function KeyField({ callId, orders, close }: KeyFieldProps) {
  const texts = useTexts(CALL_ACTS_TEXTS)
  const [pressed, setPressed] = useState('')
  /** One at a time: two requests may overtake each other, and another code would be pressed. */
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const press = (digits: string) => {
    if (!/^[0-9*#]{1,32}$/.test(digits)) return
    setPressed((before) => (before + digits).slice(-SHOWN_MAX))
    last.current = last.current.then(() => orders.give({ type: 'digits', callId, digits }))
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault()
  }
  return (
    <div className={css.panel}>
      <TextInput
        label={texts.keys}
        description={texts.keysHint}
        value={pressed}
        inputMode="tel"
        autoComplete="off"
        autoFocus
        onKeyDown={keys}
        // What was pressed cannot be taken back: only what is added counts.
        onChange={({ currentTarget: { value } }) => value.startsWith(pressed) && press(value.slice(pressed.length))}
      />
      <Button variant="default" onClick={close}>
        {texts.close}
      </Button>
    </div>
  )
}
