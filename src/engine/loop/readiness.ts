/** Runs the readiness machine: its events come from lease, recovery, switch and claims. */
import type { AtMs } from '../../kernel/clock.ts'
import { MachineRun } from '../../kernel/machine.ts'
import type { EngineContext } from '../context.ts'
import type { Timers } from '../timers.ts'
import { type ReadinessCommand, type ReadinessEvent, readinessMachine } from './readiness.machine.ts'

interface ReadinessOptions {
  readonly timers: Timers
  readonly perform: (command: ReadinessCommand) => void
  readonly onChange: () => void
}

/** The readiness of one engine. Send events within the engine's queue of facts (law 2). */
export class Readiness {
  readonly #context: EngineContext
  readonly #options: ReadinessOptions
  readonly #run: MachineRun<ReadinessCommand>

  constructor(context: EngineContext, options: ReadinessOptions) {
    this.#context = context
    this.#options = options
    this.#run = MachineRun.start<ReadinessCommand>(readinessMachine, undefined, this.#nowMs()).run
  }

  /** Nothing of the past is open, and the switch is up. */
  get isReady(): boolean {
    return this.state === 'ready'
  }

  /** One word for logs: the state of the past; `switchDown` where only the switch is missing. */
  get state(): string {
    const value = this.#run.value as
      | 'stopped'
      | { readonly running: { readonly past: unknown; readonly switch: string } }
    if (value === 'stopped') return 'stopped'
    const { past, switch: switchState } = value.running
    const name = typeof past === 'string' ? past : 'inDoubt'
    return name === 'ready' && switchState === 'down' ? 'switchDown' : name
  }

  isLatest(doubt: number): boolean {
    return (this.#run.context as { readonly doubts: number }).doubts === doubt
  }

  send(event: ReadinessEvent): void {
    this.#change(() => this.#run.send(event, this.#nowMs()))
  }

  #change(advance: () => ReadinessCommand[]): void {
    const { enqueue, dependencies } = this.#context
    const { timers, perform, onChange } = this.#options
    const before = this.state
    const commands = advance()
    if (this.state !== before) dependencies.log.info({ before, now: this.state }, 'readiness of dialing changed')
    const dueAtMs = this.#run.nextDueAtMs
    if (dueAtMs !== undefined) timers.after(dueAtMs - this.#nowMs(), () => enqueue(() => this.#timePassed()))
    for (const command of commands) perform(command)
    onChange()
  }

  #timePassed(): void {
    this.#change(() => this.#run.fireDue(this.#nowMs()))
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}
