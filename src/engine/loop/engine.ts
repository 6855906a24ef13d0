/**
 * The live half: one queue of facts, one at a time. A fact is heard by one machine, the machine's wishes are
 * performed, and nothing is awaited in between (law 2).
 */
import { CallDistributor } from '../../acd/distributor.ts'
import type { Staff } from '../../acd/team.ts'
import type { CallFact, CallRecord } from '../../flow/model/call-messages.ts'
import type { Reaction } from '../../flow/run/flow-run.ts'
import type { NumberConfig } from '../../installation/config.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import { type AgentName, type CallId, makeEventId } from '../../kernel/ids.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import { Trace } from '../call-trace.ts'
import type { EngineContext, EngineDependencies, LiveCall } from '../context.ts'
import { Player } from '../player.ts'
import { Dialer } from './dialer.ts'
import { performCall, performDistributorCommands } from './perform-commands.ts'
import { react } from './react-to-switch.ts'

/** The part of the set-up that the engine follows; it may change while calls are up. */
export interface EngineOrders {
  readonly numbers: ReadonlyMap<string, NumberConfig>
  readonly staff: Staff
}

/** Serves calls from ring to hang-up. Mutable state with a lifetime, hence a class. */
export class Engine {
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
      callsByLeg: new Map(),
      calls: new Map(),
      adopted: new Map(),
      numbers: orders.numbers,
      begin: (live) => this.#lead(live, () => live.run.begin()),
      sendToCall: (call, fact) => this.#sendToCall(call, fact),
      later: (call, fact) => this.#enqueue(() => this.#sendToCall(call, fact)),
      callRecorded: (record) => this.#callRecorded(record),
      enqueue: (fact) => this.#enqueue(fact),
      performDistributor: (commands) => performDistributorCommands(this.#context, commands),
      dialer: undefined,
      staff: () => this.#staff,
      arriving: new Map(),
      eventName: () => makeEventId(dependencies.clock.nowMs(), dependencies.random),
    }
    if (dependencies.dialer) this.#context.dialer = new Dialer(this.#context, dependencies.dialer)
    dependencies.pbx.onEvent((event) => this.#enqueue(() => react(this.#context, event)))
  }

  /** Before the switch is started: finds out what an earlier engine left there. Without records there is nothing. */
  async prepare(): Promise<void> {
    await this.#context.dialer?.prepare()
  }

  /** The switch is there: dialing begins as soon as the past is settled. */
  begin(): void {
    this.#context.dialer?.begin()
  }

  /** Stops to dial, and writes down what is still to be written. Calls stay where they are. */
  async stop(): Promise<void> {
    await this.#context.dialer?.stop()
  }

  /** What agents at their screens speak to; undefined without records. */
  get agentDesktop(): AgentDesktop | undefined {
    return this.#context.dialer?.agentDesktop
  }

  /** What dials; undefined without records. For boards, tests and benchmarks. */
  get dialer(): Dialer | undefined {
    return this.#context.dialer
  }

  /** Follows a new set-up from now on. Calls that are up go on as they began. */
  follow(orders: EngineOrders): void {
    this.#enqueue(() => {
      this.#context.numbers = orders.numbers
      this.#staff = orders.staff
      performDistributorCommands(
        this.#context,
        this.#context.distributor.employ(orders.staff, this.#dependencies.clock.nowMs()),
      )
    })
  }

  /** Told once for every call that has ended, after its last command. */
  onCallEnded(listener: (record: CallRecord) => void): void {
    this.#endListeners.push(listener)
  }

  get callCount(): number {
    return this.#context.calls.size
  }

  /** What each agent does, for boards and tests. */
  agentStates(): ReadonlyMap<AgentName, string> {
    return this.#context.distributor.states()
  }

  /** Takes a fact. While one is being worked on, the next ones wait their turn. */
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
      // Our mistake outside of any one call: the others go on (law 7).
      this.#dependencies.log.error({ err: error }, 'a fact could not be worked on')
    }
    try {
      this.#context.dialer?.dialing.afterTurn()
    } catch (error) {
      this.#dependencies.log.error({ err: error }, 'dialing could not be thought over')
    }
    this.#wakeForDistributor()
  }

  #sendToCall(call: CallId, fact: CallFact): void {
    const live = this.#context.calls.get(call)
    if (!live) return
    this.#lead(live, (nowMs) => {
      this.#context.trace.fact(call, live.run, fact, nowMs)
      return live.run.handleFact(fact, nowMs)
    })
  }

  /** One turn of a call: what it wishes is performed, and it is woken again when it wants to be. */
  #lead(live: LiveCall, turn: (nowMs: AtMs) => Reaction): void {
    const nowMs = this.#dependencies.clock.nowMs()
    try {
      const { commands, notes } = turn(nowMs)
      for (const note of notes) this.#context.trace.note(live.call, live.run, note, nowMs)
      performCall(this.#context, live, commands)
    } catch (error) {
      this.#breakCall(live, error)
    }
    if (this.#context.calls.has(live.call)) this.#wakeFor(live)
  }

  /** Our own mistake ends the one call it happened in, with words if possible (law 7). */
  #breakCall(live: LiveCall, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#dependencies.log.error({ err: error, call: live.call }, 'a call broke by our mistake')
    this.#context.trace.note(live.call, live.run, { type: 'call.broke', why }, this.#dependencies.clock.nowMs())
    if (!live.broken && !live.run.isOver) {
      live.broken = true
      return this.#sendToCall(live.call, { type: 'call.broken', why })
    }
    this.#giveUp(live)
  }

  /** No words help any more: the call ends here and now. It is forgotten first, whatever else breaks. */
  #giveUp(live: LiveCall): void {
    const nowMs = this.#dependencies.clock.nowMs()
    this.#forget(live)
    performDistributorCommands(this.#context, this.#context.distributor.leave(live.call, nowMs))
    const record = live.run.giveUp(nowMs)
    this.#context.dialer?.inbound.callEnded(record, live)
    performCall(this.#context, live, [
      { type: 'hangUp', leg: live.leg },
      { type: 'endCall', record },
    ])
  }

  #callRecorded(record: CallRecord): void {
    const live = this.#context.calls.get(record.call)
    if (live) {
      this.#forget(live)
      this.#context.dialer?.inbound.callEnded(record, live)
    }
    for (const listener of this.#endListeners) {
      try {
        listener(record)
      } catch (error) {
        // The call is over and was served well; what a listener makes of it is not its fault.
        this.#dependencies.log.error({ err: error, call: record.call }, 'a listener of ended calls failed')
      }
    }
  }

  #forget(live: LiveCall): void {
    live.timer?.cancel()
    live.timer = undefined
    for (const request of live.requests.values()) request.cancel()
    this.#context.calls.delete(live.call)
    this.#context.callsByLeg.delete(live.leg)
  }

  /** One timer per call, for whatever falls due first in it. */
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
