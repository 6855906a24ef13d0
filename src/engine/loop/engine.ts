/**
 * The live half: one queue of facts, one at a time. A fact is heard by one machine, the machine's wishes are
 * performed, and nothing is awaited in between (design.md law 2).
 */
import { Desk } from '../../acd/distributor.ts'
import type { Staff } from '../../acd/team.ts'
import type { CallFact, CallRecord } from '../../flow/model/call-messages.ts'
import type { Reaction } from '../../flow/run/flow-run.ts'
import type { NumberSetup } from '../../installation/config.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName, CallId } from '../../kernel/ids.ts'
import type { Stations } from '../../ports/agent-desktop.ts'
import { makeEventId } from '../../webhooks/event.ts'
import { Trace } from '../call-trace.ts'
import type { EngineParts, LiveCall, Rooms } from '../context.ts'
import { Player } from '../player.ts'
import { Robot } from './dialer.ts'
import { performCall, performDesk } from './perform-commands.ts'
import { react } from './react-to-switch.ts'

/** The part of the set-up that the engine follows; it may change while calls are up. */
export interface EngineOrders {
  readonly numbers: ReadonlyMap<string, NumberSetup>
  readonly staff: Staff
}

/** Serves calls from ring to hang-up. Mutable state with a lifetime, hence a class. */
export class Engine {
  readonly #parts: EngineParts
  readonly #rooms: { -readonly [K in keyof Rooms]: Rooms[K] }
  readonly #facts: (() => void)[] = []
  #working = false
  #staff: Staff
  #deskTimer: (Timer & { readonly atMs: AtMs }) | undefined
  readonly #endListeners: ((record: CallRecord) => void)[] = []

  constructor(parts: EngineParts, orders: EngineOrders) {
    this.#parts = parts
    this.#staff = orders.staff
    const failed: ConstructorParameters<typeof Player>[3] = (playback, leg) =>
      this.#take(() => react(this.#rooms, { type: 'playback.ended', leg, playback, result: 'failed' }))
    this.#rooms = {
      parts,
      desk: new Desk(orders.staff, parts.ids, parts.clock.nowMs()),
      player: new Player(parts.speech, parts.pbx, parts.log, failed),
      trace: new Trace(parts.journal),
      callsByLeg: new Map(),
      calls: new Map(),
      adopted: new Map(),
      numbers: orders.numbers,
      begin: (live) => this.#lead(live, () => live.run.begin()),
      tellCall: (call, fact) => this.#tellCall(call, fact),
      later: (call, fact) => this.#take(() => this.#tellCall(call, fact)),
      ended: (record) => this.#ended(record),
      turn: (fact) => this.#take(fact),
      doDesk: (commands) => performDesk(this.#rooms, commands),
      robot: undefined,
      staff: () => this.#staff,
      arriving: new Map(),
      eventName: () => makeEventId(parts.clock.nowMs(), parts.random),
    }
    if (parts.robot) this.#rooms.robot = new Robot(this.#rooms, parts.robot)
    parts.pbx.onEvent((event) => this.#take(() => react(this.#rooms, event)))
  }

  /** Before the switch is started: finds out what an earlier engine left there. Without records there is nothing. */
  async prepare(): Promise<void> {
    await this.#rooms.robot?.prepare()
  }

  /** The switch is there: dialing begins as soon as the past is settled. */
  begin(): void {
    this.#rooms.robot?.begin()
  }

  /** Stops to dial, and writes down what is still to be written. Calls stay where they are. */
  async stop(): Promise<void> {
    await this.#rooms.robot?.stop()
  }

  /** What agents at their screens speak to; undefined without records. */
  get stations(): Stations | undefined {
    return this.#rooms.robot?.stations
  }

  /** What dials; undefined without records. For boards, tests and benchmarks. */
  get robot(): Robot | undefined {
    return this.#rooms.robot
  }

  /** Follows a new set-up from now on. Calls that are up go on as they began. */
  follow(orders: EngineOrders): void {
    this.#take(() => {
      this.#rooms.numbers = orders.numbers
      this.#staff = orders.staff
      performDesk(this.#rooms, this.#rooms.desk.employ(orders.staff, this.#parts.clock.nowMs()))
    })
  }

