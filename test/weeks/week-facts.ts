/** What the carrier saw of a week, joined with what was ordered: calls by task and person, settings by instant. */
import type { AttemptId, CallTaskId, CampaignId, CorporationId } from '../../src/kernel/ids.ts'
import type { Campaign } from '../../src/ports/dialer-repository.ts'
import type { SimContact } from '../../src/sim/sim-contact.ts'
import { localTime } from './places.ts'
import type { LivedWeek } from './week.ts'
import type { Ordered, WeekLog } from './week-log.ts'

/** An engine follows a change within so much; what rang by then may be cut, or be dialed a last time. */
export const GRACE_MS = 2_000
/** The line to the switch, both ways, and the claim. */
export const SLACK_MS = 100

/** An INVITE, and the imported task that it was for. */
export interface Dialed {
  readonly call: SimContact
  readonly atMs: number
  readonly endMs: number
  readonly number: string
  readonly attempt: AttemptId
  /** The task itself, which may follow another. */
  readonly task: CallTaskId
  /** The imported task at the root of its followers. */
  readonly order: Ordered
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly person: string | undefined
  /** When an agent was heard first, and by which. */
  readonly talkedFromMs: number | undefined
  readonly agent: string | undefined
}

/** All that checkers ask of a week. */
export interface WeekFacts {
  readonly seed: number
  readonly week: LivedWeek
  readonly log: WeekLog
  readonly dialed: readonly Dialed[]
  /** INVITEs of no task that was ever imported. */
  readonly strays: readonly SimContact[]
  readonly callsOfNumber: ReadonlyMap<string, readonly Dialed[]>
  readonly callsOfPerson: ReadonlyMap<string, readonly Dialed[]>
  readonly callsOfOrder: ReadonlyMap<CallTaskId, readonly Dialed[]>
}

/** Joins the carrier's log with the imports. The header of the INVITE names the attempt, and so the task. */
export function factsOf(week: LivedWeek): WeekFacts {
  const { log, world, plan } = week
  const { attempts } = world.dialerRepository.view
  const orders = new Map(log.imports.map((order) => [order.id, order]))
  const strays: SimContact[] = []
  const dialed = world.pbx.carrier.calls.flatMap((call): Dialed[] => {
    const attempt = Number(call.invite.reference) as AttemptId
    const task = attempts.get(attempt)?.task
    const order = task === undefined ? undefined : orders.get(rootOf(week, task))
    if (task === undefined || !order) {
      strays.push(call)
      return []
    }
    const talk = call.heard.find(({ what }) => what === 'person')
    const { campaign, corporation } = order
    return [
      {
        call,
        atMs: call.invite.atMs,
        endMs: call.endedAtMs ?? Number.POSITIVE_INFINITY,
        number: call.invite.number,
        attempt,
        task,
        order,
        campaign,
        corporation,
        person: order.task.externalCustomer,
        talkedFromMs: talk?.fromMs,
        agent: talk?.text,
      },
    ]
  })
  const byPerson = dialed.filter(({ person }) => person !== undefined)
  return {
    seed: plan.seed,
    week,
    log,
    dialed,
    strays,
    callsOfNumber: Map.groupBy(dialed, ({ corporation, number }) => `${corporation} ${number}`),
    callsOfPerson: Map.groupBy(byPerson, ({ corporation, person }) => `${corporation} ${person}`),
    callsOfOrder: Map.groupBy(dialed, ({ order }) => order.id),
  }
}

/** The imported task that this one goes on with, over all followers; itself, if it was imported. */
export function rootOf(week: LivedWeek, id: CallTaskId): CallTaskId {
  const before = week.world.dialerRepository.view.tasks.get(id)?.follows
  return before === undefined ? id : rootOf(week, before)
}

/** All calls to this person or this number within the corporation, in the order of their INVITEs. */
export function callsTo(facts: WeekFacts, { corporation, number, person }: Dialed): Dialed[] {
  const sameNumber = facts.callsOfNumber.get(`${corporation} ${number}`) ?? []
  const samePerson = person === undefined ? [] : (facts.callsOfPerson.get(`${corporation} ${person}`) ?? [])
  return [...new Set([...sameNumber, ...samePerson])].sort((a, b) => a.atMs - b.atMs)
}

/** The calls of `callsTo` that began before, without the other numbers of one claim, which ring together. */
export function callsBefore(facts: WeekFacts, one: Dialed): Dialed[] {
  return callsTo(facts, one).filter((other) => other.atMs < one.atMs && !ringsTogether(one, other))
}

