/** The agent's whole day: start, calls, what is known of them, their outcomes. The keyboard is enough. */
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { PRODUCT } from '../look/brand.tsx'
import { useSession } from '../session/use-session.ts'
import { useNewVersion } from '../stream/new-version.ts'
import { useFreshness, useOnlyRow, useServerNow, useStream, useTopic } from '../stream/use-stream.ts'
import { useTexts } from '../texts/language.tsx'
import { CallActs } from './call-acts.tsx'
import { CallView } from './call-view.tsx'
import css from './desk.module.css'
import { useDeskCommands } from './desk-commands.ts'
import { deskPhone } from './desk-phone.ts'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { type Drafts, useDrafts, useHasTyped } from './drafts.ts'
import { IdleView } from './idle-view.tsx'
import { Messages } from './messages.tsx'
import { type Draft, isUnsaved } from './outcome-order.ts'
import { PhoneAway, PhoneBar } from './phone-bar.tsx'
import { PhoneStrip } from './phone-strip.tsx'
import { PreviewCard } from './preview-card.tsx'
import { StartCard } from './start-card.tsx'
import { useDeskNews, useLastPage, useNewsOfCall } from './use-desk-news.ts'
import { type DeskPhoneUse, useDesk, useDeskPhone } from './use-desk-phone.ts'
import { type Orders, useOrders } from './use-orders.ts'

/** The page. While it is shown, the agent has a screen. */
export function DeskPage() {
  const texts = useTexts(DESK_TEXTS)
  const { userName } = useSession()
  const heard = useDeskNews(userName)
  const client = useStream(
    (event) => {
      heard.heard(event)
      phone.heard(event)
    },
    undefined,
    () => phone.woke(),
  )
  const me = useTopic(client, 'me')
  const supervisor = useOnlyRow(me, 'supervisor')
  const desk = useDesk(me)
  const phone = useDeskPhone(userName, desk)
  const freshness = useFreshness(client)
  const nowMs = useServerNow(client)
  const present = desk?.call?.callId
  const orders = useOrders(present)
  const news = useLastPage(present, heard)
  useNewsOfCall(desk, heard)
  useDeskCommands({ desk, orders, news, phone })
  const { drafts, all } = useDrafts(userName)
  const { chosen, choose } = useChosen(present, all)

  useNewVersionWhenFree(desk, chosen)
  useTitle(texts.title)
  useTidy(drafts, desk)

  if (!desk) return <p className={css.empty}>{me.state === 'denied' ? texts.denied : texts.waiting}</p>
  const isTaken = desk.call !== undefined || desk.preview !== undefined
  const shown = desk.call ?? (isTaken ? undefined : all.find(({ call }) => call.callId === chosen)?.call)
  const strip = { desk, orders, nowMs, freshness, asOfMs: client.asOfMs(), news }
  return (
    <div className={css.desk}>
      <h1 className={css.hidden}>{texts.title}</h1>
      <PhoneStrip {...strip} />
      <PhoneBar phone={phone} />
      {/* What was opened for one call does not act on the next one, also where the time between was not told. */}
      {desk.call && <CallActs key={`acts ${present}`} desk={desk} call={desk.call} orders={orders} phone={phone} />}
      <Messages
        supervisor={supervisor}
        asks={desk.consult?.state === 'asked' ? desk.consult.name : undefined}
        orders={orders}
        news={news}
        isTaken={isTaken}
        all={all}
        chosen={chosen}
        choose={choose}
        drafts={drafts}
      />
      {shown ? (
        <CallView key={shown.callId} desk={desk} call={shown} drafts={drafts} all={all} nowMs={nowMs} choose={choose} />
      ) : (
        <Between desk={desk} orders={orders} phone={phone} nowMs={nowMs} />
      )}
    </div>
  )
}

/** While another page is shown; nothing where the browser is no phone now. */
export function AwayDesk() {
  const hasPhone = useSyncExternalStore(deskPhone.subscribe, () => deskPhone.view() !== undefined)
  return hasPhone && <PhoneAway />
}

interface BetweenProps {
  readonly desk: Desk
  readonly orders: Orders
  readonly phone: DeskPhoneUse
  readonly nowMs: number
}

/** While no call is shown. */
function Between({ desk, orders, phone, nowMs }: BetweenProps): ReactNode {
  const { userName } = useSession()
  if (desk.preview) return <PreviewCard preview={desk.preview} orders={orders} nowMs={nowMs} />
  if (desk.state === 'loggedOut') return <StartCard desk={desk} orders={orders} phone={phone} />
  return <IdleView desk={desk} orders={orders} userName={userName} nowMs={nowMs} />
}

/**
 * The call whose draft is finished while neither another call nor an offered task is there. A wrap-up that ends leaves
 * what is not saved where it is, with the caret: somebody may be writing. A call that comes takes its place.
 */
function useChosen(present: string | undefined, all: readonly Draft[]) {
  const [chosen, choose] = useState<string>()
  const [before, setBefore] = useState(present)
  if (before !== present) {
    setBefore(present)
    const isLeft = present === undefined && all.some((one) => one.call.callId === before && isUnsaved(one))
    choose(isLeft ? before : undefined)
  }
  return { chosen, choose }
}

function useNewVersionWhenFree(desk: Desk | undefined, chosen: string | undefined): void {
  const hasTyped = useHasTyped()
  const isIdle = desk?.state === 'ready' || desk?.state === 'paused'
  useNewVersion((isIdle && chosen === undefined && !hasTyped) || desk?.state === 'loggedOut')
}

/** Before the stream has said which call is going on, its draft looks like one of a call that is over. */
function useTidy(drafts: Drafts, desk: Desk | undefined): void {
  const isKnown = desk !== undefined
  const present = desk?.call?.callId
  useEffect(() => {
    if (isKnown) drafts.tidy(present)
  }, [drafts, isKnown, present])
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${PRODUCT}`
  }, [title])
}
