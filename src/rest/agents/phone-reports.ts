/** What the browsers of agents report of their sound: kept with the call, and shown on boards while it lasts. */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { AgentName, CallId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import type { CallList } from '../../ports/calls/call-list.ts'

/** `loss`, `delay`: the figures are bad; `silentIn`, `silentOut`: nothing comes from the other side, or from us. */
export const POOR_SOUNDS = ['loss', 'delay', 'silentIn', 'silentOut'] as const
export type PoorSound = (typeof POOR_SOUNDS)[number]

/** `good`: again. `noSound`: a leg was answered in vain. `strangeInvite`: one rang that the engine did not announce. */
export interface PhoneReport {
  readonly what: 'good' | PoorSound | 'noSound' | 'strangeInvite'
  readonly lossPercent?: number
  readonly roundTripMs?: number
}

interface PhoneReportsOptions {
  readonly agentDesktop: Pick<AgentDesktop, 'listen'>
  readonly callList: Pick<CallList, 'heardBadly'>
  readonly clock: Clock
  readonly log: Log
}

/** A page that goes on badly says so every 10 s; one that is gone says nothing. */
const SHOWN_MS = 30_000
/** A report may come after the end of its call. */
const LATE_MS = 5_000
/** Our choice; a page says no more than a dozen. */
const REPORTS_A_MINUTE_MAX = 30
const MINUTE_MS = 60_000

interface Known {
  call: CallId | undefined
  callEndedAtMs: AtMs | undefined
  sound: PoorSound | undefined
  soundAtMs: AtMs
  minuteBeganAtMs: AtMs
  reports: number
}

/** For the agents of this node. Which call a report is about is what the engine says, and not the page. */
export class PhoneReports {
  readonly #options: PhoneReportsOptions
  readonly #known = new Map<AgentName, Known>()
  readonly #stopListening: () => void

  constructor(options: PhoneReportsOptions) {
    this.#options = options
    this.#stopListening = options.agentDesktop.listen((agent, notification) => {
      const known = this.#of(agent)
      if (notification.type === 'call') {
        known.call = notification.call.call
        known.callEndedAtMs = undefined
      } else if (notification.type === 'callEnded' && notification.call === known.call) {
        known.callEndedAtMs = options.clock.nowMs()
      } else if (notification.type === 'status' && notification.status.state === 'loggedOut') known.sound = undefined
    })
  }

  /** False: there were too many. Nobody waits for what is kept: a report that is lost costs no call. */
  report(agent: AgentName, { what, lossPercent, roundTripMs }: PhoneReport): boolean {
    const { clock, log, callList } = this.#options
    const nowMs = clock.nowMs()
    const known = this.#of(agent)
    if (!mayReport(known, nowMs)) return false
    if (what === 'noSound' || what === 'strangeInvite') {
      log.warn({ agent, what }, 'the browser of an agent reports trouble with its phone')
      return true
    }
    known.sound = what === 'good' ? undefined : what
    known.soundAtMs = nowMs
    const isLate = known.callEndedAtMs !== undefined && known.callEndedAtMs < nowMs - LATE_MS
    if (what === 'good' || known.call === undefined || isLate) return true
    const [isSilentIn, isSilentOut] = [what === 'silentIn', what === 'silentOut']
    const sound = { agent, lossPercent: lossPercent ?? null, roundTripMs: roundTripMs ?? null, isSilentIn, isSilentOut }
    callList
      .heardBadly(known.call, sound, nowMs)
      .catch((error: unknown) => log.warn({ agent, err: error }, 'how a call was heard was not kept'))
    return true
  }

  /** What is wrong with the sound of an agent now; null: nothing is known to be. */
  soundOf(agent: AgentName): PoorSound | null {
    const known = this.#known.get(agent)
    return known?.sound !== undefined && known.soundAtMs > this.#options.clock.nowMs() - SHOWN_MS ? known.sound : null
  }

  close(): void {
    this.#stopListening()
  }

  #of(agent: AgentName): Known {
    const known = this.#known.get(agent)
    if (known) return known
    const fresh = { call: undefined, callEndedAtMs: undefined, sound: undefined, soundAtMs: 0 }
    const made: Known = Object.assign(fresh, { minuteBeganAtMs: 0, reports: 0 })
    this.#known.set(agent, made)
    return made
  }
}

function mayReport(known: Known, nowMs: AtMs): boolean {
  if (nowMs - known.minuteBeganAtMs >= MINUTE_MS) {
    known.minuteBeganAtMs = nowMs
    known.reports = 0
  }
  return ++known.reports <= REPORTS_A_MINUTE_MAX
}
