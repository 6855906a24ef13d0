import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DemoRun, runDemo, stopDemoSwitch } from '../demo/demo.ts'
import { DEMO_NUMBER } from '../demo/stories.ts'
import { RealClock } from '../kernel/clock.ts'
import { makeLog } from '../kernel/log.ts'
import { seededRandom } from '../kernel/random.ts'

/** Options of `switchboard demo`, as the command line gives them. */
export interface DemoCommand {
  /** A file for the machine-readable result. */
  readonly summary?: string
  readonly seed?: string
  readonly keep?: boolean
  readonly simulated?: boolean
}

/** What a shell expects of a command that Ctrl-C ended. */
const INTERRUPTED_STATUS = 130

/**
 * Runs the demo and reports; gives the exit status. `interrupted` ends it in the middle; with `keep`, it is what the
 * demo waits for before it tidies up.
 */
export async function demoCommand(
  { summary: file, seed, keep = false, simulated = false }: DemoCommand,
  { dataDir, write, interrupted }: { dataDir: string; write: (line: string) => void; interrupted: Promise<void> },
): Promise<number> {
  const clock = new RealClock()
  const startMs = clock.nowMs()
  const onLine = (line: string) => write(`${((clock.nowMs() - startMs) / 1000).toFixed(1).padStart(5)} ${line}`)
  const directory = join(dataDir, 'demo')
  const running = runDemo({
    directory,
    treeDirectory: join(dataDir, 'asterisk'),
    isSimulated: simulated,
    clock,
    random: seededRandom(seed === undefined ? startMs : Number(seed)),
    log: makeLog('warn'),
    onLine,
  })
  const demo = await Promise.race([running, interrupted.then(() => undefined)])
  if (!demo) {
    onLine('interrupted')
    await stopDemoSwitch(directory)
    return INTERRUPTED_STATUS
  }
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(demo.summary, null, 2)}\n`)
  if (keep) {
    onLine(`kept running: call ${DEMO_NUMBER} at sip:127.0.0.1:${demo.sipPort} from 127.0.0.11; Ctrl-C ends it`)
    await interrupted
  }
  await demo.stop()
  onLine(verdict(demo))
  return demo.summary.ok ? 0 : 1
}

function verdict({ summary, whySimulated }: DemoRun): string {
  const { calls, pbx } = summary
  const went = calls.filter(({ differences }) => differences.length === 0).length
  const on = whySimulated === undefined ? `a real Asterisk ${pbx.version}` : `SIMULATED phones (${whySimulated})`
  return `${summary.ok ? 'Done' : 'FAILED'}: ${went} of ${calls.length} calls went as scripted, on ${on}`
}
