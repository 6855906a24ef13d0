import { createHash } from 'node:crypto'
import { type Cut, checkShape, lastKey, mostUrgent } from '../../kernel/check-shape.ts'
import { formatProblem, type Problem } from '../../kernel/file-problem.ts'
import type { FlowName, StepName } from '../../kernel/ids.ts'
import { isDoubledKey, isWithin, type Path, YamlSource } from '../../kernel/yaml-source.ts'
import type { Flow, Step } from '../model/flow.ts'
import { documentsOf } from './documents.ts'
import { lint } from './lint.ts'
import type { SpokenNumber, Subject } from './lint-subject.ts'
import { findTraps } from './lint-traps.ts'
import { readHours } from './read-hours.ts'
import { readPrompt } from './read-prompt.ts'
import { kindsOf, readDuration, readStep } from './read-step.ts'
import { named, type Reading, readTemplate, STEPS_MAX, startReading } from './reading.ts'
import { type FlowFile, flowFile, type RawStep } from './schema.ts'
import { splice } from './splice.ts'

/** What a flow may refer to outside its file; an absent part is not checked. */
export interface KnownNames {
  readonly teams?: Iterable<string>
  /** Of each team, what each of its agents can do. */
  readonly skills?: ReadonlyMap<string, readonly (readonly string[])[]>
  /** As the configuration writes them. */
  readonly numbers?: Iterable<string>
  /** Hosts to whose `sip:` addresses callers may be transferred, in lower case. */
  readonly sipHosts?: Iterable<string>
  readonly env?: Iterable<string>
  readonly secrets?: Iterable<string>
  /** Of each flow that answers numbers, the numbers that ask for a language. */
  readonly spoken?: ReadonlyMap<string, readonly SpokenNumber[]>
  readonly systemless?: ReadonlyMap<string, readonly string[]>
  /** Whether the installation can send text messages. */
  readonly canText?: boolean
  /** Language in small letters → its engine; absent where the configuration names no engine. */
  readonly voices?: ReadonlyMap<string, string>
  /** Whether an engine for speech understands callers. */
  readonly hasEars?: boolean
  /** Why the recording cannot be played; undefined if it can. */
  readonly whyNoRecording?: (file: string) => string | undefined
}

/** `flow` is set if there is no error; `problems` may still hold warnings, in the order of the file. */
export interface FlowReading {
  readonly flow?: Flow
  readonly problems: readonly Problem[]
}

const DURATION_MAX_MS = 24 * 3_600_000

/** One text while it is read: its parts, and what came of each subflow so far. */
interface Book {
  readonly known: KnownNames
  readonly revision: string
  readonly texts: ReadonlyMap<string, string>
  readonly subflows: Map<string, Flow | string>
}

/**
 * Reads and checks one flow; subflows follow in the same text (`documents.ts`). Never throws. A pass reports nothing
 * where an earlier one has reported a problem.
 */
export function readFlow(file: string, text: string, known: KnownNames = {}): FlowReading {
  const { own, subflows: texts } = documentsOf(text)
  const revision = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return readDocument(file, own, { known, revision, texts, subflows: new Map() }, [])
}

/** `above`: the flows that contain this one. */
function readDocument(file: string, text: string, book: Book, above: readonly string[]): FlowReading {
  const source = new YamlSource(file, text, 'flow')
  if (source.problems.length > 0) return { problems: withBareValueHint(source.problems, text) }
  const stepNames = stepNamesOf(source)
  if (stepNames.size > STEPS_MAX) {
    const message = `${stepNames.size} steps; a flow has at most ${STEPS_MAX}; split it`
    return { problems: [source.problemAtKey(['steps'], message)] }
  }
  const traps = findTraps(source)
  if (traps.isBottomless) return { problems: traps.problems }
  const { value, problems: misshapen, cuts } = checkShape(flowFile, source, lastKey)
  const passes = [traps.problems, misshapen]
  const raw = value as Partial<FlowFile> | undefined
  if (raw?.steps === undefined) return { problems: firstAtEachPlace(passes) }
  const reading = startReading(source)
  const { flow, isWhole } = assemble(reading, raw as Partial<FlowFile> & Pick<FlowFile, 'steps'>, cuts, book.revision)
  const subflows = subflowsOf(flow, book, above)
  const fit = new Map([...subflows].flatMap(([name, found]) => (typeof found === 'string' ? [] : [[name, found]])))
  const isAll = isWhole && fit.size === subflows.size
  const whole = splice(flow, fit)
  const subject: Subject = { flow, whole, subflows, reading, stepNames, isWhole: isAll, known: asSets(book.known) }
  const problems = firstAtEachPlace([...passes, reading.problems, lint(subject)])
  return problems.some(({ severity }) => severity === 'error') ? { problems } : { flow: whole, problems }
}

/** The flows that the steps name, spliced themselves, or why they cannot be used. */
function subflowsOf(flow: Flow, book: Book, above: readonly string[]): ReadonlyMap<string, Flow | string> {
  const names = [...flow.steps.values()].flatMap((step) => (step.kind === 'subflow' ? [step.spec.flow] : []))
  return new Map(names.map((name) => [name, subflowOf(name, book, [...above, flow.name])]))
}

