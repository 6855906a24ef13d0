/** The measured process of `authoring`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createActor } from 'xstate'
import { fileName } from '../../src/adapters/files/journal-folder.ts'
import { flowReplay } from '../../src/cli/flow-replay.ts'
import type { Flow } from '../../src/flow/model/flow.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { type CompiledFlow, compileFlow } from '../../src/flow/run/compile.ts'
import { playScript } from '../../src/flow-test/play-script.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import type { Script } from '../../src/flow-test/script.ts'
import type { JournalLine } from '../../src/ports/journal.ts'
import { bareMachine, type Course, runBare } from '../authoring/bare-machine.ts'
import { longFlow } from '../authoring/long-flow.ts'
import { type Api, serve } from '../child.ts'

/** The questions of the driver. */
export type AuthoringApi = typeof api

/** Wall time of the same work done by Switchboard and by plain XState. */
export interface Pair {
  readonly oursMs: number
  readonly bareMs: number
}

interface Recorded {
  /** Of the flows. */
  readonly directory: string
  readonly calls: number
  /** Made anew. */
  readonly journals: string
}

interface Play {
  readonly ours: () => void
  readonly bare: () => void
}

interface Tested {
  readonly file: string
  readonly flow: Flow
  readonly compiled: CompiledFlow
  readonly scripts: readonly Script[]
}

const WARM_UP = 300
const TURNS = 10
const DEBTOR = 'debtor-self-service'

const api = {
  /** Plays the tests of the shipped flows in turn, each of them a whole call. */
  simulate({ directory, calls }: { readonly directory: string; readonly calls: number }): Pair {
    const plays = shipped(directory).flatMap(({ flow, compiled, scripts }) => {
      const courses = scripts.map((script) => courseOf(compiled, script))
      const machine = bareMachine(flow, courses)
      return scripts.map((script, at) => {
        return { ours: () => void playScript(compiled, script), bare: () => runBare(machine, courses[at]!) }
      })
    })
    return pairOf(plays, calls)
  },

  /** Reads and checks a flow; the plain machine of the same graph is made and started. */
  read({ steps, times }: { readonly steps: number; readonly times: number }): Pair {
    const text = longFlow(steps)
    const { flow, problems } = readFlow('long.yaml', text)
    if (!flow) throw new Error(problems.map(({ message }) => message).join('\n'))
    const ours = () => void readFlow('long.yaml', text)
    const bare = () => void createActor(bareMachine(flow, [])).start().stop()
    const { oursMs, bareMs } = pairOf([{ ours, bare }], times)
    return { oursMs: oursMs / times, bareMs: bareMs / times }
  },

  /** Leads recorded calls of the debtor flow through its file, by the command. */
  async replay({ directory, calls, journals }: Recorded): Promise<Pair> {
    const { file, flow, compiled, scripts } = shipped(directory).find(({ flow: { name } }) => name === DEBTOR)!
    const played = scripts.map((script) => {
      const { call } = playScript(compiled, script)
      const [{ call: id }] = call.lines as [JournalLine]
      const text = call.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      return { course: courseOf(compiled, script), parts: text.split(`"call":"${id}"`) }
    })
    rmSync(journals, { recursive: true, force: true })
    mkdirSync(journals, { recursive: true })
    const texts = Array.from({ length: calls }, (_, at) => {
      return played[at % played.length]!.parts.join(`"call":"sb-call-${at}"`)
    })
    writeFileSync(join(journals, fileName(0)), texts.join(''))
    const said: string[] = []
    const startedAtMs = performance.now()
    await flowReplay(file, { journals, json: true }, (line) => void said.push(line))
    const oursMs = performance.now() - startedAtMs
    const { report } = JSON.parse(said.join('\n')) as { readonly report: { readonly calls: number } }
    if (report.calls !== calls) throw new Error(`${report.calls} of ${calls} calls were read`)
    const machine = bareMachine(
      flow,
      played.map(({ course }) => course),
    )
    const bareAtMs = performance.now()
    for (let at = 0; at < calls; at++) runBare(machine, played[at % played.length]!.course)
    return { oursMs, bareMs: performance.now() - bareAtMs }
  },
} satisfies Api

function shipped(directory: string): Tested[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.test.yaml'))
  return files.map((name) => {
    const file = join(directory, name.replace('.test', ''))
    const { flow } = readFlow(file, readFileSync(file, 'utf8'))
    const { scripts } = readTestFile(name, readFileSync(join(directory, name), 'utf8')).readScripts(flow!)
    return { file, flow: flow!, compiled: compileFlow(flow!), scripts }
  })
}

function courseOf(compiled: CompiledFlow, script: Script): Course {
  const { call, failure } = playScript(compiled, script)
  if (failure) throw new Error(`${compiled.flow.name}: ${failure.message}`)
  return call.record!.path
}

/** Both sides take turns in tenths, so that a slower moment of the machine meets both. */
function pairOf(plays: readonly Play[], times: number): Pair {
  const run = (side: keyof Play, count: number) => {
    const startedAtMs = performance.now()
    for (let at = 0; at < count; at++) plays[at % plays.length]![side]()
    return performance.now() - startedAtMs
  }
  for (const side of ['ours', 'bare'] as const) run(side, Math.min(times, WARM_UP))
  let oursMs = 0
  let bareMs = 0
  for (let part = 0; part < TURNS; part++) {
    oursMs += run('ours', times / TURNS)
    bareMs += run('bare', times / TURNS)
  }
  return { oursMs, bareMs }
}

serve(api)
