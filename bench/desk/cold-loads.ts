/** Pages of the console as somebody opens them for the first time, on a slow computer and a slow line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** `console.md` 7, 21. */
export const SLOWER = 4
export const MEGABITS = 10
/** Our choice: the way to a node in the same country. */
export const LATENCY_MS = 20
const CONNECTION = {
  offline: false,
  latency: LATENCY_MS,
  downloadThroughput: (MEGABITS * 1e6) / 8,
  uploadThroughput: (MEGABITS * 1e6) / 8,
}
const WATCH = readFileSync(join(import.meta.dirname, 'load-watch.js'), 'utf8')

/** Milliseconds from the beginning of the navigation. */
export interface Load {
  /** First text or picture. */
  readonly firstMs: number
  /** What the page is opened for is painted. */
  readonly usefulMs: number
  /** The first time after it that the page had nothing to do: a key would be heard at once. */
  readonly freeMs: number
  /** The last byte that was there before `usefulMs`. */
  readonly bytesMs: number
  readonly kilobytes: number
}

/** Signed in, with an empty cache. `wanted`: a selector of what the page is opened for; it counts with a text. */
export async function coldLoad(
  page: Page,
  { url, cookies, wanted }: { readonly url: string; readonly cookies: Cookies; readonly wanted: string },
): Promise<Load> {
  await page.context().addCookies([...cookies])
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', CONNECTION)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript({ content: WATCH })
  await page.goto(url, { waitUntil: 'commit' })
  return (await page.evaluate(`loadOf(${JSON.stringify(wanted)})`)) as Load
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>
