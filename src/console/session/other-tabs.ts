/** The tabs of a browser share one cookie: each tells the others who has signed in or out (console-59). */
import { askWhoAgain, queryClient, SESSION_KEY, sessionEndedElsewhere } from './query-client.ts'

let tell = (_userName: string | undefined) => {}

/** From now on this tab follows the others, and they follow it. A page that shows no live stream has no other way. */
export function followOtherTabs(): void {
  const tabs = new BroadcastChannel('sb-session')
  tell = (userName) => tabs.postMessage(userName)
  tabs.onmessage = ({ data: userName }: { readonly data: unknown }) => {
    const own = queryClient.getQueryData<{ readonly userName: string } | null>(SESSION_KEY)
    // Whoever signs in again after their time was over loses nothing that they have written here.
    if (own && own.userName === userName) askWhoAgain()
    else sessionEndedElsewhere()
  }
}

/** `userName`: who has signed in here; absent: somebody has signed out. */
export function tellOtherTabs(userName?: string): void {
  tell(userName)
}
