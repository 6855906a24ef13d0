/** What holds for every flow, without a test of its author (flow-language.md 5.2). */
import type { CompiledFlow } from '../flow/run/compile.ts'
import { randomOf, seededRandom } from '../kernel/random.ts'
import type { JournalLine } from '../ports/journal.ts'
import { playScript } from './play-script.ts'
import { brokenPromises } from './promises.ts'
import { randomLife } from './random-life.ts'
import { defaultEnv } from './read-given.ts'
import type { Script } from './script.ts'
import type { SimulatedCall } from './simulated-call.ts'

export interface PropertyFault {
  /** `hang-up after fact 12 of "a test"`, `random life 7` */
  readonly where: string
  readonly message: string
  readonly lines: readonly JournalLine[]
}

export interface Properties {
  readonly calls: number
  readonly faults: readonly PropertyFault[]
}

const LIVES = 100
/** More of the same would not help. */
const FAULTS_MAX = 10
const KEYS = [...'0123456789*#']

/** Disturbs every test at every fact, and lets random callers in. `seed` decides the keys and the lives. */
export function checkProperties(compiled: CompiledFlow, scripts: readonly Script[], seed: number): Properties {
  const faults: PropertyFault[] = []
  const env = defaultEnv(compiled.flow)
  let calls = 0
  const judge = (where: string, call: SimulatedCall, more: readonly string[] = []) => {
    calls++
    const [message] = [...brokenPromises(call, compiled.flow), ...more]
    if (message !== undefined) faults.push({ where, message, lines: call.lines })
  }
  for (let life = 0; life < LIVES && faults.length < FAULTS_MAX; life++) {
    judge(`random life ${seed + life}`, randomLife(compiled, env, seed + life))
  }
  const random = seededRandom(seed)
  for (const script of scripts) {
    const { call: undisturbed } = playScript(compiled, script)
    const { call: restored } = playScript(compiled, script, { afterFact: (_, call) => call.saveAndRestore() })
    const isSame = JSON.stringify(restored.commands) === JSON.stringify(undisturbed.commands)
    judge(`save and restore after every fact of "${script.name}"`, restored, isSame ? [] : ['it goes another way'])
    for (let at = 1; at <= undisturbed.factCount && faults.length < FAULTS_MAX; at++) {
      const key = randomOf(random, KEYS)
      const at1 = (act: (call: SimulatedCall) => void) => ({
        afterFact: (count: number, call: SimulatedCall) => (count === at ? act(call) : undefined),
      })
      const hungUp = playScript(
        compiled,
        script,
        at1((call) => call.hangUp()),
      )
      judge(`hang-up after fact ${at} of "${script.name}"`, hungUp.call)
      const pressed = playScript(
        compiled,
        script,
        at1((call) => call.press(key)),
      )
      judge(`key ${key} after fact ${at} of "${script.name}"`, pressed.call)
    }
  }
  return { calls, faults }
}
