/** A flow as numbered plain sentences, for people who check what callers hear: lawyers, managers. */

import { formatDuration } from '../../kernel/duration.ts'
import type { StepName } from '../../kernel/ids.ts'
import type { BranchCase, Flow, Prompt, Specs, Step } from '../model/flow.ts'
import { STEP_KINDS } from '../model/kinds.ts'
import { longestWayToPerson } from '../model/patience.ts'
import type { Template } from '../model/template.ts'
import { conditionInWords } from './condition-words.ts'
import { promptInWords, templateInWords, treeInWords } from './prompt-words.ts'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>
type Describe = { readonly [K in Step['kind']]: (step: StepOf<K>, flow: Flow, to: GoTo) => readonly string[] }
/** How a sentence names a step: `3 (lookup)` */
export type GoTo = (name: StepName) => string

/** What happens, one sentence for each fact; where the call goes next follows from `waysOn`. */
const DESCRIBE: Describe = {
  play: ({ spec }, flow) => [hears(spec.prompt, flow)],
  gather: ({ spec }, flow) => [
    hears(spec.prompt, flow),
    `The caller types ${spec.min === spec.max ? spec.min : `${spec.min} to ${spec.max}`} digits${
      spec.finish !== '' && spec.min < spec.max ? `, ended by ${spec.finish}` : ''
    }${spec.pattern === undefined ? '' : `, of the form ${spec.pattern}`}.`,
    ...(spec.hears ? ['The caller may also say the digits. What was not heard well is read back.'] : []),
    ...(spec.confirm ? [`The entry is read back: "${promptInWords(spec.confirm, flow)}"`] : []),
    ...(spec.secret ? ['The digits are masked wherever they are written down.'] : []),
    triesOf(spec.tries),
  ],
  menu: ({ spec }, flow, to) => [
    hears(spec.prompt, flow),
    ...Object.entries(spec.keys).map(([key, name]) => `Key ${key}: go on with ${to(name)}.`),
    triesOf(spec.tries),
  ],
  http: ({ spec, as }, flow) => [
    `The system ${
      'url' in spec.to
        ? `sends a request (${spec.method}) to ${templateInWords(spec.to.url)}`
        : `asks the external system of the call about the case ${templateInWords(spec.to.caseNumber)}`
    }, and waits at most ${formatDuration(spec.timeoutMs)}${
      spec.retry > 0 ? ` for each of ${spec.retry + 1} tries` : ''
    }.`,
    ...(spec.filler ? [`A caller who has to wait hears: "${promptInWords(spec.filler, flow)}"`] : []),
    ...(as === undefined ? [] : [`The answer is called "${as}".`]),
  ],
  branch: ({ spec }, _, to) => [
    ...spec.cases.map((one) => `If ${caseInWords(one, spec.in)}: go on with ${to(one.next)}.`),
    `Otherwise: go on with ${to(spec.else)}.`,
  ],
  set: ({ spec }) =>
    Object.entries(spec.variables).map(([name, value]) => `The system notes ${name}: ${treeInWords(value)}.`),
  sms: ({ spec }, flow) => {
    const receiver = spec.to === undefined ? 'The caller' : templateInWords(spec.to)
    const { awaitDeliveryMs } = spec
    return [
      `${receiver} receives a text message: "${templateInWords(textIn(spec.text, flow))}"`,
      ...(awaitDeliveryMs === undefined
        ? []
        : [`The caller hears music until it is delivered, at most ${formatDuration(awaitDeliveryMs)}.`]),
    ]
  },
  doNotCall: ({ spec }) => [
    `The caller's number goes on the stop list ("${templateInWords(spec.reason)}"): no campaign calls it again.`,
  ],
  wait: ({ spec }, flow) => [
    ...(spec.hold ? [hears(spec.hold, flow)] : []),
    `The caller waits for the event ${spec.event} of ${templateInWords(spec.key)}, ` +
      `at most ${formatDuration(spec.forMs)}.`,
  ],
  queue: ({ spec }, flow, to) => [
    `The caller waits for an agent of ${teamInWords(spec.team)}, at most ${formatDuration(spec.timeoutMs)}.`,
    ...(spec.skills.length === 0 ? [] : [`The agent has ${skillsInWords(spec.skills)}.`]),
    ...(spec.announceEveryMs === undefined ? [] : announcedInWords(spec, spec.announceEveryMs)),
    ...(spec.callback
      ? [
          `After ${formatDuration(spec.callback.afterMs)} a caller who can be called back may press ` +
            `${spec.callback.key}: their place is kept, and they are called in their turn. ` +
            `Go on with ${to(spec.callback.next)}.`,
        ]
      : []),
    ...(spec.whisper ? [`The agent first hears: "${promptInWords(spec.whisper, flow)}"`] : []),
    ...(spec.recording ? [RECORDED[spec.recording]] : []),
    ...(spec.recordingConsent
      ? [`If a recording needs consent, only ${templateInWords(spec.recordingConsent)} = true lets it be recorded.`]
      : []),
  ],
  record: ({ spec, as }, flow) => [
    ...(spec.consent ? [`Only ${templateInWords(spec.consent)} = true lets the caller be recorded.`] : []),
    hears(spec.prompt, flow),
    `After a tone the caller leaves a message of at most ${formatDuration(spec.maxMs)}. It ends with ` +
      `${formatDuration(spec.silenceMs)} of silence${spec.finish === '' ? '' : ` or key ${spec.finish}`}.`,
    ...(spec.team === undefined ? [] : [`The message is for the team ${spec.team}.`]),
    ...(as === undefined ? [] : [`The message is called "${as}".`]),
  ],
  transfer: ({ spec }) => [
    `The caller is brought to ${targetInWords(spec.to)}, which may ring for ${formatDuration(spec.timeoutMs)}.`,
    spec.mode === 'blind'
      ? 'Their own network takes over, and the call is over for us.'
      : 'The caller hears music until then. We stay in the call, and nothing is recorded.',
    ...(spec.callerId ? [`The telephone there shows ${templateInWords(spec.callerId)}.`] : []),
  ],
  subflow: ({ spec, as }) => [
    `The call goes through the flow "${spec.flow}".`,
    ...Object.entries(spec.with).map(([name, value]) => `It is given ${name}: ${treeInWords(value)}.`),
    ...(as === undefined ? [] : [`What it found is called "${as}".`]),
  ],
  hangup: ({ spec, within }, flow) => [
    ...(spec.say ? [hears(spec.say, flow)] : []),
    within === undefined ? 'The call ends.' : `The flow of step ${within} ends: ${spec.outcome ?? 'completed'}.`,
  ],
}

