/**
 * The gate: the engine dials nothing without a permit, and only this file issues permits.
 *
 * Every rule must be *proved* to hold. A missing, contradictory or non-numeric value proves nothing, and the answer is
 * no: in doubt the engine does not dial.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, Branded, CallTaskId, CampaignId, ContactKey, PhoneNumber, TeamName } from '../kernel/ids.ts'
import type { Touch } from '../ports/attempt.ts'
import { type AbroadQuestion, isHome, isRoomAbroad } from './abroad.ts'
import { type CallTask, isValid } from './call-task.ts'
import { type CallHours, isZone, nextOpenAtMs, type OpenSpan, openSpanAt } from './call-window.ts'
import { callerIdFor, callerIdsOf } from './caller-ids.ts'
import type { Campaign } from './campaign.ts'
import { callsWithin, capsFreeAtMs } from './frequency-caps.ts'
import { hoursIn } from './holidays.ts'
import { type LedgerState, type LiveLines, linesAllowedByAll } from './ledger.ts'
import { type NextAttempt, nextAttempt } from './next-attempt.ts'
import { type AnswersByHour, partBeginsAtMs } from './part-of-day.ts'
import { examineNumber, type NumberFacts, numberCheckOf } from './phone-zone.ts'
import type { Placing } from './placing.ts'

/** The input of the gate. `undefined` means that a value could not be determined. */
export interface DialQuestion {
  readonly task: CallTask
  readonly campaign: Campaign
  readonly number: PhoneNumber
  readonly clocks: {
    /** The database's clock; every rule uses it (F-G1). */
    readonly nowAtMs: AtMs | undefined
    readonly engineNowAtMs: AtMs | undefined
    /** The latest instant that was ever stored; an earlier reading is refused (F-G2). */
    readonly latestSeenAtMs: AtMs | undefined
  }
  readonly killSwitch: 'off' | 'on' | undefined
  /** Whether this engine still holds the campaign's newest lease (INV-D12). */
  readonly holdsLease: boolean | undefined
  /** Entries for this number or this person on any stop list. */
  readonly stops: readonly { readonly of: 'number' | 'contact'; readonly list: string }[] | undefined
  /** Calls of the task, to the person or to one of its numbers, over all campaigns. */
  readonly touches: readonly Touch[] | undefined
  /** Other numbers of the task that ring together with this one. */
  readonly beside: number | undefined
  readonly lastTalk: AtMs | 'never' | undefined
  /** Whether a caller with a number of the person is on our line now. */
  readonly isOnOurLine: boolean | undefined
  /** When the last call from the person ended. */
  readonly lastCalledIn: AtMs | 'never' | undefined
  /** Other attempts in flight anywhere in the system (INV-D3). */
  readonly inFlight: { readonly ofTask: number; readonly ofNumber: number; readonly ofContact: number } | undefined
  readonly trunk: TrunkUse | undefined
  /** The numbers that the trunk may show. */
  readonly ourCallerIds: readonly PhoneNumber[] | undefined
  readonly abroad: AbroadQuestion
  readonly reservedAgent: AgentName | undefined
  readonly live: LiveLines | undefined
  readonly ledgers: readonly LedgerState[] | undefined
  /** What the campaign has learnt of its hours; absent where nobody learns. */
  readonly answers?: AnswersByHour | undefined
  /** The pacer's decision: stored with the permit, no rule reads it. */
  readonly placing?: Placing
}

export interface TrunkUse {
  readonly name: string
  /** Calls over it fail, and this one would be no probe. */
  readonly isFailing: boolean
  readonly linesInUse: number
  readonly linesMax: number
  readonly placedLastSecond: number
  readonly perSecondMax: number
}

