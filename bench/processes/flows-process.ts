/** The measured process of `flows`. */
import { randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Caller } from '../../src/sim/person.ts'
import { memoryJournal } from '../../test/support/memory-journal.ts'
import { type Api, serve } from '../child.ts'
import { debtorWorld, noJournal } from '../debtor-world.ts'

/** Where the stories of the calls go: nowhere, into memory, or into text as for a file that is not written. */
export type JournalKind = 'off' | 'memory' | 'text'

/** Calls to be made, and what is done with their stories. */
interface FlowCalls {
  readonly callers: number
  readonly journal: JournalKind
}

/** What it took. */
export interface FlowUse {
  readonly wallMs: number
  readonly cpuMs: number
  /** Calls at once, at the most. */
  readonly concurrentMax: number
}

/** The questions of the driver. */
export type FlowsApi = typeof api

/** Calls before the clock is looked at: code is compiled by then. */
const WARM_UP_CALLERS = 1_000
/** New calls per second of virtual time. */
const RATE = 20
const PATH = 'welcome known ask-case lookup triage whose pay-text after-text goodbye'

const JOURNALS: Readonly<Record<JournalKind, () => Journal>> = {
  off: () => noJournal,
  memory: () => memoryJournal(),
  text: () => ({ ...noJournal, append: (line) => void Buffer.byteLength(`${JSON.stringify(line)}\n`) }),
}

const api = {
  /** Lets the callers phone in one after another; each takes the whole way, or this fails. */
  async measure({ callers, journal }: FlowCalls): Promise<FlowUse> {
    const world = await debtorWorld(JOURNALS[journal]())
    let ended = 0
    let concurrentMax = 0
    let astray: string | undefined
    world.onCallEnded(({ path, outcome }) => {
      ended++
      // Not thrown here: the engine would take it for a mistake of its own and go on.
      if (path.join(' ') !== PATH || outcome !== 'completed') astray = `${path.join(' ')}, ${outcome}`
    })
    const random = seededRandom(3)
    const phoneIn = (count: number) => {
      const until = ended + count
      for (let caller = 0; caller < count; caller++) {
        world.callIn(debtor(randomOf(random, [600, 900, 1_200])))
        world.clock.run(1_000 / RATE)
        concurrentMax = Math.max(concurrentMax, world.engine.callCount)
      }
      if (!world.clock.runUntil(() => ended === until, 600_000)) throw new Error(`${until - ended} calls did not end`)
      if (astray !== undefined) throw new Error(`a call went ${astray}`)
    }
    phoneIn(WARM_UP_CALLERS)
    const cpuBefore = process.cpuUsage()
    const startedAtMs = performance.now()
    phoneIn(callers)
    const wallMs = performance.now() - startedAtMs
    const { user, system } = process.cpuUsage(cpuBefore)
    return { wallMs, cpuMs: (user + system) / 1_000, concurrentMax }
  },
} satisfies Api

/** Types the case, confirms it, reads the text message, and lets the menu run out. */
function debtor(thinksMs: number): Caller {
  return {
    presses: [
      { hears: 'case number', afterMs: thinksMs, keys: '4711#' },
      { hears: 'press 1', afterMs: thinksMs, keys: '1' },
    ],
  }
}

serve(api)
