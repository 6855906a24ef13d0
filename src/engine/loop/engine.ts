/** The live half: it works on one queue of facts, one at a time, and awaits nothing meanwhile (law 2). */
import { CallDistributor } from '../../acd/distributor.ts'
import type { Staff } from '../../acd/team.ts'
import type { CallFact, CallRecord } from '../../flow/model/call-messages.ts'
import type { Reaction } from '../../flow/run/flow-run.ts'
import type { NumberConfig, Trunk } from '../../installation/config.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import { type AgentName, type CallId, makeEventId } from '../../kernel/ids.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import { AFTER_BROKEN_CALL, AFTER_INBOUND_CALL, runSteps } from '../after-call.ts'
import { Supervisions } from '../agents/supervisions.ts'
import { Trace } from '../call-trace.ts'
import type { EngineContext, EngineDependencies, LiveCall } from '../context.ts'
import { LegRecordings } from '../leg-recordings.ts'
import { LookupTries } from '../lookup-tries.ts'
import { Player } from '../player.ts'
import { Dialer } from './dialer.ts'
import { performCall, performDistributorCommands } from './perform-commands.ts'
import { react } from './react-to-switch.ts'

/** The part of the configuration that the engine follows; it may change during calls. */
export interface EngineOrders {
  readonly numbers: ReadonlyMap<string, NumberConfig>
  /** By name. Absent: every trunk sends international numbers. */
  readonly trunks?: ReadonlyMap<string, Pick<Trunk, 'country'>>
  readonly staff: Staff
}

/** Serves calls from ring to hang-up. */
export class Engine {
  /** Undefined without a database. For boards, tests and benchmarks. */
  readonly dialer: Dialer | undefined
  /** What supervisors use; undefined without a database. */
  readonly supervisions: Supervisions | undefined
  readonly #dependencies: EngineDependencies
  readonly #context: { -readonly [K in keyof EngineContext]: EngineContext[K] }
  readonly #facts: (() => void)[] = []
  #working = false
  #staff: Staff
  #distributorTimer: (Timer & { readonly atMs: AtMs }) | undefined
  readonly #endListeners: ((record: CallRecord) => void)[] = []

