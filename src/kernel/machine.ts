/**
 * Runs an XState machine purely: events in, commands out, timers as data.
 *
 * An action of a machine has no effect: it leaves here as a command `{ type, ...params }`. `after` becomes a due time
 * on the caller's clock that is saved with the state, because XState forgets its timers when a snapshot is restored
 * (its issue 5331).
 */
import { type AnyActorScope, type AnyStateMachine, createActor, createMachine, type SnapshotFrom } from 'xstate'
import { AssertionError, assert } from './assert.ts'
import type { AtMs } from './clock.ts'

/** A command of a machine: plain data, which only the engine performs. */
interface Command {
  readonly type: string
}

/** A timer of a machine: the machine gets `event` at `atMs`, unless it leaves the state before. */
interface Due {
  readonly id: string
  readonly atMs: AtMs
  readonly event: MachineEvent
}

interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

export interface SavedRun {
  readonly value: unknown
  readonly context: unknown
  readonly status: string
  readonly due: readonly Due[]
}

interface Action {
  readonly type: string
  readonly params?: unknown
}

/** One stand-in actor for all: XState's `transition()` makes one per event, half of the time of a simulated call. */
const idleActor = createActor(createMachine({}))

function scopeFor(actions: Action[]): AnyActorScope {
  const ignore = () => {}
  return {
    self: idleActor,
    system: idleActor.system,
    id: '',
    sessionId: '',
    logger: ignore,
    defer: ignore,
    stopChild: ignore,
    emit: ignore,
    actionExecutor: (action) => void actions.push(action),
  }
}

/** One machine from its initial to its final state. `C` is the union of its commands. */
export class MachineRun<C extends Command> {
  readonly #machine: AnyStateMachine
  #snapshot: SnapshotFrom<AnyStateMachine>
  #due: Due[] = []

  private constructor(machine: AnyStateMachine, snapshot: SnapshotFrom<AnyStateMachine>) {
    this.#machine = machine
    this.#snapshot = snapshot
  }

  /** Starts a machine; `commands` are those of its initial state. */
  static start<C extends Command>(machine: AnyStateMachine, input: unknown, nowMs: AtMs) {
    const actions: Action[] = []
    const run = new MachineRun<C>(machine, machine.getInitialSnapshot(scopeFor(actions), input as never))
    return { run, commands: run.#take(actions, nowMs) }
  }

  /** Goes on where `save` stopped. Overdue timers fire at the next `fireDue`, in their original order. */
  static restore<C extends Command>(machine: AnyStateMachine, saved: SavedRun): MachineRun<C> {
    const run = new MachineRun<C>(machine, machine.resolveState(saved as never))
    run.#due = [...saved.due]
    return run
  }

  /** Sends an event. A finished machine, or a state without a transition for it, returns no commands. */
  send(event: MachineEvent, nowMs: AtMs): C[] {
    if (this.isDone) return []
    const actions: Action[] = []
    this.#snapshot = this.#machine.transition(this.#snapshot, event, scopeFor(actions))
    return this.#take(actions, nowMs)
  }

  /** Fires every due timer, one at a time: each may cancel or start another. */
  fireDue(nowMs: AtMs): C[] {
    const commands: C[] = []
    for (let due = this.#earliest(); due && due.atMs <= nowMs; due = this.#earliest()) {
      this.#forget(due.id)
      commands.push(...this.send(due.event, nowMs))
    }
    return commands
  }

  /** When to call `fireDue` next; undefined while no timer runs. */
  get nextDueAtMs(): AtMs | undefined {
    return this.#earliest()?.atMs
  }

  get isDone(): boolean {
    return this.#snapshot.status !== 'active'
  }

  /** The state as XState writes it: a name, or an object of names where states are nested. */
  get value(): unknown {
    return this.#snapshot.value
  }

  get context(): unknown {
    return this.#snapshot.context
  }

  /** XState makes a new value and a new context for every event: neither changes later, and nobody may change them. */
  save(): SavedRun {
    const { value, context, status } = this.#snapshot
    return { value, context, status, due: [...this.#due] }
  }

  #take(actions: readonly Action[], nowMs: AtMs): C[] {
    if (this.#snapshot.status === 'error') throw this.#snapshot.error
    const commands: C[] = []
    for (const { type, params } of actions) {
      if (type === 'xstate.raise') this.#remember(params as { id: string; delay: number; event: MachineEvent }, nowMs)
      else if (type === 'xstate.cancel') this.#forget((params as { sendId: string }).sendId)
      else {
        assert(!type.startsWith('xstate.'), `machine ${this.#machine.id} uses ${type}, which has no pure meaning here`)
        commands.push({ type, ...(params as object | undefined) } as unknown as C)
      }
    }
    if (this.isDone) this.#due = []
    return commands
  }

  #remember({ id, delay, event }: { id: string; delay: number; event: MachineEvent }, nowMs: AtMs): void {
    this.#forget(id)
    this.#due.push({ id, atMs: nowMs + delay, event })
  }

  #forget(id: string): void {
    if (this.#due.length > 0) this.#due = this.#due.filter((due) => due.id !== id)
  }

  #earliest(): Due | undefined {
    let earliest: Due | undefined
    for (const due of this.#due) if (!earliest || due.atMs < earliest.atMs) earliest = due
    return earliest
  }
}

/** Declares an action of a machine as a command with parameters `P`. It is data, and must not be executed. */
export function command<P = undefined>(): (_: unknown, params: P) => void {
  return () => {
    throw new AssertionError('a command was run inside a machine; machines must be run by MachineRun')
  }
}
