/** `npm run worlds -- --help`: lives seeded campaign-days through. */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { faultsOfDay } from '../test/worlds/campaign-checkers.ts'
import { liveDay } from '../test/worlds/campaign-day.ts'
import { storyOf } from '../test/worlds/campaign-facts.ts'
import { developmentCommand, print, wholeNumber } from './command.ts'

/** What a worker tells of one day. */
interface Told {
  readonly seed: number
  readonly faults: readonly string[]
}

const SHOWN_MAX = 20
const FAULTS_SHOWN_MAX = 4
const PROGRESS_EVERY_MS = 5_000

const DESCRIPTION = `Lives seeded campaign-days through, and ends with 1 when a rule was broken in one of them.
Each such seed is printed with the command that lives it again.`

const values = developmentCommand('worlds', DESCRIPTION)
  .option('--seeds <count>', 'so many days', wholeNumber, 1_000)
  .option('--from <seed>', 'the first of them', wholeNumber, 1)
  .option('--one <seed>', 'this day alone, with all that happened to it', wholeNumber)
  .option('--workers <count>', 'processes', wholeNumber, Math.min(2, availableParallelism()))
  .option('--first', 'end at the first seed in which a rule is broken', false)
  .option('--step <count>', 'of a worker: how far apart its seeds are', wholeNumber)
  .parse()
  .opts<{ seeds: number; from: number; one?: number; workers: number; first: boolean; step?: number }>()

if (values.one !== undefined) process.exitCode = await liveOne(values.one)
else if (values.step !== undefined) await work(values.from, values.seeds, values.step)
else process.exitCode = await liveAll(values.from, values.seeds, values.workers)

/** A mistake that is thrown is a fault of the day as well. */
async function judge(seed: number): Promise<readonly string[]> {
  try {
    return faultsOfDay(await liveDay(seed))
  } catch (error) {
    return [`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
  }
}

async function liveOne(seed: number): Promise<number> {
  const day = await liveDay(seed)
  const faults = faultsOfDay(day)
  const { plan, troubles, world } = day
  const invites = world.pbx.carrier.invites.length
  const { weather, campaigns, lengthMs, isSteady, linesMax } = plan
  print(JSON.stringify({ seed, minutes: lengthMs / 60_000, isSteady, linesMax, invites, weather }))
  for (const { id, mode, team, settings } of campaigns) print(JSON.stringify({ id, mode, team, ...settings }))
  for (const { what, fromMs, untilMs } of troubles) print(`${timeOf(fromMs)} to ${timeOf(untilMs)} ${what}`)
  for (const fault of faults) print(fault)
  print(`${faults.length} faults; story ${storyOf(day)}`)
  return faults.length === 0 ? 0 : 1
}

/** Seeds from, from + step, …; each day is told of as soon as it is over. */
async function work(from: number, count: number, step: number): Promise<void> {
  for (let lived = 0; lived < count; lived++) {
    const seed = from + lived * step
    process.send?.({ seed, faults: await judge(seed) } satisfies Told)
  }
  process.disconnect()
}

async function liveAll(from: number, count: number, workers: number): Promise<number> {
  const beganAtMs = Date.now()
  const failed: Told[] = []
  let lived = 0
  let shownAtMs = beganAtMs
  const children = Array.from({ length: workers }, (_, place) => {
    const share = Math.ceil((count - place) / workers)
    const args = ['--from', String(from + place), '--seeds', String(share), '--step', String(workers)]
    return fork(import.meta.filename, args)
  })
  const take = (told: Told) => {
    lived++
    if (told.faults.length > 0) {
      failed.push(told)
      if (failed.length <= SHOWN_MAX) print(`npm run worlds -- --one ${told.seed}: ${told.faults[0]}`)
    }
    if (values.first && failed.length > 0) for (const child of children) child.kill()
    if (Date.now() - shownAtMs < PROGRESS_EVERY_MS) return
    shownAtMs = Date.now()
    print(`${lived} of ${count} days, ${failed.length} with faults`)
  }
  const ended = children.map((child) => {
    child.on('message', (told) => take(told as Told))
    return new Promise<boolean>((resolve) => child.on('exit', (code) => resolve(code === 0 || values.first)))
  })
  const isWhole = (await Promise.all(ended)).every(Boolean)
  const seconds = (Date.now() - beganAtMs) / 1_000
  for (const { seed, faults } of failed.sort((a, b) => a.seed - b.seed).slice(0, SHOWN_MAX)) {
    print(`\nseed ${seed}: npm run worlds -- --one ${seed}`)
    for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) print(`  ${fault}`)
  }
  if (!isWhole) print('a worker died')
  print(
    `${lived} days in ${seconds.toFixed(1)} s (${(lived / seconds).toFixed(1)} a second), ${failed.length} with faults`,
  )
  return failed.length === 0 && isWhole ? 0 : 1
}

function timeOf(atMs: number): string {
  return Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(11, 23) : '…'
}
