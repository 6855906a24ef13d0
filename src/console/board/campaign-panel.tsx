/** The campaigns that dial, and those that were paused meanwhile. */
import { useTexts } from '../texts/language.tsx'
import css from './board.module.css'
import { CampaignCard, type CampaignWish, PausedCard } from './campaign-card.tsx'
import { CAMPAIGN_TEXTS } from './campaign-texts.ts'

interface PanelProps {
  readonly dialing: readonly number[]
  readonly paused: readonly number[]
  readonly onWish: ((wish: CampaignWish, callCode: number) => void) | undefined
}

/** Draws them. */
export function CampaignPanel({ dialing, paused, onWish }: PanelProps) {
  const texts = useTexts(CAMPAIGN_TEXTS)
  const isEmpty = dialing.length + paused.length === 0
  return (
    <section className={css.campaigns} aria-labelledby="board-campaigns">
      <h2 id="board-campaigns" className={css.heading}>
        {texts.title}
      </h2>
      {isEmpty && <p className={css.empty}>{texts.none}</p>}
      {dialing.map((callCode) => (
        <CampaignCard key={callCode} callCode={callCode} onWish={onWish} />
      ))}
      {paused.map((callCode) => (
        <PausedCard key={callCode} callCode={callCode} onWish={onWish} />
      ))}
    </section>
  )
}