  /** Told once for every call that has ended, after its last command. */
  onCallEnded(listener: (record: CallRecord) => void): void {
    this.#endListeners.push(listener)
  }

  get callCount(): number {
    return this.#rooms.calls.size
  }

  /** What each agent does, for boards and tests. */
  agentStates(): ReadonlyMap<AgentName, string> {
    return this.#rooms.desk.states()
  }

  /** Takes a fact. While one is being worked on, the next ones wait their turn. */
  #take(fact: () => void): void {
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
      this.#parts.log.error({ err: error }, 'a fact could not be worked on')
    }
    try {
      this.#rooms.robot?.dialing.afterTurn()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'dialing could not be thought over')
    }
    this.#wakeForDesk()
  }

  #tellCall(call: CallId, fact: CallFact): void {
    const live = this.#rooms.calls.get(call)
    if (!live) return
    this.#lead(live, (nowMs) => {
      this.#rooms.trace.fact(call, live.run, fact, nowMs)
      return live.run.hear(fact, nowMs)
    })
  }

  /** One turn of a call: what it wishes is performed, and it is woken again when it wants to be. */
  #lead(live: LiveCall, turn: (nowMs: AtMs) => Reaction): void {
    const nowMs = this.#parts.clock.nowMs()
    try {
      const { commands, notes } = turn(nowMs)
      for (const note of notes) this.#rooms.trace.note(live.call, live.run, note, nowMs)
      performCall(this.#rooms, live, commands)
    } catch (error) {
      this.#breakCall(live, error)
    }
    if (this.#rooms.calls.has(live.call)) this.#wakeFor(live)
  }

  /** Our own mistake ends the one call it happened in, with words if possible (law 7). */
  #breakCall(live: LiveCall, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#parts.log.error({ err: error, call: live.call }, 'a call broke by our mistake')
    this.#rooms.trace.note(live.call, live.run, { type: 'call.broke', why }, this.#parts.clock.nowMs())
    if (!live.broken && !live.run.isOver) {
      live.broken = true
      return this.#tellCall(live.call, { type: 'call.broken', why })
    }
    this.#giveUp(live)
  }

  /** No words help any more: the call ends here and now. It is forgotten first, whatever else breaks. */
  #giveUp(live: LiveCall): void {
    const nowMs = this.#parts.clock.nowMs()
    this.#forget(live)
    performDesk(this.#rooms, this.#rooms.desk.leave(live.call, nowMs))
    const record = live.run.giveUp(nowMs)
    this.#rooms.robot?.inbound.ended(record, live)
    performCall(this.#rooms, live, [
      { type: 'hangUp', leg: live.leg },
      { type: 'endCall', record },
    ])
  }

  #ended(record: CallRecord): void {
    const live = this.#rooms.calls.get(record.call)
    if (live) {
      this.#forget(live)
      this.#rooms.robot?.inbound.ended(record, live)
    }
    for (const listener of this.#endListeners) {
      try {
        listener(record)
      } catch (error) {
        // The call is over and was served well; what a listener makes of it is not its fault.
        this.#parts.log.error({ err: error, call: record.call }, 'a listener of ended calls failed')
      }
    }
  }

  #forget(live: LiveCall): void {
    live.timer?.cancel()
    live.timer = undefined
    for (const request of live.requests.values()) request.cancel()
    this.#rooms.calls.delete(live.call)
    this.#rooms.callsByLeg.delete(live.leg)
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
            this.#tellCall(live.call, { type: 'time.passed' })
          })
  }

  #wakeForDesk(): void {
    const atMs = this.#rooms.desk.nextDueAtMs
    if (atMs === this.#deskTimer?.atMs) return
    this.#deskTimer?.cancel()
    this.#deskTimer =
      atMs === undefined
        ? undefined
        : this.#timer(atMs, () => {
            this.#deskTimer = undefined
            performDesk(this.#rooms, this.#rooms.desk.timePassed(this.#parts.clock.nowMs()))
          })
  }

  #timer(atMs: AtMs, action: () => void): Timer & { readonly atMs: AtMs } {
    const timer = this.#parts.clock.schedule(atMs, () => this.#take(action))
    return { atMs, cancel: () => timer.cancel() }
  }
}
