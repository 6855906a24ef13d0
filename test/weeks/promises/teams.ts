/** Who serves whom: teams that change under ringing lines, callers who wait, agents kept back, shares by weight. */
import type { Campaign } from '../../../src/ports/dialer-repository.ts'
import { campaignAt, type Dialed, hasTalked, nameOf, settingOf, type WeekFacts, wasEngineGone } from '../week-facts.ts'
import { AUTOMATIC, isFresh, stateOf } from './due.ts'

const MINUTE_MS = 60_000
/** After the death of an engine. */
const SCREENS_BACK_MS = 2_000
/** A change reaches the engine within so much. */
const KNOWN_MS = 500

/** Whether an agent of the campaign's team is to take it: nobody dialed it by hand or for one agent alone. */
function isForTeam(facts: WeekFacts, one: Dialed): boolean {
  const { settings } = campaignAt(facts, one.campaign, one.atMs)
  const attempt = facts.week.world.dialerRepository.view.attempts.get(one.attempt)
  return AUTOMATIC.includes(settings['dialMode'] as string) && attempt?.madeFor === undefined
}

/** Dialed before, and neither answered nor over by then. */
function isOut({ call, atMs, endMs }: Dialed, byMs: number): boolean {
  return atMs < byMs && (call.answeredAtMs ?? endMs) > byMs
}

/** Lines of a campaign keep the team they were placed for, and the new team waits until they are resolved. */
export function formerTeam(facts: WeekFacts): string[] {
  const { campaigns } = facts.log
  return campaigns.flatMap(({ atMs, campaign: { id, team } }, at) => {
    const former = campaigns.slice(0, at).findLast((one) => one.campaign.id === id)?.campaign
    if (!former || former.team === team) return []
    const lines = facts.dialed.filter((one) => one.campaign === id && isForTeam(facts, one))
    const early = lines.flatMap((one) => {
      if (one.atMs < atMs + KNOWN_MS || one.atMs > atMs + MINUTE_MS) return []
      const waitsFor = lines.find((other) => other.atMs < atMs - KNOWN_MS && isOut(other, one.atMs))
      const isKnown = !wasEngineGone(facts, atMs - KNOWN_MS, one.atMs)
      return waitsFor && isKnown ? [`${nameOf(one)}: placed for the new team while ${nameOf(waitsFor)} rings`] : []
    })
    return [...early, ...served(facts, lines, atMs, former)]
  })
}

/** Answered after the change, by somebody who is not of the former team. */
function served(facts: WeekFacts, lines: readonly Dialed[], atMs: number, former: Campaign): string[] {
  const team: string = former.team ?? ''
  return lines.flatMap((one) => {
    const { talkedFromMs, agent = '' } = one
    if (one.atMs > atMs - KNOWN_MS || talkedFromMs === undefined || talkedFromMs < atMs) return []
    if (wasEngineGone(facts, one.atMs, talkedFromMs)) return []
    const staffs = facts.log.teams.filter((staff, at, all) => {
      return staff.atMs <= talkedFromMs && (all[at + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= one.atMs - MINUTE_MS
    })
    const isTheirs = staffs.some(({ teams }) => teams[team]?.includes(agent))
    return isTheirs ? [] : [`${nameOf(one)}: placed for ${team}, and served by ${agent}, who is not of that team`]
  })
}

/** Agents who change teams serve the lines of the former team before anything of the new one. */
export function movingAgents(facts: WeekFacts): string[] {
  const { teams } = facts.log
  const lines = facts.dialed.filter((one) => isForTeam(facts, one))
  return teams.slice(1).flatMap(({ atMs, teams: now }, place) => {
    const before = teams[place]!.teams
    // Of two changes one after the other the first decides.
    const isAlone = teams.filter((other) => Math.abs(other.atMs - atMs) < MINUTE_MS).length === 1
    return lines.flatMap((one) => {
      const { agent = '', talkedFromMs = 0, campaign } = one
      const team = campaignAt(facts, campaign, one.atMs).team ?? ''
      const isNew = now[team]?.includes(agent) && !before[team]?.includes(agent)
      if (!isAlone || !isNew || one.atMs < atMs + KNOWN_MS || talkedFromMs > atMs + MINUTE_MS) return []
      const former = (other: Dialed) =>
        before[campaignAt(facts, other.campaign, other.atMs).team ?? '']?.includes(agent)
      const waits = lines.find((other) => other.atMs < atMs - KNOWN_MS && former(other) && isOut(other, talkedFromMs))
      if (!waits || wasEngineGone(facts, waits.atMs, talkedFromMs)) return []
      return [`${nameOf(one)}: served by ${agent}, on whom ${nameOf(waits)} of the former team counts`]
    })
  })
}

/** Screens that said ready together at any instant just before: a preview may take an agent a moment after a claim. */
function mostReady(facts: WeekFacts, team: string, atMs: number): number {
  const members = facts.log.teams.findLast((one) => one.atMs <= atMs)?.teams[team] ?? []
  const changes = facts.log.statuses.filter((one) => one.atMs > atMs - KNOWN_MS && one.atMs < atMs)
  const instants = [atMs - KNOWN_MS, ...changes.map((one) => one.atMs), atMs]
  return Math.max(...instants.map((ms) => members.filter((name) => stateOf(facts, name, ms) === 'ready').length))
}

/** Lines of the team that have no agent yet, this one included. */
function linesWithoutAgent(facts: WeekFacts, team: string, atMs: number): Dialed[] {
  return facts.dialed.filter((one) => {
    const { call, endMs, talkedFromMs } = one
    const untilMs =
      talkedFromMs ?? (call.answeredAtMs !== undefined && call.voice === 'machine' ? call.answeredAtMs : endMs)
    if (one.atMs > atMs || untilMs <= atMs) return false
    return campaignAt(facts, one.campaign, one.atMs).team === team && isForTeam(facts, one)
  })
}

/** While a caller waits for the same agents, no mode places more than one line for each idle agent. */
export function oneToOneForCallers(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const campaign = campaignAt(facts, one.campaign, one.atMs)
    if (campaign.team !== 'collections' || !isForTeam(facts, one)) return []
    const isNear = facts.log.teams.some(({ atMs }) => Math.abs(atMs - one.atMs) < MINUTE_MS)
    const waits = facts.log.callers.find(({ atMs, caller, endedAtMs = Number.POSITIVE_INFINITY }) => {
      const servedMs = caller.heard.find(({ what }) => what === 'person')?.fromMs ?? endedAtMs
      return atMs + 3_000 < one.atMs && servedMs > one.atMs + KNOWN_MS
    })
    if (!waits || isNear || wasEngineGone(facts, one.atMs - MINUTE_MS, one.atMs)) return []
    const lines = linesWithoutAgent(facts, 'collections', one.atMs).length
    const ready = mostReady(facts, 'collections', one.atMs)
    return lines > ready ? [`${nameOf(one)}: ${lines} lines for ${ready} agents while ${waits.number} waits`] : []
  })
}

