/** What the floor did in the last half hour: conversations and losses by minute, waiting times, occupancy. */
import { decimal, fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import board from './board.module.css'
import { useRow } from './board-context.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import css from './floor.module.css'
import { durationText } from './timer.tsx'

const BAR_PX = 2
const STEP_PX = 3
const HIGH_PX = 24

/** Of all teams and nodes; nothing for a supervisor of teams, who is not told the figures of others. */
export function FloorStrip() {
  const texts = useTexts(BOARD_TEXTS)
  const { language } = useLanguage()
  const floor = useRow('floor', 'floor')
  if (!floor) return null
  const { answered = [], lost = [], idleP50S = null, idleP95S = null, occupancyPct = null } = floor
  const idle = { half: timeOf(idleP50S), most: timeOf(idleP95S) }
  return (
    <section className={css.panel} aria-labelledby="board-floor">
      <h2 id="board-floor" className={board.heading}>
        {texts.floor}
      </h2>
      <dl className={css.figures}>
        <div>
          <dt>{texts.answered}</dt>
          <dd>
            <Minutes what={texts.answered} counts={answered} colour="var(--sb-talking)" />
          </dd>
        </div>
        <div>
          <dt>{texts.lost}</dt>
          <dd>
            <Minutes what={texts.lost} counts={lost} colour="var(--sb-loss)" />
          </dd>
        </div>
        <div>
          <dt>{texts.idle}</dt>
          <dd>{fill(texts.idleTimes, idle)}</dd>
        </div>
        <div>
          <dt>{texts.occupancy}</dt>
          <dd>{occupancyPct === null ? '–' : `${decimal(occupancyPct, 1, language)} %`}</dd>
        </div>
      </dl>
    </section>
  )
}

/** A bar for each minute, and the last full minute in figures. */
function Minutes({
  what,
  counts,
  colour,
}: {
  readonly what: string
  readonly counts: readonly number[]
  readonly colour: string
}) {
  const texts = useTexts(BOARD_TEXTS)
  const most = Math.max(1, ...counts)
  const now = counts.at(-2) ?? 0
  const label = fill(texts.series, { what, now, most: Math.max(0, ...counts) })
  const path = counts
    .map((count, place) => {
      const high = count === 0 ? 1 : Math.max(2, Math.round((HIGH_PX * count) / most))
      return `M${place * STEP_PX} ${HIGH_PX}v${-high}h${BAR_PX}v${high}z`
    })
    .join('')
  return (
    <>
      <svg width={30 * STEP_PX} height={HIGH_PX} role="img" aria-label={label}>
        <path d={path} fill={colour} />
      </svg>
      <span aria-hidden="true">{now}</span>
    </>
  )
}

function timeOf(seconds: number | null): string {
  return durationText(seconds === null ? Number.NaN : seconds * 1_000)
}
