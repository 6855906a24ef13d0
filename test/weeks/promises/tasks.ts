/** What a task may cost a person: attempts, ends, stops, and the end by a conversation. */
import { SYSTEM } from '../../worlds/campaign-world.ts'
import { type Dialed, GRACE_MS, hasTalked, nameOf, ringsTogether, type WeekFacts, wasSlow } from '../week-facts.ts'

const COUNTED_CODES = [480, 486, 600, 603]

/** A call that the rules count without any doubt. */
function counts({ call }: Dialed): boolean {
  const { refusedWith, rangAtMs, endedBy, answeredAtMs } = call
  if (refusedWith !== undefined) return COUNTED_CODES.includes(refusedWith)
  return rangAtMs !== undefined && answeredAtMs === undefined && endedBy === 'contact'
}

/** Attempts of a task, with one for each task that follows it. */
export function attemptsMax(facts: WeekFacts): string[] {
  return [...facts.callsOfOrder.values()].flatMap((calls) => {
    const [first] = calls
    const followers = new Set(calls.map(({ task }) => task)).size - 1
    const counted = calls.filter(counts).length
    const allowed = first!.order.attemptsMax + followers
    return counted > allowed ? [`${nameOf(calls.at(-1)!)}: ${counted} counted attempts, allowed are ${allowed}`] : []
  })
}

/** What was talked about is over, unless the agent promised another call. */
export function talkFinishes(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const calls = facts.callsOfOrder.get(one.order.id) ?? []
    const talk = calls.find((other) => hasTalked(other) && other.endMs < one.atMs && !ringsTogether(one, other))
    if (!talk) return []
    const isAskedFor = facts.log.words.some(({ what, about, isAccepted, atMs }) => {
      return isAccepted && what !== 'feedback' && atMs <= one.atMs && calls.some(({ call }) => call === about)
    })
    return isAskedFor ? [] : [`${nameOf(one)}: after the talk of ${nameOf(talk)}, and no callback was promised`]
  })
}

/** A task that was paid is dialed by nobody, and neither is what follows it. What rang is cut, unless answered. */
export function ended(facts: WeekFacts): string[] {
  const { tasks } = facts.week.world.dialerRepository.view
  return facts.log.ends.flatMap(({ task, atMs }) => {
    const group = facts.dialed.filter((one) => one.task === task || isBelow(one.task, task))
    const isTheirs = tasks.get(task)?.follows === undefined
    const all = isTheirs ? [...new Set([...group, ...(facts.callsOfOrder.get(task) ?? [])])] : group
    return all
      .filter((one) => one.atMs > atMs + GRACE_MS || ringsOn(facts, one, atMs))
      .map((one) => {
        return `${nameOf(one)}: task ${task} was ended ${one.atMs - atMs} ms before`
      })
  })

  function isBelow(one: Dialed['task'], above: Dialed['task']): boolean {
    const before = tasks.get(one)?.follows
    return before !== undefined && (before === above || isBelow(before, above))
  }
}

/** Nobody on a stop list is dialed, by any task of the corporation. */
export function stopped(facts: WeekFacts): string[] {
  return facts.log.stops.flatMap(({ corporation, stop, atMs }) => {
    const concerns = (one: Dialed) => {
      if (one.corporation !== corporation) return false
      return stop.kind === 'number'
        ? one.number === stop.number
        : one.person === stop.externalCustomer && stop.externalSystem === SYSTEM
    }
    const late = facts.dialed.filter(
      (one) => concerns(one) && (one.atMs > atMs + GRACE_MS || ringsOn(facts, one, atMs)),
    )
    return late.map((one) => `${nameOf(one)}: stopped ${one.atMs - atMs} ms before`)
  })
}

/** The phone rings on for seconds after it was to be silent, without an engine's death as the cause. */
function ringsOn(facts: WeekFacts, { atMs, endMs, call }: Dialed, stoppedAtMs: number): boolean {
  if (atMs > stoppedAtMs || call.rangAtMs === undefined || call.rangAtMs > stoppedAtMs) return false
  const quietMs = call.answeredAtMs ?? endMs
  return quietMs > stoppedAtMs + GRACE_MS + 500 && !wasSlow(facts, stoppedAtMs, endMs)
}