/** Permission for one call, valid once and until it expires. Stored with the attempt as evidence. */
export type Permit = Branded<
  {
    readonly task: CallTaskId
    readonly campaign: CampaignId
    readonly contact: ContactKey | undefined
    readonly number: PhoneNumber
    /** What the call shows and uses, whatever the campaign's settings are later (campaigns-42). */
    readonly callerId: PhoneNumber
    readonly team: TeamName
    readonly trunk: string
    readonly attemptNo: number
    readonly rules: string
    readonly country: string
    /** Not one of our countries: its calls and minutes count. */
    readonly abroad: true | undefined
    readonly zones: readonly string[]
    readonly zonesFrom: ZonesFrom
    readonly placements: number
    readonly reservedAgent: AgentName | undefined
    readonly placing: Placing | undefined
    readonly givenAtMs: AtMs
    /**
     * The permit expires here: a call planned for 19:59:59 is not placed at 20:00:01 (F-G6). The engine compares its
     * own clock: where that is behind, the permit expires so much earlier.
     */
    readonly validUntilAtMs: AtMs
  },
  'Permit'
>

/** Source of the zones. `country`: the callee may live in any of them, so all and the campaign's apply (F-G4). */
type ZonesFrom = 'contact' | 'number' | 'country'

/** The gate's answer. `untilAtMs`: when the refusal ends by itself. */
export type DialAnswer =
  | { readonly permit: Permit }
  | { readonly refused: Reason; readonly untilAtMs?: AtMs | undefined }

/** Each reason as a sentence for supervisors. The keys are the closed list of reasons. */
export const REASONS = {
  killSwitch: 'The kill switch is on, or its state is unknown; lift it to dial.',
  clockUnknown: 'The time is unknown: the database or this engine gave no clock reading; check both clocks.',
  clockWentBack: 'The clock went back; set it right.',
  clocksDiffer: 'The clocks of this engine and of the database differ by more than 2 s; set them right.',
  leaseLost: 'Another engine may hold the lease of this campaign.',
  campaignInactive: 'The campaign is not active.',
  notStarted: 'The campaign has not started: its startsAt is later.',
  foreignTask: 'The call task belongs to another campaign.',
  taskFinished: 'The call task is finished, or no number of it is left to dial.',
  attemptInFlight: 'An attempt for this call task, number or person is in flight, or may be.',
  expired: 'The validity of the call task is over.',
  notYetValid: 'The validity of the call task has not begun.',
  onOurLine: 'The person is calling us now, or it is unknown whether they are.',
  afterOurCall: 'The quiet time after the last call from the person is not over, or its end is unknown.',
  notYet: 'The interval, a callback date or the quiet time after a dropped call is not over.',
  notItsTurn: 'Another number of the call task is next.',
  stopped: 'The number or the person is on a stop list, or the lists could not be read.',
  numberRefused: 'The number must not be dialed: it is invalid, costly, or an emergency or service number.',
  countryNotAllowed: 'The number is in a country that the campaign may not call.',
  countrySpent: 'The calls or minutes of 24 hours to the country of the number are used up, or their count is unknown.',
  zoneUnknown: 'The time zone of the person is unknown.',
  outsideHours: 'The time is outside the calling hours where the person lives, or the day is a holiday.',
  samePartOfDay: 'Nobody was reached in this part of the day; the campaign calls again in another one.',
  frequencyCap: 'The frequency cap of the person is reached, or the number of calls is unknown.',
  quietAfterTalk: 'The quiet time after the last conversation is not over, or its date is unknown.',
  callerIdNotOurs: 'A caller id of the campaign is not in the list of our numbers; add it there, or choose another.',
  carrierFailing:
    'Calls over the trunk fail before any phone rings: the engine sends one probe at a time. Ask the carrier.',
  trunkFull: 'All lines of the trunk are in use, or their use is unknown.',
  trunkTooFast: 'The trunk has reached its limit of calls per second.',
  agentNeeded: 'The call needs a reserved agent: the mode requires it, or an earlier call to the person was dropped.',
  ledgerFull: 'One more line could exceed an abandonment cap, or a ledger of the campaign is unknown.',
} as const satisfies Readonly<Record<string, string>>

export type Reason = keyof typeof REASONS