  constructor(dependencies: EngineDependencies, orders: EngineOrders) {
    this.#dependencies = dependencies
    this.#staff = orders.staff
    const failed: ConstructorParameters<typeof Player>[3] = (playback, leg) =>
      this.#enqueue(() => react(this.#context, { type: 'playback.ended', leg, playback, result: 'failed' }))
    this.#context = {
      dependencies,
      distributor: new CallDistributor(orders.staff, dependencies.ids, dependencies.clock.nowMs()),
      player: new Player(dependencies.speech, dependencies.pbx, dependencies.log, failed),
      trace: new Trace(dependencies.journal),
      recordings: new LegRecordings({
        pbx: dependencies.pbx,
        clock: dependencies.clock,
        enqueue: (fact) => this.#enqueue(fact),
      }),
      callsByLeg: new Map(),
      calls: new Map(),
      adopted: new Map(),
      keptTalks: new Map(),
      numbers: orders.numbers,
      trunks: orders.trunks,
      begin: (live) => this.#lead(live, () => live.run.begin()),
      sendToCall: (call, fact) => this.#sendToCall(call, fact),
      later: (call, fact) => this.#enqueue(() => this.#sendToCall(call, fact)),
      callRecorded: (record) => this.#callRecorded(record),
      enqueue: (fact) => this.#enqueue(fact),
      performDistributor: (commands) => performDistributorCommands(this.#context, commands),
      outbound: undefined,
      inboundCalls: undefined,
      agentDesktop: undefined,
      supervisions: undefined,
      staff: () => this.#staff,
      arriving: new Map(),
      refused: new Map(),
      lookupTries: new LookupTries(),
      eventName: () => makeEventId(dependencies.clock.nowMs(), dependencies.random),
    }
    if (dependencies.dialer) {
      this.dialer = new Dialer(this.#context, dependencies.dialer)
      const { inboundCalls, agentDesktop, callPlacer } = this.dialer
      const { keepSupervised: keep } = dependencies.dialer
      if (keep) this.supervisions = new Supervisions(this.#context, { attempts: callPlacer.attempts, keep })
      const { supervisions } = this
      Object.assign(this.#context, { outbound: this.dialer, inboundCalls, agentDesktop, supervisions })
    }
    dependencies.pbx.onEvent((event) => this.#enqueue(() => react(this.#context, event)))
  }

  /** Reads what an earlier engine left. Call it before the switch is started. */
  async prepare(): Promise<void> {
    await this.dialer?.prepare()
  }

  /** The switch is connected; dialing begins as soon as the calls of the earlier engine are settled. */
  begin(): void {
    this.dialer?.begin()
  }

  /** Stops dialing, and writes what is still to be written. Calls that are up stay up. */
  async stop(): Promise<void> {
    await this.supervisions?.stop()
    await this.dialer?.stop()
  }

  /** What agents' screens talk to; undefined without a database. */
  get agentDesktop(): AgentDesktop | undefined {
    return this.dialer?.agentDesktop
  }

  /** Follows a new configuration. Calls that are up go on as they began. */
  follow(orders: EngineOrders): void {
    this.#enqueue(() => {
      this.#context.numbers = orders.numbers
      this.#context.trunks = orders.trunks
      this.#staff = orders.staff
      performDistributorCommands(
        this.#context,
        this.#context.distributor.employ(orders.staff, this.#dependencies.clock.nowMs()),
      )
    })
  }

  /** The listener runs once for every inbound call that has ended, after its last command. */
  onCallEnded(listener: (record: CallRecord) => void): void {
    this.#endListeners.push(listener)
  }

  get callCount(): number {
    return this.#context.calls.size
  }

  agentStates(): ReadonlyMap<AgentName, string> {
    return this.#context.distributor.states()
  }

  #enqueue(fact: () => void): void {
    this.#facts.push(fact)
    if (this.#working) return
    this.#working = true
    try {
      for (let next = this.#facts.shift(); next; next = this.#facts.shift()) this.#work(next)
    } finally {
      this.#working = false
    }
  }

  #work(fact: () => void): void {
    try {
      fact()
    } catch (error) {
      // An internal error outside of a call: the other calls go on (law 7).
      this.#dependencies.log.error({ err: error }, 'an event handler threw')
    }
    try {
      this.#context.outbound?.afterTurn()
      this.#context.agentDesktop?.afterTurn()
      this.#context.supervisions?.afterTurn()
    } catch (error) {
      this.#dependencies.log.error({ err: error }, 'dialing decision failed')
    }
    this.#wakeForDistributor()
  }

  #sendToCall(call: CallId, fact: CallFact): void {
    const live = this.#context.calls.get(call)
    if (!live) return
    this.#lead(live, (nowMs) => {
      live.stepEnds.fact(fact)
      this.#context.trace.fact(call, live.run, fact, nowMs)
      return live.run.handleFact(fact, nowMs)
    })
  }

  #lead(live: LiveCall, turn: (nowMs: AtMs) => Reaction): void {
    const nowMs = this.#dependencies.clock.nowMs()
    try {
      const { commands, notes } = turn(nowMs)
      for (const note of notes) {
        live.stepEnds.note(note)
        this.#context.trace.note(live.call, live.run, note, nowMs)
      }
      performCall(this.#context, live, commands)
    } catch (error) {
      this.#breakCall(live, error)
    }
    if (!this.#context.calls.has(live.call)) return
    this.#wakeFor(live)
    this.#context.inboundCalls?.callWent(live)
  }

  /** An internal error ends only the call in which it happened, with an apology if possible (law 7). */
  #breakCall(live: LiveCall, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#dependencies.log.error({ err: error, call: live.call }, 'an internal error broke a call')
    this.#context.trace.note(live.call, live.run, { type: 'call.broke', why }, this.#dependencies.clock.nowMs())
    if (!live.broken && !live.run.isOver) {
      live.broken = true
      return this.#sendToCall(live.call, { type: 'call.broken', why })
    }
    this.#giveUp(live)
  }

  /** No apology is possible: the call ends now. It is forgotten first, whatever fails after that. */
  #giveUp(live: LiveCall): void {
    const { distributor, inboundCalls } = this.#context
    const nowMs = this.#dependencies.clock.nowMs()
    const record = live.run.giveUp(nowMs)
    const afterBrokenCall = {
      forgetCall: () => this.#forget(live),
      leaveQueue: () => performDistributorCommands(this.#context, distributor.leave(live.call, nowMs)),
      recordCall: () => inboundCalls?.callEnded(record, live),
      hangUp: () => performCall(this.#context, live, [{ type: 'hangUp', leg: live.leg }]),
      notifyListeners: () => performCall(this.#context, live, [{ type: 'endCall', record }]),
    }
    runSteps(AFTER_BROKEN_CALL, afterBrokenCall, live)
  }

  #callRecorded(record: CallRecord): void {
    const live = this.#context.calls.get(record.call)
    const notifyListeners = () => this.#notifyListeners(record)
    // Undefined: the call was given up, and `AFTER_BROKEN_CALL` runs its steps.
    if (!live) return notifyListeners()
    const afterInboundCall = {
      forgetCall: () => this.#forget(live),
      recordCall: () => this.#context.inboundCalls?.callEnded(record, live),
      notifyListeners,
      considerDialing: () => this.dialer?.callPlacer.consider(),
    }
    runSteps(AFTER_INBOUND_CALL, afterInboundCall, live)
  }

  #notifyListeners(record: CallRecord): void {
    for (const listener of this.#endListeners) {
      try {
        listener(record)
      } catch (error) {
        // The call is over; a listener's error must not touch it.
        this.#dependencies.log.error({ err: error, call: record.call }, 'a listener of ended calls failed')
      }
    }
  }

  #forget(live: LiveCall): void {
    live.timer?.cancel()
    live.timer = undefined
    for (const request of live.requests.values()) request.cancel()
    this.#context.inboundCalls?.transfers.end(live)
    this.#context.calls.delete(live.call)
    this.#context.callsByLeg.delete(live.leg)
  }

  #wakeFor(live: LiveCall): void {
    const atMs = live.run.nextDueAtMs
    if (atMs === live.timer?.atMs) return
    live.timer?.cancel()
    live.timer =
      atMs === undefined
        ? undefined
        : this.#timer(atMs, () => {
            live.timer = undefined
            this.#sendToCall(live.call, { type: 'time.passed' })
          })
  }

  #wakeForDistributor(): void {
    const atMs = this.#context.distributor.nextDueAtMs
    if (atMs === this.#distributorTimer?.atMs) return
    this.#distributorTimer?.cancel()
    this.#distributorTimer =
      atMs === undefined
        ? undefined
        : this.#timer(atMs, () => {
            this.#distributorTimer = undefined
            performDistributorCommands(
              this.#context,
              this.#context.distributor.timePassed(this.#dependencies.clock.nowMs()),
            )
          })
  }

  #timer(atMs: AtMs, action: () => void): Timer & { readonly atMs: AtMs } {
    const timer = this.#dependencies.clock.schedule(atMs, () => this.#enqueue(action))
    return { atMs, cancel: () => timer.cancel() }
  }
}
