import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../session/ask.ts'
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { STATE_REASONS } from '../texts/order-refusals.ts'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import css from './desk.module.css'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { DialByHand } from './dial-by-hand.tsx'
import { DialNumber } from './dial-number.tsx'
import { Today } from './today.tsx'
import { ownZone } from './use-call-task.ts'
import type { Orders } from './use-orders.ts'

const CALLBACKS_SHOWN = 5
/** Somebody else may have called meanwhile, or its time has passed. */
const REFRESH_MS = 60_000

interface IdleProps {
  readonly desk: Desk
  readonly orders: Orders
  readonly userName: string
  readonly nowMs: number
}

/** Between calls: what happens next, a call by hand, promised callbacks. */
export function IdleView({ desk: { state, asked, reason }, orders, userName, nowMs }: IdleProps) {
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const hints = { calling: 'callingHint', ready: 'readyHint', reserved: 'reservedHint', paused: 'pausedHint' } as const
  const hint = hints[state as keyof typeof hints] ?? 'readyHint'
  const waits = asked === 'pause' ? texts.askedPause : asked === 'logOut' ? texts.askedLogOut : undefined
  const isRefused = state === 'calling' && reason !== null
  // By the node: the agent never left.
  const isPaused = state === 'paused' && reason !== null && Object.hasOwn(STATE_REASONS, reason)
  const why = isRefused ? texts.callingWaits : isPaused ? texts.pausedBy : undefined
  const told = why && fill(why, { reason: plainText(spoken(reason ?? '', language)) })
  return (
    <div className={css.idle}>
      <Paper component="section" withBorder className={css.card}>
        <h2 className={css.big}>{texts[state]}</h2>
        <p>{told ?? waits ?? texts[hint]}</p>
      </Paper>
      <Today nowMs={nowMs} zone={ownZone()} />
      <DialByHand orders={orders} />
      <Callbacks userName={userName} />
      <DialNumber orders={orders} />
    </div>
  )
}

function Callbacks({ userName }: { readonly userName: string }) {
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const { data, isError } = useQuery({
    queryKey: ['callbacks', userName],
    // The last call may have promised one.
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: () => ask('GET /dialer/callbacks', { query: { userName, limit: CALLBACKS_SHOWN } }),
  })
  const time = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' })
  const rows = data?.callbacks ?? []
  return (
    <Paper component="section" withBorder className={css.card}>
      <h2 className={css.heading}>{texts.callbacks}</h2>
      {isError && !data && <p role="alert">{texts.callbacksAway}</p>}
      {data && rows.length === 0 && <p className={css.dim}>{texts.noCallbacks}</p>}
      <ul className={css.rows}>
        {rows.map(({ itcaId, callBackTs, callReceiverName }) => (
          <li key={itcaId}>
            <span>{callBackTs === null ? texts.notKnown : time.format(new Date(callBackTs))}</span>
            <bdi>{plainText(callReceiverName)}</bdi>
          </li>
        ))}
      </ul>
    </Paper>
  )
}
