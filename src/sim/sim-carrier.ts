import type { Clock } from '../kernel/clock.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { Contact } from './person.ts'
import { SimContact, type SimInvite } from './sim-contact.ts'

/** Who is reached under a number. Worlds draw them by seed; the INVITE tells what else is known. */
export type ContactOf = (number: PhoneNumber, invite: SimInvite) => Contact

/** One trunk to the carrier. May be changed while calls are up. */
interface SimTrunk {
  /** More calls than this at once are refused with 503, each after an INVITE of its own. */
  linesMax?: number
  /** The switch has no way to this trunk: wishes to dial over it are refused, and nothing is sent. */
  isDown?: boolean
}

/** What the carrier is like. */
export interface SimCarrierOptions {
  /** By name; the first one serves where a wish names none. Default: one trunk, `main`, without a limit. */
  readonly trunks?: Readonly<Record<string, SimTrunk>>
  /** Without it no number is known: 404. */
  readonly contactOf?: ContactOf
}

/** The log holds everything of a campaign-day; a simulated service that runs for months forgets the oldest. */
const CALLS_MAX = 100_000

const NOBODY: Contact = { does: 'fail', code: 404, afterMs: 0 }
const NO_LINE_FREE: Contact = { does: 'fail', code: 503, afterMs: 0 }

/** SIP status → reason, as measured on Asterisk (asterisk.md 4); what is not in it is `failed`. */
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

/** Why a leg ended that the far end refused with this SIP status. */
export function reasonOf(code: number): LegEnd {
  return REASONS[code] ?? 'failed'
}

/** The network behind the trunks: takes every INVITE, keeps it in its log, and lets the person called act. */
export class SimCarrier {
  /** May be exchanged at any time; calls that have begun keep their script. */
  contactOf: ContactOf
  readonly trunks: ReadonlyMap<string, SimTrunk>
  readonly #clock: Clock
  readonly #calls: SimContact[] = []
  /** Calls that are up, and perhaps some that have ended since somebody counted. */
  readonly #up = new Set<SimContact>()

  constructor(clock: Clock, { trunks = { main: {} }, contactOf = () => NOBODY }: SimCarrierOptions = {}) {
    this.#clock = clock
    this.trunks = new Map(Object.entries(trunks))
    this.contactOf = contactOf
  }

  /** Every call that reached the carrier, in the order of the INVITEs, with what the person called experienced. */
  get calls(): readonly SimContact[] {
    return this.#calls
  }

  /** Every INVITE, in order: what was really dialed. */
  get invites(): readonly SimInvite[] {
    return this.#calls.map(({ invite }) => invite)
  }

  /** The trunk that serves a wish, by name; undefined when there is none, or no way to it. */
  trunkFor(wished: string | undefined): string | undefined {
    const name = wished ?? [...this.trunks.keys()][0]
    const trunk = name === undefined ? undefined : this.trunks.get(name)
    return trunk && !trunk.isDown ? name : undefined
  }

  /** An INVITE arrives. */
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
