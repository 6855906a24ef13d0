/**
 * One call on its way through one flow. Facts go in, commands come out, nothing else happens here: the same
 * facts at the same instants give the same commands, which is how a call is replayed (law 1).
 *
 * Two machines run: the flow's, which knows steps, and the current step's (`step-run`), which knows prompts and
 * keys. This class leads from one step to the next.
 */
import type { AtMs } from '../../kernel/clock.ts'
import type { StepName } from '../../kernel/ids.ts'
import { MachineRun } from '../../kernel/machine.ts'
import type { CallBegins, CallCommand, CallFact, CallNote, CallRecord } from '../model/call-messages.ts'
import type { Prompt, Step } from '../model/flow.ts'
import { apologyPhrase } from '../model/phrases.ts'
import { type Said, speakPrompt } from '../model/say.ts'
import { scopeOf } from '../model/scope.ts'
import type { Scope } from '../model/variable-path.ts'
import { isSecret, isSentOnce, takesKeys } from '../steps/begin-step.ts'
import type { Scene } from '../steps/step-messages.ts'
import type { StepEnd } from '../steps/step-talk.ts'
import { activityOf, recordOf } from './call-record.ts'
import {
  AFTER_HANGUP,
  type CompiledFlow,
  type FlowCommand,
  type FlowContext,
  LIMIT,
  portFor,
  targetOf,
} from './compile.ts'
import { type Place, placeFrom, placeIn, type SavedFlowRun } from './place.ts'
import { freshState, isPatient, isReached, overLimit, type RunState, visitKey } from './run-state.ts'
import { StepRun } from './step-run.ts'
import { conclude, marksOf, varsFor } from './subflow-vars.ts'

export interface Reaction {
  readonly commands: readonly CallCommand[]
  readonly notes: readonly CallNote[]
}

/** Bounds memory when a caller holds a key. */
const TYPE_AHEAD_MAX = 32

/** If the switch does not confirm the answer by then, the caller is served anyway and may hear the flow. */
const ANSWER_CONFIRMED_WITHIN_MS = 3_000

const UNANSWERED = 'the service stopped before the answer came; nothing is sent twice'
const NOTHING: Reaction = { commands: [], notes: [] }

/** One call of one revision of one flow. */
export class FlowRun {
  readonly #compiled: CompiledFlow
  readonly #begins: CallBegins
  readonly #state: RunState
  readonly #step: StepRun
  #flow: MachineRun<FlowCommand> | undefined
  readonly #commands: CallCommand[] = []
  readonly #notes: CallNote[] = []
  #place: Place | undefined