function subflowOf(name: string, book: Book, above: readonly string[]): Flow | string {
  if (above.includes(name))
    return `flows ${[...above.slice(above.indexOf(name)), name].join(' → ')} contain each other; remove this step`
  const known = book.subflows.get(name)
  if (known !== undefined) return known
  const text = book.texts.get(name)
  const remedy = `save it as ${name}.yaml in the same folder, or append it after a line "--- # subflow ${name}"`
  if (text === undefined) return `there is no flow "${name}" beside this one; ${remedy}`
  const { flow, problems } = readDocument(`${name}.yaml`, text, book, above)
  const [first] = problems.filter(({ severity }) => severity === 'error')
  const isOther = flow !== undefined && flow.name !== name
  const misnamed = `${name}.yaml holds the flow "${flow?.name}"; give both the same name`
  const found = isOther ? misnamed : (flow ?? `the flow "${name}" has an error: ${formatProblem(first!)}`)
  book.subflows.set(name, found)
  return found
}

/** All steps of the file, readable or not. */
function stepNamesOf({ value }: YamlSource): ReadonlySet<string> {
  const steps = (value as { steps?: unknown } | null)?.steps
  const isMap = typeof steps === 'object' && steps !== null && !Array.isArray(steps)
  return new Set(isMap ? Object.keys(steps) : [])
}

function assemble(
  reading: Reading,
  raw: Partial<FlowFile> & Pick<FlowFile, 'steps'>,
  cuts: readonly Cut[],
  revision: string,
): { flow: Flow; isWhole: boolean } {
  const isBroken = (path: Path) => cuts.some((cut) => !cut.isExtra && isWithin(cut.path, path))
  const readSteps = (entries: readonly (readonly [string | number, RawStep])[], base: string): Step[] =>
    entries.flatMap(([key, rawStep]) => {
      const path = [base, key]
      const name = (typeof key === 'string' ? key : `onHangup-${key + 1}`) as StepName
      if (isBroken(path)) return []
      // A misspelt kind is reported already; the missing kind is no second mistake.
      if (kindsOf(rawStep).length === 0 && cuts.some((cut) => isWithin(cut.path, path))) return []
      const step = readStep(reading, name, rawStep, path, raw.defaults)
      return step ? [step] : []
    })
  const steps = readSteps(Object.entries(raw.steps), 'steps')
  const flow: Flow = {
    name: (raw.flow ?? '') as FlowName,
    revision,
    file: reading.source.file,
    title: raw.title ?? raw.flow ?? '',
    languages: (raw.languages ?? ['en']).filter((language) => language !== null),
    start: (raw.start ?? steps[0]?.name) as StepName,
    vars: raw.vars ?? {},
    prompts: readPrompts(reading, raw.prompts),
    hours: named(
      Object.entries(raw.hours ?? {}).map(([name, hours]) => [name, readHours(reading, hours, ['hours', name])]),
    ),
    limits: readLimits(reading, raw.limits),
    budget: raw.budget && {
      personMs: readDuration(reading, raw.budget.person, ['budget', 'person'], 1_000, DURATION_MAX_MS),
    },
    onError: raw.onError as StepName | undefined,
    onHangup: readSteps([...(raw.onHangup ?? []).entries()], 'onHangup'),
    activity: named(
      Object.entries(raw.activity ?? {}).map(([field, text]) => [
        field,
        readTemplate(reading, text, ['activity', field], 'activity'),
      ]),
    ),
    steps: new Map(steps.map((step) => [step.name, step])),
  }
  return { flow, isWhole: cuts.length === 0 && steps.length === Object.keys(raw.steps).length }
}

function readPrompts(reading: Reading, raw: FlowFile['prompts'] = {}): Flow['prompts'] {
  return named(
    Object.entries(raw).map(([name, wordings]) => {
      const read = Object.entries(wordings).map(([language, prompt]) => {
        return [language, readPrompt(reading, prompt, ['prompts', name, language])] as const
      })
      return [name, named(read)]
    }),
  )
}

function readLimits(reading: Reading, raw: FlowFile['limits'] = {}): Flow['limits'] {
  const durationMs = readDuration(reading, raw.duration ?? '15m', ['limits', 'duration'], 1_000, DURATION_MAX_MS)
  return { steps: raw.steps ?? 200, durationMs }
}

function asSets({ teams, numbers, sipHosts, env, secrets, ...rest }: KnownNames): Subject['known'] {
  return {
    ...rest,
    ...(teams && { teams: new Set(teams) }),
    ...(numbers && { numbers: new Set(numbers) }),
    ...(sipHosts && { sipHosts: new Set(sipHosts) }),
    ...(env && { env: new Set(env) }),
    ...(secrets && { secrets: new Set(secrets) }),
  }
}

/** One message per mistake: only the first pass that reports a position counts. */
function firstAtEachPlace(passes: readonly (readonly Problem[])[]): Problem[] {
  const taken = new Set<string>()
  const kept: Problem[] = []
  for (const pass of passes) {
    const fresh = pass.filter(({ line, column }) => !taken.has(`${line}:${column}`))
    for (const { line, column } of fresh) taken.add(`${line}:${column}`)
    kept.push(...fresh)
  }
  return mostUrgent(kept)
}

/** The braces of `${…}` end a map that is itself written in braces. */
function withBareValueHint(problems: readonly Problem[], text: string): Problem[] {
  const lines = text.split('\n')
  return problems.map((problem) => {
    // No regular expression: it would search again from every brace of a long line.
    const line = lines[problem.line - 1] ?? ''
    const isBareValue = !isDoubledKey(problem) && line.indexOf('${') > line.indexOf('{')
    const hint = isBareValue ? '; inside { … } a value must stand in quotes: "${…}"' : ''
    return { ...problem, message: problem.message + hint }
  })
}
