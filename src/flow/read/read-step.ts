/** Steps of a file → steps of a flow, with every default filled in (flow-language.md 3.2). */
import { formatDuration, parseDuration } from '../../kernel/duration.ts'
import type { FlowName, StepName } from '../../kernel/ids.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { BranchCase, HttpSpec, InputTiming, Specs, Step, StepKindName, TemplateTree } from '../model/flow.ts'
import { parseCondition } from '../model/json-path-parser.ts'
import { aStep, STEP_KIND_NAMES } from '../model/kinds.ts'
import { parsePath } from '../model/variable-path.ts'
import { readPrompt, readReprompts } from './read-prompt.ts'
import { complain, misreadOf, named, type Reading, readTemplate, type TextPlace } from './reading.ts'
import type { FlowFile, RawStep, RawTiming } from './schema.ts'

type Raw<K extends StepKindName> = NonNullable<RawStep[K]>
type Defaults = FlowFile['defaults']
type ReadKind<K extends StepKindName> = (
  reading: Reading,
  raw: Raw<K>,
  path: Path,
  defaults: Defaults,
) => Specs[K] | undefined

const HTTP_TIMEOUT_MAX_MS = 60_000
const WAIT_MAX_MS = 8 * 3_600_000
/** Our choice: nobody listens to music for longer. */
const EVENT_MAX_MS = 3_600_000
/** Networks report within seconds; longer, and the caller wonders whether the line is dead. */
const DELIVERY_MAX_MS = 120_000
/** Our choice: 5 minutes of telephone audio are 5 MB; nobody listens to a longer message. */
const MESSAGE_MAX_MS = 300_000
const SILENCE_MAX_MS = 30_000
/** Nobody hears a telephone ring for longer; carriers give up after 1 to 3 minutes. */
const RING_MAX_MS = 120_000
const TREE_DEPTH_MAX = 8

const READ: { readonly [K in StepKindName]: ReadKind<K> } = {
  play: (reading, raw, path) => ({ prompt: readPrompt(reading, raw, path) }),
  gather: readGather,
  menu: (reading, raw, path, defaults) => ({
    ...readTiming(reading, raw, path, defaults?.gather),
    prompt: readPrompt(reading, raw.prompt, [...path, 'prompt']),
    keys: named(Object.entries(raw.keys) as [string, StepName][]),
    reprompt: readReprompts(reading, raw.reprompt, [...path, 'reprompt']),
  }),
  http: readHttp,
  branch: readBranch,
  set: (reading, raw, path) => ({
    variables: named(
      Object.entries(raw).map(([name, tree]) => [name, readTree(reading, tree, [...path, name], 'value')]),
    ),
  }),
  doNotCall: (reading, raw, path) => ({ reason: readTemplate(reading, raw.reason, [...path, 'reason'], 'value') }),
  sms: (reading, raw, path) => ({
    text: readWordings(reading, raw.text, [...path, 'text']),
    to: raw.to === undefined ? undefined : readTemplate(reading, raw.to, [...path, 'to'], 'value'),
    awaitDeliveryMs:
      raw.awaitDelivery === undefined
        ? undefined
        : readDuration(reading, raw.awaitDelivery, [...path, 'awaitDelivery'], 1_000, DELIVERY_MAX_MS),
  }),
  wait: (reading, raw, path) => ({
    event: raw.event,
    key: readTemplate(reading, raw.key, [...path, 'key'], 'value'),
    forMs: readDuration(reading, raw.for, [...path, 'for'], 1_000, EVENT_MAX_MS),
    hold: raw.hold === undefined ? undefined : readPrompt(reading, raw.hold, [...path, 'hold']),
  }),
  queue: readQueue,
  record: readRecord,
  transfer: readTransfer,
  subflow: (reading, raw, path) => {
    const { flow, with: given = {} } = typeof raw === 'string' ? { flow: raw } : raw
    const trees = Object.entries(given).map(([name, tree]) => {
      return [name, readTree(reading, tree, [...path, 'with', name], 'value')] as const
    })
    return { flow: flow as FlowName, with: named(trees), vars: {} }
  },
  hangup: (reading, raw, path) => ({
    say: raw.say === undefined ? undefined : readPrompt(reading, raw.say, [...path, 'say']),
    outcome: raw.outcome,
  }),
}

