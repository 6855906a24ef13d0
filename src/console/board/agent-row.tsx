/* biome-ignore-all lint/a11y/useSemanticElements: the rows of a table element cannot be placed one by one */
/* biome-ignore-all lint/a11y/useFocusableInteractive: rows are walked, cells and heads are not */
/** One agent: state, time, campaign, person, acts. Nothing of the component library, and no other row, draws it. */
import { type KeyboardEvent, memo } from 'react'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import { ACT_TEXTS } from './act-texts.ts'
import panel from './board.module.css'
import { useBoard, useCallOf, useCampaignName, useNameOf, useRow } from './board-context.ts'
import { type AgentRow as BoardAgent, placeOf } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import css from './rows.module.css'
import { Name, Sentence } from './sentence.tsx'
import { StateIcon } from './state-icon.tsx'
import { Timer } from './timer.tsx'
import { Waits } from './waits.tsx'

/** What is done with a row. */
export type RowAct = 'listen' | 'whisper' | 'join' | 'pause' | 'ready' | 'logOut'

interface RowProps {
  readonly userName: string
  readonly place: number
  readonly top: number
  readonly isCurrent: boolean
  readonly isUrgent: boolean
  readonly onAct: ((act: RowAct, userName: string, callKey: string | undefined) => void) | undefined
  readonly onMove: (place: number) => void
}

const KEYS: Readonly<Record<string, RowAct>> = { l: 'listen', w: 'whisper', b: 'join', p: 'pause', e: 'ready' }
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** A row of the grid; letters act on the row that has the focus, and only there. */
export const AgentRow = memo(function AgentRow(props: RowProps) {
  const { userName, place, top, isCurrent, isUrgent, onAct, onMove } = props
  const row = useRow('agent', userName)
  const callKey = useCallOf(userName)
  const name = useNameOf()(userName)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const act = KEYS[event.key.toLowerCase()]
    const step = STEPS[event.key]
    if (act && onAct) event.repeat || onAct(act, userName, callKey)
    else if (step !== undefined) onMove(place + step)
    else return
    event.preventDefault()
  }
  if (!row) return null
  return (
    <div
      role="row"
      className={css.row}
      aria-rowindex={place + 2}
      data-place={place}
      data-urgent={isUrgent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onKeyDown={onKeyDown}
      onFocus={() => onMove(place)}
    >
      <div role="rowheader" className={css.name}>
        <Name>{name}</Name>
      </div>
      <State row={row} />
      <div role="cell" className={css.time}>
        <Timer sinceMs={row.sinceTs === null ? undefined : Date.parse(row.sinceTs)} />
      </div>
      <Conversation callKey={callKey} />
      {onAct && (
        <div role="cell" className={css.acts}>
          <RowActs
            name={name}
            userName={userName}
            callKey={callKey}
            isCurrent={isCurrent}
            onAct={onAct}
            state={row.state}
          />
        </div>
      )}
    </div>
  )
})

function State({ row: { state, reason, asked, node, sound } }: { readonly row: BoardAgent }) {
  const texts = useTexts(BOARD_TEXTS)
  const { language } = useLanguage()
  const word = texts[state as 'ready'] ?? state
  const follows = asked === null ? '' : (texts[`asked_${asked}` as 'asked_pause'] ?? '')
  return (
    <div role="cell" className={css.state} data-state={state}>
      <StateIcon state={state} />
      <span className={css.word}>{word}</span>
      <span className={css.aside}>
        {reason !== null && <Name>{spoken(reason, language)}</Name>} {follows}
        {sound && <span className={css.sound}>{texts[`sound_${sound}` as 'sound_loss'] ?? texts.sound_loss}</span>}
        {node && <Sentence text={texts.onNode} values={{ node }} />}
      </span>
    </div>
  )
}

/** Campaign and person of the call, if there is one. */
function Conversation({ callKey }: { readonly callKey: string | undefined }) {
  const texts = useTexts(BOARD_TEXTS)
  const call = useRow('call', callKey ?? '')
  const campaign = useCampaignName(call?.callTask?.callCode)
  const person = call && (call.callTask?.callReceiverName || call.number || placeOf(call, texts))
  return (
    <>
      <div role="cell" className={css.campaign}>
        {(campaign ?? call?.queueCode) && <Name>{campaign ?? call?.queueCode ?? ''}</Name>}
      </div>
      <div role="cell" className={css.person}>
        {call && <Waits call={call} />}
        {person && <Name>{person}</Name>}
      </div>
    </>
  )
}

interface ActsProps extends Pick<RowProps, 'userName' | 'isCurrent'> {
  readonly name: string
  readonly state: string
  readonly callKey: string | undefined
  readonly onAct: NonNullable<RowProps['onAct']>
}

function RowActs({ name, userName, state, callKey, isCurrent, onAct }: ActsProps) {
  const texts = useTexts(ACT_TEXTS)
  const { isQuiet } = useBoard()
  const button = (act: RowAct, word: string, key?: string) => (
    <button
      type="button"
      className={panel.act}
      tabIndex={isCurrent ? 0 : -1}
      disabled={isQuiet}
      aria-label={`${word}: ${plainText(name)}`}
      aria-keyshortcuts={key}
      title={isQuiet ? texts.old : undefined}
      onClick={({ currentTarget }) => {
        // The button may be gone when the act is done, and the keys of the row would reach nothing.
        currentTarget.closest<HTMLElement>('[role=row]')?.focus({ preventScroll: true })
        onAct(act, userName, callKey)
      }}
    >
      {word}
    </button>
  )
  return (
    <>
      {callKey !== undefined && button('listen', texts.listen, 'l')}
      {callKey !== undefined && button('whisper', texts.whisper, 'w')}
      {callKey !== undefined && button('join', texts.join, 'b')}
      {state === 'wrapUp' && button('ready', texts.endWrapUp, 'e')}
      {state === 'paused' && button('ready', texts.endPause, 'e')}
      {state !== 'paused' && state !== 'loggedOut' && button('pause', texts.pauseAgent, 'p')}
      {button('logOut', texts.logOut)}
    </>
  )
}
