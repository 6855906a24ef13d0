import { mkdirSync } from 'node:fs'
import { installAsterisk } from '../../asterisk/install.ts'
import { claimService } from '../app/pid-file.ts'
import { openDatabaseFor } from '../app/repositories.ts'
import { coverageOf } from '../flow-test/coverage.ts'
import type { Played } from '../flow-test/play-script.ts'
import type { FlowReport, Skipped } from '../flow-test/test-flow.ts'
import type { Clock } from '../kernel/clock.ts'
import { makeLog } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import { choosePlace, type PhonePlace } from '../phone-test/phone-place.ts'
import { playByPhone } from '../phone-test/play-by-phone.ts'
import { whyNotByPhone } from '../phone-test/why-not-by-phone.ts'
import { emptyDatabase } from '../store/db/empty-database.ts'
import type { CliContext } from './flow-check.ts'
import { type FlowTestOptions, readPairs, reportTests } from './flow-test.ts'
import type { ReadyFlow, TestedFlow } from './tested-flow.ts'

interface PhoneContext extends Pick<CliContext, 'settings' | 'write'> {
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
  } catch (error) {
    write(error instanceof Error ? error.message : String(error))
    return 1
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
    empty: () => emptyDatabase(opened.database.pools),
    async close() {
      await user.end()
      await opened.database.close()
      claim.release()
    },
  }
}

async function playAll(
  { flow, source, text, scripts }: ReadyFlow,
  flowFile: string,
  context: PhoneContext & Pick<Opened, 'empty'>,
): Promise<FlowReport> {
  const { progress, empty } = context
  const kit = { ...context, log: makeLog('fatal'), onLine: () => {} }
  const played: Played[] = []
  const skipped: Skipped[] = []
  for (const script of scripts) {
    const why = whyNotByPhone(flow, script)
    if (why !== undefined) skipped.push({ script, why })
    else {
      progress(`${flow.name}: ${script.name} …`)
      await empty()
      // Ports that are free now: between two tests another program may have taken them.
      const place = await choosePlace(context.settings.dataDir)
      played.push(await playByPhone({ flow, flowFile, text }, script, { ...kit, place }))
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