/** Reads one step with a valid shape; undefined if it has no kind, which is reported. */
export function readStep(
  reading: Reading,
  name: StepName,
  raw: RawStep,
  path: Path,
  defaults: Defaults,
): Step | undefined {
  const kinds = kindsOf(raw)
  const [kind] = kinds
  if (kind === undefined) {
    reading.problems.push(
      reading.source.problemAtKey(path, `step "${name}" does nothing; give it one of ${STEP_KIND_NAMES.join(', ')}`),
    )
    return undefined
  }
  if (kinds.length > 1) {
    const count = kinds.length === 2 ? 'two' : kinds.length
    const message = `step "${name}" has ${count} kinds (${kinds.join(', ')}); split it into one step for each`
    reading.problems.push(reading.source.problemAtKey(path, message))
    return undefined
  }
  const read = READ[kind] as ReadKind<StepKindName>
  const spec = read(reading, (raw[kind] ?? {}) as Raw<StepKindName>, [...path, kind], defaults)
  if (spec === undefined) return undefined
  return {
    name,
    line: reading.source.lineOf(path),
    next: raw.next as StepName | undefined,
    on: named(Object.entries(raw.on ?? {}) as [string, StepName][]),
    as: raw.as,
    mark: raw.mark,
    ...(raw.bargeInByVoice && { bargeInByVoice: true }),
    limit: raw.limit,
    kind,
    spec,
  } as Step
}

/** The kinds of a step of the file; exactly one if the step is valid. */
export function kindsOf(raw: RawStep): readonly StepKindName[] {
  return STEP_KIND_NAMES.filter((kind) => Object.hasOwn(raw, kind))
}

function readGather(reading: Reading, raw: Raw<'gather'>, path: Path, defaults: Defaults): Specs['gather'] {
  const { min, max } = typeof raw.digits === 'number' ? { min: raw.digits, max: raw.digits } : raw.digits
  if (min > max)
    complain(reading, [...path, 'digits'], `no entry has at least ${min} and at most ${max} digits; swap them`)
  return {
    ...readTiming(reading, raw, path, defaults?.gather),
    prompt: readPrompt(reading, raw.prompt, [...path, 'prompt']),
    min,
    max,
    finish: raw.finish ?? '#',
    pattern: raw.pattern,
    confirm: raw.confirm === undefined ? undefined : readPrompt(reading, raw.confirm, [...path, 'confirm'], 'confirm'),
    reprompt: readReprompts(reading, raw.reprompt, [...path, 'reprompt']),
    secret: raw.secret ?? false,
    hears: raw.by?.includes('speech') ?? false,
  }
}

function readTiming(reading: Reading, raw: RawTiming, path: Path, defaults: RawTiming | undefined): InputTiming {
  const wait = (key: 'firstDigitTimeout' | 'interDigitTimeout', otherwise: string) =>
    readDuration(reading, raw[key] ?? defaults?.[key] ?? otherwise, [...path, key], 500, 60_000)
  return {
    firstDigitTimeoutMs: wait('firstDigitTimeout', '5s'),
    interDigitTimeoutMs: wait('interDigitTimeout', '3s'),
    tries: raw.tries ?? defaults?.tries ?? 3,
    bargeIn: raw.bargeIn ?? defaults?.bargeIn ?? true,
  }
}

