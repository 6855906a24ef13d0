/** State, person and acts of the agent's phone. Every slot has its place in every state: nothing moves. */
import { Button, Kbd, Popover } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { Icon, type IconName } from '../look/icon.tsx'
import { toNoteFrom } from '../shell/to-note.ts'
import { useKeys } from '../shell/use-keys.ts'
import type { Freshness } from '../stream/stream-client.ts'
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import { REASONS } from './desk-commands.ts'
import type { Desk, DeskState } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { durationText } from './duration-text.ts'
import css from './strip.module.css'
import type { DeskNews } from './use-desk-news.ts'
import type { Orders } from './use-orders.ts'

interface StripProps {
  readonly desk: Desk
  readonly orders: Orders
  readonly nowMs: number
  readonly freshness: Freshness
  readonly asOfMs: number
  readonly news: DeskNews
}

const ICONS: Readonly<Record<DeskState, IconName>> = {
  loggedOut: 'off',
  calling: 'headset',
  ready: 'ready',
  reserved: 'look',
  talking: 'call',
  wrapUp: 'write',
  paused: 'pause',
}

/** F8 ends the call, F9 pauses and comes back, F10 opens the case; also while somebody types. */
export function PhoneStrip({ desk, orders, nowMs, freshness, asOfMs, news }: StripProps) {
  const texts = useTexts(DESK_TEXTS)
  const { state, call, isConnected } = desk
  const isOff = state === 'loggedOut'
  const mayEnd = isConnected || state === 'reserved'
  const isAway = state === 'paused' || desk.asked === 'pause'
  const end = () => mayEnd && void orders.give({ type: 'hangUp', ...(call && { callId: call.callId }) })
  useKeys({ F8: end, F10: news.openPage })
  return (
    <section className={css.strip} aria-label={texts.strip} data-state={state} data-freshness={freshness}>
      <StateWord desk={desk} nowMs={nowMs} />
      <Who desk={desk} nowMs={nowMs} />
      <Live freshness={freshness} asOfMs={asOfMs} />
      <div className={css.acts}>
        <Act name="F8" text={texts.end} isFilled={mayEnd} isOff={!mayEnd} onClick={end} />
        <PauseAct isAway={isAway} isOff={isOff} orders={orders} />
        <Act name="F10" text={texts.openCase} isFilled isOff={news.page === undefined} onClick={news.openPage} />
        <Button
          variant="default"
          disabled={isOff}
          leftSection={<Icon name="off" size={16} />}
          onClick={() => void orders.give({ type: 'logOut' })}
        >
          {texts.logOut}
        </Button>
      </div>
    </section>
  )
}

interface PauseProps {
  readonly isAway: boolean
  readonly isOff: boolean
  readonly orders: Orders
}

/** Whoever writes while they ask for a pause goes on writing. */
function PauseAct({ isAway, isOff, orders }: PauseProps) {
  const texts = useTexts(DESK_TEXTS)
  const [isAsking, setAsking] = useState(false)
  const from = useRef<Element>(null)
  const toggle = () => {
    if (isOff) return
    if (isAway) return void orders.give({ type: 'ready' })
    from.current = document.activeElement
    setAsking(!isAsking)
  }
  useKeys({ F9: toggle })
  const pauseFor = (reason: (typeof REASONS)[number]) => {
    setAsking(false)
    void orders.give({ type: 'pause', reason: texts[reason] })
  }
  return (
    <Popover
      opened={isAsking}
      onChange={setAsking}
      onExitTransitionEnd={() => toNoteFrom(from.current)}
      trapFocus
      returnFocus
      withinPortal={false}
      position="bottom-end"
    >
      <Popover.Target>
        <Act name="F9" text={isAway ? texts.resume : texts.pause} isFilled={isAway} isOff={isOff} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.pauseWhy}>
        <PauseReasons choose={pauseFor} />
      </Popover.Dropdown>
    </Popover>
  )
}

function StateWord({ desk: { state, sinceMs, isHeld }, nowMs }: { readonly desk: Desk; readonly nowMs: number }) {
  const texts = useTexts(DESK_TEXTS)
  const isCounted = sinceMs !== undefined && state !== 'loggedOut'
  return (
    <p className={css.state}>
      <Icon name={state === 'talking' && isHeld ? 'pause' : ICONS[state]} />
      <span className={css.word} role="status">
        {state === 'talking' && isHeld ? texts.onHold : texts[state]}
      </span>
      <span className={css.timer}>{isCounted ? durationText(nowMs - sinceMs) : ''}</span>
    </p>
  )
}

function Who({ desk, nowMs }: { readonly desk: Desk; readonly nowMs: number }) {
  const texts = useTexts(DESK_TEXTS)
  const { call, state, reason, untilMs, isConnected } = desk
  const { language } = useLanguage()
  const name = call ? plainText(call.task?.name || texts.unknown) : undefined
  const about = call?.task?.caseNumber
    ? fill(texts.caseNumber, { number: plainText(call.task.caseNumber) })
    : texts.incoming
  const left = untilMs === undefined || state !== 'wrapUp' ? undefined : durationText(untilMs - nowMs)
  const said = state === 'paused' && reason !== null ? plainText(spoken(reason, language)) : ''
  return (
    <div className={css.who}>
      <bdi className={css.name}>{name ?? said}</bdi>
      <bdi className={css.number}>{call ? plainText(call.number, 40) : ''}</bdi>
      <span className={css.limit}>{left === undefined ? '' : fill(texts.limit, { time: left })}</span>
      <span className={css.hidden} role="alert">
        {isConnected ? fill(texts.connected, { name: name ?? '', case: about }) : ''}
      </span>
    </div>
  )
}

/** Whether what is shown is true now. */
function Live({ freshness, asOfMs }: { readonly freshness: Freshness; readonly asOfMs: number }) {
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const time = new Intl.DateTimeFormat(LOCALES[language], { timeStyle: 'medium' })
  const text = freshness === 'live' ? texts.live : fill(texts.stale, { time: time.format(asOfMs) })
  return (
    <p className={css.live} data-live={freshness === 'live'} role="status">
      {text}
    </p>
  )
}

interface ActProps {
  readonly name: string
  readonly text: string
  readonly isFilled: boolean
  readonly isOff: boolean
  readonly onClick: () => void
}

function Act({ name, text, isFilled, isOff, onClick, ...rest }: ActProps) {
  return (
    <Button
      {...rest}
      variant={isFilled && !isOff ? 'filled' : 'default'}
      disabled={isOff}
      onClick={onClick}
      rightSection={<Kbd aria-hidden="true">{name}</Kbd>}
      aria-keyshortcuts={name}
    >
      {text}
    </Button>
  )
}

/** 1 to 5 choose. */
function PauseReasons({ choose }: { readonly choose: (reason: (typeof REASONS)[number]) => void }) {
  const texts = useTexts(DESK_TEXTS)
  const withKey = (key: string): ReactNode => <Kbd aria-hidden="true">{key}</Kbd>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the digits belong to the buttons inside
    <div
      className={css.reasons}
      onKeyDown={({ key }) => {
        const reason = /^[1-5]$/.test(key) ? REASONS[Number(key) - 1] : undefined
        if (reason) choose(reason)
      }}
    >
      <p className={css.ask}>{texts.pauseWhy}</p>
      {REASONS.map((reason, place) => (
        <Button
          key={reason}
          variant="default"
          justify="space-between"
          rightSection={withKey(String(place + 1))}
          onClick={() => choose(reason)}
          data-autofocus={place === 0 || undefined}
        >
          {texts[reason]}
        </Button>
      ))}
    </div>
  )
}
