/** The traces of a campaign: carrier's log, attempts, activities and events must agree (INV-D8). */
import type { Pool } from 'pg'
import type { Invite } from '../../demo/sip/carrier-log.ts'
import type { Receiver } from './campaign-live.ts'
import type { FaultName } from './chaos/chaos-faults.ts'

/** An engine or a switch was killed, their line was cut, or something they stand on failed. */
export interface Kill {
  readonly what: 'engine' | 'asterisk' | 'cut' | FaultName
  readonly atMs: number
  /** When calls were served again; absent: not before the end. */
  healedAtMs?: number
}

/** What an observer outside knows. */
export interface Evidence {
  readonly pool: Pick<Pool, 'query'>
  readonly invites: readonly Invite[]
  /** Call-IDs of INVITEs whose attempt was not in the table at that moment. */
  readonly tooEarly: readonly string[]
  readonly receiver: Receiver
  readonly kills: readonly Kill[]
  /** The state of the switch after the last call; undefined if it could not be asked. */
  readonly channels: unknown
  readonly bridges: unknown
}

/** The findings. */
export interface Truth {
  readonly counts: Readonly<Record<string, number>>
  /** Result → how many attempts. */
  readonly results: Readonly<Record<string, number>>
  /** One line for each broken rule. */
  readonly violations: readonly string[]
}

interface AttemptRow {
  readonly id: number
  readonly task_id: number
  readonly number: string
  readonly result: string | null
  readonly reach: string | null
  readonly claimed_at_ms: number
  readonly answered_at_ms: number | null
  readonly ended_at_ms: number | null
  readonly activity_id: number
}

interface Facts extends Evidence {
  readonly attempts: readonly AttemptRow[]
  /** Activity → attempt. */
  readonly activities: ReadonlyMap<number, number | null>
  /** Activities of events. */
  readonly events: readonly number[]
  /** State of each delivery. */
  readonly deliveries: readonly { readonly state: string; readonly activity: number }[]
}

/** Results that leave no trace with the carrier. */
const WITHOUT_INVITE: readonly (string | null)[] = ['blocked', 'cancelled', 'failed', 'unknown', 'withdrawn']
/** Clocks of one machine, read by several processes. */
const CLOCK_STEP_MS = 1

/** Reads the database and checks it. */
export async function judge(evidence: Evidence): Promise<Truth> {
  const facts = { ...evidence, ...(await readAll(evidence.pool)) }
  const { attempts, invites, activities, events, deliveries, receiver, kills } = facts
  const results: Record<string, number> = {}
  for (const { result } of attempts) results[result ?? 'open'] = (results[result ?? 'open'] ?? 0) + 1
  return {
    counts: {
      invites: invites.length,
      attempts: attempts.length,
      activities: activities.size,
      events: events.length,
      delivered: deliveries.filter(({ state }) => state === 'delivered').length,
      heard: receiver.heard.size,
      ...Object.fromEntries(
        Map.groupBy(kills, ({ what }) => `fault: ${what}`)
          .entries()
          .map(([what, of]) => [what, of.length]),
      ),
      persons: attempts.filter(isPerson).length,
      droppedByFaults: attempts.filter((attempt) => attempt.result === 'dropped' && wasHit(attempt, kills)).length,
      droppedOtherwise: attempts.filter((attempt) => attempt.result === 'dropped' && !wasHit(attempt, kills)).length,
    },
    results,
    violations: RULES.flatMap((rule) => rule(facts)),
  }
}

async function readAll(pool: Pick<Pool, 'query'>) {
  const attempts = await pool.query<AttemptRow>(
    `select id, task_id, number, result, reach, claimed_at_ms, answered_at_ms, ended_at_ms, activity_id
       from attempts order by id`,
  )
  const calls = await pool.query<{ id: number; attempt_id: number | null }>(
    `select id, attempt_id from call_activities`,
  )
  const events = await pool.query<{ activity_id: number }>(
    `select activity_id from events where type = 'phone-call.ended'`,
  )
  const deliveries = await pool.query<{ state: string; activity: number }>(
    `select d.state, e.activity_id as activity from deliveries d join events e on e.id = d.event_id`,
  )
  return {
    attempts: attempts.rows,
    activities: new Map(calls.rows.map(({ id, attempt_id }) => [id, attempt_id])),
    events: events.rows.map(({ activity_id }) => activity_id),
    deliveries: deliveries.rows,
  }
}

type Rule = (facts: Facts) => string[]

const RULES: readonly Rule[] = [
  everyInviteHasOneAttempt,
  noAttemptHasTwoInvites,
  withoutInviteNothingHappened,
  everyAttemptHasEnded,
  noTaskIsDialedTwiceAtOnce,
  everyCallHasOneActivityAndEvent,
  everyEventIsDelivered,
  unknownOnlyWhereSomethingDied,
  abandonedWithinTheCap,
  nothingIsLeftOnTheSwitch,
]

function everyInviteHasOneAttempt({ invites, attempts, tooEarly }: Facts): string[] {
  const known = new Map(attempts.map((attempt) => [String(attempt.id), attempt]))
  const strays = invites.flatMap(({ reference, number, atMs, callId }) => {
    const attempt = known.get(reference)
    if (!attempt) return [`INVITE ${callId} to ${number} names the attempt "${reference}", which is none`]
    if (attempt.number !== number) return [`INVITE ${callId} to ${number} is no number of attempt ${reference}`]
    const isLater = attempt.claimed_at_ms > atMs + CLOCK_STEP_MS
    return isLater ? [`attempt ${reference} was claimed ${attempt.claimed_at_ms - atMs} ms after its INVITE`] : []
  })
  return [...strays, ...tooEarly.map((callId) => `INVITE ${callId} came before its attempt was committed`)]
}

