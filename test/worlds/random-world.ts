/**
 * One seed draws a whole world: its people, its servers, its connection, and what goes wrong in it
 * (architecture-laws.md 7).
 */
import type { EngineDependencies } from '../../src/engine/context.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { Pbx } from '../../src/ports/pbx.ts'
import type { Sms, SmsResult } from '../../src/ports/sms.ts'
import type { Speech, SpeechResult } from '../../src/ports/speech.ts'
import type { SimPbx } from '../../src/sim/sim-pbx.ts'
import type { SimAnswer } from '../sim/sim-web.ts'
import { FLOWS } from './flows.ts'
import { QueueOrder } from './queue-order.ts'
import { randomCallee, randomCaller, randomTeams } from './random-people.ts'
import { caseInfo } from './set-up.ts'
import { NUMBER, World, type WorldOptions } from './world.ts'

/** What can go wrong in a world; each seed has its own mixture, and some have none of it. */
interface Weather {
  readonly latencyMaxMs: number
  readonly loseEvents: number
  readonly doubleEvents: number
  readonly cuts: number
  /** Commands that are lost because the connection breaks while they are in flight. */
  readonly lostCommands: number
  readonly restarts: number
  readonly speechFails: number
  readonly speechMaxMs: number
  readonly smsFails: number
  readonly webFails: number
}

/** A world that has lived through its hour. */
export interface Lived {
  readonly world: World
  readonly queue: QueueOrder
  /** Only with a connection that held and words for everything nobody may hear silence. */
  readonly isCalm: boolean
  /** How late a prompt may be: some ways to the switch and back, and its rendering. */
  readonly slackMs: number
}

const HOUR_MS = 3_600_000
/** Everything that anybody waits for is over by then: patience, queues, pauses, repeated commands. */
const QUIET_MS = 1_800_000
/** How often somebody looks whether an agent sits idle while a caller waits. */
const LOOK_EVERY_MS = 20_000
const CASES = ['4711', '4712', '4713', '4714', '47', '5005']

/** Lets the world of a seed live through an hour of faults, and then come to rest. `parts` may plant mistakes. */
export async function liveThrough(seed: number, parts: WorldOptions['parts'] = () => ({})): Promise<Lived> {
  const random = seededRandom(seed)
  const weather = weatherOf(random)
  const { latencyMaxMs, loseEvents, doubleEvents, speechMaxMs } = weather
  const ports = (usual: EngineDependencies) => ({
    speech: speechOf(usual, random, weather),
    sms: smsOf(usual, random, weather),
    pbx: pbxOf(usual.pbx as SimPbx, random, weather),
  })
  const world = new World({
    seed,
    flow: randomOf(random, FLOWS),
    teams: randomTeams(random),
    pbx: { latencyMs: [1, latencyMaxMs], loseEvents, doubleEvents },
    callsMax: randomOf(random, [5, 1_000, 1_000]),
    parts: (usual) => ({ ...ports(usual), ...parts({ ...usual, ...ports(usual) }) }),
  })
  for (const number of CASES) world.caseIs(number, ...answersOf(number, random, weather))
  await world.open()
  people(world, random)
  troubles(world, random, weather)
  const queue = new QueueOrder(world)
  for (let passedMs = 0; passedMs < HOUR_MS + QUIET_MS; passedMs += LOOK_EVERY_MS) {
    world.clock.run(LOOK_EVERY_MS)
    queue.checkIdle()
  }
  const isCalm = [weather.cuts, weather.lostCommands, weather.restarts, weather.speechFails].every(
    (count) => count === 0,
  )
  return { world, queue, isCalm, slackMs: 4 * latencyMaxMs + 2 * speechMaxMs }
}

function weatherOf(random: Random): Weather {
  return {
    latencyMaxMs: randomOf(random, [1, 5, 30, 200]),
    loseEvents: randomOf(random, [0, 0, 0.02, 0.3]),
    doubleEvents: randomOf(random, [0, 0, 0.02, 0.3]),
    cuts: randomOf(random, [0, 0, 1, 4]),
    lostCommands: randomOf(random, [0, 0, 10]),
    restarts: randomOf(random, [0, 0, 0, 2]),
    speechFails: randomOf(random, [0, 0, 0, 0.1]),
    speechMaxMs: randomOf(random, [0, 0, 40]),
    smsFails: randomOf(random, [0, 0.5]),
    webFails: randomOf(random, [0, 0.5, 0.9]),
  }
}

