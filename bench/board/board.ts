/** The live board in a slow browser: frames drawn, long tasks and moves of the layout while 500 agents change. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { builtConsole } from '../../src/app/console-files.ts'
import { testBrowser } from '../../test/support/browser.ts'
import type { Bar, Benchmark, Table } from '../benchmark.ts'
import { boardServer } from './board-server.ts'

const SLOWER = 4
const LOADED_MS = 8_000
const CHANGES_PER_SECOND = 30

/** What a page drew while it was watched. */
interface Drawn {
  readonly fps: number
  readonly longestTaskMs: number
  readonly longTasks: number
  readonly layoutShift: number
  readonly rows: number
  /** From the frame's instant on the server to the picture that shows it. */
  readonly paintedP95Ms: number
  /** After a collection, at the end less at the begin. */
  readonly heapGrowthMb: number
}

interface One {
  readonly what: string
  readonly one: Drawn
}

const MEANING =
  'Longest task: 0 means none above 50 ms. Bare rows: the same stream and store, all rows drawn, with no order, no ' +
  'attention and no look.'

/** Runs in the page: counts frames, long tasks and moves of the layout for so long. */
const WATCH = `async (seconds) => {
  const tasks = []
  let shift = 0
  const watch = (type, hear) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear))
    observer.observe({ type, buffered: false })
    return observer
  }
  const observers = [
    watch('longtask', ({ duration }) => tasks.push(duration)),
    watch('layout-shift', ({ value }) => { shift += value }),
  ]
  const painted = []
  const look = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) {
        const sent = /sent-(\\d+)/.exec(node.textContent.slice(0, 400))?.[1]
        if (sent && sent !== look.last) {
          look.last = sent
          requestAnimationFrame(() => setTimeout(() => painted.push(Date.now() - Number(sent))))
        }
      }
    }
  })
  const grid = document.querySelector('[role=grid]')
  if (grid) look.observe(grid, { childList: true, characterData: true, subtree: true })
  const startedAtMs = performance.now()
  let frames = 0
  await new Promise((done) => {
    const frame = () => {
      frames++
      if (performance.now() - startedAtMs < seconds * 1000) requestAnimationFrame(frame)
      else done()
    }
    requestAnimationFrame(frame)
  })
  const watchedMs = performance.now() - startedAtMs
  for (const observer of [...observers, look]) observer.disconnect()
  painted.sort((a, b) => a - b)
  return {
    fps: (frames * 1000) / watchedMs,
    longestTaskMs: Math.max(0, ...tasks),
    longTasks: tasks.length,
    layoutShift: shift,
    paintedP95Ms: painted[Math.ceil(painted.length * 0.95) - 1] ?? 0,
    rows: document.querySelectorAll('[role=row], #root > div').length,
  }
}`

/** Bars: `console.md` 7, 17. */
export const board: Benchmark = {
  name: 'board',
  about: `the live board while agents change, in Chromium slowed ${SLOWER} times`,
  defaults: { callers: 500, rate: CHANGES_PER_SECOND, seconds: 20, rounds: 1 },
  async run({ callers, rate, seconds, rounds, seed }, { directory, onLine }) {
    const built = await builtConsole(directory)
    if ('problem' in built) throw new Error(built.problem)
    const bare = await builtBare(directory)
    const server = await boardServer({ '/bare/': bare, '/': built.directory }, callers, seed)
    const browser = await testBrowser({ reaches: [server.host] })
    const drawn: One[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        for (const what of ['bare/', 'board']) {
          server.setRate(0)
          const page = await browser.page()
          const one = await watched(page, `http://${server.host}/${what}`, seconds, () => server.setRate(rate))
          drawn.push({ what, one })
          onLine(`${what}: ${JSON.stringify(one)}`)
          await page.close()
        }
      }
    } finally {
      await browser.close()
      await server.close()
    }
    const how =
      `${callers} agents, ${rate} changes a second in frames of 100 ms, 1920 × 1080, watched for ${seconds} s after ` +
      `${LOADED_MS / 1_000} s, one page at a time.`
    return { bars: barsOf(drawn), tables: [tableOf(drawn)], notes: [how, MEANING] }
  },
}

/** Opens a page, slows the browser down, lets the changes begin, and watches. */
async function watched(page: Page, address: string, seconds: number, begin: () => void): Promise<Drawn> {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto(address)
  await page
    .getByText(/agent ?1/i)
    .first()
    .waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  begin()
  // What is loaded, and the first order of the rows, is not the board at work.
  await page.evaluate(`new Promise((done) => setTimeout(done, ${LOADED_MS}))`)
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  const before = await heapMb()
  const drawn = (await page.evaluate(`(${WATCH})(${seconds})`)) as Omit<Drawn, 'heapGrowthMb'>
  return Object.assign(drawn, { heapGrowthMb: (await heapMb()) - before })
}

function barsOf(drawn: readonly One[]): Bar[] {
  const of = (name: string) => drawn.filter(({ what }) => what === name).map(({ one }) => one)
  const most = (figure: (one: Drawn) => number) => Math.max(...of('board').map(figure))
  const slowest = (name: string) => Math.min(...of(name).map(({ fps }) => fps))
  const ratio = slowest('board') / slowest('bare/')
  const [painted, growth] = [most((one) => one.paintedP95Ms), most((one) => one.heapGrowthMb)]
  const [tasks, shift] = [most(({ longTasks }) => longTasks), most(({ layoutShift }) => layoutShift)]
  return [
    { what: 'frames drawn in a second', measured: slowest('board'), unit: 'fps', limit: { atLeast: 50 } },
    { what: 'tasks longer than 50 ms', measured: tasks, unit: 'tasks', limit: { atMost: 0 } },
    { what: 'layout shift', measured: shift, unit: 'points', limit: { atMost: 0 } },
    { what: 'from a change to its picture, p95', measured: painted, unit: 'ms', limit: { atMost: 500 } },
    { what: 'growth of the heap in this time', measured: growth, unit: 'MB', limit: { atMost: 20 } },
    { what: 'frames of the board for each of bare rows', measured: ratio, unit: 'times', limit: { atLeast: 0.9 } },
  ]
}

function tableOf(drawn: readonly One[]): Table {
  return {
    head: [
      'page',
      'frames a second',
      'longest task',
      'tasks above 50 ms',
      'layout shift',
      'rows drawn',
      'painted p95',
      'heap growth',
    ],
    rows: drawn.map(({ what, one }) => [
      what,
      one.fps.toFixed(1),
      `${one.longestTaskMs.toFixed(0)} ms`,
      String(one.longTasks),
      one.layoutShift.toFixed(4),
      String(one.rows),
      `${one.paintedP95Ms} ms`,
      `${one.heapGrowthMb.toFixed(1)} MB`,
    ]),
  }
}

async function builtBare(directory: string): Promise<string> {
  const outDir = join(directory, 'bare')
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const input = join(import.meta.dirname, 'bare.html')
  await build({
    root: import.meta.dirname,
    base: '/bare/',
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, target: 'es2023', rolldownOptions: { input } },
  })
  renameSync(join(outDir, 'bare.html'), join(outDir, 'index.html'))
  return outDir
}
