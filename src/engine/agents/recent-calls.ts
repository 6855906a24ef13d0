/** The present call of each agent and the last ones before it: an order about a call goes to the call it names. */
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallId, LegId } from '../../kernel/ids.ts'
import type { AgentCall, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { LiveAttempt } from '../outbound/live-attempt.ts'

export interface RecentCall {
  readonly shown: AgentCall
  /** Undefined for a call that came in. */
  readonly live: LiveAttempt | undefined
  readonly leg: LegId | undefined
  readonly cameUpAtMs: AtMs
  /** How long after its end an agent may still say something about it. */
  readonly wordsMaxMs: number
  endedAtMs: AtMs | undefined
}

/** A call that we placed: it has an attempt, a call task and a call activity. */
export interface RecentAttempt extends RecentCall {
  readonly live: LiveAttempt
}

/** Why there is no such call, as the agent's answer. */
export type Refusal = Extract<OrderAnswer, { ok: false }>

/** How long an agent may refer to a call that came in. */
export const WORDS_MAX_MS = 15 * 60_000
/** campaigns-54: an agent who still means the call before does not notice sooner that the next call came up. */
const NEW_CALL_MS = 5_000
/** More calls than an agent remembers; it bounds memory. */
const CALLS_MAX = 20

const no = (why: string): Refusal => ({ ok: false, why })
const NO_CALL = no('You have no call that this could refer to.')
const NOT_YOURS = no('You had no such call, or it ended too long ago.')
const ENDED = no('This call has ended.')
const OVER = no('The wrap-up of this call is over.')
/** Of an order that only a call that we placed can be told of. */
export const CAME_IN = no('This call came in; the order is only for calls that the dialer placed.')
const WHICH = no('A new call has just come up. Say with the order which call it is about.')

/** Calls of agents, newest last. */
export class RecentCalls {
  readonly #ofAgent = new Map<AgentName, RecentCall[]>()

  cameUp(agent: AgentName, call: Omit<RecentCall, 'endedAtMs'>): void {
    const others = this.#kept(agent, call.cameUpAtMs).filter(({ shown }) => shown.call !== call.shown.call)
    this.#ofAgent.set(agent, [...others, { ...call, endedAtMs: undefined }].slice(-CALLS_MAX))
  }

  ended(agent: AgentName, call: CallId, nowMs: AtMs): void {
    const found = this.#ofAgent.get(agent)?.find(({ shown }) => shown.call === call)
    if (found) found.endedAtMs ??= nowMs
  }

  /** The call that the agent is in. */
  present(agent: AgentName): RecentCall | undefined {
    const last = this.#ofAgent.get(agent)?.at(-1)
    return last && isPresent(last) ? last : undefined
  }

  /** The call that an order is about. Without a name it is the newest, unless that one has only just come up. */
  find(agent: AgentName, call: CallId | undefined, nowMs: AtMs): RecentCall | Refusal {
    const calls = this.#kept(agent, nowMs)
    if (call !== undefined) return calls.find(({ shown }) => shown.call === call) ?? NOT_YOURS
    const last = calls.at(-1)
    if (!last) return NO_CALL
    return calls.length > 1 && nowMs < last.cameUpAtMs + NEW_CALL_MS ? WHICH : last
  }

  /**
   * Why an order about the newest call is refused; undefined: it means that one. After a restart of the engine no call
   * is known, and the order counts.
   */
  whyNotNewest(agent: AgentName, call: CallId | undefined): Refusal | undefined {
    const newest = this.#ofAgent.get(agent)?.at(-1)?.shown.call
    return call === undefined || newest === undefined || call === newest ? undefined : OVER
  }

  findAttempt(agent: AgentName, call: CallId | undefined, nowMs: AtMs): RecentAttempt | Refusal {
    const found = this.find(agent, call, nowMs)
    if (isRefusal(found)) return found
    return found.live ? { ...found, live: found.live } : CAME_IN
  }

  findPresent(agent: AgentName, call: CallId | undefined, nowMs: AtMs): RecentCall | Refusal {
    const found = this.find(agent, call, nowMs)
    return isRefusal(found) || isPresent(found) ? found : ENDED
  }

  #kept(agent: AgentName, nowMs: AtMs): RecentCall[] {
    const calls = this.#ofAgent.get(agent) ?? []
    return calls.filter(({ endedAtMs, wordsMaxMs }) => endedAtMs === undefined || nowMs - endedAtMs <= wordsMaxMs)
  }
}

/** Whether no call was found; the refusal is the answer for the agent. */
export function isRefusal(found: object): found is Refusal {
  return 'ok' in found
}

function isPresent({ live, endedAtMs }: RecentCall): boolean {
  return endedAtMs === undefined && live?.report === undefined
}
