/** The browser as a phone: what is wrong with it and who mends it; a call that comes while another page is shown. */
import { Button } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../look/icon.tsx'
import { PHONE_FAILURES } from '../phone/phone-failures.ts'
import { useSession } from '../session/use-session.ts'
import { PATHS } from '../shell/paths.ts'
import { useKeys } from '../shell/use-keys.ts'
import { useStream, useTopic } from '../stream/use-stream.ts'
import { useTexts } from '../texts/language.tsx'
import { takenBy } from './desk-state.ts'
import css from './phone-bar.module.css'
import { PHONE_TEXTS } from './phone-texts.ts'
import { type DeskPhoneUse, useDesk, useDeskPhone } from './use-desk-phone.ts'

/** Where somebody writes; not in the palette, which stays open on every page. */
const FIELDS = ':is(textarea, select, input:not([type=radio], [type=checkbox])):not(dialog *)'

/** Nothing where the phone is no browser. */
export function PhoneBar({ phone: { view, send, start } }: { readonly phone: DeskPhoneUse }) {
  const texts = useTexts(PHONE_TEXTS)
  if (!view || view.state === 'off') return null
  const { state, failure } = view
  const text = failure ? texts[failure] : state === 'live' ? texts.live : texts.connecting
  return (
    <p className={css.bar} data-failed={failure !== undefined} role={failure ? 'alert' : 'status'}>
      <Icon name="headset" size={16} />
      <span className={css.dot} aria-hidden="true" />
      {text}
      {failure === 'elsewhere' && (
        <Button variant="default" size="compact-sm" onClick={() => send({ type: 'takeOver' })}>
          {texts.useHere}
        </Button>
      )}
      {failure && PHONE_FAILURES[failure].step === 'newLine' && (
        <Button variant="default" size="compact-sm" onClick={() => send({ type: 'network.changed' })}>
          {texts.newLine}
        </Button>
      )}
      {failure === 'shiftOver' && (
        <Button variant="default" size="compact-sm" onClick={start}>
          {texts.again}
        </Button>
      )}
    </p>
  )
}

/**
 * While another page is shown the phone hears of calls and legs as at the desk. It is the agent's screen: calls are
 * given on, and each of them leads to the desk.
 */
export function PhoneAway() {
  const { userName } = useSession()
  // Messages and pages of external systems wait for the desk.
  const client = useStream(
    (event) => phone.heard(event),
    undefined,
    () => phone.woke(),
  )
  const desk = useDesk(useTopic(client, 'me'))
  const [come, setCome] = useState<string>()
  const phone = useDeskPhone(userName, desk, setCome)
  return come !== undefined && desk && takenBy(desk) === come && <ToDesk />
}

/** At once; whoever writes goes when they leave the field, or press the key. */
function ToDesk() {
  const texts = useTexts(PHONE_TEXTS)
  const [, go] = useLocation()
  const toDesk = useCallback(() => go(PATHS.desk), [go])
  useKeys({ Escape: toDesk })
  useEffect(() => {
    if (!document.activeElement?.matches(FIELDS)) return toDesk()
    window.addEventListener('focusout', toDesk)
    return () => window.removeEventListener('focusout', toDesk)
  }, [toDesk])
  return (
    <p role="alert" className={css.comes}>
      {texts.comes}
      <Button variant="default" size="compact-sm" onClick={toDesk}>
        {texts.toDesk}
      </Button>
    </p>
  )
}
