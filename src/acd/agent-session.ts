import type { AtMs } from '../kernel/clock.ts'
import { type AgentName, type BridgeId, type CallId, callOf, type LegId, type PlaybackId } from '../kernel/ids.ts'
import { MachineRun, type SavedRun } from '../kernel/machine.ts'
import type { AgentState, AgentStatus } from '../ports/agent-desktop.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import { agentSessionMachine } from './agent-session.machine.ts'
import type { AgentSessionCommand } from './agent-session-messages.ts'
import {
  type AgentSessionContext,
  type AgentSessionEvent,
  type AgentSessionInput,
  type AgentSessionMachineCommand,
  type LetGo,
  NOT_TAKEN,
  PAUSED_MAX_MS,
  type Party,
  SESSION_RING_TIMEOUT_MS,
  WRAP_UP_BY_HAND_MAX_MS,
} from './agent-session-state.ts'
import type { RungAgentCommand } from './distributor-messages.ts'

export type LoggedInAgentCommand = AgentSessionCommand | RungAgentCommand

export type AgentSessionWork =
  | 'calling'
  | 'ready'
  | 'reserved'
  | 'briefing'
  | 'connecting'
  | 'talking'
  | 'wrapUp'
  | 'paused'
  | 'out'

const SHOWN: Readonly<Record<AgentSessionWork, AgentState>> = {
  calling: 'calling',
  ready: 'ready',
  reserved: 'reserved',
  briefing: 'reserved',
  connecting: 'reserved',
  talking: 'talking',
  wrapUp: 'wrapUp',
  paused: 'paused',
  out: 'loggedOut',
}

/** A session saved in another shape is not restored: its agent logs in again. Raise it with the machine's states. */
const SHAPE = 1

interface Saved {
  readonly shape: number
  readonly sinceAtMs: AtMs
  readonly run: SavedRun
}

/** One agent from log-in to log-out. */
export class AgentSession {
  readonly agent: AgentName
  readonly bridge: BridgeId
  readonly #run: MachineRun<AgentSessionMachineCommand>
  #state: AgentState
  #sinceAtMs: AtMs
  #lastNews = ''

  private constructor(
    agent: AgentName,
    bridge: BridgeId,
    run: MachineRun<AgentSessionMachineCommand>,
    sinceAtMs: AtMs,
  ) {
    this.agent = agent
    this.bridge = bridge
    this.#run = run
    this.#sinceAtMs = sinceAtMs
    this.#state = SHOWN[this.work]
  }

