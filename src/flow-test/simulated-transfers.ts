import type { CallCommand, CallFact, TransferFact } from '../flow/model/call-messages.ts'
import { targetText } from '../ports/transfer.ts'
import type { TransferReply } from './world.ts'

type Asked = Extract<CallCommand, { type: 'transfer' }>
type Keyed = TransferFact & { readonly key: string }

/** One visit of a transfer step: to whom, and how. */
export type Transferred = Omit<Asked, 'to'> & { readonly target: string }

/** A fact, and when it happens after the command. */
export interface Due {
  readonly afterMs: number
  readonly fact: Keyed
}

/** The transfers of a simulated call. What the engine began once, it does not begin again after a crash. */
export class Transfers {
  readonly all: Transferred[] = []
  /** The other side rings or talks. */
  isOn = false
  readonly #told = new Map<string, Keyed>()

  /** What happens to a transfer. `isAgain`: this visit began it before; nobody is called twice. */
  begin({ to, ...asked }: Asked, reply: TransferReply): { readonly due: readonly Due[]; readonly isAgain: boolean } {
    const { key, mode, ringTimeoutMs } = asked
    const told = this.#told.get(key)
    this.isOn = told?.type !== 'transfer.ended'
    if (told) return { due: [{ afterMs: 0, fact: told }], isAgain: true }
    this.all.push({ ...asked, target: targetText(to) })
    const { end, afterMs, talkMs, why } = reply
    const over: Keyed = { type: 'transfer.ended', key, end, ...(why !== undefined && { why }) }
    const dialing: Due = { afterMs: 0, fact: { type: 'transfer.dialing', key } }
    this.#told.set(key, dialing.fact)
    if (end === 'refused') return { due: [{ afterMs: 0, fact: over }], isAgain: false }
    const ringMs = end === 'noAnswer' ? ringTimeoutMs : Math.min(afterMs, ringTimeoutMs)
    if (end !== 'done' || mode === 'blind') return { due: [dialing, { afterMs: ringMs, fact: over }], isAgain: false }
    const connected: Due = { afterMs: ringMs, fact: { type: 'transfer.connected', key } }
    return { due: [dialing, connected, { afterMs: ringMs + talkMs, fact: over }], isAgain: false }
  }

  /** A fact that the flow is told, or that is lost with an engine. */
  told(fact: CallFact): void {
    if (!isTransferFact(fact)) return
    this.#told.set(fact.key, fact)
    if (fact.type === 'transfer.ended') this.isOn = false
  }

  /** The transfer is ended: whether this fact does not come any more. */
  ends(fact: CallFact): boolean {
    this.isOn = false
    return isTransferFact(fact)
  }
}

function isTransferFact(fact: CallFact): fact is Keyed {
  return fact.type.startsWith('transfer.')
}
