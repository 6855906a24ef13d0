import type { TSchema } from 'typebox'
import type { Flow } from '../flow/model/flow.ts'
import { findTraps } from '../flow/read/lint-traps.ts'
import { checkShape, lastKey, mostUrgent } from '../kernel/check-shape.ts'
import { parseDuration } from '../kernel/duration.ts'
import { didYouMean, type Problem } from '../kernel/file-problem.ts'
import type { FlowName, StepName } from '../kernel/ids.ts'
import { type Path, YamlSource } from '../kernel/yaml-source.ts'
import { wordsOf } from './heard.ts'
import { defaultEnv, readGiven } from './read-given.ts'
import type { Action, Expected, Script } from './script.ts'
import {
  type FlowTestFile,
  flowTestFile,
  givenFile,
  type RawExpected,
  type RawGiven,
  type RawTest,
  type RawVerb,
} from './test-file-schema.ts'

/** A test file. With an error among `problems` its scripts are not run. */
export interface TestFile {
  readonly source: YamlSource
  readonly flow: FlowName | undefined
  readonly problems: readonly Problem[]
  /** The scripts, once the flow is known. Names of steps, marks and teams that it does not have are problems. */
  readScripts(flow: Flow): { readonly scripts: readonly Script[]; readonly problems: readonly Problem[] }
}

type RawAction = RawTest['call'][number]

/** Reads a file of flow tests. Never throws. */
export function readTestFile(file: string, text: string): TestFile {
  const source = new YamlSource(file, text, 'file of tests')
  const { value, problems } = shapeOf(source, flowTestFile)
  const raw = value as Partial<FlowTestFile> | undefined
  const isWhole = problems.length === 0
  return {
    source,
    flow: raw?.flow as FlowName | undefined,
    problems: mostUrgent(problems),
    readScripts: (flow) => (isWhole ? readScripts(source, raw as FlowTestFile, flow) : { scripts: [], problems: [] }),
  }
}

/** The `given` at the top of a file, which may be a file of tests. With a problem it must not be used. */
export function readGivenFile(file: string, text: string): { given: RawGiven; problems: readonly Problem[] } {
  const { value, problems } = shapeOf(new YamlSource(file, text, 'file of answers'), givenFile)
  return { given: (value as { given?: RawGiven } | undefined)?.given ?? {}, problems: mostUrgent(problems) }
}

/** As a flow is read: first the syntax, then values that YAML reads in another way, then the shape. */
function shapeOf(
  source: YamlSource,
  schema: TSchema,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  if (source.problems.length > 0) return { value: undefined, problems: source.problems }
  const traps = findTraps(source)
  if (traps.isBottomless) return { value: undefined, problems: traps.problems }
  const { value, problems } = checkShape(schema, source, lastKey)
  const taken = new Set(problems.map(({ line, column }) => `${line}:${column}`))
  return {
    value,
    problems: [...problems, ...traps.problems.filter(({ line, column }) => !taken.has(`${line}:${column}`))],
  }
}

function readScripts(source: YamlSource, raw: FlowTestFile, flow: Flow): ReturnType<TestFile['readScripts']> {
  const problems: Problem[] = []
  const complain = (path: Path, message: string) => void problems.push(source.problem(path, message))
  const names = new Map<string, number>()
  const env = defaultEnv(flow)
  const scripts = raw.tests.map((test, index): Script => {
    const path = ['tests', index]
    const above = names.get(test.test)
    if (above !== undefined) complain([...path, 'test'], `test ${above + 1} has this name already; name it apart`)
    names.set(test.test, index)
    checkNames(test, flow, path, complain)
    return {
      name: test.test,
      path,
      given: readGiven(raw.given, test.given, env),
      actions: test.call.flatMap((action, place) => readAction(action, [...path, 'call', place], complain) ?? []),
      ending: test.then ?? {},
    }
  })
  return { scripts, problems: mostUrgent(problems) }
}

type Complain = (path: Path, message: string) => void

