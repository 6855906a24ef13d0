/** What happened in a call, event by event, or why it is not told. */
import { Icon } from '../look/icon.tsx'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainLines } from '../texts/outside-text.ts'
import type { CallTold } from './call-facts.tsx'
import { timeOf } from './call-wording.ts'
import css from './one-call.module.css'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'

type Texts = (typeof ONE_CALL_TEXTS)['en']
type Row = CallTold['ladder']['rows'][number]

/** The card. */
export function CallLadder({ ladder }: { readonly ladder: CallTold['ladder'] }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const note = noteOf(ladder.state, texts)
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.ladder}</h2>
      {note !== undefined && <p className={css.sentence}>{note}</p>}
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

function noteOf(state: string, texts: Texts): string | undefined {
  if (state === 'notAllowed') return texts.mayNotRead
  if (state === 'erased') return texts.ladderErased
  return state === 'here' ? undefined : texts.ladderElsewhere
}
