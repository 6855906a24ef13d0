/** When calls are placed: hours, kill switch, pauses, and people who are on our own line. */
import type { Campaign } from '../../../src/ports/dialer-repository.ts'
import { countryOf, HOLIDAYS, localTime, minuteOf } from '../places.ts'
import {
  callsBefore,
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

interface ShownIds {
  readonly callerId: string
  readonly callerIds?: readonly { readonly number: string; readonly destinations: readonly string[] }[]
}

interface Quiet {
  readonly quietMinutesAfterInbound?: number
}

const DAY_MS = 24 * 3_600_000

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

/** The number shown is one of those for the callee's country or area, and the trunk is that of the campaign. */
export function shownNumber(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { callerId, trunk } = one.call.invite
    const isOrdered = versionsAt(facts, one.campaign, one.atMs).some((campaign) => {
      return idsFor(campaign, one.number).includes(callerId) && settingOf(campaign, 'trunk') === trunk
    })
    const ordered = idsFor(campaignAt(facts, one.campaign, one.atMs), one.number)
    return isOrdered ? [] : [`${nameOf(one)}: shows ${callerId} on ${trunk}, ordered ${ordered}`]
  })
}

/** A telephone sees the number that called it last, as long as this is one of those for it. */
export function sameNumber(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const [campaign, ...others] = versionsAt(facts, one.campaign, one.atMs)
    const { days } = settingOf<{ days: number }>(campaign!, 'frequencyCap')
    const ids = idsFor(campaign!, one.number)
    const last = callsBefore(facts, one).findLast(({ number, call }) => {
      return number === one.number && ids.includes(call.invite.callerId)
    })
    const isLately = last && others.length === 0 && one.atMs - last.atMs < days * DAY_MS - SLACK_MS
    const isSame = last?.call.invite.callerId === one.call.invite.callerId
    return isLately && !isSame ? [`${nameOf(one)}: shows another number than ${nameOf(last)}`] : []
  })
}

/** The numbers that this callee may see: those for the longest prefix, for the country, or the campaign's own. */
function idsFor({ settings }: Campaign, number: string): readonly string[] {
  const { callerId, callerIds = [] } = settings as unknown as ShownIds
  const fits = callerIds.flatMap((rule) => rule.destinations.map((whom) => ({ id: rule.number, whom })))
  const prefixes = fits.filter(({ whom }) => number.startsWith(whom))
  const longest = Math.max(...prefixes.map(({ whom }) => whom.length))
  if (prefixes.length > 0) return prefixes.filter(({ whom }) => whom.length === longest).map(({ id }) => id)
  const inCountry = fits.filter(({ whom }) => whom === countryOf(number))
  return inCountry.length > 0 ? inCountry.map(({ id }) => id) : [callerId]
}
