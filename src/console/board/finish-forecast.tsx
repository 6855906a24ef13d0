/** When a campaign will be through today: asked for by a key, since the node simulates days for it. */
import { useQuery } from '@tanstack/react-query'
import { SwitchboardProblem } from '../../client/problem.ts'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from '../session/ask.ts'
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spokenRefusal } from '../texts/spoken-refusal.ts'
import panel from './board.module.css'
import { CAMPAIGN_TEXTS } from './campaign-texts.ts'
import css from './campaigns.module.css'
import { Sentence } from './sentence.tsx'
import { useServerNow } from './timer.tsx'

/** Few days: the answer comes within a second or two, and the interval says how sure it is. */
const DAYS = 5
const AGENTS_MAX = 300

type Forecast = AnswerOf<'POST /dialer/callcode/{callCode}/forecast'>

interface ForecastProps {
  readonly callCode: number
  readonly name: string
  /** Those at work now. */
  readonly agents: number
}

/** The button, and the answer as a sentence. */
export function FinishForecast({ callCode, name, agents }: ForecastProps) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  const { language } = useLanguage()
  const now = useServerNow()
  // Kept by the campaign, not by the card: a row that goes and comes again takes no answer with it.
  const { refetch, isFetching, data, error } = useQuery({
    queryKey: ['board', 'forecast', callCode],
    enabled: false,
    retry: false,
    queryFn: async () => {
      const body = { agents: Math.min(AGENTS_MAX, Math.max(1, agents)), days: DAYS }
      const params = { callCode: String(callCode) }
      return { forecast: await ask('POST /dialer/callcode/{callCode}/forecast', { params, body }), atMs: now() }
    },
  })
  const why = error instanceof SwitchboardProblem ? spokenRefusal(error, language) : ''
  return (
    <>
      <button
        type="button"
        className={`${panel.act} ${css.forecast}`}
        aria-label={`${texts.forecast}: ${plainText(name)}`}
        aria-disabled={isFetching || undefined}
        onClick={() => void refetch({ cancelRefetch: false })}
      >
        {isFetching ? texts.forecasting : texts.forecast}
      </button>
      <p className={css.why} role="status">
        {data && !error && !isFetching && <Finish forecast={data.forecast} atMs={data.atMs} />}
        {error && !isFetching && <Sentence text={texts.noForecast} values={{ why }} />}
      </p>
    </>
  )
}

function Finish({ forecast, atMs }: { readonly forecast: Forecast; readonly atMs: number }) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  const { language } = useLanguage()
  const { finishTs, dueTasks, agents } = forecast
  if (finishTs === null || dueTasks === 0) return texts.noFinish
  const { mean, low, high } = finishTs
  if (mean === null) return texts.farFinish
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const today = new Date(atMs).toDateString()
  const at = (instant: string | null) => {
    if (instant === null) return texts.farOff
    const date = new Date(instant)
    const day = date.toDateString() === today ? {} : ({ weekday: 'short', day: 'numeric', month: 'short' } as const)
    return new Intl.DateTimeFormat(LOCALES[language], Object.assign({}, clock, day)).format(date)
  }
  return fill(texts.finish, { at: at(mean), early: at(low), late: at(high), agents })
}
