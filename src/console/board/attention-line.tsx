/** The worst three in words, each a way to what it is about. */

import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import css from './attention.module.css'
import { ATTENTION_SHOWN, type Attention, LOSSES } from './attention.ts'
import { ATTENTION_TEXTS } from './attention-texts.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import { PACE_TEXTS } from './reason-texts.ts'
import { Sentence } from './sentence.tsx'
import { Timer } from './timer.tsx'

interface LineProps {
  readonly attention: readonly Attention[]
  /** Instead of anything else: nothing is known, or it is too old. */
  readonly note: string | undefined
  /** Absent: the sentences are no buttons. */
  readonly onGo: ((attention: Attention) => void) | undefined
}

/** Always as high, whatever there is. */
export function AttentionLine({ attention, note, onGo }: LineProps) {
  const texts = useTexts(BOARD_TEXTS)
  const worst = note === undefined ? attention.slice(0, ATTENTION_SHOWN) : []
  const more = attention.length - ATTENTION_SHOWN
  return (
    <section className={css.look} aria-labelledby="board-look">
      <h2 id="board-look" className={css.title}>
        {texts.look}
      </h2>
      {worst.length === 0 && <p className={css.well}>{note ?? texts.well}</p>}
      {worst.length > 0 && (
        <ol className={css.worst}>
          {worst.map((one) => (
            <li key={`${one.code}:${one.key}`}>
              <One one={one} onGo={onGo} />
            </li>
          ))}
        </ol>
      )}
      {note === undefined && more > 0 && <span className={css.more}>{fill(texts.more, { count: more })}</span>}
    </section>
  )
}

function One({ one, onGo }: { readonly one: Attention; readonly onGo: LineProps['onGo'] }) {
  const texts = useTexts(ATTENTION_TEXTS)
  const pace = useTexts(PACE_TEXTS)
  const values = Object.fromEntries(Object.entries(one.values).map(([name, value]) => [name, String(value)]))
  const why = pace[String(one.values['why']) as 'other'] ?? pace.other
  const all = { ...values, why, time: <Timer sinceMs={one.sinceMs} /> }
  const sentence = <Sentence text={texts[one.code]} values={all} />
  const loss = LOSSES.has(one.code) || undefined
  if (!onGo) {
    return (
      <span className={css.one} data-loss={loss}>
        {sentence}
      </span>
    )
  }
  return (
    <button type="button" className={css.one} data-loss={loss} onClick={() => onGo(one)}>
      <span>{sentence}</span>
    </button>
  )
}