/** Maximum difference between the clocks of engine and database (F-G1). */
export const CLOCKS_DIFFER_MAX_MS = 2_000
/** Our choice: long enough for a commit, too short for a stale decision. */
const PERMIT_MS = 2_000

type Due = Extract<NextAttempt, { kind: 'due' }>

interface Weighed extends DialQuestion {
  /** NaN if unknown: every comparison with it is false. */
  readonly nowAtMs: AtMs
  readonly next: NextAttempt
  readonly due: Due | undefined
  readonly facts: NumberFacts
  readonly zones: readonly string[]
  readonly zonesFrom: ZonesFrom
  /** With the holidays of the callee's country. */
  readonly hours: CallHours
  readonly open: OpenSpan | undefined
  /** NaN if unknown. */
  readonly capsFreeAtMs: AtMs
  readonly placements: number
  /** NaN if unknown. */
  readonly partAtMs: AtMs
}

/** The first rule that is not proved is the answer, so the most general come first. */
const RULES: readonly (readonly [Reason, (weighed: Weighed) => boolean])[] = [
  ['killSwitch', ({ killSwitch }) => killSwitch === 'off'],
  ['clockUnknown', ({ clocks }) => Object.values(clocks).every((atMs) => Number.isFinite(atMs))],
  ['clockWentBack', ({ nowAtMs, clocks }) => nowAtMs >= clocks.latestSeenAtMs!],
  ['clocksDiffer', ({ nowAtMs, clocks }) => Math.abs(nowAtMs - clocks.engineNowAtMs!) <= CLOCKS_DIFFER_MAX_MS],
  ['leaseLost', ({ holdsLease }) => holdsLease === true],
  [
    'campaignInactive',
    ({ campaign, nowAtMs }) => campaign.isActive === true && nowAtMs < (campaign.endsAtMs ?? Number.POSITIVE_INFINITY),
  ],
  ['notStarted', ({ campaign, nowAtMs }) => nowAtMs >= (campaign.startsAtMs ?? 0)],
  ['foreignTask', ({ task, campaign }) => task.campaign === campaign.id],
  ['taskFinished', ({ next }) => next.kind !== 'finished'],
  ['attemptInFlight', ({ due, inFlight }) => due !== undefined && isNone(inFlight)],
  ['expired', ({ task, nowAtMs }) => isValid(task, nowAtMs)],
  ['notYetValid', ({ task, nowAtMs }) => nowAtMs >= (task.validFromAtMs ?? 0)],
  ['onOurLine', ({ isOnOurLine }) => isOnOurLine === false],
  [
    'afterOurCall',
    ({ lastCalledIn, campaign, nowAtMs }) => isOver(lastCalledIn, campaign.quietAfterInboundMs, nowAtMs),
  ],
  ['notYet', ({ due, nowAtMs }) => due !== undefined && nowAtMs >= due.fromAtMs],
  ['notItsTurn', ({ due, number }) => due?.numbers.includes(number) === true],
  ['stopped', ({ stops }) => stops?.length === 0],
  ['numberRefused', ({ facts }) => facts.ok],
  ['countryNotAllowed', ({ facts, campaign }) => facts.ok && campaign.allowedCountries.includes(facts.country)],
  [
    'countrySpent',
    ({ facts, ourCallerIds, abroad }) =>
      facts.ok && (isHome(facts.country, ourCallerIds) || isRoomAbroad(facts.country, abroad)),
  ],
  ['zoneUnknown', ({ zones }) => zones.length > 0 && zones.every(isZone)],
  ['outsideHours', ({ open }) => open !== undefined],
  ['samePartOfDay', ({ partAtMs, nowAtMs }) => nowAtMs >= partAtMs],
  ['frequencyCap', ({ capsFreeAtMs, nowAtMs }) => nowAtMs >= capsFreeAtMs],
  ['quietAfterTalk', isQuietOver],
  [
    'callerIdNotOurs',
    // All of them, not only the one that this callee sees: a wrong one is noticed at the first call.
    ({ campaign, ourCallerIds }) => callerIdsOf(campaign).every((id) => ourCallerIds?.includes(id) === true),
  ],
  ['carrierFailing', ({ trunk }) => trunk === undefined || trunk.isFailing === false],
  ['trunkFull', ({ trunk }) => isBelow(trunk?.linesInUse, trunk?.linesMax)],
  ['trunkTooFast', ({ trunk }) => isBelow(trunk?.placedLastSecond, trunk?.perSecondMax)],
  ['agentNeeded', hasAgentOrNeedsNone],
  ['ledgerFull', isLineCovered],
]

