import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { BrowserPhones } from '../../ports/browser-phones.ts'

/** Our choice: no shift is longer. */
const SHIFT_MS = 12 * 3_600_000
const PASSWORD_BYTES = 16
const EPOCH_BYTES = 12
/** Our choice: a page that goes away may send sound for a moment longer; `rtp_timeout` ends what lasts on. */
const LOOK_AGAIN_MS = 200
const LOOKS = 15

/** Close codes of our own (RFC 6455 7.4.2), as the page reads them. */
export const TAKEN_OVER = 4010
/** The same, at the end of the shift. */
export const SHIFT_OVER = 4011

/** What a page asks for. `epoch`: of an earlier answer; a page that was loaded again is still the same tab. */
export interface PhoneAsked {
  readonly epoch?: string
  readonly takeOver?: boolean
}

/** The phone is given to one tab at a time. */
export type PhoneAnswer =
  | { readonly ok: true; readonly password: string; readonly epoch: string; readonly untilAtMs: AtMs }
  | { readonly ok: false; readonly kind: 'elsewhere' | 'unavailable'; readonly why: string }

/** An open signalling connection of an agent's browser. */
export interface PhoneConnection {
  close(code: number, why: string): void
}

interface Holder {
  /** Undefined: a tab of before the node was started anew, which will say its own. */
  readonly epoch: string | undefined
  readonly untilAtMs: AtMs
  readonly timer: Timer
  readonly connections: Set<PhoneConnection>
}

const ELSEWHERE = 'your phone is open in another tab or on another computer; send takeOver: true to use it here'

/**
 * Which tab holds the phone of which agent, at this node. The switch knows one password per agent, so an older tab
 * cannot register again; a node that was restarted knows nothing, and gives the phone to the next one who asks.
 */
export class PhoneHolders {
  readonly #phones: BrowserPhones
  readonly #secretBytes: SecretBytes
  readonly #clock: Clock
  readonly #away: (agent: AgentName) => void
  readonly #holders = new Map<AgentName, Holder>()
  /** Of each agent who is being given the phone, the epoch of the tab. */
  readonly #asking = new Map<AgentName, string | undefined>()

  /** `away`: the page has no connection. It may be gone, or its line of SIP alone: whoever hears of it looks. */
  constructor(
    phones: BrowserPhones,
    { secretBytes, clock }: { secretBytes: SecretBytes; clock: Clock },
    away: (agent: AgentName) => void = () => {},
  ) {
    this.#away = away
    this.#phones = phones
    this.#secretBytes = secretBytes
    this.#clock = clock
  }

  /** A new password for a shift. The tab that held the phone before is closed. */
  async give(agent: AgentName, { epoch: known, takeOver }: PhoneAsked): Promise<PhoneAnswer> {
    const before = this.#holders.get(agent)
    // A node that was started anew takes the tab at its word.
    const isSameTab = known !== undefined && (before?.epoch ?? known) === known
    const isHeld = before !== undefined && !isSameTab && before.connections.size > 0
    const isAskedElsewhere = this.#asking.has(agent) && (known === undefined || this.#asking.get(agent) !== known)
    if ((isHeld || isAskedElsewhere) && takeOver !== true) return { ok: false, kind: 'elsewhere', why: ELSEWHERE }
    this.#asking.set(agent, known)
    const password = this.#secretBytes(PASSWORD_BYTES).toString('base64url')
    const given = await this.#phones.give(agent, password).finally(() => this.#asking.delete(agent))
    if (!given.ok) return { ok: false, kind: 'unavailable', why: given.why }
    if (isSameTab) this.#end(agent, 1000, 'a new password was given')
    else this.#end(agent, TAKEN_OVER, 'the phone is used in another tab')
    const epoch = isSameTab ? known : this.#secretBytes(EPOCH_BYTES).toString('base64url')
    const { untilAtMs } = this.#hold(agent, epoch)
    return { ok: true, password, epoch, untilAtMs }
  }

  /** The shift is over: the connection ends, and the password with it. `epoch`: of this tab, and of no other. */
  async revoke(agent: AgentName, epoch?: string): Promise<void> {
    const held = this.#holders.get(agent)?.epoch
    if (epoch !== undefined && held !== undefined && held !== epoch) return
    this.#end(agent, SHIFT_OVER, 'the shift is over')
    await this.#phones.take(agent)
  }

  /**
   * Notes a connection. Returns how to forget it. Without a holder the node was started anew under a phone that the
   * switch still knows; a password of a shift that is over is refused by the switch.
   */
  connected(agent: AgentName, connection: PhoneConnection): () => void {
    const holder = this.#holders.get(agent) ?? this.#hold(agent, undefined)
    holder.connections.add(connection)
    return () => {
      holder.connections.delete(connection)
      if (holder.connections.size > 0) return
      this.#away(agent)
      this.#lookAgain(agent, holder, LOOKS)
    }
  }

  /** As long as there is no connection: the last packets of a page that is gone say that it is there (console-56). */
  #lookAgain(agent: AgentName, holder: Holder, looksLeft: number): void {
    if (looksLeft === 0) return
    this.#clock.schedule(this.#clock.nowMs() + LOOK_AGAIN_MS, () => {
      if (this.#holders.get(agent) !== holder || holder.connections.size > 0) return
      this.#away(agent)
      this.#lookAgain(agent, holder, looksLeft - 1)
    })
  }

  /** Passwords stay: the switch outlives the node. */
  close(): void {
    for (const agent of [...this.#holders.keys()]) this.#end(agent, 1001, 'the node is stopping')
  }

  #hold(agent: AgentName, epoch: string | undefined): Holder {
    const untilAtMs = this.#clock.nowMs() + SHIFT_MS
    const timer = this.#clock.schedule(untilAtMs, () => void this.revoke(agent))
    const holder = { epoch, untilAtMs, timer, connections: new Set<PhoneConnection>() }
    this.#holders.set(agent, holder)
    return holder
  }

  #end(agent: AgentName, code: number, why: string): void {
    const holder = this.#holders.get(agent)
    if (!holder) return
    this.#holders.delete(agent)
    holder.timer.cancel()
    for (const connection of holder.connections) connection.close(code, why)
  }
}
