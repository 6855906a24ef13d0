/** The browser as a phone: what is wrong with it and who mends it. */
import { Button } from '@mantine/core'
import { Icon } from '../look/icon.tsx'
import { PHONE_FAILURES } from '../phone/phone-failures.ts'
import { useTexts } from '../texts/language.tsx'
import css from './phone-bar.module.css'
import { PHONE_TEXTS } from './phone-texts.ts'
import type { DeskPhoneUse } from './use-desk-phone.ts'

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
