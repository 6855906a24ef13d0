/** Which tests cannot be played by phone: they need a world that our phones and servers cannot be. */
import type { CallCommand } from '../flow/model/call-messages.ts'
import type { Flow } from '../flow/model/flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import { playScript } from '../flow-test/play-script.ts'
import type { Given, Script } from '../flow-test/script.ts'

/** Our choice: longer calls test the clock. */
const CALL_MAX_MS = 60_000

const NOT_GIVEN: readonly (readonly [string, (given: Given) => boolean])[] = [
  ['events: none needs a service without a database', ({ hasEvents }) => !hasEvents],
  ['record: failed needs a switch that cannot write', ({ hasRecorder }) => !hasRecorder],
  ['doNotCall needs a database that fails', ({ doNotCall }) => doNotCall === 'failed'],
  ['position needs other callers', ({ position }) => position !== 1],
  ['expectedWait needs a day of calls', ({ expectedWaitMs }) => expectedWaitMs !== undefined],
  [
    'task has members that no import sets',
    ({ task = {} }) => Object.keys(task).join() !== 'systemLookupCode' && Object.keys(task).length > 0,
  ],
  ['a task without a number finds nobody', ({ task, caller }) => task !== undefined && caller === undefined],
]

const NOT_DONE: Partial<Record<Script['actions'][number]['kind'], string>> = {
  crash: 'a crash of the engine',
  speak: 'nobody understands the words of a phone',
}
const NOT_ASKED: Partial<Record<CallCommand['type'], string>> = {
  askCallback: 'places for callbacks need a campaign',
  transfer: 'a transfer needs telephones outside',
}

/** The reason, or undefined if the test can be played by phone. The call on virtual time says how long it takes. */
export function whyNotByPhone(flow: Flow, script: Script): string | undefined {
  const { language } = script.given
  if (language !== undefined && !flow.languages.includes(language)) {
    return `a number cannot have a language that the flow has not, ${language}`
  }
  const asksSystem = [...flow.steps.values()].some(({ kind, spec }) => kind === 'http' && 'caseNumber' in spec.to)
  if (asksSystem) return 'a lookup needs an external system with an address'
  const given = NOT_GIVEN.find(([, isSo]) => isSo(script.given))
  if (given) return given[0]
  const done = script.actions.find(({ kind }) => kind in NOT_DONE)
  if (done) return NOT_DONE[done.kind]
  const { call, failure } = playScript(compileFlow(flow), script)
  const asked = call.commands.find(({ type }) => type in NOT_ASKED)
  if (asked) return NOT_ASKED[asked.type]
  // Whoever finds a fault hangs up.
  const lastsMs = (failure?.lines.at(-1)?.atMs ?? call.nowMs) - script.given.atMs
  const longestMs = Math.max(0, ...script.actions.map((action) => ('forMs' in action ? action.forMs : 0)))
  if (lastsMs <= CALL_MAX_MS) return undefined
  if (longestMs > CALL_MAX_MS / 2) return `it waits ${longestMs / 1_000} s`
  return `the call lasts ${Math.round(lastsMs / 1_000)} s`
}
