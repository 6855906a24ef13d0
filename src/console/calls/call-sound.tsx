/** How badly the call was heard in the browsers of agents: the worst that their pages have reported. */
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import type { CallTold } from './call-facts.tsx'
import { plainName, timeOf } from './call-wording.ts'
import css from './one-call.module.css'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'

/** Nothing where nobody reported anything. */
export function CallSound({ sound }: { readonly sound: CallTold['sound'] }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const { language } = useLanguage()
  if (sound.length === 0) return null
  const number = new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 1 })
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.sound}</h2>
      <ul className={css.feedback}>
        {sound.map(({ userName, lossPercent, roundTripMs, silentIn, silentOut, firstTs, lastTs }) => {
          const said = [
            lossPercent === null ? undefined : fill(texts.soundLoss, { percent: number.format(lossPercent) }),
            roundTripMs === null ? undefined : fill(texts.soundTrip, { ms: number.format(roundTripMs) }),
            silentIn ? texts.soundIn : undefined,
            silentOut ? texts.soundOut : undefined,
          ]
          return (
            <li key={userName}>
              <bdi>{plainName(userName)}</bdi>
              <span>{said.filter((one) => one !== undefined).join(', ')}</span>
              <span className={css.dim}>
                {timeOf(firstTs, language, 'time')} – {timeOf(lastTs, language, 'time')}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