/** What the end of a test names must be in the flow: a misspelt mark could never be reached. */
function checkNames({ then: ending }: RawTest, flow: Flow, path: Path, complain: Complain): void {
  const steps = [...flow.steps.keys()]
  for (const [index, step] of (ending?.path ?? []).entries()) {
    if (flow.steps.has(step as StepName)) continue
    complain([...path, 'then', 'path', index], `${flow.name} has no step "${step}"${didYouMean(step, steps)}`)
  }
  const marks = new Set([...flow.steps.values()].flatMap(({ mark }) => mark ?? []))
  for (const [index, mark] of (ending?.marks ?? []).entries()) {
    if (!marks.has(mark))
      complain(
        [...path, 'then', 'marks', index],
        `no step of ${flow.name} has the mark "${mark}"${didYouMean(mark, marks)}`,
      )
  }
  for (const field of Object.keys(ending?.activity ?? {})) {
    if (!Object.hasOwn(flow.activity, field))
      complain([...path, 'then', 'activity', field], `${flow.name} writes no field "${field}"`)
  }
}

const VERBS = ['hear', 'press', 'wait', 'say', 'speak', 'expect', 'agent', 'event'] as const

function readAction(raw: RawAction, path: Path, complain: Complain): Action | undefined {
  if (typeof raw === 'string') return { path, kind: raw as 'hangup' | 'crash' }
  const [verb, another] = VERBS.filter((name) => raw[name] !== undefined)
  if (verb === undefined || another !== undefined) {
    complain(path, `an action does one thing (${VERBS.join(', ')}, hangup, crash); write one list entry for each`)
    return undefined
  }
  return READ[verb](raw, path, complain)
}

type Read = (raw: RawVerb, path: Path, complain: Complain) => Action | undefined

const READ: Readonly<Record<(typeof VERBS)[number], Read>> = {
  hear: ({ hear }, path, complain) => {
    const phrases = [hear!].flat()
    const empty = phrases.find((phrase) => wordsOf(phrase).length === 0)
    if (empty !== undefined) complain([...path, 'hear'], `"${empty}" has no word that could be heard`)
    return { path, kind: 'hear', phrases }
  },
  press: ({ press }, path) => ({ path, kind: 'press', keys: press! }),
  wait: ({ wait }, path) => ({ path, kind: 'wait', forMs: parseDuration(wait!)! }),
  say: ({ say }, path) => ({ path, kind: 'say', forMs: parseDuration(say!)! }),
  speak: ({ speak }, path) => {
    const { says, confidence = 1 } = typeof speak === 'string' ? { says: speak } : speak!
    return { path, kind: 'speak', says, confidence }
  },
  agent: ({ agent }, path) => ({ path, kind: 'agent', does: agent! }),
  event: ({ event }, path) => {
    const { name, key, data = {} } = event!
    return { path, kind: 'event', name: { event: name, of: key }, data }
  },
  expect: ({ expect }, path, complain) => {
    const what = readExpected(expect!, [...path, 'expect'], complain)
    return what && { path, kind: 'expect', what }
  },
}

const KINDS = ['http', 'sms', 'queue', 'callback', 'doNotCall', 'message', 'event', 'transfer'] as const

/** Which other keys may stand beside each kind. */
const DETAILS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  http: ['body'],
  sms: [],
  queue: ['popup', 'whisper', 'priority', 'skills', 'recording', 'recordingConsent'],
  callback: [],
  doNotCall: [],
  message: [],
  event: ['key'],
  transfer: ['mode', 'callerId'],
}

function readExpected(raw: RawExpected, path: Path, complain: Complain): Expected | undefined {
  const [kind, another] = KINDS.filter((name) => raw[name] !== undefined)
  if (kind === undefined || another !== undefined) {
    complain(path, `expect names exactly one of ${KINDS.join(', ')}`)
    return undefined
  }
  const stray = Object.keys(raw).find((key) => key !== kind && !DETAILS[kind].includes(key))
  if (stray !== undefined) complain([...path, stray], `${stray} says nothing about ${kind}; remove it`)
  switch (kind) {
    case 'http':
      return { kind, request: raw.http!, body: raw.body }
    case 'sms': {
      const sms = typeof raw.sms === 'string' ? { contains: raw.sms } : raw.sms!
      return { kind, contains: [sms.contains ?? []].flat(), to: sms.to }
    }
    case 'queue': {
      const { popup, whisper, priority, skills, recording, recordingConsent } = raw
      return { kind, team: raw.queue!, details: { popup, whisper, priority, skills, recording, recordingConsent } }
    }
    case 'callback':
      return { kind, team: raw.callback! }
    case 'doNotCall':
      return { kind, reason: raw.doNotCall! }
    case 'message':
      return { kind, team: raw.message!.team, seconds: raw.message!.seconds }
    case 'event':
      return { kind, name: raw.event!, of: raw.key }
    case 'transfer':
      return { kind, to: raw.transfer!, mode: raw.mode, callerId: raw.callerId }
  }
}
