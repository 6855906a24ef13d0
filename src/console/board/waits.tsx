/** That the other side of a conversation hears no agent now, why, and for how long. */
import { useTexts } from '../texts/language.tsx'
import type { CallRow } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import css from './rows.module.css'
import { Sentence } from './sentence.tsx'
import { Timer } from './timer.tsx'

/** Nothing where they hear each other. */
export function Waits({ call: { waits } }: { readonly call: CallRow }) {
  const texts = useTexts(BOARD_TEXTS)
  if (!waits) return null
  const time = <Timer sinceMs={Date.parse(waits.sinceTs)} />
  return (
    <span className={css.waits}>
      <Sentence text={texts[`waits_${waits.why}` as 'waits_hold'] ?? texts.waits_hold} values={{ time }} />
    </span>
  )
}