/** Several numbers of one task, dialed by one claim. */
export function ringsTogether(one: Dialed, other: Dialed): boolean {
  return one.task === other.task && one.number !== other.number && Math.abs(one.atMs - other.atMs) < 1_000
}

/** The campaign as it was ordered at an instant, and as it was a moment before: either may be followed. */
export function versionsAt({ log }: WeekFacts, id: CampaignId, atMs: number): Campaign[] {
  const all = log.campaigns.filter(({ campaign }) => campaign.id === id)
  const known = all.filter((version) => version.atMs <= atMs)
  const recent = known.filter((_, at) => at === known.length - 1 || known[at + 1]!.atMs > atMs - GRACE_MS)
  return (recent.length > 0 ? recent : all.slice(0, 1)).map(({ campaign }) => campaign)
}

/** The last word on a campaign. */
export function campaignAt(facts: WeekFacts, id: CampaignId, atMs: number): Campaign {
  return versionsAt(facts, id, atMs).at(-1)!
}

/** A setting that the plan always gives. */
export function settingOf<T>({ settings }: Campaign, name: string): T {
  return settings[name] as T
}

/** Whether agent and person were together. A crossing, or a phone lost just then, is no talk. */
export function hasTalked({ call }: Dialed): boolean {
  if (call.voice === 'machine') return false
  const spans = call.heard.filter(({ what }) => what === 'person')
  return spans.reduce((sumMs, { fromMs, untilMs = Number.POSITIVE_INFINITY }) => sumMs + untilMs - fromMs, 0) > 500
}

/** A person who answered, heard no agent, and was hung up on. */
export function wasDropped({ call, talkedFromMs }: Dialed): boolean {
  const { answeredAtMs, voice, endedBy, endedAtMs } = call
  const isPerson = answeredAtMs !== undefined && voice === 'person' && talkedFromMs === undefined
  return isPerson && endedBy === 'switch' && endedAtMs! - answeredAtMs > 1_000
}

/** A talk took place, or a machine took the call; one for which no agent came counts as a person who was dropped. */
function wasMet({ week }: WeekFacts, one: Dialed): boolean {
  const isMachine = one.call.answeredAtMs !== undefined && one.call.voice === 'machine'
  const isDropped = week.world.dialerRepository.view.attempts.get(one.attempt)?.result === 'dropped'
  return hasTalked(one) || (isMachine && !isDropped)
}

/** Promised callbacks of the person that were due, and that no call with anybody has met since. */
export function duePromises(facts: WeekFacts, one: Dialed) {
  return facts.log.words.filter(({ what, isAccepted, about, atMs, dueAtMs = 0 }) => {
    const meant = facts.dialed.find(({ call }) => call === about)
    if (what !== 'callback' || !isAccepted || !meant || atMs > one.atMs || dueAtMs > one.atMs + SLACK_MS) return false
    if (!callsTo(facts, one).includes(meant)) return false
    const calls = facts.callsOfOrder.get(meant.order.id) ?? []
    return !calls.some((other) => other.atMs >= dueAtMs && other.atMs < one.atMs - SLACK_MS && wasMet(facts, other))
  })
}

/** Whether an engine died, or was ended, between two instants. */
export function wasEngineGone({ log }: WeekFacts, fromMs: number, untilMs: number): boolean {
  return log.lives.some((life, at) => {
    const nextMs = log.lives[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY
    return life.untilMs <= untilMs && nextMs >= fromMs
  })
}

/** Whether orders and their effects may have taken long, for the database was slow. */
export function wasSlow({ log }: WeekFacts, fromMs: number, untilMs: number): boolean {
  return log.slow.some((span) => span.fromMs <= untilMs && span.untilMs + 2 * GRACE_MS >= fromMs)
}

/** `Tue 10:05:03.123`, as a clock in the callee's place shows it. */
export function clockOf(number: string, atMs: number): string {
  const { weekday, minute } = localTime(number, atMs)
  const two = (figure: number) => String(Math.floor(figure)).padStart(2, '0')
  const seconds = ((minute % 1) * 60).toFixed(3).padStart(6, '0')
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday - 1]
  return `${day} ${two(minute / 60)}:${two(minute % 60)}:${seconds}`
}

/** Who is called, when and by whom. */
export function nameOf({ attempt, task, campaign, person, number, atMs }: Dialed): string {
  const where = `task ${task} campaign ${campaign} attempt ${attempt}`
  return `${person ?? 'nobody known'} ${number} ${where} at ${clockOf(number, atMs)}`
}
