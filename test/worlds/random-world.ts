/** One seed draws a whole world: its people, its servers, its connection, and what goes wrong in it (style.md 3.9). */
import type { EngineParts } from '../../src/engine/rooms.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { Sms, SmsResult } from '../../src/ports/sms.ts'
import type { Speech } from '../../src/ports/speech.ts'
import type { Callee, Caller, Press } from '../../src/sim/person.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import type { SimSms } from '../../src/sim/sim-sms.ts'
import type { SimAnswer } from '../../src/sim/sim-web.ts'
import { FLOWS } from './flows.ts'
import { caseInfo, type Teams } from './set-up.ts'
import { CALLER, NUMBER, World } from './world.ts'

/** What of a world can go wrong; each seed has its own mixture. */
interface Weather {
  readonly latencyMaxMs: number
  readonly loseEvents: number
  readonly doubleEvents: number
  readonly cuts: number
  readonly restarts: number
  readonly speechFails: number
  readonly speechMaxMs: number
  readonly smsFails: number
}

/** A world that has lived through its hour. */
export interface Lived {
  readonly world: World
  /** Whether the connection held all the time: only then nobody may hear silence. */
  readonly isCalm: boolean
  /** What a prompt may be late: both ways to the switch, and its rendering. */
  readonly slackMs: number
}

const HOUR_MS = 3_600_000
/** Everything that anybody waits for is over by then: patience, queues, pauses, repeated wishes. */
const QUIET_MS = 1_800_000
const CASES = ['4711', '4712', '4713', '4714', '500500', '5005']

/** Lets the world of a seed live through an hour of faults, and then come to rest without any. */
export async function liveThrough(seed: number): Promise<Lived> {
  const random = seededRandom(seed)
  const weather = weatherOf(random)
  const { latencyMaxMs, loseEvents, doubleEvents, speechMaxMs } = weather
  const world = new World({
    seed,
    flow: randomOf(random, FLOWS),
    teams: teamsOf(random),
    pbx: { latencyMs: [1, latencyMaxMs], loseEvents, doubleEvents },
    parts: (usual) => ({ speech: speechOf(usual, random, weather), sms: smsOf(usual.clock, world0(), random, weather) }),
  })
  function world0(): () => SimSms {
    return () => world.sms
  }
  for (const number of CASES) world.caseIs(number, ...answersOf(random, number))
  await world.open()
  people(world, random)
  troubles(world, random, weather)
  world.clock.run(HOUR_MS)
  world.clock.run(QUIET_MS)
  const isCalm = weather.cuts + weather.restarts === 0 && weather.speechFails === 0 && loseEvents === 0
  return { world, isCalm, slackMs: 4 * latencyMaxMs + 2 * speechMaxMs }
}
