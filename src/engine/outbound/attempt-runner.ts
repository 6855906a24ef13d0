/** Runs every attempt: passes events of its leg to its machine, and performs the machine's commands. */
import {
  type AttemptCommand,
  type AttemptEvent,
  type AttemptReport,
  attemptMachine,
} from '../../dialer/attempt.machine.ts'
import type { AttemptMessage } from '../../dialer/campaign.ts'
import { decidingOn } from '../../dialer/detection-error.ts'
import { machineDetectionFor } from '../../dialer/voicemail-messages.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { type AgentName, type AttemptId, type BridgeId, callOf, type LegId, type PlaybackId } from '../../kernel/ids.ts'
import { MachineRun } from '../../kernel/machine.ts'
import type { Attempt } from '../../ports/attempt.ts'
import type { LoggedCallEnd, PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext } from '../context.ts'
import { recordingOf } from '../leg-recordings.ts'
import type { WriteEntry } from '../record-writer.ts'
import { ConnectedPairs } from './connected-pairs.ts'
import {
  type AttemptPhase,
  answeredLine,
  type FoundLeg,
  isTalking,
  isUnanswered,
  type LiveAttempt,
  noteSeen,
  phaseOf,
} from './live-attempt.ts'
import { pathTo } from './path-to-state.ts'
import { performers } from './perform-attempt-commands.ts'
import { TransferNotes } from './transfer-notes.ts'
import { factOf, judge } from './who-answered.ts'

type NewAttempt = Pick<
  LiveAttempt,
  | 'attempt'
  | 'leg'
  | 'activity'
  | 'number'
  | 'claimedAtMs'
  | 'validUntilAtMs'
  | 'campaign'
  | 'shown'
  | 'group'
  | 'byHand'
> &
  Partial<Pick<LiveAttempt, 'staffing'>>

export interface AttemptHooks {
  /** The attempt is over, and so is its recording: run the steps of `AFTER_ATTEMPT`. Called once. */
  attemptEnded(live: LiveAttempt, report: AttemptReport): void
  connected(live: LiveAttempt): void
  /** An agent has been connected since an earlier engine: everything is recorded already. */
  adopted(live: LiveAttempt): void
  /** The phone rings, or was answered. */
  rang(live: LiveAttempt): void
  moved(live: LiveAttempt, from: AttemptPhase, to: AttemptPhase): void
  changed(): void
  write(entry: WriteEntry): void
}

/** Our choice: on a network that takes longer from the dial to the first ring, the minimum ring is not reached. */
const POST_DIAL_MAX_MS = 5_000
const BEGUN_MAX = 50_000

type LegFact = Extract<PbxEvent, { leg: LegId }>
type Perform = {
  [T in AttemptCommand['type']]: (live: LiveAttempt, command: Extract<AttemptCommand, { type: T }>) => void
}

/** Runs the attempts of one engine. */
export class AttemptRunner {
  readonly transferNotes: TransferNotes
  readonly pairs: ConnectedPairs
  readonly #context: EngineContext
  readonly #hooks: AttemptHooks
  readonly #byLeg = new Map<LegId, LiveAttempt>()
  readonly #byAttempt = new Map<AttemptId, LiveAttempt>()
  readonly #begun = new Set<AttemptId>()
  readonly #perform: Perform