function noAttemptHasTwoInvites({ invites }: Facts): string[] {
  const counts = new Map<string, number>()
  for (const { reference } of invites) counts.set(reference, (counts.get(reference) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([id, count]) => `attempt ${id} has ${count} INVITEs`)
}

function withoutInviteNothingHappened({ invites, attempts }: Facts): string[] {
  const invited = new Set(invites.map(({ reference }) => reference))
  return attempts
    .filter(({ id, result }) => !invited.has(String(id)) && !WITHOUT_INVITE.includes(result))
    .map(({ id, result }) => `attempt ${id} is ${result} without an INVITE`)
}

function everyAttemptHasEnded({ attempts }: Facts): string[] {
  return attempts.filter(({ ended_at_ms: end }) => end === null).map(({ id }) => `attempt ${id} has not ended`)
}

/** By the carrier's own instants. A call of a switch that died ends there only hours later. */
function noTaskIsDialedTwiceAtOnce({ invites, kills }: Facts): string[] {
  const died = kills.filter(({ what }) => what === 'asterisk').map(({ atMs }) => atMs)
  const untilOf = ({ atMs, endedAtMs }: Invite) => Math.min(endedAtMs ?? Infinity, ...died.filter((at) => at >= atMs))
  const byNumber = Map.groupBy(invites, ({ number }) => number)
  return [...byNumber.values()].flatMap((calls) =>
    calls.flatMap((call, index) => {
      const before = calls[index - 1]
      return before && call.atMs < untilOf(before) ? [`${call.number} was rung while a call to it went on`] : []
    }),
  )
}

function everyCallHasOneActivityAndEvent({ attempts, activities, events }: Facts): string[] {
  const told = new Map<number, number>()
  for (const activity of events) told.set(activity, (told.get(activity) ?? 0) + 1)
  const ofAttempts = attempts.flatMap(({ id, reach, result, activity_id: activity }) => {
    if (reach === 'nothing' || result === null) return []
    if (activities.get(activity) !== id) return [`attempt ${id} (${result}, ${reach}) has no activity`]
    return told.get(activity) === 1 ? [] : [`attempt ${id} has ${told.get(activity) ?? 0} events`]
  })
  const strays = [...told.keys()].filter((activity) => !activities.has(activity))
  return [...ofAttempts, ...strays.map((activity) => `an event tells of activity ${activity}, which is none`)]
}

function everyEventIsDelivered({ deliveries, receiver, events }: Facts): string[] {
  const lost = deliveries.filter(({ state }) => state !== 'delivered')
  const unheard = events.filter((activity) => !receiver.heard.has(String(activity)))
  return [
    ...lost.map(({ state, activity }) => `the event of activity ${activity} is ${state}`),
    ...unheard.map((activity) => `nobody was told of activity ${activity}`),
    ...receiver.complaints,
  ]
}

/** The rule of every campaign that does not set another one (D-12). */
const CAP = 0.03

/** A person answered, whether an agent came or not. */
function isPerson({ result }: AttemptRow): boolean {
  return result === 'answered' || result === 'dropped'
}

/** A call that was up while something was dead, or was answered before all was served again. */
function wasHit({ answered_at_ms: answered, ended_at_ms: to }: AttemptRow, kills: readonly Kill[]): boolean {
  return kills.some(({ atMs, healedAtMs = Infinity }) => (answered ?? 0) <= healedAtMs && atMs <= (to ?? Infinity))
}

/** Each loss that a fault explains is counted apart; nothing else may exceed the cap. */
function abandonedWithinTheCap({ attempts, kills }: Facts): string[] {
  const others = attempts.filter((attempt) => attempt.result === 'dropped' && !wasHit(attempt, kills))
  const persons = attempts.filter((attempt) => isPerson(attempt) && !wasHit(attempt, kills)).length
  // One is allowed before there are thirty: a share of few people says nothing.
  if (others.length <= Math.max(1, CAP * persons)) return []
  return [
    `${others.length} of ${persons} persons were dropped without a fault: ${others.map(({ id }) => id).join(', ')}`,
  ]
}

/** None of them is a reason not to know what became of a call. */
const HARMLESS: readonly Kill['what'][] = ['cut', 'redis', 'silence', 'flood', 'mails']

function unknownOnlyWhereSomethingDied({ attempts, kills }: Facts): string[] {
  const died = kills.filter(({ what }) => !HARMLESS.includes(what))
  const wasOut = ({ claimed_at_ms: from, ended_at_ms: to }: AttemptRow) =>
    died.some(({ atMs }) => from <= atMs && atMs <= (to ?? Infinity))
  return attempts
    .filter((attempt) => attempt.result === 'unknown' && !wasOut(attempt))
    .map(({ id }) => `attempt ${id} is unknown, and nothing died while it was out`)
}

function nothingIsLeftOnTheSwitch({ channels, bridges }: Facts): string[] {
  return Object.entries({ channels, bridges }).flatMap(([what, left]) => {
    if (!Array.isArray(left)) return [`the switch does not say which ${what} it has`]
    return left.length === 0 ? [] : [`${left.length} ${what} are left: ${JSON.stringify(left[0]).slice(0, 300)}`]
  })
}
