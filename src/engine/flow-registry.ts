import { createHash } from 'node:crypto'
import type { Flow, Prompt } from '../flow/model/flow.ts'
import { speakPrompt } from '../flow/model/say.ts'
import { type CompiledFlow, compileFlow } from '../flow/run/compile.ts'
import type { CallId, CanaryId, FlowName } from '../kernel/ids.ts'
import type { CountsFor } from '../ports/flows/flow-traffic.ts'
import type { Speech, Utterance } from '../ports/speech.ts'

/** Numbers that a canary has counted; with more of them, numbers count again. */
const COUNTED_MAX = 100_000

/** A revision that a share of the new calls takes. */
interface OnTrial {
  readonly id: CanaryId
  readonly percent: number
  readonly compiled: CompiledFlow
  /** Numbers whose first call has counted. */
  readonly counted: Set<string>
}

/** The revision of a new call. `canary` is there if the call counts for one. */
export interface Drawn {
  readonly compiled: CompiledFlow
  readonly canary?: CountsFor
}

/** The flows for new calls. A running call keeps its revision (architecture-laws.md 5). */
export class FlowRegistry {
  readonly #flows = new Map<FlowName, CompiledFlow>()
  readonly #trials = new Map<FlowName, OnTrial>()
  /** Older ones, of callers whom an earlier engine left on the line. */
  readonly #kept = new Map<string, CompiledFlow>()
  readonly #past: (revision: string) => Promise<Flow | undefined>

  /** `past` reads a revision that was live once; undefined where it is unknown, or cannot be read any more. */
  constructor(
    flows: Iterable<Flow> = [],
    past: (revision: string) => Promise<Flow | undefined> = async () => undefined,
  ) {
    this.#past = past
    for (const flow of flows) this.publish(flow)
  }

  publish(flow: Flow): void {
    if (this.#flows.get(flow.name)?.flow.revision !== flow.revision) this.#flows.set(flow.name, compileFlow(flow))
  }

  /** A share of the new calls takes this revision from now on. */
  tryOut(flow: Flow, { id, percent }: Pick<OnTrial, 'id' | 'percent'>): void {
    this.#trials.set(flow.name, { id, percent, compiled: compileFlow(flow), counted: new Set() })
  }

  endTrial(name: FlowName): void {
    this.#trials.delete(name)
  }

  onTrial(name: FlowName): Pick<OnTrial, 'id' | 'compiled'> | undefined {
    return this.#trials.get(name)
  }

  /** The live one. */
  get(name: FlowName): CompiledFlow | undefined {
    return this.#flows.get(name)
  }

  /**
   * The revision that a new call takes, and keeps. A number gets the same one as long as a canary runs, on every node
   * and after a restart; a withheld number is drawn by the call's own name. Only the first call of a number counts.
   */
  draw(name: FlowName, caller: string | undefined, call: CallId): Drawn | undefined {
    const [compiled, trial] = [this.#flows.get(name), this.#trials.get(name)]
    if (!compiled || !trial) return compiled && { compiled }
    const isNew = isDrawn(`${trial.compiled.flow.revision} ${caller ?? call}`, trial.percent)
    const drawn = { compiled: isNew ? trial.compiled : compiled }
    if (caller === undefined) return { ...drawn, canary: { id: trial.id, isNew } }
    if (trial.counted.has(caller)) return drawn
    if (trial.counted.size < COUNTED_MAX) trial.counted.add(caller)
    return { ...drawn, canary: { id: trial.id, isNew } }
  }

  /** Reads a revision for calls that go on in it; new calls do not take it. */
  async recall(revision: string): Promise<void> {
    const flow = this.revision(revision) ? undefined : await this.#past(revision)
    if (flow) this.#kept.set(revision, compileFlow(flow))
  }

  /** A live or recalled revision by its hash. */
  revision(revision: string): CompiledFlow | undefined {
    const onTrial = [...this.#trials.values()].map(({ compiled }) => compiled)
    return (
      this.#kept.get(revision) ?? [...this.#flows.values(), ...onTrial].find(({ flow }) => flow.revision === revision)
    )
  }

  names(): FlowName[] {
    return [...this.#flows.keys()]
  }
}

/** True for so many of all texts. The revision is part of the text: another canary has other callers. */
function isDrawn(text: string, percent: number): boolean {
  return createHash('sha256').update(text).digest().readUInt32BE() < (percent / 100) * 2 ** 32
}

/** Every sentence of a flow that is the same for all callers, in each language. */
export function fixedUtterances(flow: Flow): Utterance[] {
  const found = new Map<string, Utterance>()
  for (const language of flow.languages) {
    const wordings = Object.values(flow.prompts).flatMap((byLanguage) => byLanguage[language] ?? [])
    for (const segment of [...wordings, ...promptsOf(flow).flat()]) {
      // A sentence with values is rendered during the call.
      const said = speakPrompt([segment], flow, {}, language)
      if (said.ok) for (const utterance of said.utterances) found.set(JSON.stringify(utterance), utterance)
    }
  }
  return [...found.values()]
}

/** Renders the fixed sentences before the first call. Resolves with the reasons of failures, each once. */
export function warmSpeech(flow: Flow, speech: Speech): Promise<string[]> {
  const waits = fixedUtterances(flow).map(
    (utterance) =>
      new Promise<string | undefined>((resolve) => {
        speech.render(utterance, (result) => resolve(result.ok ? undefined : result.why), true)
      }),
  )
  return Promise.all(waits).then((failures) => [...new Set(failures.filter((why) => why !== undefined))])
}

/** Those of the steps. */
function promptsOf(flow: Flow): Prompt[] {
  const prompts: (Prompt | undefined)[] = []
  for (const { kind, spec } of flow.steps.values()) {
    if (kind === 'play') prompts.push(spec.prompt)
    if (kind === 'gather') prompts.push(spec.prompt, spec.confirm, ...spec.reprompt.noInput, ...spec.reprompt.invalid)
    if (kind === 'menu') prompts.push(spec.prompt, ...spec.reprompt.noInput, ...spec.reprompt.invalid)
    if (kind === 'http') prompts.push(spec.filler)
    if (kind === 'wait') prompts.push(spec.hold)
    if (kind === 'record') prompts.push(spec.prompt)
    if (kind === 'queue') prompts.push(spec.whisper)
    if (kind === 'hangup') prompts.push(spec.say)
  }
  return prompts.filter((prompt) => prompt !== undefined)
}
