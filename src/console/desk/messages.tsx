/** Between the strip and the page: what was refused, what the node told, and drafts of calls that are over. */
import { Button } from '@mantine/core'
import type { Fields } from '../stream/stream-frames.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import css from './desk.module.css'
import { DESK_TEXTS } from './desk-texts.ts'
import type { Drafts } from './drafts.ts'
import { type Draft, isUnsaved } from './outcome-order.ts'
import type { DeskNews } from './use-desk-news.ts'
import type { Orders } from './use-orders.ts'

/** More would leave no room for the page; the others come when these are finished. */
const UNSAVED_SHOWN = 5

interface MessagesProps extends UnsavedProps {
  /** Who takes part in the call, where the agent must know. */
  readonly supervisor: Fields | undefined
  /** The colleague who asks this agent, beside a call of theirs. */
  readonly asks: string | undefined
  readonly orders: Orders
  readonly news: DeskNews
  /** A call or an offered task has the screen: neither can be left for what is finished later. */
  readonly isTaken: boolean
}

const MODES: Readonly<Record<string, 'listens' | 'whispers' | 'joins'>> = {
  listen: 'listens',
  whisper: 'whispers',
  join: 'joins',
}

/** Nothing where there is nothing. */
export function Messages({ supervisor, asks, orders: { refusal }, news, isTaken, ...unsaved }: MessagesProps) {
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  return (
    <div className={css.messages}>
      {refusal !== undefined && (
        <p role="alert" className={css.trouble}>
          {refusal === null ? texts.failed : plainText(spoken(refusal, language), 300)}
        </p>
      )}
      {supervisor && (
        <p role="status" className={css.news}>
          {fill(texts[MODES[String(supervisor['mode'])] ?? 'listens'], {
            name: plainText(String(supervisor['userName'])),
          })}
        </p>
      )}
      {asks !== undefined && (
        <p role="status" className={css.news}>
          {fill(texts.asked, { name: plainText(asks) })}
        </p>
      )}
      {news.news.map((one) => (
        <p key={`${one.key} ${one.task}`} role="status" className={css.news}>
          {fill(texts[one.key], { task: plainText(one.task), why: plainText(spoken(one.why, language), 200) })}
          <Button variant="default" size="compact-sm" onClick={() => news.close(one)}>
            {texts.close}
          </Button>
        </p>
      ))}
      {!isTaken && <Unsaved {...unsaved} />}
    </div>
  )
}

interface UnsavedProps {
  readonly all: readonly Draft[]
  /** The call that is finished now. */
  readonly chosen: string | undefined
  readonly choose: (callId: string | undefined) => void
  readonly drafts: Drafts
}

/** What was typed and not saved. The button that discards it is the one that puts it back, under the same finger. */
function Unsaved({ all, chosen, choose, drafts }: UnsavedProps) {
  const texts = useTexts(DESK_TEXTS)
  const left = all.filter((draft) => isUnsaved(draft) || draft.call.callId === chosen)
  const shown = left.filter(({ call }, at) => at < UNSAVED_SHOWN || call.callId === chosen)
  const more = left.length - shown.length
  return (
    <>
      {shown.map((draft) => {
        const { call, discarded } = draft
        const isChosen = call.callId === chosen
        const name = plainText(call.task?.name || call.number, 40)
        return (
          <p key={call.callId} className={css.news}>
            <strong>{discarded ? texts.discarded : texts.unsaved}</strong>
            {!discarded && (
              <Button variant="default" size="compact-sm" onClick={() => choose(isChosen ? undefined : call.callId)}>
                <bdi>{fill(isChosen ? texts.later : texts.finish, { name })}</bdi>
              </Button>
            )}
            {!isChosen && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => (discarded ? drafts.putBack(draft) : drafts.discard(draft))}
              >
                <bdi>{discarded ? fill(texts.putBack, { name }) : texts.discard}</bdi>
              </Button>
            )}
          </p>
        )
      })}
      {more > 0 && <p className={css.news}>{fill(texts.unsavedMore, { count: String(more) })}</p>}
    </>
  )
}
