/** Durations that run. React never draws them: one beat a second writes the text nodes of all. */
import { createContext, useContext, useLayoutEffect, useRef } from 'react'
import { everySecond } from './every-second.ts'

/** The server's time in milliseconds. */
export type ServerNow = () => number

const Context = createContext<ServerNow>(() => Number.NaN)

/** Gives everything below the server's time. */
export const ServerNowProvider = Context

/** The server's time, for whoever counts from it. */
export function useServerNow(): ServerNow {
  return useContext(Context)
}

/** Shows how long it is since the instant, as 0:07, 12:30 or 1:02:03. Without an instant: –. */
export function Timer({ sinceMs }: { readonly sinceMs: number | undefined }) {
  const now = useContext(Context)
  const place = useRef<HTMLSpanElement>(null)
  // Before the row is painted: a time that came a moment later would push the words behind it aside.
  useLayoutEffect(() => {
    const text = document.createTextNode('')
    place.current?.replaceChildren(text)
    const write = () => {
      const written = durationText(sinceMs === undefined ? Number.NaN : now() - sinceMs)
      if (text.data !== written) text.data = written
    }
    write()
    return everySecond(write)
  }, [now, sinceMs])
  return <span ref={place} data-figures />
}

/** Milliseconds as people read them; `–` where nothing is known. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return '–'
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
