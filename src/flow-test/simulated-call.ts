/**
 * One call of a flow on virtual time: the production runner, with a switch, servers, a gateway and a queue that are
 * only data. Nothing here waits; `step` moves the clock to the next thing that happens.
 */
import { Trace } from '../engine/call-trace.ts'
import type { CallBegins, CallCommand, CallFact, CallNote, CallRecord } from '../flow/model/call-messages.ts'
import type { CompiledFlow } from '../flow/run/compile.ts'
import { FlowRun, type Reaction } from '../flow/run/flow-run.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, PlaybackId, StepName } from '../kernel/ids.ts'
import type { EventData, EventName } from '../ports/flows/flow-events.ts'
import type { JournalLine } from '../ports/journal.ts'
import { QUIET_AFTER_MS } from '../ports/pbx.ts'
import { DELIVERY_EVENT } from '../ports/sms.ts'
import type { WebRequest } from '../ports/web.ts'
import { Ear } from './ear.ts'
import { isOfVoice, WITHOUT_CALLER } from './fact-rules.ts'
import { Happenings } from './happenings.ts'
import type { Sentence } from './heard.ts'
import { journalInto } from './journal-into.ts'
import { PostedEvents } from './posted-events.ts'
import { Prompts } from './prompts.ts'
import type { Awaited, Joined, ScriptedCall, Stopped } from './scripted-call.ts'
import { SentTexts, type Text } from './sent-texts.ts'
import { Transfers } from './simulated-transfers.ts'
import { Tape } from './tape.ts'
import { TypedSecrets } from './typed-secrets.ts'
import { inTime, type World } from './world.ts'

/** `afterFact`: after the n-th fact, from 1 on. */
type Disturbance = { readonly afterFact: (count: number, call: SimulatedCall) => void }

/** Between a command to the switch and its event. Our choice; the real one takes 1 to 20 ms. */
const SWITCH_MS = 10
const AGENT = 'anna' as AgentName
const AGENT_DOES = {
  answers: { type: 'agent.connected', queue: 'talking' },
  leaves: { type: 'agent.left', queue: 'none' },
  lost: { type: 'agent.lost', queue: 'waiting' },
} as const
/** The call. Everything that happened can be read at any time. */
export class SimulatedCall implements ScriptedCall {
  readonly requests: WebRequest[] = []
  readonly stops: Stopped[] = []
  readonly joins: Joined[] = []
  /** Joinings whose place is kept for a callback. */
  readonly kept: Joined[] = []
  readonly waits: Awaited[] = []
  readonly tape = new Tape()
  readonly transfers = new Transfers()
  readonly ear = new Ear()
  /** The journal, as production writes it: secrets are masked. */
  readonly lines: JournalLine[] = []
  readonly notes: CallNote[] = []
  /** Broken promises of the runner, and requests without an answer: each fails a test. */
  readonly faults: string[] = []
  /** A restored call must give the same. */
  readonly commands: CallCommand[] = []
  /** Requests that nobody answers. */
  readonly unanswered: WebRequest[] = []
  queue: 'none' | 'waiting' | 'talking' = 'none'
  /** The event that the caller waits for now. */
  awaited: Awaited | undefined
  record: CallRecord | undefined
  nowMs: AtMs
  factCount = 0
  readonly #compiled: CompiledFlow
  readonly #begins: CallBegins
  readonly #world: World
  readonly #disturbance: Disturbance | undefined
  readonly #trace: Trace
  readonly #sent = new SentTexts()
  readonly texts: readonly Text[] = this.#sent.texts
  readonly #secrets = new TypedSecrets()
  #run: FlowRun
  readonly #happenings = new Happenings()
  readonly #posted = new PostedEvents()
  readonly #prompts = new Prompts()
  readonly sentences: readonly Sentence[] = this.#prompts.sentences
  /** What an engine would store of the call at every step. */
  #place: FlowRun['place']
  #hasLeft = false
  #isServedAgain = false

  constructor(compiled: CompiledFlow, begins: CallBegins, world: World, disturbance?: Disturbance) {
    this.#compiled = compiled
    this.#begins = begins
    this.#world = world
    this.#disturbance = disturbance
    this.#trace = new Trace(journalInto(this.lines))
    this.nowMs = begins.atMs
    this.#run = this.#begin(begins)
  }

