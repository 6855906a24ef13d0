/**
 * Proposes a test for each branch that no test takes: a search over what callers and the world can do, the shortest
 * call first. Every proposal was played; what the search does not reach is named.
 */
import { allEdgesOf } from '../flow/model/edges.ts'
import type { Flow, Step } from '../flow/model/flow.ts'
import { isOpen } from '../flow/model/hours.ts'
import { compileFlow } from '../flow/run/compile.ts'
import { isValidEntry } from '../flow/steps/entry.ts'
import type { StepName } from '../kernel/ids.ts'
import type { YamlSource } from '../kernel/yaml-source.ts'
import { branchesOf, takenIn } from './coverage.ts'
import { comparedWith, likelyData, likelyReplies } from './likely-answers.ts'
import { Rehearsal } from './rehearsal.ts'
import type { RawGiven, RawTest } from './test-file-schema.ts'
import { testOf } from './write-test.ts'

export interface Proposals {
  readonly tests: readonly RawTest[]
  /** Branches to which no call was found. */
  readonly unreached: readonly { readonly what: string; readonly line: number }[]
}

/** Calls that are tried at most. */
const CALLS_MAX = 1_500
/** Within one step: more than any number of tries. */
const ORDERS_MAX = 25
const MESSAGE_MS = 5_000
const TIMES = ['2026-03-02T10:00:00+02:00', '2026-03-01T03:00:00+02:00', '2026-03-04T20:00:00+02:00']
const OUTCOMES = ['busy', 'noAnswer', 'refused', 'failed'] as const
const ENTRIES = ['1', '12', '123', '1234', '12345', '1234567890', '0', '00', '2026', '010190', '20260042']

/** Tests for the branches that are not among `taken` (places in the file, as `takenIn` gives them). */
export function proposeTests(flow: Flow, source: YamlSource, taken: ReadonlySet<string>): Proposals {
  const compiled = compileFlow(flow)
  const missing = new Map(
    branchesOf(flow).map(({ what, path }) => [path.join('\n'), { what, line: source.lineOf(path) }]),
  )
  for (const place of taken) missing.delete(place)
  const tests: RawTest[] = []
  const seen = new Set<string>()
  const reached = new Set<string>()
  const queue = [new Rehearsal(compiled, {})]
  for (let tried = 0; tried < CALLS_MAX && missing.size > 0 && queue.length > 0; tried++) {
    const rehearsal = queue.shift()!
    if (!rehearsal.question) {
      const places = [...takenIn(flow, rehearsal.call.notes)]
      for (const place of places) reached.add(place)
      const found = places.filter((place) => missing.has(place))
      // One test for all that the call is the first to take.
      const names = found.map((place) => missing.get(place)!.what)
      for (const place of found) missing.delete(place)
      if (names.length > 0) tests.push(testOf(compiled, names.join(', '), rehearsal.given, rehearsal.actions))
    }
    const key = keyOf(rehearsal, flow)
    if (seen.has(key)) continue
    seen.add(key)
    const again = (given: RawGiven = rehearsal.given) => new Rehearsal(compiled, given, rehearsal)
    queue.push(...nextCalls(rehearsal, flow, again))
    for (const given of otherWorlds(rehearsal, flow, reached)) queue.push(again(given))
  }
  return { tests, unreached: [...missing.values()] }
}

/** Calls with the same key go on in the same ways. */
function keyOf({ call, given, question, actions }: Rehearsal, flow: Flow): string {
  const limited = [...flow.steps.values()].filter(({ limit }) => limit !== undefined)
  const visits = limited.map(({ name, limit }) => {
    const count = call.notes.filter((note) => note.type === 'step.entered' && note.step === name).length
    return Math.min(count, limit! + 1)
  })
  const typed = new Set(actions.flatMap((action) => (action.kind === 'press' ? action.keys : [])))
  return JSON.stringify([given, call.stepName, call.isOver, question?.name, call.queue, visits, [...typed]])
}

