/** The board itself, as the page and the wall draw it. */
import { Fragment, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useFreshness } from '../stream/use-stream.ts'
import { fill, LOCALES } from '../texts/catalogue.ts'
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
import { FloorStrip } from './floor-strip.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { Sentence } from './sentence.tsx'
import { ServerNowProvider } from './timer.tsx'
import type { Live } from './use-live.ts'
import { type Situation, useSituation } from './use-situation.ts'

const COUNTED = ['talking', 'ready', 'wrapUp', 'paused'] as const

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
  const isKnown = situation.state === 'live'
  const board = useMemo(
    () => ({ rows, calls, directory, isQuiet: isGrey || isWall, isKnown }),
    [rows, calls, directory, isGrey, isWall, isKnown],
  )
  const now = useMemo(() => () => client.serverNowMs(), [client])
  const texts = useTexts(BOARD_TEXTS)
  const at = useTimeOfDay()(client.asOfMs())
  const note = isGrey ? fill(texts.grey, { at }) : isKnown ? undefined : texts.waiting
  if (situation.state === 'denied') return <p role="alert">{texts.denied}</p>
  return (
    <BoardProvider value={board}>
      <ServerNowProvider value={now}>
        <div className={css.board} data-grey={isGrey || undefined}>
          <div className={css.bar}>
            <Freshness live={live} isKnown={isKnown} />
            {children}
            <Counts counts={isKnown ? situation.counts : undefined} />
          </div>
          <Panels situation={situation} filter={filter} list={list} acts={acts} note={note} />
        </div>
      </ServerNowProvider>
    </BoardProvider>
  )
}

interface PanelsProps extends Pick<ViewProps, 'filter'> {
  readonly acts: ViewProps['acts'] | undefined
  readonly situation: Situation
  readonly list: RefObject<HTMLDivElement | null>
  /** What to say instead of what needs somebody. */
  readonly note: string | undefined
}

function Panels({ situation, filter, list, acts, note }: PanelsProps) {
  const { attention, agents, calls, campaigns, paused } = situation
  const [wanted, setWanted] = useState<{ readonly userName: string }>()
  const [wantedCall, setWantedCall] = useState<{ readonly callId: string }>()
  const urgent = useMemo(
    () => new Set(attention.flatMap(({ kind, key }) => (kind === 'agent' ? [String(key)] : []))),
    [attention],
  )
  const go = ({ kind, key }: Attention) => {
    if (kind === 'agent') setWanted({ userName: String(key) })
    else if (kind === 'call') setWantedCall({ callId: String(key) })
    else document.getElementById(`${kind}-${key}`)?.focus()
  }
  const isFiltered = filter.team !== undefined || filter.campaign !== undefined
  return (
    <>
      <AttentionLine attention={attention} note={note} onGo={acts && go} />
      <div className={css.columns}>
        <CampaignPanel dialing={campaigns} paused={paused} onWish={acts?.onWish} />
        <div className={css.people}>
          <FloorStrip />
          <QueueStrip team={filter.team} isWall={acts === undefined} />
          <AgentGrid
            names={agents}
            urgent={urgent}
            isFiltered={isFiltered}
            list={list}
            wanted={wanted}
            onAct={acts?.onRow}
          />
          {/* On the big screen each conversation stands in the row of its agent: the room is for people. */}
          {acts && <CallList keys={calls} wanted={wantedCall} />}
        </div>
      </div>
    </>
  )
}

/** Live, or as of when. */
function Freshness({ live: { client }, isKnown }: { readonly live: Live; readonly isKnown: boolean }) {
  const texts = useTexts(BOARD_TEXTS)
  const freshness = useFreshness(client)
  const at = useTimeOfDay()(client.asOfMs())
  return (
    <p className={css.freshness} data-freshness={freshness} role="status">
      <span className={css.dot} aria-hidden="true" />
      <span>{freshness === 'live' ? texts.live : isKnown ? fill(texts.asOf, { at }) : texts.connecting}</span>
    </p>
  )
}

/** Of this computer's clock, to the second. */
function useTimeOfDay(): (atMs: number) => string {
  const { language } = useLanguage()
  const two = '2-digit'
  const clock = new Intl.DateTimeFormat(LOCALES[language], { hour: two, minute: two, second: two })
  return (atMs) => clock.format(atMs)
}

/** How many agents are in which state; no figure is parted from its word. */
function Counts({ counts }: { readonly counts: Situation['counts'] | undefined }) {
  const texts = useTexts(BOARD_TEXTS)
  const values = Object.fromEntries(COUNTED.map((name) => [name, String(counts?.[name] ?? '–')]))
  return (
    <p className={css.counts}>
      {texts.counts.split(', ').map((part, place) => (
        <Fragment key={part}>
          {place > 0 && ', '}
          <span className={css.part}>
            <Sentence text={part} values={values} />
          </span>
        </Fragment>
      ))}
    </p>
  )
}
