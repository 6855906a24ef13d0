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
import type { Draft } from './outcome-order.ts'
import { type Order, order } from './use-orders.ts'

interface ActsProps {
  readonly call: DeskCall
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly isConnected: boolean
}

/** What is said about a call beside its outcome: a machine, consent to record, "do not call again". */
export function OtherActs({
  call: { callId, isIncoming },
  draft: { stop, asked = false },
  change,
  isConnected,
}: ActsProps) {
  const texts = useTexts(CALL_TEXTS)
  const { failed } = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const [told, setTold] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isAsking = stop !== undefined
  useFocusBack(isAsking)
  const give = async (body: Order, what: string) => {
    if (isBusy) return false
    setBusy(true)
    const answer = await order(body)
    setBusy(false)
    const why = answer.ok || answer.why === null ? failed : spoken(answer.why, language)
    setTold(answer.ok ? fill(texts.done, { what }) : plainText(why, 300))
    return answer.ok
  }
  const doNotCall = async (reason: string) => {
    if (await give({ type: 'doNotCall', callId, reason }, texts.doNotCall)) change({ stop: undefined })
  }
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
              // A machine asks for no time.
              change({ asked })
              void give({ type: 'machine', callId }, texts.machine)
            }}
          >
            {texts.machine}
          </BusyButton>
        )}
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isAsking}
          onClick={() => change({ stop: isAsking ? undefined : '' })}
        >
          {texts.doNotCall}
        </Button>
      </div>
      {isAsking && <Stop reason={stop} type={(text) => change({ stop: text })} isBusy={isBusy} give={doNotCall} />}
      <p role="status" className={css.done}>
        {told}
      </p>
    </div>
  )
}

interface StopProps {
  readonly reason: string
  readonly type: (text: string) => void
  readonly isBusy: boolean
  readonly give: (reason: string) => Promise<void>
}

/** Why nobody is to call again. It lies with the draft: the call may end, and its time, while it is written. */
function Stop({ reason, type, isBusy, give }: StopProps) {
  const texts = useTexts(CALL_TEXTS)
  const stop = () => reason.trim() !== '' && void give(reason.trim())
  return (
    <div className={css.stop}>
      <TextInput
        label={texts.doNotCallWhy}
        data-place="stop"
        value={reason}
        maxLength={200}
        autoFocus
        onChange={({ currentTarget }) => type(currentTarget.value)}
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
  )
}