type Again = (given?: RawGiven) => Rehearsal

/** One call for each thing that the caller can do now, or the other system can answer. */
function nextCalls(rehearsal: Rehearsal, flow: Flow, again: Again): Rehearsal[] {
  const { call, question } = rehearsal
  const step = call.stepName && flow.steps.get(call.stepName)
  if (!step) return []
  if (question) {
    const last = decodeURIComponent(
      question.ask.url
        .replace(/[?#].*/, '')
        .split('/')
        .at(-1)!,
    )
    const replies = step.kind === 'http' ? likelyReplies(flow, step, last) : [{ status: 500 }]
    return replies.map((reply) => after(again(), (next) => next.answer(question.name, reply)))
  }
  if (call.isOver) return []
  return ordersFor(step, flow, call.queue).map((order) => after(again(), order))
}

type Order = (rehearsal: Rehearsal) => void

function after(rehearsal: Rehearsal, order: Order): Rehearsal {
  order(rehearsal)
  return rehearsal
}

function ordersFor(step: Step, flow: Flow, queue: string): readonly Order[] {
  const press =
    (keys: string): Order =>
    (next) =>
      untilLeft(next, () => next.act({ kind: 'press', keys }) === undefined)
  switch (step.kind) {
    case 'menu': {
      const wrong = [...'9876543210*#'].find((key) => !Object.hasOwn(step.spec.keys, key))
      return [...Object.keys(step.spec.keys).map(press), silence, ...(wrong === undefined ? [] : [press(wrong)])]
    }
    case 'gather':
      return [...entriesFor(step, flow).map(typing), silence, ...wrongEntries(step).map(press)]
    case 'queue':
      if (queue !== 'waiting') return [silence]
      return step.spec.callback ? [talk, silence, callBack(step.spec.callback)] : [talk, silence]
    case 'record':
      return [leaveMessage, silence]
    case 'wait':
      return [(next) => comes(next, likelyData(flow, step.as)), silence]
    default:
      return [silence]
  }
}

const silence: Order = (next) => untilLeft(next, () => next.wait())

/** Goes on until the call leaves the step. */
function untilLeft(rehearsal: Rehearsal, act: () => boolean): void {
  const stepsOf = () => rehearsal.call.notes.filter(({ type }) => type === 'step.left').length
  const before = stepsOf()
  for (let order = 0; order < ORDERS_MAX && stepsOf() === before && !rehearsal.question; order++) if (!act()) return
}

type GatherStep = Extract<Step, { kind: 'gather' }>
type QueueStep = Extract<Step, { kind: 'queue' }>

/** An entry, and 1 where it is read back. */
function typing(keys: string): Order {
  return (next) => {
    let typed = false
    untilLeft(next, () => {
      const isConfirming = typed && next.call.sentences.length > 1
      const reason = next.act({ kind: 'press', keys: isConfirming ? '1' : keys })
      typed = true
      return reason === undefined
    })
  }
}

function entriesFor({ spec, as }: GatherStep, flow: Flow): string[] {
  const compared = as === undefined ? [] : comparedWith(flow, as)
  const repeated = Array.from({ length: spec.max - spec.min + 1 }, (_, more) => '1'.repeat(spec.min + more))
  const valid = [...ENTRIES, ...repeated].find((entry) => isValidEntry(spec, entry))
  const entries = new Set([
    ...(valid === undefined ? [] : [valid]),
    ...compared.filter((entry) => isValidEntry(spec, entry)),
  ])
  return [...entries].map((entry) => (entry.length < spec.max ? entry + spec.finish : entry))
}

function wrongEntries({ spec }: GatherStep): string[] {
  const entries = ['1'.repeat(Math.max(1, spec.min - 1)), '*'.repeat(spec.min), '0'.repeat(spec.min)]
  const wrong = entries.find((entry) => !isValidEntry(spec, entry))
  return wrong === undefined ? [] : [wrong.length < spec.max ? wrong + spec.finish : wrong]
}

const talk: Order = (next) => {
  next.act({ kind: 'agent', does: 'answers' })
  next.act({ kind: 'agent', does: 'leaves' })
}

const leaveMessage: Order = (next) => {
  next.act({ kind: 'say', forMs: MESSAGE_MS })
  silence(next)
}

function comes(next: Rehearsal, data: Readonly<Record<string, unknown>>): void {
  const { awaited } = next.call
  if (awaited) next.act({ kind: 'event', name: { event: awaited.event, of: awaited.of }, data })
}

/** The offer comes after `afterMs`, and the key counts from then on. */
function callBack({ afterMs, key }: NonNullable<QueueStep['spec']['callback']>): Order {
  return (next) => {
    next.act({ kind: 'wait', forMs: afterMs })
    next.act({ kind: 'press', keys: key })
  }
}

/** Worlds in which the steps of the call so far go another way. */
function otherWorlds({ call, given }: Rehearsal, flow: Flow, reached: ReadonlySet<string>): RawGiven[] {
  const names = new Set<StepName>(call.notes.flatMap((note) => (note.type === 'step.entered' ? [note.step] : [])))
  // Once every way out of a step was found, another world would only repeat them.
  const isUnfinished = (name: StepName) => {
    const step = flow.steps.get(name)
    return step !== undefined && allEdgesOf(step, flow).some(({ path }) => !reached.has(path.join('\n')))
  }
  const worlds = [...names].filter(isUnfinished).flatMap((name) => worldsFor(flow.steps.get(name), flow, call, given))
  const isNew = (world: RawGiven) =>
    Object.keys(world).every((key) => key === 'transfer' || given[key as keyof RawGiven] === undefined)
  return worlds.filter(isNew).map((world) => ({ ...given, ...world }))
}

function worldsFor(
  step: Step | undefined,
  flow: Flow,
  { joins, transfers }: Rehearsal['call'],
  given: RawGiven,
): RawGiven[] {
  const team = joins.at(-1)?.team
  const to = transfers.all.at(-1)?.target
  switch (step?.kind) {
    case 'sms':
      return (['noMobile', 'undelivered', 'timeout', 'failed'] as const).map((sms) => ({ sms }))
    case 'doNotCall':
      return (['noNumber', 'failed'] as const).map((doNotCall) => ({ doNotCall }))
    case 'wait':
      return [{ events: 'none' }]
    case 'record':
      return [{ record: 'failed' }]
    case 'transfer':
      if (to === undefined || given.transfer?.[to] !== undefined) return []
      return OUTCOMES.map((outcome) => ({ transfer: { ...given.transfer, [to]: outcome } }))
    case 'queue':
      return team === undefined ? [] : (['full', 'closed'] as const).map((why) => ({ queue: { [team]: why } }))
    case 'play': {
      const [first] = step.spec.prompt
      return first?.kind === 'say' && first.text.source !== '' ? [{ unplayable: first.text.source.split('$')[0]! }] : []
    }
    case 'branch':
      return step.spec.cases.flatMap((one): RawGiven[] => {
        if (one.kind === 'has' && one.path.startsWith('task.')) return [{ task: { [one.path.slice(5)]: '20260042' } }]
        if (one.kind === 'has' && one.path === 'caller.number') return [{ caller: 'withheld' }]
        return one.kind === 'open' ? timesFor(flow, one.hours) : []
      })
    default:
      return []
  }
}

/** A time at which the place is open, and one at which it is closed. */
function timesFor(flow: Flow, name: string): RawGiven[] {
  const hours = flow.hours[name]
  if (!hours) return []
  const at = (open: boolean) => TIMES.find((time) => isOpen(hours, Date.parse(time)) === open)
  return [at(true), at(false)].flatMap((time) => (time === undefined ? [] : [{ time }]))
}