/** A goal keeps one agent back for callers, as long as no caller has come since the engine began. */
export function keptBack(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { settings, team = '' } = campaignAt(facts, one.campaign, one.atMs)
    const isPlain = settings['dialMode'] === 'progressive' && settings['parallelCalls'] === 1
    if (!isPlain || !settings['serviceGoal'] || !isForTeam(facts, one)) return []
    const life = facts.log.lives.find(({ fromMs, untilMs }) => fromMs <= one.atMs && one.atMs < untilMs)
    // Until the screens are back nobody knows who is ready.
    if (life && one.atMs < life.fromMs + SCREENS_BACK_MS) return []
    const hasCaller = !life || facts.log.callers.some(({ atMs }) => atMs > life.fromMs - MINUTE_MS && atMs <= one.atMs)
    const isNear = facts.log.teams.some(({ atMs }, at) => at > 0 && Math.abs(atMs - one.atMs) < MINUTE_MS)
    const lines = linesWithoutAgent(facts, team, one.atMs).filter(({ campaign }) => campaign === one.campaign).length
    const ready = mostReady(facts, team, one.atMs)
    if (hasCaller || isNear || lines < ready) return []
    return [`${nameOf(one)}: ${lines} lines for ${ready} agents, one of whom is kept back for callers`]
  })
}

const HOUR_MS = 60 * MINUTE_MS
const SHARE_OFF_MAX = 0.05
/** Talks come whole: of two to one, dealt perfectly, ten in a row are 7 to 3 or 6 to 4. */
const TALKS_OFF_MAX = 1

/** In an hour in which two campaigns of a team have due tasks, each gets its share of the agents by weight. */
export function shares(facts: WeekFacts): string[] {
  const { campaigns } = facts.week.plan
  const [one, other] = campaigns
  const life = facts.log.lives[0]
  if (campaigns.length !== 2 || !one || !other || !life || life.untilMs - life.fromMs < HOUR_MS) return []
  if (one.team !== other.team || facts.log.campaigns.length > 2) return []
  const talks = facts.dialed.filter((call) => hasTalked(call))
  const lastMs = talks.at(-1)?.atMs ?? 0
  const spans: number[] = []
  for (let fromMs = life.fromMs + 2 * MINUTE_MS; fromMs + HOUR_MS < lastMs; fromMs += 5 * MINUTE_MS) spans.push(fromMs)
  return spans.flatMap((fromMs) => {
    const isDue = (atMs: number) =>
      [one, other].every(({ id }) => {
        return facts.log.imports.some((order) => order.campaign === id && isFresh(facts, order, atMs))
      })
    if (!isDue(fromMs) || !isDue(fromMs + HOUR_MS)) return []
    const inHour = talks.filter(({ talkedFromMs = 0 }) => talkedFromMs >= fromMs && talkedFromMs < fromMs + HOUR_MS)
    const weightOf = (campaign: typeof one) => settingOf<number>(campaignAt(facts, campaign.id, fromMs), 'weight')
    const fair = weightOf(one) / (weightOf(one) + weightOf(other))
    const own = inHour.filter(({ campaign }) => campaign === one.id).length
    const text = `${own} of ${inHour.length} talks, ${(fair * 100).toFixed(1)} % is fair`
    const offMax = Math.max(TALKS_OFF_MAX, inHour.length * SHARE_OFF_MAX)
    return Math.abs(own - inHour.length * fair) > offMax ? [`campaign ${one.id} has ${text}`] : []
  })
}