/** Whether this number may be dialed for this task now. The claim's transaction asks again. */
export function mayDialNow(question: DialQuestion): DialAnswer {
  const weighed = weigh(question)
  const failed = RULES.find(([, holds]) => !holds(weighed))
  if (failed) return { refused: failed[0], untilAtMs: mendsAtMs(failed[0], weighed) }
  return { permit: permitFor(weighed) }
}

function weigh(question: DialQuestion): Weighed {
  const { task, campaign, number, clocks } = question
  const facts = examineNumber(number, numberCheckOf(campaign))
  const nowAtMs = clocks.nowAtMs ?? Number.NaN
  const place = zonesOf(task, campaign, facts)
  const hours = facts.ok ? hoursIn(campaign.hours, facts.country) : campaign.hours
  const open = openSpanAt(hours, place.zones, nowAtMs)
  const next = nextAttempt(task, campaign)
  const due = next.kind === 'due' ? next : undefined
  const { capsAtMs, placements } = capsOf(question, place.zones, nowAtMs)
  const partAtMs = partAtMsOf(question, due, { zones: place.zones, hours })
  return { ...question, nowAtMs, facts, next, due, ...place, hours, open, capsFreeAtMs: capsAtMs, placements, partAtMs }
}

function partAtMsOf({ campaign, answers }: DialQuestion, due: Due | undefined, at: Pick<Weighed, 'zones' | 'hours'>) {
  const parts = (['noAnswer', 'voicemail'] as const).map((result) => {
    const [choice, endAtMs] = [campaign.retryPart[result], due?.metNobody[result]]
    return choice === undefined || endAtMs === undefined ? 0 : partBeginsAtMs(choice, endAtMs, { ...at, answers })
  })
  return Math.max(...parts)
}

/** NaN where the calls, or the zones whose days count, are unknown. */
function capsOf({ touches, beside, task, campaign }: DialQuestion, zones: readonly string[], nowAtMs: AtMs) {
  if (touches === undefined || beside === undefined || zones.length === 0 || !zones.every(isZone)) {
    return { capsAtMs: Number.NaN, placements: Number.NaN }
  }
  const question = { touches, beside, task, zones }
  const [first] = campaign.frequencyCaps
  const placements = first === undefined ? touches.length : callsWithin(first, question, nowAtMs)
  return { capsAtMs: capsFreeAtMs(campaign.frequencyCaps, question), placements: placements + beside }
}

function zonesOf({ timeZone }: CallTask, campaign: Campaign, facts: NumberFacts): Pick<Weighed, 'zones' | 'zonesFrom'> {
  if (timeZone !== undefined) return { zones: [timeZone], zonesFrom: 'contact' }
  const zones = facts.ok ? facts.zones : []
  if (zones.length > 1) return { zones: [...zones, campaign.timeZone], zonesFrom: 'country' }
  return { zones, zonesFrom: 'number' }
}

function isNone(inFlight: DialQuestion['inFlight']): boolean {
  return inFlight?.ofTask === 0 && inFlight.ofNumber === 0 && inFlight.ofContact === 0
}

/** Also false if a value is missing, negative or not a number. */
function isBelow(count: number | undefined, max: number | undefined): boolean {
  return count !== undefined && max !== undefined && count >= 0 && count < max
}

function isOver(since: AtMs | 'never' | undefined, quietMs: number, nowAtMs: AtMs): boolean {
  return since === 'never' || (since !== undefined && nowAtMs >= since + quietMs)
}

