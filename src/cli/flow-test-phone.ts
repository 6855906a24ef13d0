import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installAsterisk } from '../../asterisk/install.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { claimService } from '../app/pid-file.ts'
import { openDatabaseFor } from '../app/repositories.ts'
import { coverageOf } from '../flow-test/coverage.ts'
import type { Played } from '../flow-test/play-script.ts'
import type { Script } from '../flow-test/script.ts'
import type { FlowReport, Skipped } from '../flow-test/test-flow.ts'
import type { Clock } from '../kernel/clock.ts'
import { makeLog } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import { choosePlace, type PhonePlace, type PlayedFlow } from '../phone-test/phone-place.ts'
import { playByPhone } from '../phone-test/play-by-phone.ts'
import { whyNotByPhone } from '../phone-test/why-not-by-phone.ts'
import { emptyDatabase } from '../store/db/empty-database.ts'
import { type FlowTestOptions, readPairs, reportTests } from './flow-test.ts'
import type { CliContext } from './place/cli-context.ts'
import type { ReadyFlow, TestedFlow } from './tested-flow.ts'

interface PhoneContext extends CliContext {
  readonly clock: Clock
  readonly random: Random
  /** What is being done now, for whoever waits. */
  readonly progress: (line: string) => void
}

const NOT_BY_PHONE = ['mutate', 'mutationMin', 'propose', 'watch'] as const

/** `switchboard flow test --phone`: the same tests on a real Asterisk. 1 if one fails, or none can be played. */
export async function flowTestPhone(
  files: readonly string[],
  options: FlowTestOptions & { readonly watch?: boolean },
  context: PhoneContext,
): Promise<number> {
  const { settings, write } = context
  const other = NOT_BY_PHONE.find((name) => options[name] !== undefined)
  if (other) {
    write(`--${other.replace('M', '-m')} needs virtual time; leave it out, or leave out --phone`)
    return 1
  }
  const read = readPairs(files, true, context)
  if (!read) return 1
  const place = await choosePlace(settings.dataDir)
  const opened = await open(place, context)
  if (typeof opened === 'string') {
    write(opened)
    return 1
  }
  const tested: TestedFlow[] = []
  try {
    for (const { ready, ...flow } of read) {
      tested.push({ ...flow, report: ready && (await playAll(ready, flow.flowFile, { ...opened, ...context })) })
    }
  } finally {
    await opened.close()
  }
  return reportTests(tested, { ...options, seed: options.seed ?? 1, mutates: false }, context)
}

interface Opened {
  empty(): Promise<void>
  close(): Promise<void>
}

/** Asterisk and the database of these tests, or why they cannot be used. */
async function open(place: PhonePlace, { settings, clock, progress }: PhoneContext): Promise<Opened | string> {
  const installed = await installAsterisk(place.treeDirectory, progress)
  if (!installed.ok) return `${installed.why}\n${installed.remedy}`
  mkdirSync(place.directory, { recursive: true, mode: 0o755 })
  const claim = claimService(place.directory)
  if ('takenBy' in claim) {
    return `tests by phone (process ${claim.takenBy}) already run in ${place.directory}; wait, or set another DATA_DIR`
  }
  const own = { ...settings, dataDir: place.directory, databaseUrl: undefined }
  const opened = await openDatabaseFor(own, { clock, log: makeLog('fatal'), onLine: () => {} })
  if (!opened.ok) {
    claim.release()
    return `${opened.why}; ${opened.remedy}`
  }
  // Each service would stop the server at its end, if nobody used it.
  const user = opened.database.pools.connection('tests by phone')
  user.on('error', () => {})
  await user.connect()
  return {
    async empty() {
      await emptyDatabase(opened.database.pools)
      forgetEarlier(place)
    },
    async close() {
      await user.end()
      await opened.database.close()
      claim.release()
    },
  }
}

/** The emptied database is another installation, and knows no call of before (storage-06, storage-08). */
function forgetEarlier({ directory }: PhonePlace): void {
  const { callEventsFile } = tracePlaces(directory)
  const places = [...['installation', 'journal', 'spool', 'audit'].map((name) => join(directory, name)), callEventsFile]
  for (const path of places) rmSync(path, { recursive: true, force: true })
}

async function playAll(
  { flow, source, text, scripts }: ReadyFlow,
  flowFile: string,
  context: PhoneContext & Pick<Opened, 'empty'>,
): Promise<FlowReport> {
  const played: Played[] = []
  const skipped: Skipped[] = []
  for (const script of scripts) {
    const why = whyNotByPhone(flow, script)
    if (why !== undefined) skipped.push({ script, why })
    else {
      context.progress(`${flow.name}: ${script.name} …`)
      played.push(await playOrSayWhyNot({ flow, flowFile, text }, script, context))
    }
  }
  const notes = played.map(({ call }) => call.notes)
  const coverage = coverageOf(flow, source, notes)
  return {
    flow: flow.name,
    played,
    skipped,
    coverage,
    properties: undefined,
    proposals: undefined,
    mutation: undefined,
  }
}

/** A port can be taken between the choice and the start: once more, and then the test fails with the reason. */
const ATTEMPTS_MAX = 2

async function playOrSayWhyNot(
  flow: PlayedFlow,
  script: Script,
  { empty, ...context }: PhoneContext & Pick<Opened, 'empty'>,
): Promise<Played> {
  let reason = ''
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      await empty()
      // Ports that are free now: between two tests another program may have taken them.
      const place = await choosePlace(context.settings.dataDir)
      return await playByPhone(flow, script, { ...context, place, log: makeLog('fatal'), onLine: () => {} })
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
      context.progress(`${script.name}: ${reason}`)
    }
  }
  const { path, given } = script
  const message = `the phone cannot call, also when it is tried again: ${reason}`
  return { script, call: { nowMs: given.atMs, lines: [], notes: [] }, failure: { path, message, lines: [] } }
}
