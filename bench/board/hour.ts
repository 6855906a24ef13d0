/** The live board for an hour: what its page holds, minute by minute, while 500 agents change. */
import type { Page } from 'playwright-core'
import { builtConsole } from '../../src/app/console-files.ts'
import { testBrowser } from '../../test/support/browser.ts'
import { growthOf, type Held, heldBy } from '../../test/support/page-memory.ts'
import type { Benchmark, Table } from '../benchmark.ts'
import { boardServer } from './board-server.ts'

const LOOKS = 60
/** What is loaded, and compiled then, is not growth. */
const WARM_LOOKS = 3
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Bar: `console.md` 7, 17. */
export const hour: Benchmark = {
  name: 'hour',
  about: 'what the page of the live board holds after a collection of garbage, while agents change',
  defaults: { callers: 500, rate: 30, seconds: 3_600 },
  async run({ callers, rate, seconds, seed }, { directory, onLine }) {
    const built = await builtConsole(directory)
    if ('problem' in built) throw new Error(built.problem)
    const server = await boardServer({ '/': built.directory }, callers, seed)
    const browser = await testBrowser({ reaches: [server.host] })
    try {
      const page = await browser.page()
      await page.setViewportSize({ width: 1920, height: 1080 })
      await page.goto(`http://${server.host}/board`)
      await page
        .getByText(/agent ?1/i)
        .first()
        .waitFor()
      server.setRate(rate)
      const looks = await lookedAt(page, seconds, onLine)
      const growth = growthOf(looks.slice(WARM_LOOKS))
      const grown = growth ? growth.late.bytes - growth.early.bytes : Number.NaN
      const listeners = growth ? growth.late.listeners - growth.early.listeners : Number.NaN
      return {
        bars: [
          { what: 'growth of the heap', measured: grown / 1e6, unit: 'MB', limit: { atMost: 20 } },
          { what: 'growth of its listeners', measured: listeners, unit: 'listeners', limit: { atMost: 20 } },
        ],
        tables: [tableOf(looks)],
        notes: [
          `${callers} agents, ${rate} changes a second in frames of 100 ms, for ${seconds} s; ${LOOKS} looks.`,
          `Growth: the median of the late third of the looks less that of the early third, without the first ` +
            `${WARM_LOOKS} looks.`,
        ],
      }
    } finally {
      await browser.close()
      await server.close()
    }
  },
}

async function lookedAt(page: Page, seconds: number, onLine: (line: string) => void): Promise<Held[]> {
  const session = await page.context().newCDPSession(page)
  const looks: Held[] = []
  for (let at = 0; at < LOOKS; at++) {
    await wait((seconds * 1_000) / LOOKS)
    const held = await heldBy(session)
    looks.push(held)
    if (at % 5 === 0) onLine(`look ${at + 1} of ${LOOKS}: ${JSON.stringify(held)}`)
  }
  return looks
}

/** Each tenth of the time. */
function tableOf(looks: readonly Held[]): Table {
  const shown = looks.flatMap((held, at) => ((at + 1) % (LOOKS / 10) === 0 ? [{ held, at }] : []))
  return {
    head: ['look', 'heap, MB', 'nodes', 'listeners'],
    rows: shown.map(({ held: { bytes, nodes, listeners }, at }) => [
      String(at + 1),
      (bytes / 1e6).toFixed(2),
      String(nodes),
      String(listeners),
    ]),
  }
}
