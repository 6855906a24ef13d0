/** What happened in a call, event by event, or why it is not told. */
import { Icon } from '../look/icon.tsx'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainLines } from '../texts/outside-text.ts'
import type { CallTold } from './call-facts.tsx'
import { timeOf } from './call-wording.ts'
import { Elsewhere } from './elsewhere.tsx'
import css from './one-call.module.css'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'

type Texts = (typeof ONE_CALL_TEXTS)['en']
type Row = CallTold['ladder']['rows'][number]

/** Why there are no rows, beside that they are on another node. */
const NOTES: Readonly<Record<string, keyof Texts>> = { notAllowed: 'mayNotRead', erased: 'ladderErased' }

/** The card. */
export function CallLadder({ call, ladder, servedBy }: Pick<CallTold, 'call' | 'ladder' | 'servedBy'>) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const note = NOTES[ladder.state]
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.ladder}</h2>
      {note && <p className={css.sentence}>{texts[note]}</p>}
      {ladder.state === 'notHere' && (
        <p className={css.sentence}>
          <Elsewhere
            eactId={call.eactId}
            servedBy={servedBy}
            here={texts.ladderDeleted}
            unknown={texts.ladderElsewhere}
          />
        </p>
      )}
      {ladder.rows.length > 0 && (
        <ol className={css.ladder}>
          {ladder.rows.map((row, at) => (
            // A call may have two equal events at the same instant.
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a call that is over never change.
            <Event key={at} row={row} />
          ))}
        </ol>
      )}
      {ladder.cut && <p className={css.sentence}>{texts.cut}</p>}
    </section>
  )
}

/** The words of events are those of `switchboard call show`: English, whatever the language of the page. */
function Event({ row }: { readonly row: Row }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const { language } = useLanguage()
  const lane = texts[`lane${row.lane}` as keyof Texts]
  return (
    <li data-lane={row.lane}>
      <span className={css.dim}>{timeOf(row.ts, language, 'time')}</span>
      <span className={css.lane}>
        {row.way === 'none' ? null : <Icon name={row.way === 'in' ? 'in' : 'out'} size={16} />}
        {lane}
      </span>
      <bdi lang="en" className={css.long}>
        {plainLines(row.text)}
      </bdi>
    </li>
  )
}
