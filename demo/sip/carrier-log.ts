/** A carrier's log: every INVITE and its result. INV-D8 is checked against it. */
import { appendFileSync, readFileSync } from 'node:fs'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { EndedBy } from '../../src/sim/sim-contact.ts'

/** One INVITE. One that is sent again (RFC 3261 17.1.1.2) has the same Call-ID, and is the same. */
export interface Invite {
  readonly callId: string
  readonly atMs: AtMs
  /** `+` and digits, however the switch wrote it. */
  readonly number: PhoneNumber
  /** User part of `From`, as it came. */
  readonly callerId: string
  /** `X-Switchboard-Attempt`; the empty text when there is none. */
  readonly reference: string
  /** When the first 180 went out. */
  readonly rangAtMs?: AtMs
  /** When the first 200 OK went out, whatever became of it. */
  readonly answeredAtMs?: AtMs
  readonly endedAtMs?: AtMs
  readonly endedBy?: EndedBy
  /** The final status with which it was refused. */
  readonly refusedWith?: number
}

/** INVITEs of the longest chaos run are some thousands; beyond this the oldest are forgotten (the file keeps them). */
const KEPT_MAX = 200_000

/** The log of one carrier, in memory and in a file. Each line of the file is a change of one Call-ID. */
export class CarrierLog {
  readonly #file: string | undefined
  readonly #invites = new Map<string, Invite>()

  /** Without `file` it is kept in memory only. An existing file is written on. */
  constructor(file?: string) {
    this.#file = file
  }

  /** Every INVITE so far, in order. */
  get invites(): readonly Invite[] {
    return [...this.#invites.values()]
  }

  of(callId: string): Invite | undefined {
    return this.#invites.get(callId)
  }

  add(invite: Invite): void {
    this.#invites.set(invite.callId, invite)
    if (this.#invites.size > KEPT_MAX) this.#invites.delete(this.#invites.keys().next().value as string)
    this.#write(invite)
  }

  note(callId: string, news: Partial<Invite>): void {
    const invite = this.#invites.get(callId)
    if (!invite) return
    this.#invites.set(callId, { ...invite, ...news })
    this.#write({ callId, ...news })
  }

  #write(line: Partial<Invite>): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

/** Reads the file of a carrier's log. Ignores a line that a crash cut off. Throws without a file. */
export function readInvites(file: string): Invite[] {
  const invites = new Map<string, Invite>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const news = parsed(line)
    if (news) invites.set(news.callId, { ...invites.get(news.callId), ...news })
  }
  return [...invites.values()]
}

function parsed(line: string): Invite | undefined {
  try {
    return JSON.parse(line) as Invite
  } catch {
    return undefined
  }
}
