import { parseDuration } from '../kernel/duration.ts'
import type { Failure, Script } from './script.ts'
import type { ScriptedCall } from './scripted-call.ts'

type Ending = Script['ending']
type Judge = (wanted: never, call: ScriptedCall) => string | undefined

const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
const different = (what: string, wanted: unknown, found: unknown) =>
  wanted === found ? undefined : `${what} ${found}, not ${wanted}`

const JUDGE: {
  readonly [K in keyof Required<Ending>]: (wanted: NonNullable<Ending[K]>, call: ScriptedCall) => string | undefined
} = {
  path: (wanted, { record }) => different('the path is', list(wanted), list(record!.path)),
  marks: (wanted, { record }) => different('the marks are', list(wanted.toSorted()), list(record!.marks.toSorted())),
  outcome: (wanted, { record }) => different('the outcome is', wanted, record!.outcome),
  activity: (wanted, { record }) => {
    const faults = Object.entries(wanted).map(([field, value]) =>
      different(`${field} is`, value, record!.activity[field] ?? 'missing'),
    )
    return faults.find((fault) => fault !== undefined)
  },
  texts: (wanted, { texts }) => different('the number of text messages is', wanted, texts.length),
  requests: (wanted, { requests }) => different('the number of requests is', wanted, requests.length),
  shorterThan: (wanted, call) =>
    lengthMs(call) < parseDuration(wanted)! ? undefined : `the call takes ${lengthOf(call)}, not less than ${wanted}`,
  longerThan: (wanted, call) =>
    lengthMs(call) > parseDuration(wanted)! ? undefined : `the call takes ${lengthOf(call)}, not more than ${wanted}`,
}

function lengthMs({ record }: ScriptedCall): number {
  return record!.endedAtMs - record!.arrivedAtMs
}

function lengthOf(call: ScriptedCall): string {
  return `${lengthMs(call) / 1_000} s`
}

/** What `then` of a test says and is not so: the first of it. The call must be over. */
export function endingFault(call: ScriptedCall, { ending, path }: Script): Failure | undefined {
  for (const key of Object.keys(ending) as (keyof Ending)[]) {
    const message = (JUDGE[key] as Judge)(ending[key] as never, call)
    if (message !== undefined) return { path: [...path, 'then', key], message, lines: call.lines }
  }
  return undefined
}
