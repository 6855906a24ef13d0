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

interface MessagesProps {
  /** Who takes part in the call, where the agent must know. */
  readonly supervisor: Fields | undefined
  /** The colleague who asks this agent, beside a call of theirs. */
  readonly asks: string | undefined
  readonly orders: Orders
  readonly news: DeskNews
  readonly all: readonly Draft[]
  /** The call that is on the screen. */
  readonly shown: string | undefined
  readonly choose: (callId: string) => void
  readonly drafts: Drafts
}

const MODES: Readonly<Record<string, 'listens' | 'whispers' | 'joins'>> = {
  listen: 'listens',
  whisper: 'whispers',
  join: 'joins',
}

/** Nothing where there is nothing. */
export function Messages({ supervisor, asks, orders: { refusal }, news, all, shown, choose, drafts }: MessagesProps) {
  const texts = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  const left = all.filter((draft) => draft.call.callId !== shown && isUnsaved(draft))
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
      {left.map((draft) => (
        <p key={draft.call.callId} className={css.news}>
          <strong>{texts.unsaved}</strong>
          <Button variant="default" size="compact-sm" onClick={() => choose(draft.call.callId)}>
            <bdi>{fill(texts.finish, { name: plainText(draft.call.task?.name || draft.call.number, 40) })}</bdi>
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => drafts.drop(draft.call.callId)}>
            {texts.discard}
          </Button>
        </p>
      ))}
    </div>
  )
}
