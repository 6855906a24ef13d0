/**
 * The step a call is in: its machine, and what it has running in the world (a prompt, a request, a place in a
 * queue). It turns the step's commands into named commands of the call and passes on only current facts: a
 * PlaybackFinished after a barge-in, or an answer after a time-out, never reaches the machine.
 */
import type { AtMs } from '../../kernel/clock.ts'
import type { CallId, LegId, ListeningId, PlaybackId, RequestId } from '../../kernel/ids.ts'
import { MachineRun, type SavedRun } from '../../kernel/machine.ts'
import type { Utterance } from '../../ports/speech.ts'
import type { CallCommand, SpeechFact } from '../model/call-messages.ts'
import type { Prompt, Step } from '../model/flow.ts'
import type { Said } from '../model/say.ts'
import { beginStep, machineOf } from '../steps/begin-step.ts'
import type { Scene, StepEffects } from '../steps/step-messages.ts'
import type { StepCommand, StepEnd, StepFact, VoiceFact } from '../steps/step-talk.ts'
import { type VoiceCommand, voiceMachine } from '../steps/voice.machine.ts'

interface StepHost {
  readonly call: CallId
  /** The beginning of the names of its playbacks. */
  readonly playbacks: string
  readonly leg: LegId
  readonly callerId: string
  speak(prompt: Prompt, also?: Readonly<Record<string, unknown>>): Said
  command(command: CallCommand): void
  mark(): void
  /** The step is over; `leftover` are keys it did not use. The next step may begin before this returns. */
  stepEnded(end: StepEnd, leftover: string, nowMs: AtMs): void
}

export interface SavedStepRun {
  readonly state: StepState
  readonly machine: SavedRun | undefined
  readonly voice: SavedRun | undefined
}

interface StepState {
  errand: StepEffects
  /** Names this visit of this step: what must happen at most once bears it (flow-language.md 0.7). */
  key: string
  /** Its prompts can be stopped by voice. */
  hearsVoice: boolean
  playback: PlaybackId | undefined
  listening?: ListeningId | undefined
  request: RequestId | undefined
  inQueue: boolean
  awaitsEvent: boolean
  takesMessage: boolean
  isTransferring: boolean
  /** Counts names, which must be unique within a call. */
  named: number
}

/** One per call, used for one step after another. */
export class StepRun {
  readonly #host: StepHost
  #state: StepState
  #machine: MachineRun<StepCommand> | undefined
  /** Of the prompt that is being said, if the caller's voice can stop it. */
  #voice: MachineRun<VoiceCommand> | undefined