  constructor(context: EngineContext, hooks: AttemptHooks) {
    this.#context = context
    this.#hooks = hooks
    const ofLeg = (leg: LegId) => this.#byLeg.get(leg)
    this.transferNotes = new TransferNotes(context, ofLeg, hooks.write)
    this.pairs = new ConnectedPairs(context, ofLeg, this.transferNotes)
    this.#perform = performers(context, {
      later: (leg, event) => context.enqueue(() => this.sendToAttempt(leg, event)),
      report: (live, report) => this.#over(live, report),
    })
  }

  /** Whether this engine began the attempt: then it may have been dialed. */
  hasBegun(attempt: AttemptId): boolean {
    return this.#begun.has(attempt)
  }

  /** Begins a claimed attempt. Nothing is dialed before `permit`. */
  begin(line: NewAttempt): LiveAttempt {
    const { campaign, attempt, leg, number, shown } = line
    const { minRingMs, agentWaitMs } = campaign.campaign
    const deciding = decidingOn(campaign.campaign, campaign.detection, attempt)
    const machineDetection = machineDetectionFor(campaign.campaign, line.group.attempts, deciding.length > 0)
    const { ringTimeoutMs } = campaign.campaign
    // The switch counts from the dial, the rule from the first ring.
    const dialTimeoutMs = Math.max(ringTimeoutMs, minRingMs + POST_DIAL_MAX_MS)
    const { callerId } = shown
    const times = { dialTimeoutMs, ringTimeoutMs, minRingMs, agentWaitMs }
    const input = { attempt, leg, number, callerId, ...times, machineDetection }
    const { run } = MachineRun.start<AttemptCommand>(attemptMachine, input, this.#nowMs())
    const unheard = { heard: undefined, greeted: undefined }
    const nothing = { ...unheard, talkedWith: undefined, bridge: undefined, report: undefined, timer: undefined }
    const state = { deciding, isMeasured: machineDetection === 'listen', agent: line.byHand, ...nothing }
    const { staffing = this.#context.distributor.staffing } = line
    const lists = { openRecordings: [], recordings: [], afterwards: [], transfers: new Map() }
    const live: LiveAttempt = { ...line, staffing, run, seen: {}, ...lists, ...state }
    this.#byLeg.set(leg, live)
    this.#byAttempt.set(attempt, live)
    this.#remember(attempt)
    return live
  }

  /**
   * Takes over an attempt that an earlier engine dialed and that lives: leads its machine to the state of the leg and
   * drops the commands on the way, which were performed long ago. A callee who answered and has no agent asks for one
   * now, and one who had an agent waits for the next. An attempt that does not even ring is cancelled: the earlier
   * engine may have died before it dialed.
   * `outside`: somebody with whom the callee talks without an agent.
   */
  adopt(line: NewAttempt, attempt: Attempt, found: FoundLeg, outside?: LegId): LiveAttempt {
    const live = this.begin(line)
    const nowMs = this.#nowMs()
    const isInDoubt = found.isSilent === true && attempt.ringingAtMs === null
    Object.assign(live.seen, {
      dialedAtMs: attempt.dialedAtMs ?? attempt.claimedAtMs,
      // The instant of the first ring is lost.
      ...(!isInDoubt && { ringingAtMs: attempt.ringingAtMs ?? attempt.claimedAtMs }),
    })
    for (const [key, one] of Object.entries(attempt.transfers ?? {})) live.transfers.set(key, one)
    const { agent, connectedAtMs, isMarkedMachine } = attempt
    const session = outside
      ? { agent: agent!, agentLeg: outside }
      : found.bridge && this.#context.distributor.sessionOfBridge(found.bridge)
    // Nobody is joined on the way: any leg stands for the lost one.
    const lost = !session && agent && connectedAtMs !== null && !isMarkedMachine && { agent, agentLeg: line.leg }
    const path = isInDoubt
      ? [{ type: 'permitted' } as const]
      : pathTo(found.isUp ? session || lost || undefined : undefined, isMarkedMachine)
    for (const event of path) live.run.send(event, nowMs)
    if (isInDoubt) this.cancel(live, 'cancel')
    if (found.isUp) {
      live.seen.answeredAtMs = attempt.answeredAtMs ?? attempt.connectedAtMs ?? nowMs
      if (!session || !found.bridge) {
        // The agent's session was not restored, and nothing else would close its bridge (INV-A4).
        if (found.bridge) this.#context.dependencies.pbx.closeBridge(found.bridge)
        if (lost) {
          this.#talked(live, lost.agent, connectedAtMs!)
          this.#context.recordings.stop(live)
          this.#send(live, { type: 'agent.lost' })
        } else this.#send(live, { type: isMarkedMachine ? 'machine.marked' : 'leg.answered' })
      } else {
        const { wrapUp } = line.campaign.campaign
        const { team } = live.shown
        // Before the session says `agent.connected`: the conversation began long ago.
        this.#talked(live, session.agent, connectedAtMs ?? nowMs)
        if (outside) {
          // Its recording ended when the agent left.
          this.#context.recordings.stop(live)
          return this.#adopted(live)
        }
        live.bridge = found.bridge
        // Harmless where they are in it: the session may have let them go since they were found.
        this.#context.dependencies.pbx.join(found.bridge, line.leg)
        this.#context.performDistributor(
          this.#context.distributor.adopt({ leg: line.leg, team, wrapUp }, found.bridge, nowMs),
        )
        this.#hooks.adopted(live)
      }
    }
    return this.#adopted(live)
  }

  #adopted(live: LiveAttempt): LiveAttempt {
    this.#wake(live)
    this.#hooks.changed()
    return live
  }

  /**
   * An earlier engine connected the callee, and records: the recording ends with the conversation, not with the agent's
   * log-out.
   */
  #talked(live: LiveAttempt, agent: AgentName, connectedAtMs: AtMs): void {
    Object.assign(live, { agent, talkedWith: agent })
    live.seen.connectedAtMs = connectedAtMs
    live.campaign.answered(answeredLine(live)!)
    if (live.campaign.campaign.recording.mode !== 'always') return
    live.openRecordings.push({ id: recordingOf(live.leg, 0), startedAtMs: connectedAtMs })
    this.#context.recordings.adopt(live)
  }

  /** The second check before the dial; after a refusal nothing is sent. */
  permit(live: LiveAttempt, isPermitted: boolean): void {
    this.#send(live, { type: isPermitted ? 'permitted' : 'refused' })
  }

  #remember(attempt: AttemptId): void {
    this.#begun.add(attempt)
    const [oldest] = this.#begun
    if (this.#begun.size > BEGUN_MAX && oldest !== undefined) this.#begun.delete(oldest)
  }

  owns(leg: LegId): boolean {
    return this.#byLeg.has(leg)
  }

  of(attempt: AttemptId): LiveAttempt | undefined {
    return this.#byAttempt.get(attempt)
  }

  ofLeg(leg: LegId): LiveAttempt | undefined {
    return this.#byLeg.get(leg)
  }

  /** All attempts, also those that only wait for the end of their recording. */
  all(): Iterable<LiveAttempt> {
    return this.#byAttempt.values()
  }

  get count(): number {
    return this.#byAttempt.size
  }

  handleLegEvent(event: LegFact): void {
    const live = this.#byLeg.get(event.leg)
    if (!live) return
    noteSeen(live, event.type, this.#nowMs())
    this.#trace(live, 'fact', factOf(event))
    switch (event.type) {
      case 'leg.ringing':
      case 'leg.answered':
        this.#hooks.rang(live)
        this.#send(live, { type: event.type })
        // The first answer wins, also that of a machine (campaigns-66). One that came too late wins nothing.
        if (event.type === 'leg.answered' && phaseOf(live) !== 'none') this.#withdrawOthers(live)
        return
      case 'leg.judged':
      case 'leg.greeted': {
        const means = judge(live, event)
        return means && this.#send(live, means)
      }
      case 'leg.greetingEnded':
        return this.#send(live, { type: 'greeting.ended' })
      case 'leg.ended':
        if (event.neverSent) return this.#send(live, { type: 'dial.refused' })
        return this.#legEnded(live, event)
      case 'playback.ended': {
        const message = event.playback.split('.').at(-1) as AttemptMessage
        return this.#send(live, { type: 'playback.ended', message })
      }
    }
  }

  endedUnseen(leg: LegId, logged: LoggedCallEnd): void {
    const live = this.#byLeg.get(leg)
    if (!live) return
    live.seen.endedAtMs = logged.endedAtMs
    this.#legEnded(live, logged)
  }

  /** `answeredAtMs`: an answer that no event told when it happened. */
  #legEnded(live: LiveAttempt, end: Omit<LoggedCallEnd, 'endedAtMs'>): void {
    if (end.answeredAtMs !== undefined) live.seen.answeredAtMs ??= end.answeredAtMs
    this.#send(live, { ...end, type: 'leg.ended', wasAnswered: end.answeredAtMs !== undefined })
  }

  /** Sends an event that does not come from the attempt's own leg. Silent when the attempt is over. */
  sendToAttempt(leg: LegId, event: AttemptEvent): void {
    const live = this.#byLeg.get(leg)
    if (live) this.#send(live, event)
  }

  agentAssigned(leg: LegId, agent: AgentName, agentLeg: LegId, bridge: BridgeId): void {
    const live = this.#byLeg.get(leg)
    // A finished machine is silent; the agent is released here (INV-A5).
    if (!live || live.run.isDone)
      return this.#context.performDistributor(this.#context.distributor.release(agent, leg, this.#nowMs()))
    if (phaseOf(live) === 'waiting') Object.assign(live, { agent, bridge })
    this.#send(live, { type: 'agent.given', agent, agentLeg })
  }

  /** Another agent takes over the conversation. */
  passOn(live: LiveAttempt, agent: AgentName, agentLeg: LegId, bridge: BridgeId): void {
    Object.assign(live, { agent, talkedWith: agent, bridge })
    this.transferNotes.passedOn(live, agent)
    this.#send(live, { type: 'agent.passedOn', agent, agentLeg })
  }

  cancel(live: LiveAttempt, why: 'cancel' | 'withdraw'): void {
    if (isUnanswered(live)) this.#send(live, { type: 'cancel', why })
  }

  record(live: LiveAttempt): void {
    if (!live.bridge || phaseOf(live) !== 'connected' || !this.#context.recordings.begin(live)) return
    const { announcement } = live.campaign.campaign.recording
    if (!announcement) return
    const say = [{ text: announcement.text, voice: announcement.language }]
    this.#context.player.play(`${live.leg}.announcement` as PlaybackId, live.leg, say, {
      bridge: live.bridge,
    })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }

  #send(live: LiveAttempt, event: AttemptEvent): void {
    this.#lead(live, (nowMs) => live.run.send(event, nowMs))
  }

  #lead(live: LiveAttempt, turn: (nowMs: AtMs) => readonly AttemptCommand[]): void {
    const [before, wasTalking] = [phaseOf(live), isTalking(live)]
    try {
      for (const command of turn(this.#nowMs())) {
        this.#trace(live, 'command', shownOf(command))
        this.#perform[command.type](live, command as never)
      }
    } catch (error) {
      // An internal error ends only this attempt (law 7); its end is recorded when the leg's end is seen.
      this.#context.dependencies.log.error({ err: error, attempt: live.attempt }, 'an internal error broke an attempt')
      this.#context.dependencies.pbx.hangUp(live.leg)
    }
    this.#wake(live)
    const after = phaseOf(live)
    if (!wasTalking && isTalking(live)) {
      live.seen.connectedAtMs ??= this.#nowMs()
      live.talkedWith = live.agent
      this.#hooks.connected(live)
    }
    if (before === after) return
    this.#hooks.moved(live, before, after)
    this.#hooks.changed()
  }

  #withdrawOthers(live: LiveAttempt): void {
    for (const attempt of live.group.open) {
      const other = this.#byAttempt.get(attempt)
      if (other && other !== live) this.cancel(other, 'withdraw')
    }
  }

  #trace(live: LiveAttempt, kind: 'fact' | 'command', what: { readonly type: string }): void {
    const call = callOf(live.leg)
    this.#context.dependencies.journal.append({ atMs: this.#nowMs(), call, kind, by: 'attempt', what: { ...what } })
  }

  #over(live: LiveAttempt, report: AttemptReport): void {
    live.report = report
    live.timer?.cancel()
    live.timer = undefined
    this.#context.recordings.finish(live, () => this.#close(live, report))
  }

  #close(live: LiveAttempt, report: AttemptReport): void {
    if (this.#byAttempt.has(live.attempt)) this.#hooks.attemptEnded(live, report)
  }

  forget(live: LiveAttempt, { result, facts: { reach } }: AttemptReport): void {
    const { attempt: id, leg, group, number, claimedAtMs } = live
    this.#byAttempt.delete(id)
    this.#byLeg.delete(leg)
    group.open.delete(id)
    group.attempts.push({ id, number, result, reach, claimedAtMs, endedAtMs: this.#nowMs() })
  }

  #wake(live: LiveAttempt): void {
    const atMs = live.report ? undefined : live.run.nextDueAtMs
    if (atMs === live.timer?.atMs) return
    live.timer?.cancel()
    live.timer = undefined
    if (atMs === undefined) return
    const timer = this.#context.dependencies.clock.schedule(atMs, () =>
      this.#context.enqueue(() => {
        live.timer = undefined
        this.#lead(live, (nowMs) => live.run.fireDue(nowMs))
      }),
    )
    live.timer = { atMs, cancel: () => timer.cancel() }
  }
}

/** A command as the journal stores it, without what other lines tell. */
function shownOf(command: AttemptCommand): { readonly type: string } {
  if (command.type === 'report') return { type: 'report', result: command.report.result } as { type: string }
  if (command.type === 'originate') return { type: 'originate', number: command.input.number } as { type: string }
  return command
}