/** Callers all through the hour, alone and in crowds; agents change their ways now and then. */
function people(world: World, random: Random): void {
  const { clock } = world
  const startMs = clock.nowMs()
  const at = (action: () => void) => clock.schedule(startMs + randomInt(random, 0, HOUR_MS), action)
  for (let crowds = randomInt(random, 3, 14); crowds > 0; crowds--) {
    const crowd = Array.from({ length: randomOf(random, [1, 1, 2, 6]) }, () => randomCaller(random, CASES))
    const called = randomInt(random, 0, 30) === 0 ? '+4570009999' : NUMBER
    at(() => {
      for (const { person, caller } of crowd) world.callIn(person, { caller, called })
    })
  }
  for (const phone of world.phones.values()) {
    phone.script = randomCallee(random)
    for (let changes = randomInt(random, 0, 6); changes > 0; changes--) {
      const script = randomCallee(random)
      at(() => {
        phone.script = script
        if (changes % 2 === 0) phone.hangUp()
      })
    }
  }
}

function troubles({ clock, pbx }: World, random: Random, { cuts, restarts }: Weather): void {
  const startMs = clock.nowMs()
  const trouble = (happens: (forMs: number) => void) => {
    const forMs = randomOf(random, [50, 1_000, 15_000])
    clock.schedule(startMs + randomInt(random, 0, HOUR_MS), () => happens(forMs))
  }
  for (let left = cuts; left > 0; left--) trouble((forMs) => pbx.cut(forMs))
  for (let left = restarts; left > 0; left--) trouble((forMs) => pbx.restart(forMs))
}

const WRONG: readonly ((number: string) => SimAnswer)[] = [
  () => ({ status: 404 }),
  () => ({ status: 500 }),
  () => ({ status: 503, afterMs: 2_500 }),
  () => ({ body: '{"closedDate":null' }),
  () => ({ fails: 'network', afterMs: 900 }),
  () => ({ fails: 'tooLarge' }),
  (number) => ({ body: caseInfo(number, { closedDate: undefined }) }),
  (number) => ({ body: caseInfo(`${number}9`) }),
  (number) => ({ body: caseInfo(number), afterMs: 9_000 }),
  (number) => ({ body: caseInfo(number, { paymentReference: undefined }) }),
]

function answersOf(number: string, random: Random, { webFails }: Weather): SimAnswer[] {
  return Array.from({ length: 6 }, () => {
    if (random.next() < webFails) return randomOf(random, WRONG)(number)
    const closedDate = number === '4712' ? '2026-02-14T09:30:00Z' : null
    return { body: caseInfo(number, { closedDate }), afterMs: randomOf(random, [10, 400, 2_000]) }
  })
}

/** A switch whose connection breaks right after some of our commands. */
function pbxOf(pbx: SimPbx, random: Random, { lostCommands }: Weather): Pbx {
  const unlucky = new Set(Array.from({ length: lostCommands }, () => randomInt(random, 1, 600)))
  let commands = 0
  return new Proxy<Pbx>(pbx, {
    get: (_, name) => {
      const method = (pbx[name as keyof Pbx] as (...args: never[]) => unknown).bind(pbx)
      if (name === 'onEvent' || name === 'start' || name === 'stop') return method
      return (...args: never[]) => {
        method(...args)
        if (unlucky.has(++commands)) pbx.cut(200)
      }
    },
  })
}

function speechOf(
  { speech, clock }: EngineDependencies,
  random: Random,
  { speechFails, speechMaxMs }: Weather,
): Speech {
  return {
    render(utterance, done) {
      const fails: SpeechResult = { ok: false, why: 'no voice today' }
      const told = random.next() < speechFails ? () => done(fails) : () => speech.render(utterance, done)
      if (speechMaxMs === 0) told()
      else clock.schedule(clock.nowMs() + randomInt(random, 0, speechMaxMs), told)
    },
    quieten: (sound, done) => speech.quieten(sound, done),
  }
}

function smsOf({ sms, clock }: EngineDependencies, random: Random, { smsFails }: Weather): Sms {
  return {
    send(message, done) {
      const outcome = randomOf(random, ['noMobile', 'refused', 'uncertain', 'failed'] as const)
      const fails: SmsResult | undefined = random.next() < smsFails ? { outcome, why: 'as drawn' } : undefined
      const lateMs = randomOf(random, [0, 500, 2_900, 6_000])
      sms.send(message, (result) => clock.schedule(clock.nowMs() + lateMs, () => done(fails ?? result)))
    },
  }
}
