import type { Flow } from '../flow/model/flow.ts'
import type { CompiledFlow } from '../flow/run/compile.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../kernel/random.ts'
import type { SmsResult } from '../ports/sms.ts'
import type { WebAnswer } from '../ports/web.ts'
import { readGiven } from './read-given.ts'
import type { Given } from './script.ts'
import { SimulatedCall } from './simulated-call.ts'
import { beginningOf } from './test-world.ts'
import type { Reply, World } from './world.ts'

/** Between two keys of a caller who types. */
const KEY_MS = 200
const KEYS = [...'0123456789*#']
/** What callers say to a step that listens; nothing of it, or a number. */
const WORDS = ['', 'good morning', 'four seven one one', '1234', 'oh', '9999999999']
/** Values of members that an answer must have; among them some that no author thinks of. */
const VALUES = [null, '', '1', 'text', 0, -1, 120.5, true, '2026-03-02', { inner: 1 }, [1]]
const BAD_ANSWERS: readonly WebAnswer[] = [
  ...[404, 409, 500, 503].map((status) => ({ outcome: 'answered', status, body: '{}', contentType: '' }) as const),
  { outcome: 'answered', status: 200, body: '<html>', contentType: 'text/html' },
  { outcome: 'timeout', why: 'chance' },
  { outcome: 'network', why: 'chance' },
]
const TEXT_RESULTS: readonly (SmsResult | undefined)[] = [
  { outcome: 'sent', messageId: 'message-1' },
  { outcome: 'noMobile', why: 'chance' },
  { outcome: 'uncertain', why: 'chance' },
  undefined,
]
/** A caller who has not hung up by then stays silent until the flow ends the call. */
const ACTIONS_MAX = 60

/** A caller and a world of chance; the same seed gives the same life. Nobody needs to describe it. */
export function randomLife(compiled: CompiledFlow, env: Given['env'], seed: number): SimulatedCall {
  const random = seededRandom(seed)
  const { flow } = compiled
  const isKnown = random.next() < 0.5
  const given = readGiven(
    {},
    { ...(isKnown ? { task: { systemLookupCode: '20260042' } } : {}), ...caller(random) },
    env,
  )
  const world = chanceWorld(flow, random, () => call.stepName)
  const call: SimulatedCall = new SimulatedCall(compiled, beginningOf(given, flow), world)
  for (let actions = 0; actions < ACTIONS_MAX && !call.isOver; actions++) {
    const untilMs = call.nowMs + randomInt(random, 0, random.next() < 0.2 ? 60_000 : 4_000)
    while (call.step(untilMs));
    act(call, random)
  }
  call.finish()
  return call
}

function caller(random: Random) {
  const atMs = Date.UTC(2026, randomInt(random, 0, 11), randomInt(random, 1, 28), randomInt(random, 0, 23))
  return { caller: random.next() < 0.2 ? 'withheld' : '+37255512345', time: new Date(atMs).toISOString() }
}

function act(call: SimulatedCall, random: Random): void {
  const chance = random.next()
  if (chance < 0.02) call.hangUp()
  else if (call.queue === 'waiting' && chance < 0.3) call.agent('answers')
  else if (call.queue === 'talking' && chance < 0.3) call.agent('leaves')
  else if (call.queue === 'talking' && chance < 0.4) call.agent('lost')
  else if (call.awaited && chance < 0.3) call.postEvent(call.awaited, { amount: randomOf(random, VALUES) })
  else if (call.tape.isOn && chance < 0.5) call.tape.say(randomInt(random, 100, 20_000), call.nowMs)
  else if (call.hearsVoice && chance < 0.6) call.talk(randomInt(random, 50, 3_000))
  else if (call.ear.isOpen && chance < 0.6) call.speak(randomOf(random, WORDS), random.next())
  else type(call, random)
}

/** One key, or a number typed without a pause. */
function type(call: SimulatedCall, random: Random): void {
  const count = random.next() < 0.3 ? randomInt(random, 2, 8) : 1
  for (let typed = 0; typed < count; typed++) {
    call.press(randomOf(random, KEYS))
    const untilMs = call.nowMs + KEY_MS
    while (call.step(untilMs));
  }
}

function chanceWorld(flow: Flow, random: Random, stepName: () => Flow['start'] | undefined): World {
  return {
    answer: ({ url }): Reply => {
      const afterMs = randomInt(random, 1, 6_000)
      if (random.next() < 0.3) return { afterMs, answer: randomOf(random, BAD_ANSWERS) }
      const step = flow.steps.get(stepName() ?? flow.start)
      const body: Record<string, unknown> = {}
      if (step?.kind === 'http') {
        for (const member of step.spec.required) body[member] = randomOf(random, VALUES)
        // Most paths end with the value that the answer must repeat.
        const last = decodeURIComponent(
          url
            .replace(/[?#].*/, '')
            .split('/')
            .at(-1)!,
        )
        for (const member of Object.keys(step.spec.match)) body[member] = last
      }
      return { afterMs, answer: { outcome: 'answered', status: 200, body: JSON.stringify(body), contentType: '' } }
    },
    settleText: () => randomOf(random, TEXT_RESULTS),
    stopCaller: () => ({ end: randomOf(random, ['done', 'noNumber', 'failed'] as const) }),
    refuses: () => randomOf(random, [undefined, undefined, undefined, 'full', 'closed'] as const),
    refusesWait: () => (random.next() < 0.1 ? 'chance' : undefined),
    refusesMessage: () => (random.next() < 0.1 ? 'chance' : undefined),
    transfer: () => ({
      end: randomOf(random, ['done', 'done', 'busy', 'noAnswer', 'refused', 'failed'] as const),
      afterMs: randomInt(random, 10, 30_000),
      talkMs: randomInt(random, 0, 600_000),
    }),
    canPlay: () => random.next() > 0.02,
    place: () => ({
      position: randomInt(random, 0, 5),
      ...(random.next() < 0.5 && { waitMs: randomInt(random, 0, 600_000) }),
    }),
    callsBack: () => random.next() < 0.7,
  }
}
