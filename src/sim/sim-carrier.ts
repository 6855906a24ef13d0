import type { Clock } from '../kernel/clock.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { Contact } from './person.ts'
import { SimContact, type SimInvite } from './sim-contact.ts'

/** The contact behind a number. Worlds draw contacts by seed; the INVITE says what else is known. */
export type ContactOf = (number: PhoneNumber, invite: SimInvite) => Contact

/** May be changed during calls. */
interface SimTrunk {
  /** More concurrent calls are refused with 503, each after an INVITE of its own. */
  linesMax?: number
  /** The switch cannot reach this trunk: dial commands over it are refused, and nothing is sent. */
  isDown?: boolean
}

export interface SimCarrierOptions {
  /** By name; the first one is the default. Default: one trunk, `main`, without a limit. */
  readonly trunks?: Readonly<Record<string, SimTrunk>>
  /** Takes calls over trunks of every name: the configuration names them. */
  readonly takesEveryTrunk?: boolean
  /** Without it no number exists: 404. */
  readonly contactOf?: ContactOf
}

/** The log holds everything of a campaign day; a simulated service that runs for months forgets the oldest. */
const CALLS_MAX = 100_000

const NOBODY: Contact = { does: 'fail', code: 404, afterMs: 0 }
const NO_LINE_FREE: Contact = { does: 'fail', code: 503, afterMs: 0 }

/** SIP status to reason, as measured on Asterisk (asterisk.md 4); other statuses are `failed`. */
const REASONS: Readonly<Record<number, LegEnd>> = {
  403: 'rejected',
  404: 'notFound',
  408: 'unreachable',
  410: 'notFound',
  480: 'noAnswer',
  484: 'notFound',
  486: 'busy',
  487: 'noAnswer',
  503: 'congestion',
  600: 'busy',
  603: 'rejected',
  604: 'notFound',
}

/** The reason of a leg that the far end refused with this SIP status. */
export function reasonOf(code: number): LegEnd {
  return REASONS[code] ?? 'failed'
}

/** The network behind the trunks: it logs every INVITE, and lets the contact act. */
export class SimCarrier {
  /** May be replaced at any time; running calls keep their script. */
  contactOf: ContactOf
  readonly trunks: ReadonlyMap<string, SimTrunk>
  readonly #takesEveryTrunk: boolean
  readonly #clock: Clock
  readonly #calls: SimContact[] = []
  /** Running calls, and perhaps some that ended since the last count. */
  readonly #up = new Set<SimContact>()

  constructor(clock: Clock, options: SimCarrierOptions = {}) {
    const { trunks = { main: {} }, takesEveryTrunk = false, contactOf = () => NOBODY } = options
    this.#takesEveryTrunk = takesEveryTrunk
    this.#clock = clock
    this.trunks = new Map(Object.entries(trunks))
    this.contactOf = contactOf
  }

  /** Every call that reached the carrier, in the order of the INVITEs, with the contact's view. */
  get calls(): readonly SimContact[] {
    return this.#calls
  }

  /** Every INVITE, in order: what was really dialed. */
  get invites(): readonly SimInvite[] {
    return this.#calls.map(({ invite }) => invite)
  }

  /** The trunk for a dial command; undefined when it does not exist or is down. */
  trunkFor(requested: string | undefined): string | undefined {
    const name = requested ?? [...this.trunks.keys()][0]
    const trunk = name === undefined ? undefined : this.trunks.get(name)
    if (trunk === undefined) return this.#takesEveryTrunk ? name : undefined
    return trunk.isDown ? undefined : name
  }

  invite(invite: Omit<SimInvite, 'atMs'>): SimContact {
    const logged = { ...invite, atMs: this.#clock.nowMs() }
    const hasLine = this.#linesUp(invite.trunk) < (this.trunks.get(invite.trunk)?.linesMax ?? Number.POSITIVE_INFINITY)
    const script = hasLine ? this.contactOf(invite.number, logged) : NO_LINE_FREE
    const contact = new SimContact(this.#clock, logged, script)
    this.#calls.push(contact)
    this.#up.add(contact)
    if (this.#calls.length > CALLS_MAX) this.#calls.shift()
    return contact
  }

  #linesUp(trunk: string): number {
    for (const contact of this.#up) if (contact.endedAtMs !== undefined) this.#up.delete(contact)
    return [...this.#up].filter(({ invite }) => invite.trunk === trunk).length
  }
}
