import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHostAndPort } from '../src/installation/config-schema.ts'
import { RealClock } from '../src/kernel/clock.ts'
import { makeLog } from '../src/kernel/log.ts'
import { seededRandom } from '../src/kernel/random.ts'
import { type DemoRun, runDemo, stopDemoSwitch } from './demo.ts'
import { type Login, writeEnvFile } from './kept/keep.ts'
import { DEMO_NUMBER } from './stories.ts'

/** Options of `switchboard demo`. */
export interface DemoCommand {
  /** File for the result as JSON. */
  readonly summary?: string
  readonly seed?: number
  readonly keep?: boolean
  readonly simulated?: boolean
  /** `host:port` of servers on the visitor's machine that webhooks and flows may call. */
  readonly allowHost?: readonly string[]
}

/** `interrupted` resolves at Ctrl-C. */
export interface DemoPlace {
  readonly dataDir: string
  readonly write: (line: string) => void
  readonly interrupted: Promise<void>
  /** Calls `apply` whenever `switchboard apply` signals this process. */
  readonly onApply?: (apply: () => void) => void
}

/** Shells expect it of a command that Ctrl-C ended. */
const INTERRUPTED_STATUS = 130

/**
 * Runs the demo and prints a report; resolves with the exit status. With `keep`, everything runs until `interrupted`.
 * The switch never outlives the demo.
 */
export async function demoCommand(options: DemoCommand, place: DemoPlace): Promise<number> {
  const clock = new RealClock()
  const startMs = clock.nowMs()
  let isOver = false
  const onLine = (line: string) => {
    if (!isOver) place.write(`${((clock.nowMs() - startMs) / 1000).toFixed(1).padStart(5)} ${line}`)
  }
  const directory = join(place.dataDir, 'demo')
  const strange = options.allowHost?.find((host) => !isHostAndPort(host) || !host.includes(':'))
  if (strange !== undefined) {
    onLine(`FAILED: --allow-host ${strange} is no host with a port; write it as 127.0.0.1:3000`)
    return 1
  }
  try {
    // A summary that cannot be written fails before the first call.
    if (options.summary !== undefined) writeFileSync(options.summary, '')
    const random = seededRandom(options.seed ?? startMs)
    const treeDirectory = join(place.dataDir, 'asterisk')
    const isSimulated = options.simulated ?? false
    // Errors during the shutdown are not reported.
    const log = makeLog('error', { write: (line: string) => void (isOver || place.write(line.trimEnd())) })
    const { keep: isKept = false, allowHost: allowHosts = [] } = options
    const own = { directory, treeDirectory, isSimulated, isKept, allowHosts }
    const running = runDemo({ ...own, clock, random, log, onLine })
    const demo = await Promise.race([running, place.interrupted.then(() => undefined)])
    if (demo) return await report(demo, options, { ...place, onLine, directory })
    onLine('interrupted')
    return INTERRUPTED_STATUS
  } catch (error) {
    onLine(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    isOver = true
    await stopDemoSwitch(directory)
  }
}

interface Reporting extends DemoPlace {
  readonly onLine: (line: string) => void
  readonly directory: string
}

async function report(demo: DemoRun, { summary: file, keep }: DemoCommand, reporting: Reporting): Promise<number> {
  const { onLine, directory, interrupted } = reporting
  const { summary } = demo
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(summary, null, 2)}\n`)
  const shown = summary.calls.at(-2)?.call
  onLine(`one call as a ladder: DATA_DIR=${directory} npm run switchboard -- call show ${shown}`)
  if (keep) {
    reporting.onApply?.(() => void applied(demo, onLine))
    for (const line of invitation(demo, writeEnvFile(directory, demo.variables))) onLine(line)
    await interrupted
  }
  await demo.stop()
  onLine(verdict(demo))
  return summary.ok ? 0 : 1
}

/** What a visitor needs. The passwords are shown here and nowhere else. */
function invitation({ kept, variables, sipPort, whySimulated }: DemoRun, envFile: string): string[] {
  const login = (whose: string, { userName, password }: Login) => `${whose}: ${userName} / ${password}`
  const sound =
    whySimulated === undefined
      ? 'the phone is your browser; people speak in tones'
      : 'the switch is simulated: a simulated phone rings for you, and there is no sound'
  return [
    '',
    login('sit down as an agent', kept!.visitor),
    `  on the desk press Start: calls come by themselves; ${sound}`,
    login('watch the board as a supervisor', kept!.supervisor),
    `call in: ${DEMO_NUMBER} at sip:127.0.0.1:${sipPort} from 127.0.0.11`,
    `in a second terminal: . ${envFile}   then npm run -s switchboard -- apply, or any other command`,
    `  edit ${variables['SETUP_FILE']} and ${variables['FLOWS_DIR']}`,
    `kept running: open ${variables['NODE']} (sign-on for programs: ${variables['SSO']}); Ctrl-C stops it`,
  ]
}

async function applied({ reload }: DemoRun, onLine: (line: string) => void): Promise<void> {
  const problems = await reload().catch((error: Error) => [error.message])
  for (const problem of problems) onLine(problem)
  onLine(problems.length === 0 ? 'applied: in force now' : 'applied with the problems above')
}

function verdict({ summary, whySimulated }: DemoRun): string {
  const { calls, pbx } = summary
  const went = calls.filter(({ differences }) => differences.length === 0).length
  const on = whySimulated === undefined ? `a real Asterisk ${pbx.version}` : `SIMULATED phones (${whySimulated})`
  return `${summary.ok ? 'Done' : 'FAILED'}: ${went} of ${calls.length} calls went as scripted, on ${on}`
}