function readHttp(reading: Reading, raw: Raw<'http'>, path: Path, defaults: Defaults): HttpSpec | undefined {
  const ways = (['get', 'lookup', 'post', 'put'] as const).filter((way) => raw[way] !== undefined)
  const [way] = ways
  if (way === undefined || ways.length > 1) {
    complain(
      reading,
      path,
      `${aStep('http')} has exactly one of get, lookup, post and put${way ? `, not ${ways.join(' and ')}` : ''}`,
    )
    return undefined
  }
  const method = way === 'lookup' ? 'get' : way
  if (method === 'get' && Object.hasOwn(raw, 'body'))
    complain(reading, [...path, 'body'], 'a GET has no body; use post, or remove it')
  if (method !== 'get' && (raw.retry ?? 0) > 0) {
    complain(reading, [...path, 'retry'], 'only a GET may be tried again: a second POST or PUT could be done twice')
  }
  const texts = (map: Readonly<Record<string, string>> = {}, at: Path, place: TextPlace) =>
    named(Object.entries(map).map(([name, text]) => [name, readTemplate(reading, text, [...at, name], place)]))
  const expectPath = [...path, 'expect']
  const to = readTemplate(reading, raw[way]!, [...path, way], way === 'lookup' ? 'value' : 'url')
  return {
    method: method.toUpperCase() as HttpSpec['method'],
    to: way === 'lookup' ? { caseNumber: to } : { url: to },
    headers: texts(raw.headers, [...path, 'headers'], 'header'),
    auth: raw.auth === undefined ? undefined : readTemplate(reading, raw.auth, [...path, 'auth'], 'header'),
    body: raw.body === undefined ? undefined : readTree(reading, raw.body, [...path, 'body'], 'body'),
    timeoutMs: readDuration(
      reading,
      raw.timeout ?? defaults?.http?.timeout ?? '4s',
      [...path, 'timeout'],
      100,
      HTTP_TIMEOUT_MAX_MS,
    ),
    retry: method === 'get' ? (raw.retry ?? defaults?.http?.retry ?? 1) : 0,
    filler: raw.filler === undefined ? undefined : readPrompt(reading, raw.filler, [...path, 'filler']),
    required: raw.expect?.required ?? [],
    match: texts(raw.expect?.match, [...expectPath, 'match'], 'value'),
  }
}

function readBranch(reading: Reading, raw: Raw<'branch'>, path: Path): Specs['branch'] {
  if (raw.in !== undefined) readPathUse(reading, raw.in, [...path, 'in'])
  const cases = raw.cases.map((rawCase, index) => readCase(reading, rawCase, [...path, 'cases', index]))
  return { in: raw.in, cases, else: raw.else as StepName }
}

function readCase(reading: Reading, raw: Raw<'branch'>['cases'][number], path: Path): BranchCase {
  const next = raw.next as StepName
  // An invalid case keeps its index and target: the problems of the other cases keep their positions.
  const broken: BranchCase = { kind: 'has', path: '', next }
  const asked = [raw.when, raw.has, raw.open, raw.same].filter((question) => question !== undefined)
  if (asked.length !== 1) {
    complain(reading, path, 'a case has exactly one of when, has, open and same')
    return broken
  }
  if (raw.open !== undefined) return { kind: 'open', hours: raw.open, next }
  if (raw.has !== undefined) {
    readPathUse(reading, raw.has, [...path, 'has'])
    return { kind: 'has', path: raw.has, next }
  }
  if (raw.same !== undefined) {
    for (const [index, one] of raw.same.entries()) readPathUse(reading, one, [...path, 'same', index])
    return { kind: 'same', paths: [raw.same[0]!, raw.same[1]!], next }
  }
  const read = parseCondition(raw.when!)
  if (read.ok) return { kind: 'when', condition: read.condition, next }
  complain(reading, [...path, 'when'], misreadOf(raw.when!, read))
  return broken
}

function readQueue(reading: Reading, raw: Raw<'queue'>, path: Path): Specs['queue'] {
  if (typeof raw.team === 'object') readPathUse(reading, raw.team.by, [...path, 'team', 'by'])
  const every = raw.announce?.every ?? '45s'
  const timeoutMs = readDuration(reading, raw.timeout ?? '10m', [...path, 'timeout'], 1_000, WAIT_MAX_MS)
  return {
    team: typeof raw.team === 'string' ? raw.team : { ...raw.team, map: named(Object.entries(raw.team.map)) },
    priority: raw.priority ?? 0,
    skills: raw.skills ?? [],
    music: raw.music,
    whisper: raw.whisper === undefined ? undefined : readPrompt(reading, raw.whisper, [...path, 'whisper'], 'whisper'),
    popup: raw.popup === undefined ? undefined : readTemplate(reading, raw.popup, [...path, 'popup'], 'popup'),
    recording: raw.recording,
    recordingConsent:
      raw.recordingConsent === undefined
        ? undefined
        : readTemplate(reading, raw.recordingConsent, [...path, 'recordingConsent'], 'value'),
    announceEveryMs: raw.announce
      ? readDuration(reading, every, [...path, 'announce', 'every'], 10_000, WAIT_MAX_MS)
      : undefined,
    announcePosition: raw.announce?.position ?? false,
    announceWait: raw.announce?.wait ?? false,
    callback: raw.callback && readCallback(reading, raw.callback, [...path, 'callback'], timeoutMs),
    timeoutMs,
  }
}

