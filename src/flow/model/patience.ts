/** How long a caller listens and types before a person can answer, estimated from the flow (calls-and-flows-50). */
import type { StepName } from '../../kernel/ids.ts'
import { allEdgesOf, type Edge } from './edges.ts'
import type { Flow, Prompt, Segment, Step } from './flow.ts'
import type { Template } from './template.ts'

/** The longest way from the answer to the first `queue` step. */
export interface WayToPerson {
  readonly seconds: number
  readonly keys: number
  /** The steps of the way; the last one is the queue. */
  readonly steps: readonly StepName[]
}

/** Our choices: an unhurried voice, a value of some words, a caller who types one key a second. */
const CHARACTERS_PER_SECOND = 14
const VALUE_CHARACTERS = 15
const RECORDING_SECONDS = 5
const KEY_SECONDS = 1
/** A system that answers. One that does not takes its `timeout` for each try. */
const ANSWER_SECONDS = 1

/** Arrows followed in the search; flows of some dozens of steps need a few thousand. */
const ARROWS_MAX = 100_000

type Cost = Pick<WayToPerson, 'seconds' | 'keys'>

/**
 * For a caller who hears every prompt to its end and answers at once: silence, wrong keys and coming to a step again
 * are not counted, waiting for other systems is. In a very large flow it is the longest of the ways that were tried.
 * Undefined if no way leads to a person.
 */
export function longestWayToPerson(flow: Flow): WayToPerson | undefined {
  const arrows = arrowsOf(flow)
  const way = new Set<StepName>()
  let longest: WayToPerson | undefined
  let followed = 0
  follow(flow.start, { seconds: 0, keys: 0 })
  return longest

  function follow(name: StepName, so: Cost): void {
    way.add(name)
    if (flow.steps.get(name)?.kind === 'queue') {
      if (!longest || so.seconds > longest.seconds) longest = { ...so, steps: [...way] }
    } else {
      for (const { to, seconds, keys } of arrows.get(name) ?? []) {
        if (way.has(to) || ++followed > ARROWS_MAX) continue
        follow(to, { seconds: so.seconds + seconds, keys: so.keys + keys })
      }
    }
    way.delete(name)
  }
}

function arrowsOf(flow: Flow): ReadonlyMap<StepName, readonly (Cost & { readonly to: StepName })[]> {
  const steps = [...flow.steps.values()]
  return new Map(
    steps.map((step) => {
      const edges = allEdgesOf(step, flow).filter((edge) => !isMistake(edge, step))
      return [step.name, edges.map((edge) => ({ to: edge.to, ...costOf(edge, step, flow) }))]
    }),
  )
}

/** The caller did not do what the prompt says, or the step was entered too often. */
function isMistake({ way, label }: Edge, { kind }: Step): boolean {
  return way === 'failure' && (kind === 'gather' || kind === 'menu' || label === 'limit')
}

function costOf(edge: Edge, step: Step, flow: Flow): Cost {
  const spoken = (prompt: Prompt) => secondsOf(prompt, flow)
  switch (step.kind) {
    case 'play':
      return { seconds: edge.way === 'done' ? spoken(step.spec.prompt) : 0, keys: 0 }
    case 'menu':
      return { seconds: spoken(step.spec.prompt) + KEY_SECONDS, keys: 1 }
    case 'gather': {
      const { prompt, confirm, min, max, finish } = step.spec
      const keys = max + (min < max && finish !== '' ? 1 : 0) + (confirm ? 1 : 0)
      return { seconds: spoken(prompt) + spoken(confirm ?? []) + keys * KEY_SECONDS, keys }
    }
    case 'http': {
      const isLate = edge.label === 'timeout' || edge.label === 'failed'
      return { seconds: isLate ? (step.spec.timeoutMs / 1000) * (1 + step.spec.retry) : ANSWER_SECONDS, keys: 0 }
    }
    // Whoever leaves a message wants no person any more; those who reach one from there said nothing.
    case 'record':
      return { seconds: spoken(step.spec.prompt) + step.spec.silenceMs / 1000, keys: 0 }
    case 'hangup':
      return { seconds: spoken(step.spec.say ?? []), keys: 0 }
    case 'sms': {
      const isLate = edge.label === 'timeout' || edge.label === 'failed'
      return { seconds: isLate ? (step.spec.awaitDeliveryMs ?? 0) / 1000 + ANSWER_SECONDS : ANSWER_SECONDS, keys: 0 }
    }
    default:
      return { seconds: 0, keys: 0 }
  }
}

/** Prompts of the catalogue count with their longest wording; `depth` ends cycles, which the linter reports. */
function secondsOf(prompt: Prompt, flow: Flow, depth = 0): number {
  return prompt.reduce((sum, segment) => sum + secondsOfSegment(segment, flow, depth), 0)
}

function secondsOfSegment(segment: Segment, flow: Flow, depth: number): number {
  switch (segment.kind) {
    case 'say':
      return charactersOf(segment.text) / CHARACTERS_PER_SECOND
    case 'file':
      return RECORDING_SECONDS
    case 'pause':
      return segment.ms / 1000
    case 'prompt': {
      const wordings = depth < 5 ? Object.values(flow.prompts[segment.name] ?? {}) : []
      return Math.max(0, ...wordings.map((wording) => secondsOf(wording, flow, depth + 1)))
    }
    default:
      return charactersOf(segment.value) / CHARACTERS_PER_SECOND
  }
}

function charactersOf({ parts }: Template): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : VALUE_CHARACTERS), 0)
}
