/** When calls are placed: hours, kill switch, pauses, and people who are on our own line. */
import { HOLIDAYS, localTime, minuteOf } from '../places.ts'
import {
  campaignAt,
  type Dialed,
  GRACE_MS,
  nameOf,
  SLACK_MS,
  settingOf,
  versionsAt,
  type WeekFacts,
  wasEngineGone,
} from '../week-facts.ts'

interface Window {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

interface Quiet {
  readonly quietMinutesAfterInbound?: number
}

/** The hours of the campaign by the callee's own clock. */
export function hours(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { date, weekday, minute } = localTime(one.number, one.atMs)
    const isOpen = versionsAt(facts, one.campaign, one.atMs).some((campaign) => {
      const { holidays = [] } = campaign.settings as { holidays?: readonly string[] }
      if (HOLIDAYS.includes(date) || holidays.includes(date)) return false
      return settingOf<Window[]>(campaign, 'callWindows').some(({ days, from, to }) => {
        return days.includes(weekday) && minute >= minuteOf(from) && minute < minuteOf(to) + SLACK_MS / 60_000
      })
    })
    return isOpen ? [] : [`${nameOf(one)}: outside the hours where the callee lives, ${date}`]
  })
}

/** Nothing is dialed while the kill switch is on. */
export function killSwitch(facts: WeekFacts): string[] {
  const { killSwitch: set } = facts.log
  return facts.dialed.flatMap((one) => {
    const last = set.findLast(({ atMs }) => atMs <= one.atMs - GRACE_MS)
    const isLifted = set.some(({ atMs, isOn }) => !isOn && atMs > one.atMs - GRACE_MS && atMs <= one.atMs)
    return last?.isOn && !isLifted ? [`${nameOf(one)}: the kill switch is on`] : []
  })
}

/** Nothing is dialed for a campaign that is paused. */
export function paused(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const isActive = versionsAt(facts, one.campaign, one.atMs).some(({ active }) => active)
    return isActive ? [] : [`${nameOf(one)}: the campaign is paused`]
  })
}

/** Nobody is dialed who is on our own line, or was within the quiet time of the campaign. */
export function onOurLine(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const isTheirs = (number: string) => number === one.number || isOnlyOf(facts, number, one)
    const { quietMinutesAfterInbound: minutes = 5 } = campaignAt(facts, one.campaign, one.atMs).settings as Quiet
    const call = facts.log.callers.find(({ atMs, endedAtMs = Number.POSITIVE_INFINITY, number }) => {
      const isRecorded = !wasEngineGone(facts, atMs - 1_000, endedAtMs + 5_000)
      const quietMs = isRecorded ? minutes * 60_000 : 0
      return one.atMs > atMs + 1_000 && one.atMs < endedAtMs + quietMs - SLACK_MS && isTheirs(number)
    })
    if (!call) return []
    const isUp = call.endedAtMs === undefined || call.endedAtMs > one.atMs
    return [`${nameOf(one)}: ${call.number} ${isUp ? 'is on' : 'was just on'} our own line`]
  })
}

/** Whether a number is this person's, and nobody else's. */
function isOnlyOf(facts: WeekFacts, number: string, { person }: Dialed): boolean {
  if (person === undefined) return false
  const owners = facts.week.plan.people.filter(({ numbers }) => (numbers as readonly string[]).includes(number))
  return owners.length === 1 && owners[0]!.key === person
}

/** The number shown and the trunk are those of the campaign. */
export function shownNumber(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { callerId, trunk } = one.call.invite
    const isOrdered = versionsAt(facts, one.campaign, one.atMs).some((campaign) => {
      return settingOf(campaign, 'callerId') === callerId && settingOf(campaign, 'trunk') === trunk
    })
    const { settings } = campaignAt(facts, one.campaign, one.atMs)
    return isOrdered ? [] : [`${nameOf(one)}: shows ${callerId} on ${trunk}, ordered ${settings['callerId']}`]
  })
}
