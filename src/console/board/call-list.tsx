/* biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one */
/* biome-ignore-all lint/a11y/useFocusableInteractive: rows are walked, cells and heads are not */
/** The conversations that go on: who, with whom, for what, how long. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef } from 'react'
import { useTexts } from '../texts/language.tsx'
import panel from './board.module.css'
import { useBoard, useCampaignName, useNameOf, useRow } from './board-context.ts'
import { placeOf } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import { focusWhenDrawn } from './focus-row.ts'
import css from './rows.module.css'
import { Name } from './sentence.tsx'
import { Timer } from './timer.tsx'
import { Waits } from './waits.tsx'

const ROW_PX = 32
const WHOLE_MAX = 100
const AROUND = 8

interface ListProps {
  readonly keys: readonly string[]
  /** The one that a link of the attention line means. */
  readonly wanted: { readonly callId: string } | undefined
}

/** In the order in which they began. */
export function CallList({ keys, wanted }: ListProps) {
  const texts = useTexts(BOARD_TEXTS)
  const list = useRef<HTMLDivElement>(null)
  const { isKnown } = useBoard()
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => keys[place] ?? place,
    overscan: keys.length > WHOLE_MAX ? AROUND : WHOLE_MAX,
    scrollPaddingStart: ROW_PX,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish moves the focus
  useEffect(() => {
    const place = wanted ? keys.indexOf(wanted.callId) : -1
    if (place < 0) return
    virtual.scrollToIndex(place)
    focusWhenDrawn(list.current, `[aria-rowindex="${place + 2}"]`)
  }, [wanted])
  const heads = [texts.agent, texts.direction, texts.time, texts.campaign, texts.person]
  return (
    <section className={panel.panel} aria-labelledby="board-calls">
      <h2 id="board-calls" className={panel.heading}>
        {texts.calls} <span className={panel.count}>{keys.length}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div className={panel.scroll} ref={list} tabIndex={0} role="group" aria-labelledby="board-calls">
        <div
          role="table"
          className={css.callGrid}
          data-calls
          aria-labelledby="board-calls"
          aria-rowcount={keys.length + 1}
        >
          <div role="rowgroup" className={css.heads}>
            <div role="row" className={css.head} aria-rowindex={1}>
              {heads.map((head) => (
                <div key={head} role="columnheader">
                  {head}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={css.rows} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <CallLine key={key} callKey={keys[index] ?? ''} place={index} top={start} />
            ))}
          </div>
        </div>
        {keys.length === 0 && <p className={panel.empty}>{isKnown ? texts.noCalls : texts.notKnown}</p>}
      </div>
    </section>
  )
}

interface LineProps {
  readonly callKey: string
  readonly place: number
  readonly top: number
}

const CallLine = memo(function CallLine({ callKey, place, top }: LineProps) {
  const texts = useTexts(BOARD_TEXTS)
  const nameOf = useNameOf()
  const call = useRow('call', callKey)
  const campaign = useCampaignName(call?.callTask?.callCode)
  if (!call) return null
  const { userName, direction, sinceTs, callTask, number, queueCode } = call
  const style = { transform: `translateY(${top}px)` }
  return (
    <div
      role="row"
      id={`call-${callKey}`}
      className={css.callRow}
      aria-rowindex={place + 2}
      tabIndex={-1}
      style={style}
    >
      <div role="rowheader" className={css.name}>
        <Name>{nameOf(userName)}</Name>
      </div>
      <div role="cell">{direction === 1 ? texts.in : texts.out}</div>
      <div role="cell" className={css.time}>
        <Timer sinceMs={Date.parse(sinceTs)} />
      </div>
      <div role="cell" className={css.campaign}>
        {(campaign ?? queueCode) && <Name>{campaign ?? queueCode ?? ''}</Name>}
      </div>
      <div role="cell" className={css.person}>
        <Waits call={call} />
        <Name>{callTask?.callReceiverName || number || placeOf(call, texts)}</Name>
      </div>
    </div>
  )
})
