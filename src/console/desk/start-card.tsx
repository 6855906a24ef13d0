import { Paper } from '@mantine/core'
import { BusyButton } from '../look/busy-button.tsx'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import css from './desk.module.css'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { PHONE_TEXTS } from './phone-texts.ts'
import type { DeskPhoneUse } from './use-desk-phone.ts'
import type { Orders } from './use-orders.ts'

interface StartProps {
  readonly desk: Desk
  readonly orders: Orders
  readonly phone: DeskPhoneUse
}

/** One key begins the shift: the caret is on the button. */
export function StartCard({ desk, orders, phone }: StartProps) {
  const { reason, asked, isBrowserPhone } = desk
  const phoneTexts = useTexts(PHONE_TEXTS)
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  return (
    <Paper component="section" withBorder className={css.centre}>
      <h2 className={css.big}>{texts.startTitle}</h2>
      <p>{isBrowserPhone ? phoneTexts.startHint : texts.startHint}</p>
      {reason !== null && (
        <p className={css.dim}>{fill(texts.startAgain, { reason: plainText(spoken(reason, language)) })}</p>
      )}
      {phone.refusal !== undefined && (
        <p role="alert" className={css.trouble}>
          {phone.refusal === null ? texts.failed : plainText(spoken(phone.refusal, language), 300)}
        </p>
      )}
      <BusyButton
        size="md"
        autoFocus
        isOff={orders.isBusy || asked === 'logIn'}
        onClick={() => (isBrowserPhone ? phone.start() : void orders.give({ type: 'logIn' }))}
      >
        {texts.start}
      </BusyButton>
      {asked === 'logIn' && <p role="status">{texts.askedLogIn}</p>}
    </Paper>
  )
}
