/** The agent's whole day: start, calls, what is known of them, their outcomes. The keyboard is enough. */
import { type ReactNode, useEffect, useState } from 'react'
import { PRODUCT } from '../look/brand.tsx'
import { useSession } from '../session/use-session.ts'
import { useNewVersion } from '../stream/new-version.ts'
import { useFreshness, useOnlyRow, useServerNow, useStream, useTopic } from '../stream/use-stream.ts'
import { useTexts } from '../texts/language.tsx'
import { CallActs } from './call-acts.tsx'
import { CallView } from './call-view.tsx'
import css from './desk.module.css'
import { useDeskCommands } from './desk-commands.ts'
import { readDesk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { type Drafts, useDrafts } from './drafts.ts'
import { IdleView } from './idle-view.tsx'
import { Messages } from './messages.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { PhoneStrip } from './phone-strip.tsx'
import { PreviewCard } from './preview-card.tsx'
import { StartCard } from './start-card.tsx'
import { useDeskNews } from './use-desk-news.ts'
import { useDeskPhone } from './use-desk-phone.ts'
import { useOrders } from './use-orders.ts'

/** The page. While it is shown, the agent has a screen. */
export function DeskPage() {
  const texts = useTexts(DESK_TEXTS)
  const { userName } = useSession()
  const news = useDeskNews(userName)
  const client = useStream(
    (event) => {
      news.heard(event)
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
  const orders = useOrders()
  useDeskCommands({ desk, orders, news, phone })
  const { drafts, all } = useDrafts(userName)
  /** The call whose draft is finished later, while no other call is there. */
  const [chosen, setChosen] = useState<string>()
  const present = desk?.call?.callId

  useNewVersion(desk?.state === 'ready' || desk?.state === 'paused' || desk?.state === 'loggedOut')
  useTitle(texts.title)
  useTidied(drafts, present, setChosen)

  if (!desk) return <p className={css.empty}>{me.state === 'denied' ? texts.denied : texts.waiting}</p>
  const shown = desk.call ?? all.find(({ call }) => call.callId === chosen)?.call
  const strip = { desk, orders, nowMs, freshness, asOfMs: client.asOfMs(), news }
  let body: ReactNode
  if (shown) {
    const done = () => setChosen(undefined)
    body = <CallView key={shown.callId} desk={desk} call={shown} drafts={drafts} all={all} nowMs={nowMs} done={done} />
  } else if (desk.preview) body = <PreviewCard preview={desk.preview} orders={orders} nowMs={nowMs} />
  else if (desk.state === 'loggedOut') body = <StartCard desk={desk} orders={orders} phone={phone} />
  else body = <IdleView desk={desk} orders={orders} userName={userName} nowMs={nowMs} />
  return (
    <div className={css.desk}>
      <h1 className={css.hidden}>{texts.title}</h1>
      <PhoneStrip {...strip} />
      <PhoneBar phone={phone} />
      {desk.call && <CallActs desk={desk} call={desk.call} orders={orders} phone={phone} />}
      <Messages
        supervisor={supervisor}
        asks={desk.consult?.state === 'asked' ? desk.consult.name : undefined}
        orders={orders}
        news={news}
        all={all}
        shown={shown?.callId}
        choose={setChosen}
        drafts={drafts}
      />
      {body}
    </div>
  )
}

/** A call that comes takes the place of one that was being finished. */
function useTidied(drafts: Drafts, present: string | undefined, choose: (callId: undefined) => void): void {
  useEffect(() => {
    drafts.tidy(present)
    if (present !== undefined) choose(undefined)
  }, [drafts, present, choose])
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${PRODUCT}`
  }, [title])
}

function useDesk(me: ReturnType<typeof useTopic>) {
  return readDesk({
    agent: useOnlyRow(me, 'agent'),
    call: useOnlyRow(me, 'call'),
    wrap: useOnlyRow(me, 'wrap'),
    preview: useOnlyRow(me, 'preview'),
    sound: useOnlyRow(me, 'sound'),
    consult: useOnlyRow(me, 'consult'),
  })
}
