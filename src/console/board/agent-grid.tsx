/* biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one */
/* biome-ignore-all lint/a11y/useFocusableInteractive: rows are walked, cells and heads are not */
/** All agents, as a grid whose rows are walked by the keyboard; of more than a hundred only those in view are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { AgentRow, type RowAct } from './agent-row.tsx'
import panel from './board.module.css'
import { useBoard } from './board-context.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import { focusWhenDrawn } from './focus-row.ts'
import css from './rows.module.css'

interface GridProps {
  readonly names: readonly string[]
  readonly urgent: ReadonlySet<string>
  readonly isFiltered: boolean
  readonly list: RefObject<HTMLDivElement | null>
  /** Whom a link of the attention line means. */
  readonly wanted: { readonly userName: string } | undefined
  readonly onAct: ((act: RowAct, userName: string, callKey: string | undefined) => void) | undefined
}

const ROW_PX = 36
/** As many rows are drawn whole. */
const WHOLE_MAX = 100
const AROUND = 8

/** Draws the grid. */
export function AgentGrid({ names: all, urgent, isFiltered, list, wanted, onAct }: GridProps) {
  const texts = useTexts(BOARD_TEXTS)
  const { isKnown } = useBoard()
  const room = useRoom(list, onAct === undefined)
  const names = useMemo(() => all.slice(0, room), [all, room])
  const { virtual, move, tabbed } = useWalk(names, list, wanted)
  const more = all.length - names.length
  const nobody = isFiltered ? texts.noneLeft : texts.noAgents
  return (
    <section className={panel.panel} aria-labelledby="board-agents">
      <h2 id="board-agents" className={panel.heading}>
        {texts.agents} <span className={panel.count}>{all.length}</span>
        {more > 0 && <span className={panel.more}>{fill(texts.more, { count: more })}</span>}
      </h2>
      {onAct && <p className={panel.hint}>{texts.keys}</p>}
      <div className={panel.scroll} ref={list}>
        <div
          role="grid"
          className={css.grid}
          data-acts={onAct !== undefined || undefined}
          aria-labelledby="board-agents"
          aria-rowcount={all.length + 1}
        >
          <Head hasActs={onAct !== undefined} />
          <div role="rowgroup" className={css.rows} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <AgentRow
                key={key}
                userName={names[index] ?? ''}
                place={index}
                top={start}
                isCurrent={names[index] === tabbed}
                isUrgent={urgent.has(names[index] ?? '')}
                onAct={onAct}
                onMove={move}
              />
            ))}
          </div>
        </div>
        {all.length === 0 && <p className={panel.empty}>{isKnown ? nobody : texts.notKnown}</p>}
      </div>
    </section>
  )
}

/**
 * How many rows fit, where nobody can scroll: on the big screen. Agents come worst first, so those are left out who
 * need nobody; where not one fits, none is drawn and all are counted. A small window scrolls as a whole instead.
 */
function useRoom(list: GridProps['list'], isWall: boolean): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  useEffect(() => {
    const box = list.current
    if (!box || !isWall) return
    const rows = box.querySelector('[role=rowgroup]:last-child')
    const watch = new ResizeObserver(() => {
      // As it is drawn: the big screen is magnified.
      const { bottom, height } = box.getBoundingClientRect()
      const rowHeight = (ROW_PX * height) / Math.max(1, box.offsetHeight)
      const fit = Math.floor((bottom - (rows?.getBoundingClientRect().top ?? bottom)) / rowHeight)
      setRoom(getComputedStyle(box).maxHeight === 'none' ? Math.max(0, fit) : Number.POSITIVE_INFINITY)
    })
    watch.observe(box)
    return () => watch.disconnect()
  }, [list, isWall])
  return room
}

/** Which rows are drawn, which of them the keyboard is on, and how it moves. */
function useWalk(names: GridProps['names'], list: GridProps['list'], wanted: GridProps['wanted']) {
  const [current, setCurrent] = useState<string>()
  const virtual = useVirtualizer({
    count: names.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => names[place] ?? place,
    overscan: names.length > WHOLE_MAX ? AROUND : WHOLE_MAX,
    scrollPaddingStart: ROW_PX,
  })
  const shown = useRef(names)
  shown.current = names
  // The same function for good: rows are drawn anew when what is given to them changes.
  const move = useCallback(
    (wish: number) => {
      const place = Math.max(0, Math.min(shown.current.length - 1, wish))
      const name = shown.current[place]
      if (name === undefined) return
      setCurrent(name)
      virtual.scrollToIndex(place)
      focusWhenDrawn(list.current, `[data-place="${place}"]`)
    },
    [virtual, list],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish moves the focus
  useEffect(() => {
    if (wanted) move(names.indexOf(wanted.userName))
  }, [wanted])
  const tabbed = current !== undefined && names.includes(current) ? current : names[0]
  return { virtual, move, tabbed }
}

function Head({ hasActs }: { readonly hasActs: boolean }) {
  const texts = useTexts(BOARD_TEXTS)
  const heads = [texts.agent, texts.state, texts.time, texts.campaign, texts.person]
  return (
    <div role="rowgroup" className={css.heads}>
      <div role="row" className={css.head} aria-rowindex={1}>
        {[...heads, ...(hasActs ? [texts.acts] : [])].map((head) => (
          <div key={head} role="columnheader">
            {head}
          </div>
        ))}
      </div>
    </div>
  )
}