  constructor(compiled: CompiledFlow, begins: CallBegins, saved?: SavedFlowRun) {
    this.#compiled = compiled
    this.#begins = begins
    this.#state = saved ? { ...saved.state } : freshState()
    this.#step = new StepRun({
      call: begins.call,
      // The end of an earlier engine's prompt must not be taken for the end of ours.
      playbacks: begins.isServedAgain ? `${begins.call}.${begins.atMs}` : begins.call,
      leg: begins.leg,
      callerId: begins.caller ?? 'anonymous',
      speak: (prompt, also) => this.#speak(prompt, also),
      command: (command) => this.#commands.push(command),
      mark: () => this.#mark(),
      stepEnded: (end, leftover, nowMs) => this.#stepEnded(end, leftover, nowMs),
    })
    if (!saved) return
    if (saved.flow) this.#flow = MachineRun.restore(compiled.machine, saved.flow)
    this.#step.restore(saved.step, this.#currentStep, this.#scene(this.#state.enteredAtMs))
  }

  /** The first command of every call. The flow itself starts when the leg is answered. */
  begin(): Reaction {
    return { commands: [{ type: 'answer', leg: this.#begins.leg }], notes: [] }
  }

  /** Applies a fact. Facts after the end, and facts about ended prompts or requests, are ignored. */
  handleFact(fact: CallFact, nowMs: AtMs): Reaction {
    if (this.isOver) return NOTHING
    this.#react(fact, nowMs)
    return { commands: this.#commands.splice(0), notes: this.#notes.splice(0) }
  }

  get nextDueAtMs(): AtMs | undefined {
    if (!this.#flow) return this.isOver ? undefined : this.#begins.atMs + ANSWER_CONFIRMED_WITHIN_MS
    const flowDue = this.#flow.nextDueAtMs
    const stepDue = this.#step.nextDueAtMs
    return flowDue === undefined ? stepDue : Math.min(flowDue, stepDue ?? flowDue)
  }

  get isOver(): boolean {
    return this.#state.endedBy !== undefined && (this.#flow === undefined || this.#flow.isDone)
  }

  /** When the call came, its leg was answered, and it ended. */
  get instants(): Pick<RunState, 'answeredAtMs' | 'endedAtMs'> & { readonly arrivedAtMs: AtMs } {
    return { ...this.#state, arrivedAtMs: this.#begins.atMs }
  }

  /** The case that the flow names for its call by now. */
  get caseNumber(): string | undefined {
    return activityOf(this.#compiled.flow, this.#begins, scopeOf(this.#begins, this.#vars))['systemLookupCode']
  }

  get stepName(): StepName | undefined {
    return this.#state.at && 'step' in this.#state.at ? this.#state.at.step : undefined
  }

  /** Values typed at `secret: true` gathers: they are masked in journal and log. */
  get secrets(): readonly string[] {
    return this.#state.secrets
  }

  /** Whether a digit is masked where it is written down. A key typed ahead may be meant for a later secret gather. */
  get hidesDigits(): boolean {
    const step = this.#currentStep
    if (step && takesKeys(step) && this.#step.isRunning) return isSecret(step)
    return [...this.#compiled.flow.steps.values()].some(isSecret)
  }

  /** The record of a call that cannot continue (law 7). The run must not be used afterwards. */
  giveUp(nowMs: AtMs): CallRecord {
    Object.assign(this.#state, { apologised: true, hungUpByUs: true })
    return this.#recordAt(nowMs)
  }

  /** Where the call is, for an engine after a crash; undefined where nothing may be kept (calls-and-flows-48). */
  get place(): Place | undefined {
    this.#place = placeIn(this.#flow, this.#state, this.#place)
    return this.#place
  }

  save(): SavedFlowRun {
    return {
      begins: this.#begins,
      state: { ...this.#state },
      flow: this.#flow?.save(),
      step: this.#step.save(),
    }
  }

  #react(fact: CallFact, nowMs: AtMs): void {
    if ('key' in fact) return this.#settled(fact, nowMs)
    if ('listening' in fact) return this.#step.handleSpeech(fact, nowMs)
    switch (fact.type) {
      case 'leg.answered':
        return this.#answered(nowMs)
      case 'leg.ended':
        return this.#legEnded(fact, nowMs)
      case 'leg.digit':
        return this.#digit(fact.digit, nowMs)
      case 'playback.ended':
        if (this.#step.endsPrompt(fact.playback)) this.#promptEnded(fact.result === 'failed', nowMs)
        return
      case 'request.answered':
        if (this.#step.answersRequest(fact.request))
          this.#step.handleFact({ type: 'answered', answer: fact.answer }, nowMs)
        return
      case 'agent.connected':
        this.#state.agent = fact.agent
        return this.#step.handleFact(fact, nowMs)
      case 'agent.left':
      case 'agent.lost':
        // Keys pressed before or during a conversation answer no question after it.
        this.#state.typeAhead = ''
        return this.#step.handleFact(fact, nowMs)
      case 'queue.refused':
      case 'queue.position':
      case 'queue.callback':
      case 'playback.started':
      case 'leg.talking':
      case 'leg.quiet':
        return this.#step.handleFact(fact, nowMs)
      case 'time.passed':
        return this.#timePassed(nowMs)
      case 'call.broken':
        this.#step.abandon()
        return this.#toFlow({ type: 'broken' }, nowMs)
    }
  }

  /** What a visit of a step waits for. */
  #settled({ key, ...fact }: Extract<CallFact, { key: string }>, nowMs: AtMs): void {
    if (!this.#step.awaits(key)) return
    if (isReached(fact)) this.#state.transferred = true
    this.#step.handleFact(fact, nowMs)
  }

  #timePassed(nowMs: AtMs): void {
    if (!this.#flow && nowMs >= this.nextDueAtMs!) {
      // Either the event or the command was lost; answering twice is harmless.
      this.#commands.push({ type: 'answer', leg: this.#begins.leg })
      return this.#answered(nowMs)
    }
    this.#step.timePassed(nowMs)
    if (this.#flow) this.#carryOut(this.#flow.fireDue(nowMs), nowMs)
  }

  #answered(nowMs: AtMs): void {
    if (this.#flow) return
    this.#state.answeredAtMs = nowMs
    const { flow, machine } = this.#compiled
    const place = placeFrom(this.#begins)
    if (place) return this.#goOn(place, nowMs)
    const { run, commands } = MachineRun.start<FlowCommand>(machine, { vars: flow.vars, visits: {}, path: [] }, nowMs)
    this.#flow = run
    this.#carryOut(commands, nowMs)
  }

  /** The step that an earlier engine was in begins again, as the same visit; without its caller, `onHangup`. */
  #goOn({ flow, state }: Place, nowMs: AtMs): void {
    Object.assign(this.#state, state, { answeredAtMs: nowMs, enteredAtMs: nowMs })
    this.#flow = MachineRun.restore(this.#compiled.machine, flow)
    if (this.#state.endedBy !== undefined && 'step' in state.at) return this.#toFlow({ type: 'leg.ended' }, nowMs)
    const step = this.#currentStep!
    const visit = (this.#flow.context as FlowContext).visits[step.name] ?? 1
    this.#notes.push({ type: 'step.entered', step: step.name, line: step.line, kind: step.kind, visit })
    if (!isSentOnce(step)) return this.#beginStep(step, nowMs)
    this.#leave(step, { end: 'timeout', why: UNANSWERED }, nowMs)
  }

  #legEnded({ reason, left }: Extract<CallFact, { type: 'leg.ended' }>, nowMs: AtMs): void {
    if (this.#state.endedBy !== undefined) return
    Object.assign(this.#state, { endedBy: reason, endedAtMs: nowMs })
    if (left) this.#mark()
    const { sets } = left ? conclude(this.#currentStep!, { end: 'done', value: left }, this.#vars) : {}
    this.#step.abandon()
    if (this.#flow) return this.#toFlow({ type: 'leg.ended', ...(sets && { sets }) }, nowMs)
    const place = placeFrom(this.#begins)
    return place ? this.#goOn(place, nowMs) : this.#perform({ type: 'finish' }, nowMs)
  }

  #digit(digit: string, nowMs: AtMs): void {
    const isLate = digit === this.#state.lateKey
    this.#state.lateKey = ''
    if (isLate) return
    const isAsked = this.#step.isRunning && takesKeys(this.#currentStep!)
    if (isAsked) return this.#step.handleFact({ type: 'digit', digit }, nowMs)
    if (this.#state.typeAhead.length < TYPE_AHEAD_MAX) this.#state.typeAhead += digit
  }

  #promptEnded(failed: boolean, nowMs: AtMs): void {
    if (this.#state.apologised) return this.#toFlow({ type: 'apologised' }, nowMs)
    // Whoever has heard the question answers it.
    if (takesKeys(this.#currentStep!)) this.#state.lateKey = ''
    if (failed) return this.#step.handleFact({ type: 'prompt.failed', why: 'the prompt could not be played' }, nowMs)
    this.#step.handleFact({ type: 'prompt.ended' }, nowMs)
  }

  #toFlow(event: { type: string; sets?: Readonly<Record<string, unknown>> }, nowMs: AtMs): void {
    if (this.#flow) this.#carryOut(this.#flow.send(event, nowMs), nowMs)
  }

  #carryOut(commands: readonly FlowCommand[], nowMs: AtMs): void {
    for (const command of commands) this.#perform(command, nowMs)
  }

  #perform(command: FlowCommand, nowMs: AtMs): void {
    switch (command.type) {
      case 'runStep':
        return this.#enter(command.step, command.visit, nowMs)
      case 'runAfterHangup':
        return this.#enterAfterHangup(command.index, nowMs)
      case 'apologise':
        return this.#apologise(nowMs)
      case 'leave':
        this.#state.hungUpByUs = true
        this.#commands.push({ type: 'hangUp', leg: this.#begins.leg })
        return
      case 'finish':
        this.#commands.push({ type: 'endCall', record: this.#recordAt(nowMs) })
    }
  }

  #enter(name: StepName, visit: number, nowMs: AtMs): void {
    const step = this.#compiled.flow.steps.get(name)!
    this.#state.at = { step: name }
    this.#state.enteredAtMs = nowMs
    this.#state.stepsEntered++
    this.#notes.push({ type: 'step.entered', step: name, line: step.line, kind: step.kind, visit })
    const tooMuch = overLimit(this.#compiled.flow, this.#state, this.#begins.atMs, nowMs)
    if (tooMuch !== undefined) {
      this.#notes.push({ type: 'step.left', step: name, end: 'broken', to: undefined, why: tooMuch })
      return this.#toFlow({ type: 'broken' }, nowMs)
    }
    if (step.limit !== undefined && visit > step.limit) {
      return this.#leave(step, { end: LIMIT, why: `visited more than ${step.limit} times` }, nowMs)
    }
    this.#beginStep(step, nowMs)
  }

  #enterAfterHangup(index: number, nowMs: AtMs): void {
    const step = this.#compiled.flow.onHangup[index]!
    this.#state.at = { afterHangup: index }
    this.#notes.push({ type: 'step.entered', step: step.name, line: step.line, kind: step.kind, visit: 1 })
    this.#beginStep(step, nowMs)
  }

  #beginStep(step: Step, nowMs: AtMs): void {
    const scene = this.#scene(nowMs)
    if (takesKeys(step)) this.#state.typeAhead = ''
    this.#step.begin(step, scene, this.#key(), nowMs)
  }

  #stepEnded(end: StepEnd, leftover: string, nowMs: AtMs): void {
    const step = this.#currentStep!
    // Keys pressed while nothing was asked, as into music or to another party, answer no question after it.
    if (takesKeys(step) || isPatient(step)) this.#state.typeAhead = leftover
    this.#state.lateKey = end.lateKey ?? ''
    if (isPatient(step)) this.#state.queuedMs += nowMs - this.#state.enteredAtMs
    if (isSecret(step)) this.#keepSecret(end.value)
    this.#leave(step, end, nowMs)
  }

  #leave(step: Step, raw: StepEnd, nowMs: AtMs): void {
    const end = conclude(step, raw, this.#vars)
    if (raw.end === 'done') this.#mark()
    const { at } = this.#state
    const { flow } = this.#compiled
    const isAfter = at !== undefined && 'afterHangup' in at
    const port = isAfter ? AFTER_HANGUP : portFor(end.end, step, flow)
    const to = isAfter ? flow.onHangup[at.afterHangup + 1]?.name : targetOf(port, step, flow)
    this.#notes.push({ type: 'step.left', step: step.name, end: end.end, to, why: end.why })
    this.#toFlow({ type: port, ...(end.sets && { sets: end.sets }) }, nowMs)
  }

  #apologise(nowMs: AtMs): void {
    this.#state.apologised = true
    const said = this.#speak(apologyPhrase(this.#language))
    if (said.ok) this.#step.play(said.utterances)
    else this.#toFlow({ type: 'apologised' }, nowMs)
  }

  #recordAt(nowMs: AtMs): CallRecord {
    const machineContext = this.#flow?.context as FlowContext | undefined
    const facts = { ...this.#state, machineContext, scope: scopeOf(this.#begins, this.#vars) }
    return recordOf(this.#compiled.flow, this.#begins, { ...facts, endedAtMs: facts.endedAtMs ?? nowMs })
  }

  #mark(): void {
    this.#state.marks = [...new Set([...this.#state.marks, ...marksOf(this.#currentStep)])]
  }

  #key(): string {
    return visitKey(this.#begins.call, this.#state, (this.#flow?.context as FlowContext | undefined)?.visits ?? {})
  }

  get #currentStep(): Step | undefined {
    const { at } = this.#state
    if (!at) return undefined
    const { flow } = this.#compiled
    return 'step' in at ? flow.steps.get(at.step) : flow.onHangup[at.afterHangup]
  }

  get #language(): string {
    return this.#begins.language ?? this.#compiled.flow.languages[0]!
  }

  get #vars(): FlowContext['vars'] {
    return (this.#flow?.context as FlowContext | undefined)?.vars ?? this.#compiled.flow.vars
  }

  #scope(also?: Readonly<Record<string, unknown>>): Scope {
    return scopeOf(this.#begins, { ...varsFor(this.#currentStep, this.#vars), ...also })
  }

  #keepSecret(value: unknown): void {
    if (typeof value !== 'string' || this.#state.secrets.includes(value)) return
    this.#state.secrets = [...this.#state.secrets, value]
  }

  #speak(prompt: Prompt, also?: Readonly<Record<string, unknown>>): Said {
    // The confirmation of a secret reads it back before the step has ended.
    const step = this.#currentStep
    if (step && isSecret(step)) for (const value of Object.values(also ?? {})) this.#keepSecret(value)
    return speakPrompt(prompt, this.#compiled.flow, this.#scope(also), this.#language)
  }

  #scene(nowMs: AtMs): Scene {
    return {
      flow: this.#compiled.flow,
      scope: this.#scope(),
      language: this.#language,
      caller: this.#begins.caller,
      lookups: this.#begins.lookups,
      nowMs,
      typeAhead: this.#state.typeAhead,
      waitsUntilMs: this.#begins.waitsUntil?.[this.#key()],
      speak: (prompt) => this.#speak(prompt),
    }
  }
}