  /** Calls the agent's phone. */
  static logIn(agent: AgentName, bridge: BridgeId, input: AgentSessionInput, nowMs: AtMs) {
    const { run, commands } = MachineRun.start<AgentSessionMachineCommand>(agentSessionMachine, input, nowMs)
    const session = new AgentSession(agent, bridge, run, nowMs)
    return { session, commands: session.#inWords(commands) }
  }

  /**
   * Restores a session after a restart; undefined when it was saved in another shape. `nextLegs` names the calls to the
   * phone from now on: the earlier engine may have made more of them than it could save, and one of those may live.
   */
  static restore({ agent, bridge, saved }: SavedAgentSession, nextLegs: LegId): AgentSession | undefined {
    const { shape, sinceAtMs, run } = saved as Partial<Saved>
    if (shape !== SHAPE || sinceAtMs === undefined || run === undefined) return undefined
    const context = run.context as AgentSessionContext
    const renamed = { ...run, context: { ...context, input: { ...context.input, leg: nextLegs } } }
    const restored = MachineRun.restore<AgentSessionMachineCommand>(agentSessionMachine, renamed)
    return new AgentSession(agent, bridge, restored, sinceAtMs)
  }

  send(event: AgentSessionEvent, nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#after(this.#run.send(event, nowMs), nowMs)
  }

  fireDue(nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#after(this.#run.fireDue(nowMs), nowMs)
  }

  get nextDueAtMs(): AtMs | undefined {
    return this.#run.nextDueAtMs
  }

  get isDone(): boolean {
    return this.#run.isDone
  }

  get work(): AgentSessionWork {
    const value = this.#run.value
    if (typeof value === 'string') return 'out'
    const { work } = (
      value as { readonly in: { readonly work: AgentSessionWork | Partial<Record<AgentSessionWork, string>> } }
    ).in
    return typeof work === 'string' ? work : (Object.keys(work)[0] as AgentSessionWork)
  }

  /** The leg of the present call to the agent's phone, or of the last one. */
  get leg(): LegId {
    return this.#context.leg
  }

  get party(): Party | undefined {
    return this.#context.party
  }

  /** The call of the party. */
  get call(): CallId | undefined {
    const { party } = this
    return party?.kind === 'person' ? callOf(party.leg) : party?.call
  }

  /** Since when the agent is in this state. The agent who is ready for longest is assigned first. */
  get sinceAtMs(): AtMs {
    return this.#sinceAtMs
  }

  /** The end of a timed wrap-up; undefined without one. */
  get wrapUpEndsAtMs(): AtMs | undefined {
    const { wrapUp } = this.#context
    return this.work === 'wrapUp' && wrapUp.kind === 'timed' ? this.#sinceAtMs + wrapUp.lengthMs : undefined
  }

  get isAsked(): boolean {
    return this.#context.asked !== undefined
  }

  /** Ready, or reserved for this callee. */
  isFreeFor(isTheirs: boolean): boolean {
    return this.work === 'ready' || (isTheirs && this.work === 'reserved' && this.#context.isPhoneUp)
  }

  get whisper(): PlaybackId | undefined {
    return this.work === 'briefing' ? this.#whisper(this.leg, this.#context.whispers) : undefined
  }

  get status(): AgentStatus {
    const { asked, wrapUp } = this.#context
    const reason = this.#context.reason ?? (this.#isRefused ? NOT_TAKEN : undefined)
    const lasts: Partial<Record<AgentState, number>> = {
      paused: PAUSED_MAX_MS,
      wrapUp: wrapUp.kind === 'timed' ? wrapUp.lengthMs : WRAP_UP_BY_HAND_MAX_MS,
    }
    const lastsMs = lasts[this.#state]
    return {
      agent: this.agent,
      state: this.#state,
      sinceAtMs: this.#sinceAtMs,
      ...(reason !== undefined && { reason }),
      ...(lastsMs !== undefined && { untilAtMs: this.#sinceAtMs + lastsMs }),
      ...(asked && { asked: asked.to }),
    }
  }

  /** The status, when something changed that is shown or that a restart needs. */
  agentNotifications(): LoggedInAgentCommand[] {
    const { status } = this
    const news = JSON.stringify([status, this.leg, this.party?.leg])
    if (news === this.#lastNews) return []
    this.#lastNews = news
    return [{ type: 'seat.changed', agent: this.agent, status }]
  }

  save(): SavedAgentSession {
    const saved: Saved = { shape: SHAPE, sinceAtMs: this.#sinceAtMs, run: this.#run.save() }
    return { agent: this.agent, leg: this.leg, bridge: this.bridge, saved }
  }

  /** The switch did not take the call to the phone, which waits for the next one. */
  get #isRefused(): boolean {
    const { phone } = (this.#run.value as { readonly in?: { readonly phone?: unknown } }).in ?? {}
    return phone === 'waiting' && (this.#context.unsent ?? 0) > 0
  }

  get #context(): AgentSessionContext {
    return this.#run.context as AgentSessionContext
  }

  #after(machineCommands: readonly AgentSessionMachineCommand[], nowMs: AtMs): LoggedInAgentCommand[] {
    const state = SHOWN[this.work]
    if (state !== this.#state) {
      this.#state = state
      this.#sinceAtMs = nowMs
    }
    return this.#inWords(machineCommands)
  }

  #inWords(machineCommands: readonly AgentSessionMachineCommand[]): LoggedInAgentCommand[] {
    return machineCommands.flatMap((command) => this.#inWord(command))
  }

  #inWord(command: AgentSessionMachineCommand): LoggedInAgentCommand[] {
    const { agent, bridge } = this
    switch (command.type) {
      case 'ring':
        return [{ agent, type: 'seat.ring', leg: command.leg, ringTimeoutMs: SESSION_RING_TIMEOUT_MS }]
      case 'hold':
        return [{ agent, type: 'seat.hold', leg: command.leg, bridge }]
      case 'listen':
        return [{ agent, type: 'seat.listen', leg: command.leg, withinMs: command.withinMs }]
      case 'hangUp':
      case 'hangUpOld':
        return [{ agent, type: 'seat.hangUp', leg: command.leg }]
      case 'close':
        return [{ agent, type: 'seat.close', bridge }]
      case 'hush':
        return [{ agent, type: 'seat.hush', playback: this.#whisper(command.leg, command.number) }]
      case 'whisper': {
        const { leg, party, number } = command
        if (party.kind !== 'caller') return []
        const { call, whisper: say } = party
        return [{ call, agent, type: 'whisper', leg, playback: this.#whisper(leg, number), say, bridge }]
      }
      case 'connect':
        return [this.#connect(command.leg, command.party)]
      case 'met':
        return command.party.kind === 'person'
          ? [{ agent, type: 'agent.connected', person: command.party.leg }]
          : [{ agent, type: 'agentMet', call: command.party.call }]
      case 'comfort':
        if (this.#context.input.graceMs !== undefined)
          return [{ agent, type: 'agent.away', person: command.party.leg, bridge, waits: true }]
        return command.party.kind === 'person' ? [{ agent, type: 'agent.away', person: command.party.leg, bridge }] : []
      case 'back':
        return [{ agent, type: 'agent.back', person: command.party.leg }]
      case 'letGo':
        return command.party ? this.#letGo(command.party, command.why) : []
    }
  }

  #connect(agentLeg: LegId, party: Party): LoggedInAgentCommand {
    const { agent, bridge } = this
    if (party.kind === 'person') return { agent, type: 'agent.given', person: party.leg, agentLeg, bridge }
    return { agent, type: 'seat.join', leg: agentLeg, bridge, party: party.leg, call: party.call }
  }

  /** A party leaves the bridge before the next one may come in. */
  #letGo(party: Party, why: LetGo): LoggedInAgentCommand[] {
    const { agent, bridge } = this
    if (party.kind === 'person') {
      const part = { agent, type: 'seat.part', bridge, party: party.leg } as const
      if (why === 'released') return [part]
      return [part, { agent, type: why === 'finished' ? 'agent.finished' : 'agent.lost', person: party.leg }]
    }
    const { call, leg } = party
    if (why === 'refused') return [{ call, agent, type: 'offerRefused', leg: this.leg }]
    const part = { agent, type: 'seat.part', bridge, party: leg, call } as const
    if (why === 'released') return [part]
    if (why === 'finished') return [part, { call, agent, type: 'agentLeft' }]
    return [part, { call, agent, type: 'agentLost' }]
  }

  #whisper(leg: LegId, number: number): PlaybackId {
    return `${leg}.whisper-${number}` as PlaybackId
  }
}
