/** The desk of an agent: how soon the node's news of their own call is painted, and how soon a page is there. */
import type { Page } from 'playwright-core'
import { RealClock } from '../../src/kernel/clock.ts'
import { signIn } from '../../test/console/console-place.ts'
import { type DeskPlace, openDeskPlace } from '../../test/console/desk/desk-place.ts'
import { shownNameOf } from '../../test/console/desk/soak/desk-verdict.ts'
import { openSoakDesk, type SoakContact, type SoakDesk } from '../../test/console/desk/soak/soak-desk.ts'
import { importTasks } from '../../test/e2e/campaign-live.ts'
import { lendPostgres } from '../../test/global-setup.ts'
import type { Bar, Benchmark, Table } from '../benchmark.ts'
import { quantile } from '../statistics.ts'
import { coldLoad, LATENCY_MS, type Load, MEGABITS, SLOWER } from './cold-loads.ts'

/** What each page is opened for: the state of the agent; the row of one. */
const PAGES = {
  desk: 'section[data-state] [role=status]',
  board: '[role=grid] [role=row][data-place]',
} as const
type PageName = keyof typeof PAGES
const OUTCOMES = ['Promised', 'Paid'] as const
/** The simulated callee talks until the agent ends the call, or ends it after 3 s. */
const ENDS = { agent: '01', callee: '09' } as const
const PAGES_WIDTH = { width: 1440, height: 900 }
/** Before the agent ends a call. */
const TALK_MS = 1_500

/** Bars: `console.md` 7, 15 and 21. */
export const desk: Benchmark = {
  name: 'desk',
  about: "news of an agent's own calls at their desk, and cold loads of desk and board",
  defaults: { callers: 100, rounds: 20 },
  async run({ callers, rounds }, { onLine }) {
    const takeBack = lendPostgres()
    const place = await openDeskPlace()
    try {
      const agent = await place.browser.page()
      const worker = await callsAtDesk(place, agent, callers)
      if (worker.faults.length > 0) throw new Error(worker.faults.join('; '))
      onLine(`${worker.saved.length} calls`)
      const loads = await loadsOf(place, agent, rounds, onLine)
      return {
        bars: barsOf(worker, loads),
        tables: [newsTable(worker), loadsTable(loads)],
        notes: [
          `${callers} calls of one agent on the simulated switch, saved by the keyboard; node, database and Chromium ` +
            'share the machine and its clock. Each change of the agent counts, from its instant at the node.',
          `${rounds} loads of each page, signed in, with an empty cache: a processor ${SLOWER} times slower, ` +
            `${MEGABITS} Mbit/s, ${LATENCY_MS} ms. Useful: the state of the agent, or the row of one, is painted. ` +
            'Free: the first time after it that the page had nothing to do. Bytes: the last one before it was useful.',
        ],
      }
    } finally {
      await place.close()
      await takeBack()
    }
  },
}

async function callsAtDesk(place: DeskPlace, page: Page, calls: number): Promise<SoakDesk> {
  const outcomes = OUTCOMES.map((name, at) => ({ name, key: String(at + 1), final: true }))
  const callCode = await place.campaign({ script: 'Is this {name}?' }, outcomes)
  const contacts = Array.from({ length: calls }, (_, at): SoakContact => {
    const endsBy = at % 2 === 0 ? 'agent' : 'callee'
    const caseNumber = `C-${at + 1}`
    const outcome = OUTCOMES[at % OUTCOMES.length]!
    const key = String((at % OUTCOMES.length) + 1)
    const number = `+4520${String(1_000 + at)}${ENDS[endsBy]}`
    return { number, caseNumber, outcome, key, note: `about ${caseNumber}`, endsBy, isSavedInCall: false }
  })
  const { password } = place.personOf('anna')
  const worker = await openSoakDesk({ clock: new RealClock(), name: 'anna', page, url: place.url, password })
  const tasks = contacts.map(({ number, caseNumber }) => ({ numbers: [number], caseNumber }))
  await importTasks(place.client, callCode, tasks)
  const known = new Map(contacts.map((contact) => [shownNameOf(contact.caseNumber), contact]))
  const isOver = () => worker.saved.length >= calls
  await worker.work((name) => known.get(name), { isOver, lookEvery: calls, talkMs: TALK_MS })
  return worker
}

