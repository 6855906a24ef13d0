/** The browser as the agent's phone: one for this tab. It outlives other pages of the console, as a call does. */
import { SwitchboardProblem } from '../../client/problem.ts'
import { RealClock } from '../../kernel/clock.ts'
import { Phone } from '../phone/phone.ts'
import type { PhoneDoor } from '../phone/phone-door.ts'
import type { PhoneEvent } from '../phone/phone-messages.ts'
import type { PhoneView } from '../phone/phone-view.ts'
import { ask } from '../session/ask.ts'
import { whenSessionEnds } from '../session/session-end.ts'
import { order } from './use-orders.ts'

/** Whether a shift goes on, as the stream last said. */
let isAtWork = false
/** Whether the agent has asked for a shift that has not begun. Nothing else logs in: a shift that ended stays so. */
let isAskedFor = false
/** What is asked for now is asked for in the name of nobody, or of somebody else. */
let isSignedOut = false

/** The end of the shift before: it would end this one too if it arrived later. */
let ending: Promise<unknown> = Promise.resolve()

const door: PhoneDoor = {
  async credentials(body) {
    await ending
    try {
      return await ask('POST /svcpbx/agents/me/phone', { body })
    } catch (error) {
      if (error instanceof SwitchboardProblem && error.status === 409) return 'elsewhere'
      throw error
    }
  },
  ticket: async () => (await ask('POST /svcpbx/agents/me/tickets')).ticket,
  async renewLeg() {
    if (isAtWork || !isAskedFor) return void (await order({ type: 'renewLeg' }))
    const answer = await order({ type: 'logIn' })
    if (answer.ok) isAskedFor = false
    deskPhone.refused(answer.ok ? undefined : answer.why)
  },
  async doubt() {
    const answer = await order({ type: 'doubtPhone' })
    // A refusal is a word: the engine has heard of it.
    if (!answer.ok && answer.why === null) throw new Error('the node was not reached')
  },
  async end(epoch) {
    if (isSignedOut) return
    ending = ask('DELETE /svcpbx/agents/me/phone', { query: { epoch } }).catch(() => {})
    await ending
  },
  // One way only: a report that is lost costs no call.
  report(body) {
    ask('POST /svcpbx/agents/me/phone/report', { body }).catch(() => {})
  },
}

class DeskPhone {
  #phone: Phone | undefined
  #view: PhoneView | undefined
  #isInCall = false
  #taken: string | undefined
  #refusal: string | null | undefined
  readonly #listeners = new Set<() => void>()

  readonly view = (): PhoneView | undefined => this.#view

  /** Why the shift that the agent has asked for does not begin; null: nobody answered. */
  readonly refusal = (): string | null | undefined => this.#refusal

  readonly subscribe = (told: () => void): (() => void) => {
    this.#listeners.add(told)
    return () => this.#listeners.delete(told)
  }

  /** The agent begins a shift: opens the microphone, registers and logs in. */
  start(userName: string): void {
    isAskedFor = true
    this.refused(undefined)
    this.open(userName, false)
  }

  /** The phone asks again by itself, as long as it has no leg. */
  refused(why: string | null | undefined): void {
    this.#refusal = why
    this.#tell(this.#view)
  }

  /** Opens the microphone and registers, and brings a fresh leg into the shift that is there. */
  open(userName: string, isMuted: boolean): void {
    isSignedOut = false
    if (!this.#phone || this.#view?.state === 'closing') {
      const phone: Phone = new Phone({
        clock: new RealClock(),
        door,
        userName,
        isMuted,
        speaker: new Audio(),
        changed: (view) => {
          if (this.#phone === phone) this.#tell(view)
        },
      })
      this.#phone = phone
      this.inCall(this.#isInCall)
    }
    this.send({ type: 'start' })
  }

  /** What the stream says of the shift. Whether one has ended, also where another page of this tab saw it last. */
  atWork(isNow: boolean): boolean {
    const isOver = isAtWork && !isNow
    isAtWork = isNow
    if (isNow) isAskedFor = false
    if (isNow) this.#refusal = undefined
    return isOver
  }

  /** Whether a call is up: the agent is heard in calls alone. */
  inCall(isUp: boolean, isHeld = false): void {
    this.#isInCall = isUp
    this.send({ type: 'call', isUp })
    this.#phone?.expectSound(isUp && !isHeld)
  }

  /** What takes the agent now, as the desk or another page has it; whether that is new to this tab. */
  takes(taken: string | undefined): boolean {
    const isNew = taken !== undefined && taken !== this.#taken
    this.#taken = taken
    return isNew
  }

  send(event: PhoneEvent): void {
    this.#phone?.send(event)
  }

  /** The shift is over. */
  close(): void {
    isAskedFor = false
    this.#refusal = undefined
    this.send({ type: 'logOut' })
    this.#phone = undefined
    this.#tell(undefined)
  }

  /** Nobody is heard any more, in a call neither: whoever has left says nothing. */
  leave(): void {
    isSignedOut = true
    isAtWork = false
    this.close()
  }

  #tell(view: PhoneView | undefined): void {
    this.#view = view
    for (const told of this.#listeners) told()
  }
}

/** Of this tab. */
export const deskPhone = new DeskPhone()

whenSessionEnds(() => deskPhone.leave())
