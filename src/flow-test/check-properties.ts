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

interface PropertyFault {
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
/** Long enough to stop a prompt. */
const SPEECH_MS = 1_500
/** More of the same would not help. */
const FAULTS_MAX = 10
const KEYS = [...'0123456789*#']

/**
 * Disturbs the tests at every fact of every visit of a step, and lets random callers in. `seed` decides the keys and
 * the lives.
 */
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
  const tried = new Set<string>()
  for (const script of scripts) {
    const places: string[] = []
    const { call: undisturbed } = playScript(compiled, script, { afterFact: (_, call) => places.push(placeOf(call)) })
    const { call: restored } = playScript(compiled, script, { afterFact: (_, call) => call.saveAndRestore() })
    const isSame = JSON.stringify(restored.commands) === JSON.stringify(undisturbed.commands)
    judge(`save and restore after every fact of "${script.name}"`, restored, isSame ? [] : ['it goes another way'])
    for (const [index, place] of places.entries()) {
      if (tried.has(place) || faults.length >= FAULTS_MAX) continue
      tried.add(place)
      const key = randomOf(random, KEYS)
      const disturbed = (act: (call: SimulatedCall) => void) => {
        const afterFact = (count: number, call: SimulatedCall) => (count === index + 1 ? act(call) : undefined)
        return playScript(compiled, script, { afterFact }).call
      }
      const where = `after fact ${index + 1} of "${script.name}"`
      judge(
        `hang-up ${where}`,
        disturbed((call) => call.hangUp()),
      )
      judge(
        `key ${key} ${where}`,
        disturbed((call) => call.press(key)),
      )
      judge(
        `speech ${where}`,
        disturbed((call) => call.hearsVoice && call.talk(SPEECH_MS)),
      )
    }
  }
  return { calls, faults }
}

/** The visit of the step, and what came last: tests share their beginnings, and one disturbance there is enough. */
function placeOf({ lines, notes, queue }: SimulatedCall): string {
  const entered = notes.findLast((note) => note.type === 'step.entered')
  const fact = lines.findLast(({ kind }) => kind === 'fact')
  return [entered?.step, entered?.visit, fact?.what.type, queue].join(' ')
}
