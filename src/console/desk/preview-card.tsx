import { Paper } from '@mantine/core'
import { BusyButton } from '../look/busy-button.tsx'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { ContactCard } from './contact-card.tsx'
import css from './desk.module.css'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { durationText } from './duration-text.ts'
import script from './script.module.css'
import { ScriptCard } from './script-card.tsx'
import type { Orders } from './use-orders.ts'

interface PreviewProps {
  readonly preview: NonNullable<Desk['preview']>
  readonly orders: Orders
  readonly nowMs: number
}

/** A call task to look at: Enter calls, Tab and Enter skips. */
export function PreviewCard({ preview: { task, untilMs }, orders, nowMs }: PreviewProps) {
  const texts = useTexts(DESK_TEXTS)
  const { itcaId } = task
  return (
    <div className={css.preview}>
      <ContactCard task={task} number={undefined} nowMs={nowMs} />
      <div className={script.middle}>
        <Paper component="section" withBorder className={css.card}>
          <h2 className={css.big}>{texts.preview}</h2>
          <p className={css.dim}>
            {untilMs === undefined ? texts.notKnown : fill(texts.previewLimit, { time: durationText(untilMs - nowMs) })}
          </p>
          <div className={css.buttons}>
            <BusyButton
              key={itcaId}
              autoFocus
              isOff={orders.isBusy}
              onClick={() => void orders.give({ type: 'dial', itcaId })}
            >
              {texts.dial}
            </BusyButton>
            <BusyButton
              variant="default"
              isOff={orders.isBusy}
              onClick={() => void orders.give({ type: 'skip', itcaId })}
            >
              {texts.skip}
            </BusyButton>
          </div>
        </Paper>
        <ScriptCard task={task} number={undefined} />
      </div>
    </div>
  )
}
