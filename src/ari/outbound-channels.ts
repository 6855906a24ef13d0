import type { AgentName, LegId } from '../kernel/ids.ts'
import { LEG_HEADER } from '../ports/browser-phones.ts'
import type { DialOptions, RingOptions } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Leg } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import type { ArgsOf, AriAnswer } from './operation.ts'
import { trunkCall } from './sip/trunk-call.ts'

/** Asterisk creates a channel within milliseconds; after this the engine gives up. */
const MADE_MAX_MS = 5_000

/** Asterisk ends ringing by itself; the engine does so this much later (architecture-laws.md 6, "Timeouts"). */
const RING_GRACE_MS = 5_000

/**
 * Rings agents' phones, and numbers over a trunk, in two steps.
 *
 *   create ──in our application──▶ dial ──▶ rings, is answered, ends
 *
 * Asterisk first creates a channel, and nothing leaves the switch. Then one request dials it, and is never repeated
 * (law 6). If the first request is in doubt, no phone was rung. After the second the leg exists, and its events report
 * the result, even if the answer was lost (F-A4, F-A17).
 *
 * ARI's originate does both in one request, and is not used: it follows a phone that redirects its calls, and dials
 * whatever that phone names, `PJSIP/+900…@trunk-main` too (measured, 22.10.1; F-A18, F-J9). It also hangs up on a
 * callee who answers while the engine is not connected.
 */
export class OutboundChannels {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #firstTrunk: () => string | undefined

  /** `firstTrunk` is used where a dial command names no trunk. */
  constructor(context: AriContext, legs: Legs, firstTrunk: () => string | undefined) {
    this.#context = context
    this.#legs = legs
    this.#firstTrunk = firstTrunk
  }

  ringAgent(id: LegId, agent: AgentName, { callerId, ringTimeoutMs }: RingOptions): void {
    const { registry, log } = this.#context
    if (registry.legs.has(id)) return
    const variables = { 'CONNECTEDLINE(all,i)': callerId, [`PJSIP_HEADER(add,${LEG_HEADER})`]: id }
    this.#create(
      registry.addLeg(id, 'dialed'),
      { endpoint: `PJSIP/agent-${agent}`, variables },
      ringTimeoutMs,
      (answer) => {
        log.warn({ leg: id, status: answer.status, why: answer.why }, "Asterisk could not ring an agent's phone")
        // "Allocation failed", 500: the phone is not registered (measured, asterisk.md 4).
        this.#legs.end(id, answer.status === 500 ? 'unreachable' : 'failed', true)
      },
    )
  }

  dial(id: LegId, options: DialOptions): void {
    const { registry, log, sipCopies } = this.#context
    if (registry.legs.has(id)) return
    const leg = registry.addLeg(id, 'dialed')
    sipCopies?.dialed(id, options.reference)
    const call = trunkCall(options, this.#firstTrunk())
    if (typeof call === 'string') {
      log.error({ leg: id, why: call }, 'a number was not dialed')
      // A command returns before its effects begin.
      queueMicrotask(() => this.#legs.end(id, 'failed', true))
      return
    }
    this.#create(leg, call, options.ringTimeoutMs, (answer) => {
      log.warn({ leg: id, status: answer.status, why: answer.why }, 'Asterisk refused to dial a number')
      this.#legs.end(id, 'failed', true)
    })
  }

  /** The channel is in our application and can be dialed. */
  made(id: LegId): void {
    const { ask, clock, registry, log } = this.#context
    const leg = registry.legs.get(id)
    if (!leg?.unsent || leg.hangUpAsked) return
    const { ringTimeoutMs, untilAtMs } = leg.unsent
    // A process that was suspended may hear of it before its timers run (storage-23).
    if (clock.nowMs() >= untilAtMs) return this.#giveUp(leg)
    leg.unsent = undefined
    this.#hangUpIfStillRinging(leg, ringTimeoutMs)
    const args = { channelId: id, timeout: Math.max(1, Math.ceil(ringTimeoutMs / 1_000)) }
    void ask('POST /channels/{channelId}/dial', args).then((answer) => {
      if (answer.ok || !registry.legs.has(id) || mayHaveBeenHeard(answer)) return
      log.warn({ leg: id, status: answer.status, why: answer.why }, 'Asterisk could not dial a created channel')
      this.#giveUp(leg)
    })
  }

  /** After a gap: channels that were not dialed before it are given up, because the call may be obsolete. */
  giveUpUnsent(): void {
    for (const leg of [...this.#context.registry.legs.values()]) if (leg.unsent) this.#giveUp(leg)
  }

  #create(leg: Leg, to: Origination, ringTimeoutMs: number, refused: (answer: Refusal) => void): void {
    const { app, ask, clock, registry } = this.#context
    leg.unsent = { ringTimeoutMs, untilAtMs: clock.nowMs() + MADE_MAX_MS }
    this.#legs.lookAfter(leg, MADE_MAX_MS, () => {
      if (leg.unsent) this.#giveUp(leg)
    })
    const args = { ...to, app, appArgs: 'dialed', channelId: leg.id }
    void ask('POST /channels/create', args).then((answer) => {
      // The channel may have existed, and been dialed, before this answer came or went missing.
      if (answer.ok || !leg.unsent || !registry.legs.has(leg.id)) return
      if (answer.status === 409) this.#isDialedAlready(leg, ringTimeoutMs)
      else if (mayHaveBeenHeard(answer)) this.#giveUp(leg)
      else refused(answer)
    })
  }

  /** The id is in use: this command was sent before, and goes on (F-A17). */
  #isDialedAlready(leg: Leg, ringTimeoutMs: number): void {
    leg.unsent = undefined
    this.#hangUpIfStillRinging(leg, ringTimeoutMs)
  }

  #hangUpIfStillRinging(leg: Leg, ringTimeoutMs: number): void {
    this.#legs.lookAfter(leg, ringTimeoutMs + RING_GRACE_MS, () => {
      if (!leg.answered) this.#legs.hangUp(leg.id)
    })
  }

  /** Nothing has left the switch, and nothing will. */
  #giveUp(leg: Leg): void {
    this.#legs.end(leg.id, 'failed', true)
    this.#legs.hangUp(leg.id)
  }
}

type Origination = Pick<ArgsOf<'POST /channels/create'>, 'endpoint' | 'variables'>
type Refusal = Extract<AriAnswer, { ok: false }>

/** The request may have arrived without an answer. */
function mayHaveBeenHeard(answer: Refusal): boolean {
  return 'heard' in answer && answer.heard === 'perhaps'
}
