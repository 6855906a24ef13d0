/** The board itself, as the page and the wall draw it. */
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useFreshness } from '../stream/use-stream.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { AgentGrid } from './agent-grid.tsx'
import type { RowAct } from './agent-row.tsx'
import type { Attention } from './attention.ts'
import { AttentionLine } from './attention-line.tsx'
import css from './board.module.css'
import { BoardProvider } from './board-context.ts'
import type { BoardFilter, Directory } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import { CallIndex } from './call-index.ts'
import { CallList } from './call-list.tsx'
import type { CampaignWish } from './campaign-card.tsx'
import { CampaignPanel } from './campaign-panel.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { Sentence } from './sentence.tsx'
import { ServerNowProvider } from './timer.tsx'
import type { Live } from './use-live.ts'
import { type Situation, useSituation } from './use-situation.ts'

interface ViewProps {
  readonly live: Live
  readonly directory: Directory
  readonly isStopped: boolean
  readonly filter: BoardFilter
  /** Absent on the wall: nothing can be done there. */
  readonly acts?: {
    readonly onRow: (act: RowAct, userName: string, callKey: string | undefined) => void
    readonly onWish: (wish: CampaignWish, callCode: number) => void
  }
  /** Beside the state of the connection. */
  readonly children?: React.ReactNode
}

/** Everything below the top bar. */
export function BoardView({ live, directory, isStopped, filter, acts, children }: ViewProps) {
  const { client, subscription } = live
  const { rows } = subscription
  const list = useRef<HTMLDivElement>(null)
  const situation = useSituation(live, { directory, isStopped, filter, list })
  const calls = useMemo(() => new CallIndex(rows), [rows])
  useEffect(() => () => calls.stop(), [calls])
  const freshness = useFreshness(client)
  const isWall = acts === undefined
  const isGrey = freshness === 'grey' || freshness === 'signedOut'
  const board = useMemo(
    () => ({ rows, calls, directory, isQuiet: isGrey || isWall }),
    [rows, calls, directory, isGrey, isWall],
  )
  const now = useMemo(() => () => client.serverNowMs(), [client])
  const texts = useTexts(BOARD_TEXTS)
  if (situation.state === 'denied') return <p role="alert">{texts.denied}</p>
  return (
    <BoardProvider value={board}>
      <ServerNowProvider value={now}>
        <div className={css.board} data-grey={isGrey || undefined}>
          <div className={css.bar}>
            <Freshness live={live} />
            {children}
            <p className={css.counts}>
              <Sentence text={texts.counts} values={asText(situation.counts)} />
            </p>
          </div>
          <Panels situation={situation} filter={filter} list={list} acts={acts} />
        </div>
      </ServerNowProvider>
    </BoardProvider>
  )
}

interface PanelsProps extends Pick<ViewProps, 'filter'> {
  readonly acts: ViewProps['acts'] | undefined
  readonly situation: Situation
  readonly list: RefObject<HTMLDivElement | null>
}

function Panels({ situation, filter, list, acts }: PanelsProps) {
  const { attention, agents, calls, campaigns, paused, state } = situation
  const [wanted, setWanted] = useState<{ readonly userName: string }>()
  const urgent = useMemo(
    () => new Set(attention.flatMap(({ kind, key }) => (kind === 'agent' ? [String(key)] : []))),
    [attention],
  )
  const go = ({ kind, key }: Attention) => {
    if (kind === 'agent') setWanted({ userName: String(key) })
    else document.getElementById(`${kind}-${key}`)?.focus()
  }
  const isFiltered = filter.team !== undefined || filter.campaign !== undefined
  return (
    <>
      <AttentionLine attention={attention} isKnown={state === 'live'} onGo={acts && go} />
      <div className={css.columns}>
        <CampaignPanel dialing={campaigns} paused={paused} onWish={acts?.onWish} />
        <div className={css.people}>
          <QueueStrip team={filter.team} />
          <AgentGrid {...{ urgent, isFiltered, list, wanted }} names={agents} onAct={acts?.onRow} />
          <CallList keys={calls} />
        </div>
      </div>
    </>
  )
}

/** Live, or as of when; grey says why nothing can be done. */
function Freshness({ live: { client } }: { readonly live: Live }) {
  const texts = useTexts(BOARD_TEXTS)
  const { language } = useLanguage()
  const freshness = useFreshness(client)
  const clock = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })
  const at = clock.format(client.asOfMs())
  const isOld = freshness === 'grey' || freshness === 'signedOut'
  const text = freshness === 'live' ? texts.live : isOld ? texts.grey : texts.asOf
  return (
    <p className={css.freshness} data-freshness={freshness} role="status">
      <span className={css.dot} aria-hidden="true" />
      <span>
        <Sentence text={text} values={{ at }} />
      </span>
    </p>
  )
}

function asText(counts: Situation['counts']): Record<string, string> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))
}
