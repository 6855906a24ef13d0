import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import css from './call-acts.module.css'
import { CALL_ACTS_TEXTS } from './call-acts-texts.ts'
import type { Orders } from './use-orders.ts'

const REFRESH_MS = 3_000
const SHOWN_MAX = 8

interface TransferPanelProps {
  readonly callId: string
  readonly orders: Orders
  readonly close: () => void
}

/** A name or a number, Enter: talk first. The field completes a name by its beginning. */
export function TransferPanel({ callId, orders, close }: TransferPanelProps) {
  const texts = useTexts(CALL_ACTS_TEXTS)
  const [typed, setTyped] = useState('')
  const { data = [] } = useQuery({
    queryKey: ['colleagues'],
    queryFn: () => ask('GET /svcpbx/agents/me/colleagues'),
    refetchInterval: REFRESH_MS,
  })
  const wanted = typed.trim().toLowerCase()
  const fits = data.filter(({ name, userName }) => `${name} ${userName}`.toLowerCase().includes(wanted))
  const isNumber = /^\+?[\d\s()/.-]{3,}$/.test(wanted)
  const whole = fits.find((one) => [one.name, one.userName].some((each) => each.toLowerCase() === wanted))
  // The list changes by itself: of several, or of nobody who was named, the first may be another in a moment.
  const meant = wanted === '' || fits.length > 1 ? whole : fits[0]
  const give = async (type: 'consult' | 'transfer', userName = isNumber ? undefined : meant?.userName) => {
    if (orders.isBusy || (!isNumber && userName === undefined)) return
    const to = userName === undefined ? { number: typed.trim() } : { userName }
    if (await orders.give(Object.assign({ type, callId }, to))) close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void give('consult')
  }
  const keys = ({ key }: KeyboardEvent) => key === 'Escape' && close()
  const isOff = orders.isBusy || (!isNumber && !meant)
  const said = fits.length === 0 ? texts.nobody : wanted === '' || meant ? texts.ready : texts.several
  return (
    <form className={css.panel} onSubmit={submit} onKeyDown={keys}>
      <TextInput
        label={texts.to}
        description={texts.toHint}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        maxLength={64}
        autoComplete="off"
        autoFocus
      />
      <BusyButton type="submit" variant="filled" isOff={isOff}>
        {texts.ask}
      </BusyButton>
      <BusyButton variant="default" isOff={isOff} onClick={() => void give('transfer')}>
        {texts.send}
      </BusyButton>
      <Button variant="default" onClick={close}>
        {texts.close}
      </Button>
      <div className={css.ready}>
        <span className={css.dim}>{said}</span>
        {fits.slice(0, SHOWN_MAX).map(({ userName, name }) => (
          <Button key={userName} variant="default" size="compact-sm" onClick={() => void give('consult', userName)}>
            <bdi>{plainText(name, 40)}</bdi>
          </Button>
        ))}
      </div>
    </form>
  )
}