/** When a step ends without success, as the beginning of a sentence. */
const END_WORDS: Readonly<Record<string, string>> = {
  noInput: 'If nothing comes from the caller',
  declined: 'If the caller does not agree',
  invalid: 'If the entry does not fit',
  notFound: 'If the other system does not know it',
  timeout: 'If it takes too long',
  malformed: 'If a value is missing or an answer cannot be trusted',
  unavailable: 'If the other system cannot be reached',
  noMobile: 'If the number receives no text messages',
  undelivered: 'If the message cannot be sent',
  noNumber: 'If the caller withholds the number',
  full: 'If too many callers wait already',
  closed: 'If the team has no agents',
  busy: 'If the line is busy',
  noAnswer: 'If nobody answers',
  refused: 'If the rules of the dialer do not allow the call',
  limit: 'If the call comes here too often',
}

/** The lines of the description. Steps are numbered in the order of the file. */
export function describeFlow(flow: Flow): string[] {
  const numbers = new Map([...flow.steps.keys()].map((name, index) => [name, index + 1]))
  const to: GoTo = (name) => `${numbers.get(name)} (${name})`
  const steps = [...flow.steps.values()].flatMap((step) => [
    '',
    `${numbers.get(step.name)}. ${step.name}`,
    ...stepInWords(step, flow, to).map((sentence) => `   ${sentence}`),
  ])
  const longest = formatDuration(flow.limits.durationMs)
  const last = flow.onHangup.flatMap((step) => sentencesOf(step, flow, to))
  return [
    `${flow.title} (${flow.name}, revision ${flow.revision})`,
    `A call begins with ${to(flow.start)}. It ends with an apology after ${longest} or ${flow.limits.steps} steps.`,
    ...(flow.languages.length > 1
      ? [`The words are those of "${flow.languages[0]}"; other languages: ${flow.languages.slice(1).join(', ')}.`]
      : []),
    ...patience(flow),
    ...steps,
    ...(last.length > 0 ? ['', 'After the call', ...last.map((sentence) => `   ${sentence}`)] : []),
  ]
}

