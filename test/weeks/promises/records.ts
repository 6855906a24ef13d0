/** The records say what the carrier saw, each once. */
import type { AttemptId } from '../../../src/kernel/ids.ts'
import { hasTalked, nameOf, type WeekFacts, wasDropped, wasEngineGone } from '../week-facts.ts'

/** One attempt, one activity and one event for each INVITE. */
export function oneRecord(facts: WeekFacts): string[] {
  const { attempts, calls, events } = facts.week.world.dialerRepository.view
  const told = Map.groupBy(events, ({ activity }) => activity)
  const seen = new Set<AttemptId>()
  const strays = facts.strays.map(
    ({ invite }) => `INVITE ${invite.reference} to ${invite.number} is of no imported task`,
  )
  return [
    ...strays,
    ...facts.dialed.flatMap((one) => {
      const attempt = attempts.get(one.attempt)!
      if (seen.has(one.attempt)) return [`${nameOf(one)}: a second INVITE of one attempt`]
      seen.add(one.attempt)
      const count = told.get(attempt.activity)?.length ?? 0
      if (!calls.has(attempt.activity)) return [`${nameOf(one)}: has no activity`]
      if (count !== 1) return [`${nameOf(one)}: has ${count} events`]
      const isTheirs = one.order.task.numbers.some(({ number }) => number === one.number)
      return isTheirs ? [] : [`${nameOf(one)}: this is no number of its task`]
    }),
  ]
}

/** Talks, drops and dead numbers are recorded as such. */
export function results(facts: WeekFacts): string[] {
  const { attempts } = facts.week.world.dialerRepository.view
  return facts.dialed.flatMap((one) => {
    if (wasEngineGone(facts, one.atMs - 5_000, one.endMs + 5_000)) return []
    const { result } = attempts.get(one.attempt)!
    const expected = hasTalked(one)
      ? ['answered']
      : wasDropped(one)
        ? ['dropped', 'cancelled', 'voicemail']
        : one.call.refusedWith === 486
          ? ['busy', 'cancelled', 'withdrawn']
          : undefined
    return !expected || expected.includes(result ?? '')
      ? []
      : [`${nameOf(one)}: recorded as ${result}, expected ${expected[0]}`]
  })
}

/** The activity names the number that was shown. */
export function evidence(facts: WeekFacts): string[] {
  const { attempts, calls } = facts.week.world.dialerRepository.view
  return facts.dialed.flatMap((one) => {
    const call = calls.get(attempts.get(one.attempt)!.activity)
    const shown = one.call.invite.callerId
    return call && call.caller !== shown ? [`${nameOf(one)}: recorded with ${call.caller}, shown was ${shown}`] : []
  })
}

/** What an agent said is kept with the call that the agent meant. */
export function words(facts: WeekFacts): string[] {
  const { corrections, feedback, attempts } = facts.week.world.dialerRepository.view
  return facts.log.words.flatMap((word) => {
    const one = facts.dialed.find(({ call }) => call === word.about)
    if (!word.isAccepted || !one) return []
    const said = `${word.agent} said ${word.what} of ${nameOf(one)}`
    if (word.what === 'feedback') {
      const kept = feedback.find(({ note }) => note === word.note)
      if (!kept) return isLost(facts, word.atMs, one.endMs) ? [] : [`${said}: it was not kept`]
      const isRight = kept.activity === attempts.get(one.attempt)!.activity
      return isRight ? [] : [`${said}: it was kept with activity ${kept.activity}`]
    }
    if (word.what !== 'machine') return []
    const isKept = corrections.some(({ attempt }) => attempt === one.attempt)
    const isKnown = attempts.get(one.attempt)!.result === 'voicemail'
    return isKept || isKnown ? [] : [`${said}: nothing is kept with that call`]
  })
}

/** The engine died before it could write it down: at the end of the call, or when it was said. */
function isLost(facts: WeekFacts, saidAtMs: number, endMs: number): boolean {
  return wasEngineGone(facts, saidAtMs - 1_000, Math.max(saidAtMs, endMs) + 10_000)
}
