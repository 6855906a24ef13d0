/** The other side of every call in a process of its own: the carrier with those who are called, and agents' phones. */

import type { Invite } from '../../demo/sip/carrier-log.ts'
import { type CarrierContact, openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { type AtMs, type Clock, RealClock } from '../../src/kernel/clock.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import type { Contact } from '../../src/sim/person.ts'
import { type Api, serve } from '../child.ts'
import { monotonicMs } from '../monotonic.ts'

/** Who stands where, and what those who are called do. */
export interface TelephonesInput {
  readonly carrier: { readonly host: string; readonly port: number }
  readonly phones: readonly { readonly host: string; readonly port: number }[]
  readonly people: keyof typeof PEOPLE
  readonly hasSound: boolean
  /** Instants by the machine's one monotonic clock, in fractions of ms; else by the wall's. */
  readonly isMonotonic: boolean
}

/** One call from the carrier's side; `agentHeardAtMs`: the first frame of the agent's tone. */
type ToldInvite = Invite & { readonly agentHeardAtMs?: AtMs }

/** The questions of the driver. */
export type TelephonesApi = typeof api

const AGENT_HZ = 620
const CALLEE_HZ = 440
const FRAME_MS = 20

/** Numbers are dialed in bursts, as the carrier's limit of a second allows; people answer when they like. */
const answers = (random: Random): Contact => ({
  does: 'answer',
  ringsAfterMs: 50,
  afterMs: randomInt(random, 250, 1_250),
  hangsUpAfterMs: 1_200,
})

const PEOPLE = {
  /** Everybody answers, and talks for a second. */
  answers,
  /** A third answer; the others are refused in one way or another. */
  mixed: (random: Random): Contact => {
    const kind = randomInt(random, 0, 8)
    if (kind < 3) return answers(random)
    if (kind < 6) return { does: 'busy', afterMs: randomInt(random, 100, 300) }
    if (kind < 8) return { does: 'reject', ringsAfterMs: 50, afterMs: randomInt(random, 150, 400) }
    return { does: 'fail', code: 404, afterMs: 50 }
  },
  /** Everybody answers, and talks until told to stop. */
  stays: (): Contact => ({ does: 'answer', ringsAfterMs: 50, afterMs: 200 }),
} as const satisfies Record<string, (random: Random) => Contact>

/** The monotonic clock, in fractions of a millisecond: answers are told apart by tenths. */
class FineClock implements Clock {
  readonly #timers = new RealClock()

  nowMs(): AtMs {
    return monotonicMs()
  }

  schedule(atMs: AtMs, action: () => void) {
    return this.#timers.schedule(this.#timers.nowMs() + Math.max(0, atMs - monotonicMs()), action)
  }
}

let carrier: SipCarrier
let phones: SipCarrier[] = []
let contacts: CarrierContact[] = []
const heard = new Map<string, AtMs>()

const api = {
  async start({ carrier: at, phones: stands, people, hasSound, isMonotonic }: TelephonesInput): Promise<void> {
    const clock = isMonotonic ? new FineClock() : new RealClock()
    const random = seededRandom(5)
    const kit = { clock, random }
    const sound = (toneHz: number, listensFor: readonly number[]) => (hasSound ? { toneHz, listensFor } : {})
    const voice = hasSound ? sound(AGENT_HZ, []) : { silentEveryMs: 200 }
    const pickUp = (): Contact => ({ does: 'answer', afterMs: 20, voice: 'machine' })
    phones = await Promise.all(stands.map((stand) => openCarrier({ ...kit, ...stand, contactOf: pickUp, ...voice })))
    carrier = await openCarrier({
      ...kit,
      ...at,
      ...sound(CALLEE_HZ, [AGENT_HZ]),
      contactOf: (number, { reference }) => {
        // It exists as soon as this has returned; by then the log has it.
        queueMicrotask(() => void listen(number as never, reference))
        return PEOPLE[people](random)
      },
    })

    async function listen(number: Parameters<SipCarrier['contact']>[0], reference: string): Promise<void> {
      const contact = await carrier.contact(number)
      contacts.push(contact)
      await contact.ear.whenHeard(AGENT_HZ, FRAME_MS)
      heard.set(reference, clock.nowMs())
    }
  },

  invites(): ToldInvite[] {
    return carrier.invites().map((invite) => {
      const agentHeardAtMs = heard.get(invite.reference)
      return { ...invite, ...(agentHeardAtMs !== undefined && { agentHeardAtMs }) }
    })
  },

  /** How many calls are over; cheap enough for polling. */
  endedCount(): number {
    let ended = 0
    for (const { invite } of contacts) if (invite.endedAtMs !== undefined) ended++
    return ended
  },

  /** Of calls that are up: how long each callee has heard the agent, in ms. */
  talks(): number[] {
    return contacts
      .filter(({ invite }) => invite.answeredAtMs !== undefined && invite.endedAtMs === undefined)
      .map(({ ear }) => ear.heardTone(AGENT_HZ))
  },

  hangUpAll(): void {
    for (const contact of contacts) contact.hangUp()
    contacts = []
  },

  async stop(): Promise<void> {
    await carrier.close()
    await Promise.all(phones.map((phone) => phone.close()))
  },
} satisfies Api

serve(api)
