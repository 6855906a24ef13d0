/** `npm run weeks -- --help`: lives seeded weeks through, and checks every promise by the carrier's log. */
import { fork } from 'node:child_process'
import { type Broken, brokenIn, PROMISES } from '../test/weeks/promises.ts'
import { liveWeek } from '../test/weeks/week.ts'
import { developmentCommand, print, wholeNumber } from './command.ts'

/** What a worker tells of one week. */
interface Told {
  readonly seed: number
  readonly calls: number
  readonly broken: readonly Broken[]
}

const SHOWN_MAX = 3
const PROGRESS_EVERY_MS = 10_000

const DESCRIPTION = `Lives seeded weeks through, and ends with 1 when a promise was broken in one of them.`

const values = developmentCommand('weeks', DESCRIPTION)
  .option('--seeds <count>', 'so many weeks', wholeNumber, 100)
  .option('--from <seed>', 'the first of them', wholeNumber, 1)
  .option('--workers <count>', 'processes', wholeNumber, 1)
  .option('--json', 'one line of JSON for each broken promise, and one for the sum', false)
  .option('--first', 'end at the first seed in which a promise is broken', false)
  .option('--step <count>', 'of a worker: how far apart its seeds are', wholeNumber)
  .parse()
  .opts<{ seeds: number; from: number; workers: number; json: boolean; first: boolean; step?: number }>()

if (values.step !== undefined) await work(values.from, values.seeds, values.step)
else process.exitCode = await liveAll()

/** A mistake that is thrown breaks every promise of the week. */
async function judge(seed: number): Promise<Told> {
  try {
    const week = await liveWeek(seed)
    return { seed, calls: week.world.pbx.carrier.calls.length, broken: brokenIn(week) }
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { seed, calls: 0, broken: [{ promise: 'thrown', seed, fault }] }
  }
}

/** Seeds from, from + step, …; each week is told of as soon as it is over. */
async function work(from: number, count: number, step: number): Promise<void> {
  for (let lived = 0; lived < count; lived++) process.send?.(await judge(from + lived * step))
  process.disconnect()
}

async function liveAll(): Promise<number> {
  const { seeds, from, workers, json, first } = values
  const beganAtMs = Date.now()
  const told: Told[] = []
  let shownAtMs = beganAtMs
  const isBad = ({ broken }: Told) => broken.length > 0
  const children = Array.from({ length: Math.min(workers, seeds) }, (_, place) => {
    const share = Math.ceil((seeds - place) / workers)
    const args = ['--from', String(from + place), '--seeds', String(share), '--step', String(workers)]
    return fork(import.meta.filename, args)
  })
  const ended = children.map((child) => {
    child.on('message', (message) => {
      const week = message as Told
      told.push(week)
      if (json) for (const one of week.broken) print(JSON.stringify(one))
      if (first && isBad(week)) for (const other of children) other.kill()
      if (Date.now() - shownAtMs < PROGRESS_EVERY_MS) return
      shownAtMs = Date.now()
      // With --json only JSON is on standard output.
      const show = json ? (line: string) => process.stderr.write(`${line}\n`) : print
      show(`${told.length} of ${seeds} weeks, ${told.filter(isBad).length} with broken promises`)
    })
    return new Promise<boolean>((resolve) => child.on('exit', (code) => resolve(code === 0 || first)))
  })
  const isWhole = (await Promise.all(ended)).every(Boolean)
  const broken = told.sort((a, b) => a.seed - b.seed).flatMap((week) => week.broken)
  const calls = told.reduce((sum, week) => sum + week.calls, 0)
  const seconds = Math.round((Date.now() - beganAtMs) / 1_000)
  const bad = told.filter(isBad).length
  if (json) print(JSON.stringify({ weeks: told.length, calls, seconds, bad }))
  else show(broken)
  if (!isWhole) print('a worker died')
  if (!json) print(`${told.length} weeks with ${calls} calls in ${seconds} s, ${bad} with broken promises`)
  return bad === 0 && isWhole ? 0 : 1
}

function show(broken: readonly Broken[]): void {
  const byPromise = Map.groupBy(broken, ({ promise }) => promise)
  for (const [promise, all] of byPromise) {
    const seeds = [...new Set(all.map(({ seed }) => seed))]
    print(`\n${promise}: ${all.length} times in ${seeds.length} weeks, seeds ${seeds.slice(0, 12).join(' ')}`)
    for (const { seed, fault } of all.slice(0, SHOWN_MAX)) print(`  seed ${seed}: ${fault}`)
  }
  const kept = Object.keys(PROMISES).filter((promise) => !byPromise.has(promise))
  print(`\nkept: ${kept.join(', ')}`)
}
