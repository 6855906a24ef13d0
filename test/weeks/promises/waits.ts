/** Why tasks were not dialed: each has one reason, in the words of the gate or of its end, and the reason is true. */
import { REASONS } from '../../../src/dialer/may-dial-now.ts'
import type { SimTask } from '../../sim/sim-dialer-repository-rows.ts'
import type { WeekFacts } from '../week-facts.ts'
import type { Ordered } from '../week-log.ts'

/** The reasons of all tasks that were not dialed are as many as these tasks. */
export function waits(facts: WeekFacts): string[] {
  const { tasks } = facts.week.world.dialerRepository.view
  const notDialed = facts.log.imports.filter(({ id }) => !facts.callsOfOrder.has(id))
  return notDialed.flatMap((order) => {
    const task = tasks.get(order.id)!
    const reason = task.finishedAtMs === undefined ? waitOf(facts, task) : task.status
    if (reason === undefined) return [`task ${order.id} was not dialed, and nothing says why`]
    const isTrue = PROVED_BY[reason]?.(facts, order, task) ?? false
    return isTrue ? [] : [`task ${order.id} was not dialed: ${reason}, which is not true`]
  })
}

/** What the gate said when it put the task off. Without that it waits for its turn, an agent or a line. */
function waitOf(facts: WeekFacts, { waitsFor, nextCallAtMs = Number.POSITIVE_INFINITY, validFromAtMs }: SimTask) {
  const endMs = facts.week.world.clock.nowMs()
  const isKnown = waitsFor === 'skipped' || (waitsFor !== undefined && waitsFor in REASONS)
  if (waitsFor !== undefined && nextCallAtMs > endMs) return isKnown ? waitsFor : undefined
  if (nextCallAtMs <= endMs) return 'due'
  return nextCallAtMs === validFromAtMs ? 'notYetValid' : undefined
}

type Proof = (facts: WeekFacts, order: Ordered, task: SimTask) => boolean

const isCalled: Proof = ({ dialed }, order) => {
  return dialed.some(({ corporation, number, person }) => {
    const isTheirs =
      numbersOf(order).includes(number) || (person !== undefined && person === order.task.externalCustomer)
    return corporation === order.corporation && isTheirs
  })
}
const hasCalledIn: Proof = ({ log }, order) => log.callers.some(({ number }) => numbersOf(order).includes(number))
const isStopped: Proof = ({ log }, { corporation }) => log.stops.some((stop) => stop.corporation === corporation)
const isAlways: Proof = () => true

function numbersOf({ task }: Ordered): readonly string[] {
  return task.numbers.map(({ number }) => number)
}

/** What must have happened where a reason is given. */
const PROVED_BY: Readonly<Record<string, Proof>> = {
  due: isAlways,
  // Only previews are skipped.
  skipped: ({ log }, { campaign: id }) =>
    log.campaigns.some(({ campaign }) => campaign.id === id && campaign.settings['dialMode'] === 'preview'),
  outsideHours: isAlways,
  notYetValid: ({ week }, { task: { validFromAtMs = 0 } }) => validFromAtMs > week.plan.mondayMs,
  frequencyCap: isCalled,
  quietAfterTalk: (facts, order, task) => isCalled(facts, order, task) || hasCalledIn(facts, order, task),
  notYet: (facts, order, task) => isCalled(facts, order, task) || hasCalledIn(facts, order, task),
  samePartOfDay: (facts, order, task) =>
    isCalled(facts, order, task) &&
    facts.log.campaigns.some(({ campaign: { id, settings } }) => id === order.campaign && 'retryPartOfDay' in settings),
  agentNeeded: isCalled,
  afterOurCall: hasCalledIn,
  onOurLine: hasCalledIn,
  stopped: isStopped,
  noCallableNumber: (facts, order, task) => isStopped(facts, order, task) || isCalled(facts, order, task),
  endedBySystem: ({ log }, { id }) => log.ends.some(({ task }) => task === id),
  expired: ({ week }, { task: { validToAtMs = Number.POSITIVE_INFINITY } }) => validToAtMs <= week.world.clock.nowMs(),
}
