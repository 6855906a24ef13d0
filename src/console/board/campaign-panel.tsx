/** The campaigns that dial, and those that were paused meanwhile. */
import { useEffect, useRef, useState } from 'react'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import css from './board.module.css'
import { useBoard } from './board-context.ts'
import { BOARD_TEXTS } from './board-texts.ts'
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
  const boardTexts = useTexts(BOARD_TEXTS)
  const { isKnown } = useBoard()
  const count = dialing.length + paused.length
  const { panel, cut } = useCut(count)
  return (
    <section className={css.campaigns} ref={panel} aria-labelledby="board-campaigns">
      <h2 id="board-campaigns" className={css.heading}>
        {texts.title} {!onWish && cut > 0 && <span className={css.count}>{fill(boardTexts.more, { count: cut })}</span>}
      </h2>
      {count === 0 && <p className={css.empty}>{isKnown ? texts.none : boardTexts.notKnown}</p>}
      {dialing.map((callCode) => (
        <CampaignCard key={callCode} callCode={callCode} onWish={onWish} />
      ))}
      {paused.map((callCode) => (
        <PausedCard key={callCode} callCode={callCode} onWish={onWish} />
      ))}
    </section>
  )
}

/** How many cards do not fit whole, beside the first one: the big screen cannot be scrolled. */
function useCut(count: number) {
  const panel = useRef<HTMLElement>(null)
  const [cut, setCut] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of cards is measured anew
  useEffect(() => {
    const box = panel.current
    if (!box) return
    const measure = () => {
      const cards = [...box.querySelectorAll('article')]
      const { bottom } = box.getBoundingClientRect()
      setCut(cards.slice(1).filter((card) => card.getBoundingClientRect().bottom > bottom + 1).length)
    }
    const watch = new ResizeObserver(measure)
    for (const one of [box, ...box.querySelectorAll('article')]) watch.observe(one)
    return () => watch.disconnect()
  }, [count])
  return { panel, cut }
}