  get isOver(): boolean {
    return this.#run.isOver
  }

  /** Whether the caller, or we, have hung up. */
  get hasLeft(): boolean {
    return this.#hasLeft
  }

  get stepName(): StepName | undefined {
    return this.#run.stepName
  }

  /** The first entry at each visit of a step with `secret: true`, whether the runner knows it as a secret or not. */
  get secrets(): readonly string[] {
    return this.#secrets.entries
  }

  get nextAtMs(): AtMs | undefined {
    const times = [this.#happenings.nextAtMs, this.#run.nextDueAtMs, this.tape.endsAtMs]
    const next = Math.min(...times.filter((atMs) => atMs !== undefined))
    return Number.isFinite(next) ? next : undefined
  }

  /** Lets the next thing happen, by `untilMs` at the latest. False: nothing was left until then. */
  step(untilMs = Number.POSITIVE_INFINITY): boolean {
    const atMs = this.isOver ? undefined : this.nextAtMs
    if (atMs === undefined || atMs > untilMs) {
      if (Number.isFinite(untilMs)) this.nowMs = Math.max(this.nowMs, untilMs)
      return false
    }
    this.nowMs = Math.max(this.nowMs, atMs)
    const firstAtMs = this.#happenings.nextAtMs
    const ended = this.tape.endedAt(this.nowMs)
    if (ended) this.#tell(ended)
    else if (firstAtMs === undefined || firstAtMs > atMs) this.#tell({ type: 'time.passed' })
    else this.#tell(this.#happenings.take())
    return true
  }

  /** A key, as the switch reports it when it is released. */
  press(digit: string): void {
    if (this.#hasLeft) return
    const step = this.stepName && this.#compiled.flow.steps.get(this.stepName)
    if (step) this.#secrets.key(digit, step, this.notes.length)
    this.#tell({ type: 'leg.digit', leg: this.#begins.leg, digit, heldMs: 100 })
  }

  /** Whether a prompt is being said that the caller's voice can stop. */
  get hearsVoice(): boolean {
    return this.#prompts.hearsVoiceAt(this.nowMs)
  }

  /** The caller speaks over a prompt that can be stopped so, from now on. */
  talk(forMs: number): void {
    const { leg } = this.#begins
    this.#tell({ type: 'leg.talking', leg })
    this.#later(forMs + QUIET_AFTER_MS, { type: 'leg.quiet', leg })
  }

  /** Digits, in words or figures, and how sure the engine for speech is of them. */
  speak(text: string, confidence: number): void {
    if (!this.#hasLeft) this.ear.hears(text, confidence, (fact) => this.#tell(fact))
  }

  hangUp(): void {
    if (this.#hasLeft) return
    this.#tell({ type: 'leg.ended', leg: this.#begins.leg, reason: 'hungUp', ...this.tape.hangUp(this.nowMs) })
  }

  /** An agent takes the waiting caller, leaves, or is lost: then the caller waits again, in their old place. */
  agent(does: keyof typeof AGENT_DOES): void {
    const { type, queue } = AGENT_DOES[does]
    this.queue = queue
    this.#tell({ type, agent: AGENT })
  }

  /** Another system posts an event. */
  postEvent(event: EventName, data: EventData): void {
    this.#posted.post(event, data, this.nowMs)
    this.#giveEvent()
  }

  /**
   * The engine dies and another serves the caller from the step that they were in, as production does
   * (calls-and-flows-48). Answers on their way are lost; a text message that was settled is not sent again.
   */
  crash(): void {
    this.#happenings.drop(({ isOurs }) => isOurs)
    this.queue = 'none'
    this.awaited = undefined
    this.ear.close()
    this.tape.forget()
    this.#isServedAgain = true
    const waitsUntil = Object.fromEntries(this.waits.map(({ key, untilMs }) => [key, untilMs]))
    const place = this.#place && (JSON.parse(JSON.stringify(this.#place)) as object)
    const { task, ...begins } = this.#begins
    const again = { ...begins, task: place && task, atMs: this.nowMs, isServedAgain: true as const, waitsUntil }
    this.#run = this.#begin(place ? { ...again, place } : again)
  }

  /** The state goes out as JSON and comes back, as it would to another engine. */
  saveAndRestore(): void {
    const saved = JSON.parse(JSON.stringify(this.#run.save()))
    this.#run = new FlowRun(this.#compiled, saved.begins, saved)
  }

  /** Until the call is over; an agent who still talks leaves. False: it does not end by itself within a day. */
  finish(): boolean {
    const untilMs = this.#begins.atMs + DAY_MS
    for (let count = 0; !this.isOver && count < HAPPENINGS_MAX; count++) {
      if ((this.nextAtMs ?? Number.POSITIVE_INFINITY) <= untilMs) this.step()
      else if (this.queue === 'talking') this.agent('leaves')
      else break
    }
    return this.isOver
  }

  #begin(begins: CallBegins): FlowRun {
    const { flow } = this.#compiled
    this.#trace.began(begins, flow.name, flow.revision)
    const run = new FlowRun(this.#compiled, begins)
    this.#run = run
    this.#carryOut(run.begin())
    return run
  }

  #tell(fact: CallFact): void {
    if (fact.type === 'leg.ended') this.#hasLeft = true
    this.transfers.told(fact)
    if (this.isOver || (isOfVoice(fact) && !this.hearsVoice)) return
    if (fact.type === 'playback.ended') this.#prompts.ended(fact.playback)
    if (fact.type === 'sms.settled') this.#sent.settled(fact.key, fact.result)
    this.#trace.fact(this.#begins.call, this.#run, fact, this.nowMs)
    this.#carryOut(this.#run.handleFact(fact, this.nowMs))
    this.factCount++
    this.#disturbance?.afterFact(this.factCount, this)
  }

  #carryOut({ commands, notes }: Reaction): void {
    const { call } = this.#begins
    for (const note of notes) this.#trace.note(call, this.#run, note, this.nowMs)
    this.notes.push(...notes)
    if (notes.some(({ type }) => type === 'step.entered')) this.#place = this.#run.place
    for (const command of commands) {
      this.#trace.command(call, this.#run, command, this.nowMs)
      this.commands.push(command)
      if (this.#hasLeft && !WITHOUT_CALLER.has(command.type)) this.faults.push(`${command.type} after the hang-up`)
      this.#perform(command)
    }
  }

  #perform(command: CallCommand): void {
    const { leg } = this.#begins
    switch (command.type) {
      case 'answer':
        return this.#later(SWITCH_MS, { type: 'leg.answered', leg })
      case 'hangUp':
        return this.#later(SWITCH_MS, { type: 'leg.ended', leg, reason: 'hungUp' })
      case 'play':
        return this.#play(command)
      case 'stopPlaying':
        return this.#stopPlaying(command.playback)
      case 'request':
        return this.#ask(command)
      case 'cancelRequest':
        return this.#drop((fact) => fact.type === 'request.answered' && fact.request === command.request)
      case 'sendSms':
        return this.#send(command)
      case 'stopCaller':
        this.stops.push(command)
        return this.#later(0, { type: 'caller.stopped', key: command.key, ...this.#world.stopCaller() }, true)
      case 'awaitEvent':
        return this.#await(command)
      case 'stopAwaiting':
        this.awaited = undefined
        return
      case 'takeMessage':
        return this.tape.take(command, this.#world.refusesMessage(), this.nowMs)
      case 'endMessage':
        return this.tape.stop(this.nowMs)
      case 'transfer':
      case 'endTransfer':
        return this.#transfer(command)
      case 'joinQueue':
        return this.#join(command)
      case 'leaveQueue':
        this.queue = 'none'
        return
      case 'askPosition':
        return this.#later(0, { type: 'queue.position', ...this.#world.place() }, true)
      case 'askCallback':
        return this.#callback('offered')
      case 'keepPlace':
        return this.#callback('kept')
      case 'endCall':
        if (this.record) this.faults.push('the call ended twice')
        this.record = command.record
        return
      case 'listen':
        return this.ear.open(command)
      case 'stopListening':
        return this.ear.close()
      case 'startMusic':
      case 'stopMusic':
      case 'setVolume':
        return
      default:
        return command satisfies never
    }
  }

  #play(command: Extract<CallCommand, { type: 'play' }>): void {
    const { leg, playback } = command
    const { fromMs, endsAtMs } = this.#prompts.play(command, this.nowMs, (sentence) => this.#world.canPlay(sentence))
    const ended = { type: 'playback.ended', leg, playback } as const
    if (endsAtMs === undefined) return this.#later(0, { ...ended, result: 'failed' })
    if (command.hearsVoice) this.#later(fromMs - this.nowMs, { type: 'playback.started', leg, playback })
    this.#later(endsAtMs - this.nowMs, { ...ended, result: 'finished' })
  }

  #stopPlaying(playback: PlaybackId): void {
    if (!this.#prompts.stop(playback, this.nowMs)) return
    this.#drop((fact) => 'playback' in fact && fact.playback === playback)
    this.#later(SWITCH_MS, { type: 'playback.ended', leg: this.#begins.leg, playback, result: 'stopped' })
  }

  #ask({ request, ask }: Extract<CallCommand, { type: 'request' }>): void {
    this.requests.push(ask)
    const reply = this.#world.answer(ask)
    if (!reply) {
      this.unanswered.push(ask)
      return
    }
    const { afterMs, answer } = inTime(reply, ask)
    this.#later(afterMs, { type: 'request.answered', request, answer }, true)
  }

  #send(text: Text): void {
    const { key, to, wantsReport } = text
    const earlier = this.#sent.send(text)
    if (earlier) {
      if (!this.#isServedAgain) this.faults.push(`two text messages of one visit, ${key}`)
      return this.#later(0, { type: 'sms.settled', key, result: earlier }, true)
    }
    const result = this.#world.settleText(to)
    if (result) this.#later(SWITCH_MS, { type: 'sms.settled', key, result }, true)
    if (!wantsReport || result?.outcome !== 'sent') return
    const data = { messageId: result.messageId, delivered: true }
    this.#later(DELIVERY_MS, { type: 'event.came', key, data })
  }

  #transfer(command: Extract<CallCommand, { type: 'transfer' | 'endTransfer' }>): void {
    if (command.type === 'endTransfer') return this.#drop((fact) => this.transfers.ends(fact))
    const { due, isAgain } = this.transfers.begin(command, this.#world.transfer(command))
    if (isAgain && !this.#isServedAgain) this.faults.push(`two transfers of one visit, ${command.key}`)
    for (const { afterMs, fact } of due) this.#later(afterMs, fact)
  }

  #join(command: Joined): void {
    this.joins.push(command)
    const why = this.#world.refuses(command.team)
    if (why) return this.#later(0, { type: 'queue.refused', why }, true)
    this.queue = 'waiting'
  }

  /** As in service, nobody is called back whose number is withheld. */
  #callback(what: 'offered' | 'kept'): void {
    const mayBe = this.#begins.caller !== undefined && this.#world.callsBack()
    const fact = mayBe ? { what } : ({ what: 'refused', why: 'the caller cannot be called back' } as const)
    if (mayBe && what === 'kept') this.kept.push(this.joins.at(-1)!)
    this.#later(0, { type: 'queue.callback', ...fact }, true)
  }

  #await(command: Awaited): void {
    this.waits.push(command)
    const why = this.#world.refusesWait()
    if (why !== undefined) return this.#later(0, { type: 'wait.refused', key: command.key, why }, true)
    // The report of a text that `#send` has yet to send.
    if (command.event === DELIVERY_EVENT) return
    this.awaited = command
    this.#giveEvent()
  }

  #giveEvent(): void {
    const { awaited } = this
    const data = awaited && this.#posted.take(awaited, this.nowMs)
    if (!data) return
    this.awaited = undefined
    this.#later(0, { type: 'event.came', key: awaited.key, data }, true)
  }

  #drop(isIt: (fact: CallFact) => boolean): void {
    this.#happenings.drop(({ fact }) => isIt(fact))
  }

  #later(afterMs: number, fact: CallFact, isOurs = false): void {
    this.#happenings.add({ atMs: this.nowMs + afterMs, fact, isOurs })
  }
}

/** A network reports within seconds. */
const DELIVERY_MS = 3_000
const DAY_MS = 24 * 3_600_000
/** A call of 10,000 steps has fewer. */
const HAPPENINGS_MAX = 200_000
