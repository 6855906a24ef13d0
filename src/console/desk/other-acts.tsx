import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { BusyButton } from '../look/busy-button.tsx'
import { useFocusBack } from '../shell/use-focus-back.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import { CALL_TEXTS } from './call-texts.ts'
import type { DeskCall } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import css from './outcome.module.css'
import { type Order, order } from './use-orders.ts'

interface ActsProps {
  readonly call: DeskCall
  readonly isConnected: boolean
  readonly onMachine: () => void
}

/** What is said about a call beside its outcome: a machine, consent to record, "do not call again". */
export function OtherActs({ call: { callId, isIncoming }, isConnected, onMachine }: ActsProps) {
  const texts = useTexts(CALL_TEXTS)
  const { failed } = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const [told, setTold] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isAsking)
  const give = async (body: Order, what: string) => {
    if (isBusy) return
    setBusy(true)
    const answer = await order(body)
    setBusy(false)
    if (answer.ok) setAsking(false)
    const why = answer.ok || answer.why === null ? failed : spoken(answer.why, language)
    setTold(answer.ok ? fill(texts.done, { what }) : plainText(why, 300))
  }
  const stop = () =>
    reason.trim() !== '' && void give({ type: 'doNotCall', callId, reason: reason.trim() }, texts.doNotCall)
  return (
    <div className={css.others}>
      <div className={css.buttons}>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!isConnected}
          onClick={() => void give({ type: 'recordingConsent', callId }, texts.consent)}
        >
          {texts.consent}
        </Button>
        {!isIncoming && (
          <BusyButton
            isOff={isBusy}
            variant="default"
            size="compact-sm"
            onClick={() => {
              onMachine()
              void give({ type: 'machine', callId }, texts.machine)
            }}
          >
            {texts.machine}
          </BusyButton>
        )}
        <Button variant="default" size="compact-sm" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          {texts.doNotCall}
        </Button>
      </div>
      {isAsking && (
        <div className={css.stop}>
          <TextInput
            label={texts.doNotCallWhy}
            value={reason}
            maxLength={200}
            autoFocus
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Not the Enter that saves the outcome.
              event.preventDefault()
              event.stopPropagation()
              stop()
            }}
          />
          <BusyButton isOff={isBusy} onClick={stop}>
            {texts.stop}
          </BusyButton>
        </div>
      )}
      <p role="status" className={css.done}>
        {told}
      </p>
    </div>
  )
}
