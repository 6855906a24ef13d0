/** What happens once on the desk: pages of external systems, and messages. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { keptName } from '../session/kept-here.ts'
import type { StreamEvent } from '../stream/use-stream.ts'
import type { Desk } from './desk-state.ts'

/** A message of the node, by the catalogue's key and its values. */
export interface News {
  readonly key: (typeof KEYS)[number]
  /** The call task, or whom the agent talked with. */
  readonly task: string
  readonly why: string
}

/** All pages open in one window of this name, which the browser keeps for this tab. */
const WINDOW = 'switchboard-case'
const NEWS_MAX = 5
const KEYS = ['taskEnded', 'callbackRefused', 'consultEnded', 'conferenceEnded', 'notConnected'] as const

/** `page`: what waits for the agent's key, because the browser did not let us open it. */
export function useDeskNews(userName: string) {
  const [page, setPage] = useState<{ readonly url: string; readonly callId: string }>()
  const [news, setNews] = useState<readonly News[]>([])
  const heard = ({ name, data }: StreamEvent) => {
    if (name === 'popup') {
      const url = addressOf(data['url'])
      const callId = String(data['callId'])
      if (url === undefined || !isFirst(userName, `${callId} ${String(data['reason'])}`)) return
      setPage(open(url) ? undefined : { url, callId })
    } else if (name === 'message') {
      const key = KEYS.find((one) => one === data['about']) ?? 'taskEnded'
      const one: News = { key, task: String(data['itcaId'] ?? data['name'] ?? ''), why: String(data['why'] ?? '') }
      setNews((before) =>
        [...before.filter((each) => each.key !== key || each.task !== one.task), one].slice(-NEWS_MAX),
      )
    }
  }
  const drop = useCallback(
    (...keys: readonly News['key'][]) => setNews((before) => before.filter(({ key }) => !keys.includes(key))),
    [],
  )
  return {
    heard,
    drop,
    page,
    openPage: () => {
      if (page !== undefined && open(page.url)) setPage(undefined)
    },
    news,
    close: (one: News) => setNews((before) => before.filter((each) => each !== one)),
  }
}

export type DeskNews = ReturnType<typeof useDeskNews>

/** What was told of one call goes with it, and with what it asks for: else it would be read of the next one. */
export function useNewsOfCall(desk: Desk | undefined, { drop }: DeskNews): void {
  const isKnown = desk !== undefined
  const present = desk?.call?.callId
  const isWaited = desk?.isHeld === true && desk.consult === undefined
  const wasKnown = useRef(false)
  useEffect(() => {
    // A page that is loaded again may hear of its call after the message about it.
    if (wasKnown.current) {
      drop('consultEnded', 'conferenceEnded')
      if (present !== undefined) drop('notConnected')
    }
    wasKnown.current = isKnown
  }, [drop, isKnown, present])
  useEffect(() => {
    if (!isWaited) drop('consultEnded')
  }, [drop, isWaited])
}

/** The page of a call before the last one is not offered any more: it would be taken for the case of that one. */
export function useLastPage(present: string | undefined, news: DeskNews): DeskNews {
  const last = useRef(present)
  last.current = present ?? last.current
  if (last.current === undefined || news.page?.callId === last.current) return news
  return Object.assign({}, news, { page: undefined, openPage: () => {} })
}

/** Never in this tab: the desk must stay. The first time needs a key of the agent; the window is used again then. */
function open(url: string): boolean {
  return window.open(url, WINDOW) !== null
}

function addressOf(url: unknown): string | undefined {
  const read = typeof url === 'string' ? URL.parse(url) : null
  return read && /^https?:$/.test(read.protocol) ? read.href : undefined
}

/** Every tab hears of it; the first one opens it. */
function isFirst(userName: string, popup: string): boolean {
  const name = keptName(userName, 'popup')
  if (localStorage.getItem(name) === popup) return false
  try {
    localStorage.setItem(name, popup)
  } catch {
    // The storage is full: a page that two tabs open, in one window, is better than none.
  }
  return true
}
