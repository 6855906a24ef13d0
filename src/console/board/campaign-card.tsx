/** A campaign that dials: its state, its budgets, its pace and why, and what can be done with it. */
import { decimal } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { ACT_TEXTS } from './act-texts.ts'
import panel from './board.module.css'
import { useBoard, useRow } from './board-context.ts'
import type { CampaignRow } from './board-rows.ts'
import { CAMPAIGN_TEXTS } from './campaign-texts.ts'
import css from './campaigns.module.css'
import { FinishForecast } from './finish-forecast.tsx'
import { PACE_TEXTS } from './reason-texts.ts'
import { Name, Sentence } from './sentence.tsx'
import type { CampaignAct } from './use-acts.ts'

/** The name of the ledger of a campaign that has set no other. */
const ONLY_LEDGER = 'maxAbandonRate'

/** What a button of a card asks for. */
export type CampaignWish = CampaignAct | 'why'

interface CardProps {
  readonly callCode: number
  readonly onWish: ((wish: CampaignWish, callCode: number) => void) | undefined
}

/** One that dials. */
export function CampaignCard({ callCode, onWish }: CardProps) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  const pace = useTexts(PACE_TEXTS)
  const { language } = useLanguage()
  const row = useRow('campaign', callCode)
  if (!row) return null
  const { name, mode, live, placing, callbacks, ledgers } = row
  const why = pace[placing.why as 'other'] ?? pace.other
  const state = stateOf(row)
  const { idleAgents, inFlight, waiting } = live
  const each = idleAgents > 0 ? decimal((inFlight + waiting) / idleAgents, 2, language) : '–'
  return (
    <Card callCode={callCode} name={name} state={state} aside={texts[mode as 'power'] ?? mode}>
      {ledgers.map((ledger) => (
        <Budget key={ledger.name} ledger={ledger} />
      ))}
      <dl className={css.facts}>
        <Fact term={texts.agents}>
          <Sentence text={texts.agentsFree} values={{ idle: String(live.idleAgents), agents: String(live.agents) }} />
        </Fact>
        <Fact term={texts.lines}>{live.inFlight}</Fact>
        <Fact term={texts.people}>{live.waiting}</Fact>
        <Fact term={texts.linesEach}>{each}</Fact>
        <Fact term={texts.late}>{callbacks.overdue}</Fact>
      </dl>
      <p className={css.why}>
        {texts.pace}: {why}
      </p>
      {onWish && (
        <>
          <Wishes callCode={callCode} name={name} state={state} onWish={onWish} />
          <FinishForecast callCode={callCode} name={name} agents={live.agents} />
        </>
      )}
    </Card>
  )
}

/** One that was paused while this page was open, or that the filter names. */
export function PausedCard({ callCode, onWish }: CardProps) {
  const { directory } = useBoard()
  const name = directory.campaigns.find((one) => one.callCode === callCode)?.name ?? ''
  return (
    <Card callCode={callCode} name={name} state="paused" aside="">
      {onWish && <Wishes callCode={callCode} name={name} state="paused" onWish={onWish} />}
    </Card>
  )
}

type State = 'running' | 'slow' | 'draining' | 'paused'

function stateOf({ orders }: CampaignRow): State {
  if (orders.draining) return 'draining'
  return orders.slowDown ? 'slow' : 'running'
}

interface FrameProps {
  readonly callCode: number
  readonly name: string
  readonly state: State
  readonly aside: string
  readonly children: React.ReactNode
}

function Card({ callCode, name, state, aside, children }: FrameProps) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  return (
    <article
      id={`campaign-${callCode}`}
      className={css.card}
      tabIndex={-1}
      aria-labelledby={`campaign-name-${callCode}`}
    >
      <h3 id={`campaign-name-${callCode}`} className={css.cardName}>
        <Name>{name}</Name>
      </h3>
      <p className={css.cardState} data-state={state}>
        {texts[state]}
        {aside && ` · ${aside}`}
      </p>
      {children}
    </article>
  )
}

function Fact({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** How much of it is used, as a bar and in figures. */
function Budget({ ledger }: { readonly ledger: CampaignRow['ledgers'][number] }) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  const { name, abandoned, allowed, atRisk } = ledger
  const share = abandoned === 0 ? 0 : Math.min(1, abandoned / Math.max(allowed, 1))
  const level = abandoned > allowed ? 'over' : share >= 0.8 ? 'near' : 'fine'
  return (
    <div className={css.budget}>
      <span className={css.budgetName}>
        {name === ONLY_LEDGER ? texts.abandoned : <Sentence text={texts.budget} values={{ window: name }} />}
      </span>
      <span className={css.bar} aria-hidden="true">
        <span className={css.used} data-level={level} style={{ transform: `scaleX(${share})` }} />
      </span>
      <span className={css.budgetCount} data-level={level}>
        <Sentence text={texts.used} values={{ abandoned: String(abandoned), allowed: String(allowed) }} />
      </span>
      <span className={css.dim}>
        <Sentence text={texts.atRisk} values={{ atRisk: String(Math.max(0, atRisk)) }} />
      </span>
    </div>
  )
}

interface WishesProps extends Required<CardProps> {
  readonly name: string
  readonly state: State
  readonly onWish: NonNullable<CardProps['onWish']>
}

function Wishes({ callCode, name, state, onWish }: WishesProps) {
  const texts = useTexts(ACT_TEXTS)
  const { isQuiet } = useBoard()
  const isOff = state === 'paused' || state === 'draining'
  const isPaced = state === 'running' || state === 'slow'
  const button = (wish: CampaignWish, word: string) => (
    <button
      type="button"
      className={panel.act}
      aria-label={`${word}: ${plainText(name)}`}
      disabled={isQuiet && wish !== 'why'}
      title={isQuiet && wish !== 'why' ? texts.old : undefined}
      onClick={() => onWish(wish, callCode)}
    >
      {word}
    </button>
  )
  return (
    <div className={css.wishes}>
      {isOff ? button('resume', texts.resumeCampaign) : button('pause', texts.pauseCampaign)}
      {/* One place for both: the button that has the focus stays, and changes its word. */}
      {isPaced && (state === 'running' ? button('slow', texts.slowDown) : button('fast', texts.ownPace))}
      {button('why', texts.why)}
    </div>
  )
}
