/** What the page derives from all rows, once a second: attention, order and counts. Rows draw themselves. */
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { isSame, kept, ordered, REORDER_MS } from './agent-order.ts'
import { type Attention, attentionOf, steady } from './attention.ts'
import {
  agentsShown,
  type BoardFilter,
  callsShown,
  campaignsShown,
  type Directory,
  queuesShown,
  rowsOf,
} from './board-rows.ts'
import { everySecond } from './every-second.ts'
import type { Live } from './use-live.ts'

/** As it is drawn. Parts that are equal to those of the second before are the same objects. */
export interface Situation {
  readonly state: 'waiting' | 'live' | 'denied'
  readonly attention: readonly Attention[]
  readonly agents: readonly string[]
  readonly calls: readonly string[]
  readonly campaigns: readonly number[]
  readonly paused: readonly number[]
  readonly counts: Readonly<Record<'talking' | 'ready' | 'wrapUp' | 'paused', number>>
}

const NOTHING: Situation = {
  state: 'waiting',
  attention: [],
  agents: [],
  calls: [],
  campaigns: [],
  paused: [],
  counts: { talking: 0, ready: 0, wrapUp: 0, paused: 0 },
}

interface Input {
  readonly directory: Directory
  readonly isStopped: boolean
  readonly filter: BoardFilter
  /** Rows do not change places while pointer or focus is in here. */
  readonly list: RefObject<HTMLElement | null>
}

/** Of the rows of one subscription. */
export function useSituation(live: Live, input: Input): Situation {
  const [situation, setSituation] = useState(NOTHING)
  const latest = useRef(input)
  latest.current = input
  const shown = useRef(NOTHING)
  const { directory, isStopped } = input
  const { team, campaign } = input.filter
  const begun = useMemo(() => new Reading(live), [live])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked at has changed: look at once
  useEffect(() => {
    const look = () => {
      shown.current = begun.look(shown.current, latest.current)
      // A new order of all rows is much to draw: a key or a click is heard in between.
      startTransition(() => setSituation(shown.current))
    }
    begun.orderedAtMs = Number.NEGATIVE_INFINITY
    look()
    // Rows come in bursts: they are listed once a second, and at once only while nothing is known.
    const atFirst = () => shown.current.state !== 'live' && look()
    const stops = [everySecond(look), begun.onKeys('agent', atFirst), begun.onKeys('queue', atFirst)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [begun, directory, isStopped, team, campaign])
  return situation
}

/** Of one subscription. */
class Reading {
  readonly #live: Live
  /** Campaigns that dialed while this page was open: the only paused ones that are news. */
  readonly #seen = new Set<number>()
  orderedAtMs = Number.NEGATIVE_INFINITY

  constructor(live: Live) {
    this.#live = live
  }

  onKeys(kind: string, told: () => void): () => void {
    return this.#live.subscription.rows.subscribeKeys(kind, told)
  }

  look(before: Situation, { directory, isStopped, filter, list }: Input): Situation {
    const { client, subscription } = this.#live
    const { rows, state } = subscription
    const nowMs = client.serverNowMs()
    const agents = agentsShown(rows, filter, directory)
    const told = campaignsShown(rows, filter, directory)
    for (const { callCode } of told) this.#seen.add(callCode)
    // The last word of a campaign that was paused is kept for a minute, and does not know of the pause.
    const off = new Set(directory.campaigns.flatMap(({ callCode, isActive }) => (isActive ? [] : [callCode])))
    const campaigns = told.filter(({ callCode, orders }) => orders.draining || !off.has(callCode))
    const dialing = new Set(campaigns.map(({ callCode }) => callCode))
    const paused = directory.campaigns.filter(
      ({ callCode, isActive }) =>
        !isActive && !dialing.has(callCode) && (callCode === filter.campaign || this.#seen.has(callCode)),
    )
    const nameOf = (userName: string) => directory.people.get(userName)?.name ?? userName
    const queues = queuesShown(rows, filter, directory)
    const nodes = rowsOf(rows, 'node')
    const calls = callsShown(rows, filter, directory)
    const attention = attentionOf({ agents, calls, queues, campaigns, paused, nodes, isStopped, nameOf }, nowMs)
    const urgent = attention.flatMap(({ kind, key }) => (kind === 'agent' ? [String(key)] : []))
    const now = {
      state,
      attention: steady(before.attention, attention),
      agents: this.#agents(before.agents, ordered(agents, urgent), nowMs, list.current),
      calls: calls.map(({ callId }) => callId),
      campaigns: campaigns.sort((a, b) => a.callCode - b.callCode).map(({ callCode }) => callCode),
      paused: paused.map(({ callCode }) => callCode),
      counts: countsOf(agents),
    }
    return reuse(before, now)
  }

  #agents(shown: readonly string[], now: readonly string[], nowMs: number, list: HTMLElement | null) {
    const isTouched = list?.matches(':hover, :focus-within') === true
    if (isTouched || nowMs - this.orderedAtMs < REORDER_MS) return kept(shown, now)
    this.orderedAtMs = nowMs
    return isSame(shown, now) ? shown : now
  }
}

function countsOf(agents: readonly { readonly state: string }[]): Situation['counts'] {
  const counts = { talking: 0, ready: 0, wrapUp: 0, paused: 0 }
  for (const { state } of agents) if (state in counts) counts[state as keyof typeof counts]++
  return counts
}

/** React draws nothing anew for what is equal. */
function reuse(before: Situation, now: Situation): Situation {
  const names = Object.keys(now) as (keyof Situation)[]
  const isEqual = (name: keyof Situation) => JSON.stringify(before[name]) === JSON.stringify(now[name])
  if (names.every(isEqual)) return before
  return Object.fromEntries(names.map((name) => [name, isEqual(name) ? before[name] : now[name]])) as never
}
