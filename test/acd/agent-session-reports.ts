/** A session that gets one event after another, with its commands in short. */
import { agentSessionMachine } from '../../src/acd/agent-session.machine.ts'
import type { AgentSessionEvent, AgentSessionMachineCommand, Party } from '../../src/acd/agent-session-state.ts'
import type { CallId, LegId } from '../../src/kernel/ids.ts'
import { MachineRun } from '../../src/kernel/machine.ts'

const WRAP_UP = { kind: 'timed', lengthMs: 30_000 } as const
const PERSON: Party = { kind: 'person', leg: 'person' as LegId, wrapUp: WRAP_UP }
const BY_HAND: Party = { ...PERSON, wrapUp: { kind: 'byHand' } }
const CALLER: Party = {
  kind: 'caller',
  leg: 'caller' as LegId,
  call: 'call' as CallId,
  whisper: [{ text: 'Case 4711', voice: 'en' }],
  wrapUp: { kind: 'timed', lengthMs: 0 },
}

/** Every event of a session. */
export const EVENTS = {
  answered: { type: 'leg.answered' },
  ended: { type: 'leg.ended' },
  heard: { type: 'leg.heard' },
  silent: { type: 'leg.silent' },
  agentJoined: { type: 'agent.joined' },
  foundRinging: { type: 'leg.found', isUp: false, isInBridge: false },
  foundUp: { type: 'leg.found', isUp: true, isInBridge: false },
  foundInBridge: { type: 'leg.found', isUp: true, isInBridge: true },
  screenHere: { type: 'screen.attached' },
  screenLeft: { type: 'screen.left' },
  reserve: { type: 'reserve' },
  unreserve: { type: 'unreserve' },
  person: { type: 'give', party: PERSON },
  personByHand: { type: 'give', party: BY_HAND },
  caller: { type: 'give', party: CALLER },
  quietCaller: { type: 'give', party: { ...CALLER, whisper: [] } },
  whispered: { type: 'whispered' },
  joined: { type: 'party.joined' },
  left: { type: 'party.left' },
  released: { type: 'party.released' },
  ready: { type: 'ready' },
  pause: { type: 'pause', reason: 'lunch' },
  logOut: { type: 'logOut' },
  hangUp: { type: 'hangUp' },
  renewLeg: { type: 'renewLeg' },
  endWrapUp: { type: 'endWrapUp' },
  excused: { type: 'excused' },
  restarted: { type: 'restarted' },
  adopt: { type: 'adopt', party: PERSON },
} as const satisfies Record<string, AgentSessionEvent>

/** `time`: the next timer falls due. */
export type Step = keyof typeof EVENTS | 'time'

/** All of them. */
export const STEPS = [...(Object.keys(EVENTS) as (keyof typeof EVENTS)[]), 'time'] as const satisfies readonly Step[]

/** States by region: `phone work screen`, or the one state of a logged-out session. */
export class AgentSessionReports {
  readonly run: MachineRun<AgentSessionMachineCommand>
  said: string[] = []
  nowMs = 0

  constructor(hasScreen = false, graceMs?: number) {
    const input = { leg: 'phone' as LegId, hasScreen, ...(graceMs !== undefined && { graceMs }) }
    const { run, commands } = MachineRun.start<AgentSessionMachineCommand>(agentSessionMachine, input, this.nowMs)
    this.run = run
    this.#note(commands)
  }

  tell(...steps: readonly Step[]): this {
    for (const step of steps) {
      if (step === 'time') this.nowMs = Math.max(this.nowMs, this.run.nextDueAtMs ?? this.nowMs)
      this.#note(step === 'time' ? this.run.fireDue(this.nowMs) : this.run.send(EVENTS[step], this.nowMs))
    }
    return this
  }

  /** Lets time pass, with every timer at its own instant. */
  wait(durationMs: number): this {
    const untilMs = this.nowMs + durationMs
    for (let due = this.run.nextDueAtMs; due !== undefined && due <= untilMs; due = this.run.nextDueAtMs) {
      this.nowMs = Math.max(this.nowMs, due)
      this.#note(this.run.fireDue(this.nowMs))
    }
    this.nowMs = untilMs
    return this
  }

  get state(): string {
    const { value } = this.run
    if (typeof value === 'string') return value
    const { phone, work, screen } = (value as { in: { phone: string | object; work: string | object; screen: string } })
      .in
    const inner = (state: string | object) =>
      typeof state === 'string' ? state : `${Object.keys(state)[0]}.${Object.values(state)[0]}`
    return [inner(phone), inner(work), ...(screen === 'none' ? [] : [screen])].join(' ')
  }

  get reason(): unknown {
    return (this.run.context as { reason: unknown }).reason
  }

  get asked(): unknown {
    return (this.run.context as { asked: { to: unknown } | undefined }).asked?.to
  }

  /** What was said since it was last asked. */
  heard(): string[] {
    const { said } = this
    this.said = []
    return said
  }

  #note(machineCommands: readonly AgentSessionMachineCommand[]): void {
    for (const command of machineCommands) {
      if (command.type === 'letGo') {
        if (command.party) this.said.push(`letGo ${command.party.leg} ${command.why}`)
      } else this.said.push('party' in command ? `${command.type} ${command.party.leg}` : command.type)
    }
  }
}
