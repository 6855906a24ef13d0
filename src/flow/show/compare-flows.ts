/** What callers would notice between two revisions of a flow, in the sentences of its description. */
import { formatDuration } from '../../kernel/duration.ts'
import type { StepName } from '../../kernel/ids.ts'
import type { Flow, Step } from '../model/flow.ts'
import { endInWords, type GoTo, patience, stepInWords } from './describe.ts'
import { detailsInWords, flowDetails } from './details.ts'

/** `changed` has both sentences, `gone` only the old one, `new` only the new one. */
export interface FlowChange {
  readonly what: 'changed' | 'gone' | 'new'
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Changes of one step; of the flow itself where there is no step. */
export interface StepChanges {
  /** The name in the new revision; a step that is gone has its old one. */
  readonly step: StepName | undefined
  readonly what: 'new' | 'gone' | 'changed' | 'renamed'
  /** Of a renamed step. */
  readonly oldName?: StepName
  readonly changes: readonly FlowChange[]
}

/** The differences in the order of the new file; steps that are gone at the end. Equal flows have none. */
export function compareFlows(old: Flow, now: Flow): readonly StepChanges[] {
  const renamed = renamedSteps(old, now)
  const newNameOf: GoTo = (name) => renamed.get(name) ?? name
  const oldNameOf = new Map([...renamed].map(([from, to]) => [to, from]))
  const ofFlow = changesOf(flowInWords(old, newNameOf), flowInWords(now, same))
  const ofSteps = [...now.steps.values()].flatMap((step): StepChanges[] => {
    const oldName = oldNameOf.get(step.name)
    const before = old.steps.get(oldName ?? step.name)
    const changes = changesOf(before ? allInWords(before, old, newNameOf) : [], allInWords(step, now, same))
    if (!before) return [{ step: step.name, what: 'new', changes }]
    if (oldName !== undefined) return [{ step: step.name, what: 'renamed', oldName, changes }]
    return changes.length === 0 ? [] : [{ step: step.name, what: 'changed', changes }]
  })
  const gone = [...old.steps.values()].filter(({ name }) => !now.steps.has(name) && !renamed.has(name))
  return [
    ...(ofFlow.length === 0 ? [] : [{ step: undefined, what: 'changed' as const, changes: ofFlow }]),
    ...ofSteps,
    ...gone.map((step): StepChanges => {
      return { step: step.name, what: 'gone', changes: changesOf(allInWords(step, old, newNameOf), []) }
    }),
  ]
}

const same: GoTo = (name) => name

/** Old name → new name, where a step that is gone and a new one say the same and lead to the same number of steps. */
function renamedSteps(old: Flow, now: Flow): ReadonlyMap<StepName, StepName> {
  const blank: GoTo = () => '…'
  const essence = (step: Step, flow: Flow) => [step.kind, ...allInWords(step, flow, blank)].join('\n')
  const added = [...now.steps.values()].filter(({ name }) => !old.steps.has(name))
  const renamed = new Map<StepName, StepName>()
  for (const step of old.steps.values()) {
    if (now.steps.has(step.name)) continue
    const alike = added.filter((other) => essence(other, now) === essence(step, old))
    if (alike.length === 1 && ![...renamed.values()].includes(alike[0]!.name)) renamed.set(step.name, alike[0]!.name)
  }
  return renamed
}

function allInWords(step: Step, flow: Flow, to: GoTo): string[] {
  return [...stepInWords(step, flow, to), ...detailsInWords(step, flow)]
}

function flowInWords(flow: Flow, to: GoTo): string[] {
  const { start, limits, languages } = flow
  return [
    `A call begins with ${to(start)}.`,
    `A call ends with an apology after ${formatDuration(limits.durationMs)} or ${limits.steps} steps.`,
    `The languages are: ${languages.join(', ')}.`,
    // Its steps are told where they changed.
    ...patience(flow).map((sentence) => sentence.replace(/:.*/, '.')),
    ...flowDetails(flow),
    ...endInWords(flow).map((sentence) => `After the call: ${sentence}`),
  ]
}

/** Sentences about the same thing are one change. The order counts: the first choice that holds is taken. */
function changesOf(before: readonly string[], after: readonly string[]): FlowChange[] {
  const removed = without(before, after)
  const added = without(after, before)
  const changed = removed.flatMap((sentence): FlowChange[] => {
    const at = added.findIndex((other) => topicOf(other) === topicOf(sentence))
    const [partner] = at < 0 ? [] : added.splice(at, 1)
    return [{ what: partner === undefined ? 'gone' : 'changed', before: sentence, after: partner }]
  })
  const all = [
    ...changed,
    ...added.map((sentence): FlowChange => ({ what: 'new', before: undefined, after: sentence })),
  ]
  if (all.length > 0 || before.join('\n') === after.join('\n')) return all
  const inOrder = (sentences: readonly string[]) => sentences.filter((sentence) => sentence.startsWith('If ')).join(' ')
  const isNoticed = inOrder(before) !== inOrder(after)
  return isNoticed ? [{ what: 'changed', before: inOrder(before), after: inOrder(after) }] : []
}

function without(sentences: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return sentences.filter((sentence) => {
    const at = left.indexOf(sentence)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** What a sentence is about: `Key 1`, `If no key`, `The caller hears`, `The caller has`. */
function topicOf(sentence: string): string {
  const plain = sentence.replace(' other ', ' ').replace(/ \([^)]*\)/, '')
  const named = /^[^:"‹]*?(?=:| is )/.exec(plain)?.[0]
  return named ?? plain.split(/[ ,]/).slice(0, 3).join(' ')
}
