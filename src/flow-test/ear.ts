import type { CallCommand, CallFact } from '../flow/model/call-messages.ts'

/** Hears the caller for a step that listens, as the switch and an engine for speech do. */
export class Ear {
  #open: Extract<CallCommand, { type: 'listen' }> | undefined

  /** Whether a step listens. */
  get isOpen(): boolean {
    return this.#open !== undefined
  }

  open(command: Extract<CallCommand, { type: 'listen' }>): void {
    this.#open = command
  }

  close(): void {
    this.#open = undefined
  }

  /** What is said, and how sure the engine is of it. Lost unless a step listens. */
  hears(text: string, confidence: number, tell: (fact: CallFact) => void): void {
    const open = this.#open
    if (!open) return
    const { leg, listening } = open
    tell({ type: 'leg.speaks', leg, listening })
    if (open === this.#open) tell({ type: 'leg.said', leg, listening, text, confidence })
  }
}