/** What happens in a step, and where the call goes on. */
export function stepInWords(step: Step, flow: Flow, to: GoTo): string[] {
  return [...sentencesOf(step, flow, to), ...waysOn(step, flow, to)]
}

/** What happens after the call. */
export function endInWords(flow: Flow): string[] {
  return flow.onHangup.flatMap((step) => sentencesOf(step, flow, (name) => name))
}

function sentencesOf<K extends Step['kind']>(step: StepOf<K>, flow: Flow, to: GoTo): readonly string[] {
  const describe = DESCRIBE[step.kind] as unknown as (step: Step, flow: Flow, to: GoTo) => readonly string[]
  const sentences = describe(step, flow, to)
  return step.bargeInByVoice ? [...sentences, 'A caller who speaks for half a second stops the prompt.'] : sentences
}

function waysOn(step: Step, flow: Flow, to: GoTo): string[] {
  const named = Object.entries(step.on).filter(([end]) => end !== 'failed')
  const rest = step.on['failed'] ?? flow.onError
  const fails = STEP_KINDS[step.kind].ends.length > 0
  const others = named.some(([end]) => end !== 'limit') ? 'In any other trouble' : 'In any trouble'
  return [
    ...(step.next === undefined ? [] : [`Then go on with ${to(step.next)}.`]),
    ...named.map(([end, name]) => {
      const limit = end === 'limit' ? ` (more than ${step.limit} times)` : ''
      return `${END_WORDS[end] ?? `If the answer has the status ${end}`}${limit}: go on with ${to(name)}.`
    }),
    ...(fails
      ? [
          rest === undefined || rest === step.name
            ? `${others}: the caller hears an apology, and the call ends.`
            : `${others}: go on with ${to(rest)}.`,
        ]
      : []),
  ]
}

/** How long it takes to reach a person. */
export function patience(flow: Flow): string[] {
  const way = longestWayToPerson(flow)
  if (!way) return ['No way leads to a person.']
  const keys = `${way.keys} ${way.keys === 1 ? 'key' : 'keys'}`
  return [`The longest way to a person takes about ${Math.ceil(way.seconds)} s and ${keys}: ${way.steps.join(' → ')}.`]
}

function hears(prompt: Prompt, flow: Flow): string {
  return `The caller hears: "${promptInWords(prompt, flow)}"`
}

function triesOf(tries: number): string {
  return tries === 1 ? 'The caller has one try.' : `The caller has ${tries} tries.`
}

function caseInWords(one: BranchCase, subject: string | undefined): string {
  switch (one.kind) {
    case 'when':
      return conditionInWords(one.condition, subject)
    case 'has':
      return `${one.path} is known`
    case 'open':
      return `the hours "${one.hours}" are open`
    case 'same':
      return `${one.paths.join(' and ')} are the same`
  }
}

function announcedInWords({ announcePosition, announceWait }: StepOf<'queue'>['spec'], everyMs: number): string[] {
  const what = [
    ...(announcePosition ? ['their place in the queue'] : []),
    ...(announceWait ? ['the expected wait, where it is known'] : []),
  ]
  return what.length === 0 ? [] : [`Every ${formatDuration(everyMs)} the caller hears ${what.join(' and ')}.`]
}

const RECORDED = {
  off: 'The talk is not recorded.',
  consent: 'The talk is recorded if the caller agrees.',
  always: 'The talk is recorded.',
}

function skillsInWords(skills: readonly string[]): string {
  const last = skills.at(-1)!
  return skills.length === 1 ? `the skill ${last}` : `the skills ${skills.slice(0, -1).join(', ')} and ${last}`
}

function targetInWords(to: StepOf<'transfer'>['spec']['to']): string {
  if (!('map' in to)) return templateInWords(to)
  const chosen = Object.entries(to.map).map(([value, target]) => `${target} if ${to.by} is "${value}"`)
  return [...chosen, `otherwise ${to.else}`].join(', ')
}

function teamInWords(team: StepOf<'queue'>['spec']['team']): string {
  if (typeof team === 'string') return `the team ${team}`
  const chosen = Object.entries(team.map).map(([value, name]) => `${name} if ${team.by} is "${value}"`)
  return `the team ${[...chosen, `otherwise ${team.else}`].join(', ')}`
}

/** As with prompts, the words are those of the first language. */
function textIn(text: Specs['sms']['text'], { languages }: Flow): Template {
  return 'byLanguage' in text ? text.byLanguage[languages[0]!]! : text
}