function isQuietOver({ lastTalk, nowAtMs, campaign, due }: Weighed): boolean {
  // A callback is not held by the quiet of the talk in which it was promised (campaigns-46).
  const promisedAtMs = typeof lastTalk === 'number' ? due?.promisedAtMs : undefined
  const isPromised = promisedAtMs !== undefined && (lastTalk as AtMs) <= promisedAtMs
  return isPromised || isOver(lastTalk, campaign.quietAfterTalkMs, nowAtMs)
}

function hasAgentOrNeedsNone({ reservedAgent, campaign, due, nowAtMs }: Weighed): boolean {
  if (reservedAgent !== undefined) return true
  if (campaign.mode === 'manual' || campaign.mode === 'preview') return false
  const fromAtMs = due?.withoutAgentFromAtMs
  return fromAtMs !== undefined && nowAtMs >= fromAtMs
}

/** A line with its own agent cannot be abandoned. Any other line needs room in every ledger. */
function isLineCovered({ reservedAgent, campaign, ledgers, live }: Weighed): boolean {
  if (reservedAgent !== undefined) return true
  if (ledgers === undefined || live === undefined) return false
  const isComplete = campaign.ledgers.every((rule) => ledgers.some((ledger) => ledger.rule.name === rule.name))
  return isComplete && linesAllowedByAll(ledgers, live) >= 1
}

/** The reasons that time alone ends, and when. */
const MENDS: Readonly<Partial<Record<Reason, (weighed: Weighed) => AtMs | undefined>>> = {
  afterOurCall: ({ lastCalledIn, campaign }) => after(lastCalledIn, campaign.quietAfterInboundMs),
  notYetValid: ({ due }) => due?.fromAtMs,
  notYet: ({ due }) => due?.fromAtMs,
  outsideHours: ({ hours, zones, nowAtMs }) => nextOpenAtMs(hours, zones, nowAtMs),
  samePartOfDay: ({ partAtMs }) => partAtMs,
  frequencyCap: ({ capsFreeAtMs }) => capsFreeAtMs,
  quietAfterTalk: ({ lastTalk, campaign }) => after(lastTalk, campaign.quietAfterTalkMs),
}

/** Undefined where time alone does not end it. */
function mendsAtMs(reason: Reason, weighed: Weighed): AtMs | undefined {
  const atMs = MENDS[reason]?.(weighed)
  return atMs !== undefined && Number.isFinite(atMs) ? atMs : undefined
}

function after(since: AtMs | 'never' | undefined, quietMs: number): AtMs | undefined {
  return since === undefined || since === 'never' ? undefined : since + quietMs
}

function permitFor(weighed: Weighed): Permit {
  const { task, campaign, number, zones, zonesFrom, placements, reservedAgent, nowAtMs, open, clocks } = weighed
  const lagMs = Math.max(0, nowAtMs - clocks.engineNowAtMs!)
  // Proved by the rules above.
  const due = weighed.due!
  const facts = weighed.facts as Extract<NumberFacts, { ok: true }>
  return {
    task: task.id,
    campaign: campaign.id,
    contact: task.contact,
    number,
    callerId: callerIdFor(campaign, {
      number,
      country: facts.country,
      person: task.contact,
      touches: weighed.touches!,
    }),
    team: campaign.team,
    trunk: weighed.trunk!.name,
    attemptNo: due.attemptNo + due.numbers.indexOf(number),
    rules: campaign.rules,
    country: facts.country,
    abroad: isHome(facts.country, weighed.ourCallerIds) ? undefined : true,
    zones,
    zonesFrom,
    placements,
    reservedAgent,
    placing: weighed.placing,
    givenAtMs: nowAtMs,
    validUntilAtMs: Math.min(nowAtMs + PERMIT_MS, open!.toAtMs, task.validToAtMs ?? Number.POSITIVE_INFINITY) - lagMs,
  } as Permit
}