type Loads = ReadonlyMap<PageName, readonly Load[]>

/** The agent stays at work, so that there is somebody to show. */
async function loadsOf(place: DeskPlace, agent: Page, rounds: number, onLine: (line: string) => void): Promise<Loads> {
  const vera = await place.person('vera', 'Vera Lind', 'supervisor')
  const watcher = await place.browser.page()
  await signIn(watcher, `${place.url}/board`, vera)
  const cookies = { desk: await agent.context().cookies(), board: await watcher.context().cookies() }
  await watcher.close()
  const loads = new Map<PageName, Load[]>([
    ['desk', []],
    ['board', []],
  ])
  for (let round = 0; round < rounds; round++) {
    for (const [name, own] of loads) {
      const page = await place.browser.page()
      await page.setViewportSize(PAGES_WIDTH)
      own.push(await coldLoad(page, { url: `${place.url}/${name}`, cookies: cookies[name], wanted: PAGES[name] }))
      await page.close()
    }
  }
  for (const [name, own] of loads) onLine(`${name}: ${own.length} loads`)
  return loads
}

const p95 = (values: readonly number[]) => quantile(values, 0.95)

function barsOf({ news }: SoakDesk, loads: Loads): Bar[] {
  const of = (name: PageName, figure: (load: Load) => number) => p95(loads.get(name)!.map(figure))
  const painted = p95(news.map(({ paintedMs }) => paintedMs))
  const useful = of('desk', ({ usefulMs }) => usefulMs)
  const times = of('desk', ({ usefulMs, bytesMs }) => usefulMs / bytesMs)
  return [
    { what: 'from a change at the node to its picture, p95', measured: painted, unit: 'ms', limit: { atMost: 150 } },
    { what: 'first useful picture of the desk, p95', measured: useful, unit: 'ms', limit: { atMost: 1_500 } },
    { what: 'the same for each ms until its bytes are there', measured: times, unit: 'times', limit: { atMost: 2 } },
  ]
}

function newsTable({ news }: SoakDesk): Table {
  const states = [...Map.groupBy(news, ({ state }) => state)]
  const row = (name: string, own: SoakDesk['news']) => [
    name,
    String(own.length),
    ...[0.5, 0.95, 1].map((part) =>
      String(
        quantile(
          own.map(({ arrivedMs }) => arrivedMs),
          part,
        ),
      ),
    ),
    ...[0.5, 0.95, 1].map((part) =>
      String(
        quantile(
          own.map(({ paintedMs }) => paintedMs),
          part,
        ),
      ),
    ),
  ]
  return {
    head: ['agent becomes', 'times', 'frame p50, ms', 'p95', 'worst', 'picture p50, ms', 'p95', 'worst'],
    rows: [...states.map(([state, own]) => row(state, own)), row('all', news)],
  }
}

function loadsTable(loads: Loads): Table {
  const cell = (values: readonly number[]) => `${quantile(values, 0.5).toFixed(0)} / ${p95(values).toFixed(0)}`
  return {
    head: ['page, p50 / p95 ms', 'loads', 'first paint', 'useful', 'free', 'bytes', 'kB'],
    rows: [...loads].map(([name, own]) => [
      name,
      String(own.length),
      cell(own.map(({ firstMs }) => firstMs)),
      cell(own.map(({ usefulMs }) => usefulMs)),
      cell(own.map(({ freeMs }) => freeMs)),
      cell(own.map(({ bytesMs }) => bytesMs)),
      quantile(
        own.map(({ kilobytes }) => kilobytes),
        0.5,
      ).toFixed(0),
    ]),
  }
}