function readRecord(reading: Reading, raw: Raw<'record'>, path: Path): Specs['record'] {
  const seconds = (key: 'max' | 'silence', otherwise: string, toMs: number) => {
    const text = raw[key] ?? otherwise
    const ms = readDuration(reading, text, [...path, key], 1_000, toMs)
    if (ms >= 1_000 && ms % 1_000 > 0) complain(reading, [...path, key], `${key} must be whole seconds, not ${text}`)
    return ms
  }
  const [maxMs, silenceMs] = [seconds('max', '2m', MESSAGE_MAX_MS), seconds('silence', '5s', SILENCE_MAX_MS)]
  if (maxMs >= 1_000 && maxMs <= silenceMs) {
    const message = `max must be longer than silence (${formatDuration(silenceMs)}), not ${formatDuration(maxMs)}`
    complain(reading, [...path, 'max'], message)
  }
  return {
    prompt: readPrompt(reading, raw.prompt, [...path, 'prompt']),
    maxMs,
    silenceMs,
    finish: raw.finish ?? '#',
    consent: raw.consent === undefined ? undefined : readTemplate(reading, raw.consent, [...path, 'consent'], 'value'),
    team: raw.team,
  }
}

function readTransfer(reading: Reading, raw: Raw<'transfer'>, path: Path): Specs['transfer'] {
  const { to, mode = 'attended', callerId } = raw
  if (typeof to === 'object') readPathUse(reading, to.by, [...path, 'to', 'by'])
  return {
    to:
      typeof to === 'string'
        ? readTemplate(reading, to, [...path, 'to'], 'value')
        : { ...to, map: named(Object.entries(to.map)) },
    mode,
    timeoutMs: readDuration(reading, raw.timeout ?? '30s', [...path, 'timeout'], 5_000, RING_MAX_MS),
    callerId: callerId === undefined ? undefined : readTemplate(reading, callerId, [...path, 'callerId'], 'value'),
  }
}

function readCallback(
  reading: Reading,
  { after = '2m', key, next }: NonNullable<Raw<'queue'>['callback']>,
  path: Path,
  timeoutMs: number,
): NonNullable<Specs['queue']['callback']> {
  const afterMs = readDuration(reading, after, [...path, 'after'], 1_000, WAIT_MAX_MS)
  if (afterMs >= timeoutMs) {
    const timeout = formatDuration(timeoutMs)
    complain(reading, [...path, 'after'], `nobody waits ${after}: the timeout of the step is ${timeout}; shorten after`)
  }
  return { afterMs, key, next: next as StepName }
}

function readTree(reading: Reading, value: unknown, path: Path, place: TextPlace, depth = 0): TemplateTree {
  if (typeof value === 'string') return readTemplate(reading, value, path, place)
  if (typeof value !== 'object' || value === null) return { literal: value as number | boolean | null }
  if (depth >= TREE_DEPTH_MAX) {
    complain(reading, path, `more than ${TREE_DEPTH_MAX} levels within each other`)
    return { literal: null }
  }
  if (Array.isArray(value))
    return value.map((inner, index) => readTree(reading, inner, [...path, index], place, depth + 1))
  const entries = Object.entries(value)
  return named(entries.map(([key, inner]) => [key, readTree(reading, inner, [...path, key], place, depth + 1)]))
}

function readPathUse(reading: Reading, text: string, path: Path): void {
  const read = parsePath(text)
  if (read.ok) reading.paths.push({ variable: read.path, path })
  else complain(reading, path, misreadOf(text, read))
}

/** A duration with a valid form; for a default, `path` leads to a missing key. */
export function readDuration(reading: Reading, text: string, path: Path, fromMs: number, toMs: number): number {
  const ms = parseDuration(text)!
  if (ms < fromMs || ms > toMs) {
    complain(
      reading,
      path,
      `${path.at(-1)} must be from ${formatDuration(fromMs)} to ${formatDuration(toMs)}, not ${text}`,
    )
  }
  return ms
}

/** One text, or one for each language. */
function readWordings(reading: Reading, raw: Raw<'sms'>['text'], path: Path): Specs['sms']['text'] {
  if (typeof raw === 'string') return readTemplate(reading, raw, path, 'sms')
  const wordings = Object.entries(raw).map(([language, text]) => {
    return [language, readTemplate(reading, text, [...path, language], 'sms')] as const
  })
  return { byLanguage: named(wordings) }
}
