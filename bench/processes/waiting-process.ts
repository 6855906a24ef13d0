/** The measured process of `waiting`: started with `--expose-gc` to count only live objects. */
import type { PlaybackId } from '../../src/kernel/ids.ts'
import { type Api, serve } from '../child.ts'
import { debtorWorld, emptyWorld, noJournal, type World } from '../debtor-world.ts'

/** Callers to wait, and whether the engine serves them or a stub that only plays the same prompts. */
interface WaitingCalls {
  readonly callers: number
  readonly isServed: boolean
}

/** The questions of the driver. */
export type WaitingApi = typeof api

/** Callers who came and went before: compiled code and grown tables do not belong to those who wait. */
const WARM_UP_CALLERS = 200
const ARRIVALS_PER_MS = 10
/** Welcome, and the question for the case number. */
const PROMPTS = [
  { file: '/sim/en', text: 'Welcome. This call may be recorded.', durationMs: 2_100 },
  { file: '/sim/en', text: 'Please enter your case number, then press hash.', durationMs: 2_820 },
]

const api = {
  /** Bytes of heap for each caller who has heard the question and has not pressed a key. */
  async measure({ callers, isServed }: WaitingCalls): Promise<number> {
    const world = isServed ? await debtorWorld(noJournal) : stubWorld(await emptyWorld())
    let heardPrompts = 0
    world.pbx.onEvent(({ type }) => {
      if (type === 'playback.ended') heardPrompts++
    })
    for (let caller = 0; caller < WARM_UP_CALLERS; caller++) world.callIn({ hangsUpAfterMs: 4_000 })
    // Their patience of two minutes is a timer that must be over, too.
    world.clock.run(180_000)
    heardPrompts = 0
    const beforeBytes = heapBytes()
    for (let caller = 0; caller < callers; caller++) {
      world.callIn({})
      if (caller % ARRIVALS_PER_MS === 0) world.clock.run(1)
    }
    const allWait = () => heardPrompts === callers * PROMPTS.length
    if (!world.clock.runUntil(allWait, 60_000)) throw new Error('not all callers came to the question')
    const bytes = heapBytes() - beforeBytes
    if (world.pbx.switch.legs.size !== callers) throw new Error('not all callers wait')
    return bytes / callers
  },
} satisfies Api

/** Answers and plays, and knows nothing of its callers: what remains is the simulator's own. */
function stubWorld(world: World): World {
  const { pbx } = world
  const played = new Map<string, number>()
  pbx.onEvent((event) => {
    if (event.type === 'leg.arrived') pbx.answer(event.leg)
    if (event.type === 'leg.ended') played.delete(event.leg)
    if (event.type !== 'leg.answered' && event.type !== 'playback.ended') return
    const count = played.get(event.leg) ?? 0
    if (count === PROMPTS.length) return
    played.set(event.leg, count + 1)
    pbx.play(`${event.leg}/${count}` as PlaybackId, event.leg, [PROMPTS[count]!])
  })
  return world
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('start this process with --expose-gc')
  for (let times = 0; times < 3; times++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

serve(api)