  constructor(host: StepHost) {
    this.#host = host
    this.#state = {
      errand: {},
      key: '',
      hearsVoice: false,
      playback: undefined,
      request: undefined,
      inQueue: false,
      awaitsEvent: false,
      takesMessage: false,
      isTransferring: false,
      named: 0,
    }
  }

  /** Begins a step. Its end may come at once. */
  begin(step: Step, scene: Scene, key: string, nowMs: AtMs): void {
    const begun = beginStep(step, scene, key)
    if ('ended' in begun) return this.#host.stepEnded(begun.ended, scene.typeAhead, nowMs)
    this.#state.errand = begun.errand
    this.#state.key = key
    this.#state.hearsVoice = step.bargeInByVoice ?? false
    const { run, commands } = MachineRun.start<StepCommand>(begun.machine, begun.input, nowMs)
    this.#machine = run
    this.#commandAll(commands, nowMs)
  }

  get isRunning(): boolean {
    return this.#machine !== undefined
  }

  get nextDueAtMs(): AtMs | undefined {
    const [machineDue, voiceDue] = [this.#machine?.nextDueAtMs, this.#voice?.nextDueAtMs]
    return machineDue === undefined ? voiceDue : Math.min(machineDue, voiceDue ?? machineDue)
  }

  handleFact(fact: StepFact, nowMs: AtMs): void {
    if (fact.type === 'playback.started' || fact.type === 'leg.talking' || fact.type === 'leg.quiet')
      return this.#hearVoice(fact, nowMs)
    // The distributor released the call: there is no queue to leave any more.
    if (fact.type === 'agent.left' || fact.type === 'queue.refused') this.#state.inQueue = false
    if (fact.type === 'message.ended') this.#state.takesMessage = false
    if (fact.type === 'transfer.ended') this.#state.isTransferring = false
    if (this.#machine) this.#commandAll(this.#machine.send(fact, nowMs), nowMs)
  }

  timePassed(nowMs: AtMs): void {
    if (this.#voice) this.#obeyVoice(this.#voice.fireDue(nowMs), nowMs)
    if (this.#machine) this.#commandAll(this.#machine.fireDue(nowMs), nowMs)
  }

  /** Whether this is the end of the prompt that is being said now. True at most once per prompt. */
  endsPrompt(playback: PlaybackId): boolean {
    if (playback !== this.#state.playback) return false
    this.#state.playback = undefined
    this.#voice = undefined
    return true
  }

  /** What the caller says to the listening that runs now. */
  handleSpeech({ listening, ...fact }: SpeechFact, nowMs: AtMs): void {
    if (listening !== this.#state.listening) return
    if (fact.type === 'leg.speaks') return this.handleFact({ type: 'speech.began' }, nowMs)
    if (fact.type === 'leg.unheard') return this.handleFact({ type: 'speech.failed', why: fact.why }, nowMs)
    this.handleFact({ type: 'speech.heard', text: fact.text, confidence: fact.confidence }, nowMs)
  }

  /** Whether this answers the request that is waited for now. True at most once per request. */
  answersRequest(request: RequestId): boolean {
    if (request !== this.#state.request) return false
    this.#state.request = undefined
    return true
  }

  /** Whether a fact of this key belongs to the step as it stands. */
  awaits(key: string): boolean {
    return this.#machine !== undefined && key === this.#state.key
  }

  play(say: readonly Utterance[], hearsVoice = false): void {
    const playback = `${this.#host.playbacks}.p${++this.#state.named}` as PlaybackId
    this.#state.playback = playback
    this.#host.command({ type: 'play', leg: this.#host.leg, playback, say, ...(hearsVoice && { hearsVoice }) })
  }

  /** Cancels all commands of the step that are still running; the step gets no more facts. */
  abandon(): void {
    this.#machine = undefined
    this.#hush()
    this.#stopListening()
    if (this.#state.request) this.#host.command({ type: 'cancelRequest', request: this.#state.request })
    if (this.#state.inQueue) this.#host.command({ type: 'leaveQueue' })
    if (this.#state.awaitsEvent) this.#host.command({ type: 'stopAwaiting' })
    if (this.#state.takesMessage) this.#host.command({ type: 'endMessage' })
    if (this.#state.isTransferring) this.#host.command({ type: 'endTransfer' })
    this.#state.request = undefined
    this.#state.inQueue = false
    this.#state.awaitsEvent = false
    this.#state.takesMessage = false
    this.#state.isTransferring = false
  }

  save(): SavedStepRun {
    return { state: { ...this.#state }, machine: this.#machine?.save(), voice: this.#voice?.save() }
  }

  restore(saved: SavedStepRun, step: Step | undefined, scene: Scene): void {
    this.#state = { ...saved.state }
    const machine = saved.machine && step && machineOf(step, scene, saved.state.key)
    this.#machine = machine && MachineRun.restore(machine, saved.machine)
    this.#voice = saved.voice && MachineRun.restore(voiceMachine, saved.voice)
  }

  #commandAll(machineCommands: readonly StepCommand[], nowMs: AtMs): void {
    for (const machineCommand of machineCommands) this.#carryOut(machineCommand, nowMs)
  }

  #hearVoice(fact: VoiceFact, nowMs: AtMs): void {
    const isOld = 'playback' in fact && fact.playback !== this.#state.playback
    if (this.#voice && !isOld) this.#obeyVoice(this.#voice.send(fact, nowMs), nowMs)
  }

  #obeyVoice(commands: readonly VoiceCommand[], nowMs: AtMs): void {
    for (const command of commands) {
      const { playback } = this.#state
      if (command.type === 'volume')
        this.#host.command({ type: 'setVolume', playback: playback!, volume: command.volume })
      else {
        this.#hush()
        this.handleFact({ type: 'prompt.ended' }, nowMs)
      }
    }
  }

  #carryOut(machineCommand: StepCommand, nowMs: AtMs): void {
    const { leg, call, callerId } = this.#host
    const { errand, key } = this.#state
    switch (machineCommand.type) {
      case 'say':
        return this.#say(machineCommand.prompt, machineCommand.also, nowMs)
      case 'hush':
        return this.#hush()
      case 'listen':
        return this.#listen(machineCommand.language)
      case 'stopListening':
        return this.#stopListening()
      case 'ask':
        this.#state.request = `${call}.r${++this.#state.named}` as RequestId
        return this.#host.command({ type: 'request', request: this.#state.request, ask: errand.ask! })
      case 'sendText':
        return this.#host.command({ type: 'sendSms', key, ...errand.text! })
      case 'stopCaller':
        return this.#host.command({ type: 'stopCaller', key, ...errand.stop! })
      case 'awaitEvent':
        this.#state.awaitsEvent = true
        return this.#host.command({ type: 'awaitEvent', key, ...errand.wait! })
      case 'stopAwaiting':
        this.#state.awaitsEvent = false
        return this.#host.command({ type: 'stopAwaiting' })
      case 'takeMessage':
        this.#state.takesMessage = true
        return this.#host.command({ type: 'takeMessage', key, ...errand.message! })
      case 'endMessage':
        return this.#host.command({ type: 'endMessage' })
      case 'transfer':
        this.#state.isTransferring = true
        return this.#host.command({ type: 'transfer', key, ...errand.transfer! })
      case 'endTransfer':
        this.#state.isTransferring = false
        return this.#host.command({ type: 'endTransfer' })
      case 'join':
        this.#state.inQueue = true
        return this.#host.command({ type: 'joinQueue', ...errand.join!, callerId })
      case 'leave':
        this.#state.inQueue = false
        return this.#host.command({ type: 'leaveQueue' })
      case 'askPosition':
      case 'askCallback':
      case 'keepPlace':
        return this.#host.command({ type: machineCommand.type })
      case 'musicOn':
        return this.#host.command({ type: 'startMusic', leg, music: errand.music ?? 'default' })
      case 'musicOff':
        return this.#host.command({ type: 'stopMusic', leg })
      case 'mark':
        return this.#host.mark()
      case 'end':
        this.#machine = undefined
        return this.#host.stepEnded(endOf(machineCommand), machineCommand.leftover ?? '', nowMs)
    }
  }

  #listen(language: string): void {
    const listening = `${this.#host.playbacks}.l${++this.#state.named}` as ListeningId
    this.#state.listening = listening
    this.#host.command({ type: 'listen', leg: this.#host.leg, listening, language })
  }

  #say(prompt: Prompt, also: Readonly<Record<string, unknown>> | undefined, nowMs: AtMs): void {
    const said = this.#host.speak(prompt, also)
    if (!said.ok) return this.handleFact({ type: 'prompt.failed', why: said.why }, nowMs)
    // Nothing to say is said at once.
    if (said.utterances.length === 0) return this.handleFact({ type: 'prompt.ended' }, nowMs)
    const { hearsVoice } = this.#state
    if (hearsVoice) this.#voice = MachineRun.start<VoiceCommand>(voiceMachine, undefined, nowMs).run
    this.play(said.utterances, hearsVoice)
  }

  #stopListening(): void {
    const { listening } = this.#state
    if (listening === undefined) return
    this.#state.listening = undefined
    this.#host.command({ type: 'stopListening', listening })
  }

  #hush(): void {
    const { playback } = this.#state
    if (playback === undefined) return
    this.#state.playback = undefined
    this.#voice = undefined
    this.#host.command({ type: 'stopPlaying', playback })
  }
}

function endOf({ end, value, why, lateKey }: StepEnd): StepEnd {
  return { end, value, why, lateKey }
}
