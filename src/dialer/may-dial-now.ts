/**
 * The gate: nothing is dialed without a permit, and only this file gives one.
 *
 * Every rule must be *proved* to hold. What is missing, contradictory or not a number proves nothing, so that the
 * answer is no: when in doubt, we do not dial.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, Branded, CallTaskId, CampaignId, ContactKey, PhoneNumber } from '../kernel/ids.ts'
import type { CallTask } from './call-task.ts'
import { isZone, nextOpenAtMs, type OpenSpan, openSpanAt } from './call-window.ts'
import type { Campaign } from './campaign.ts'
import { type LedgerState, type LiveLines, linesAllowedByAll } from './ledger.ts'
import { type NextAttempt, nextAttempt } from './next-attempt.ts'
import { examineNumber, type NumberFacts } from './phone-zone.ts'
import type { Placing } from './placing.ts'

/** Everything the gate looks at. `undefined` means that it could not be found out. */
export interface DialQuestion {
  readonly task: CallTask
  readonly campaign: Campaign
  readonly number: PhoneNumber
  readonly clocks: {
    /** The database's: every rule is judged by it (F-G1). */
    readonly nowAtMs: AtMs | undefined
    readonly engineNowAtMs: AtMs | undefined
    /** The latest instant that was ever stored: time never runs backwards here (F-G2). */
    readonly latestSeenAtMs: AtMs | undefined
  }
  readonly killSwitch: 'off' | 'on' | undefined
  /** Whether this engine still holds the campaign's newest lease (INV-D12). */
  readonly holdsLease: boolean | undefined
  /** Entries of all stop lists that name this number or this person. */
  readonly stops: readonly StopHit[] | undefined
  /** Placements to this person within the cap's window, all campaigns together. */
  readonly placements: number | undefined
  readonly lastTalk: AtMs | 'never' | undefined
  /** Attempts in flight, anywhere in the system, beside this one (INV-D3). */
  readonly inFlight: { readonly ofTask: number; readonly ofNumber: number; readonly ofContact: number } | undefined
  readonly trunk: TrunkUse | undefined
  readonly isCallerIdOurs: boolean | undefined
  /** An agent who waits for this very call. */
  readonly reservedAgent: AgentName | undefined
  readonly live: LiveLines | undefined
  /** One for each rule of the campaign. */
  readonly ledgers: readonly LedgerState[] | undefined
  /** Why the line is placed at all: kept with the permit, no rule looks at it. */
  readonly placing?: Placing
}

/** Somebody asked not to be called. */
interface StopHit {
  readonly of: 'number' | 'contact'
  readonly list: string
}

/** What the trunks bear (INV-D9). */
export interface TrunkUse {
  readonly linesInUse: number
  readonly linesMax: number
  readonly placedLastSecond: number
  readonly perSecondMax: number
}

/** Leave to place one call, once, until it ends. It is stored with the attempt and tells how it came about. */
export type Permit = Branded<
  {
    readonly task: CallTaskId
    readonly campaign: CampaignId
    readonly contact: ContactKey | undefined
    readonly number: PhoneNumber
    readonly callerId: PhoneNumber
    readonly attemptNo: number
    readonly rules: string
    readonly country: string
    readonly zones: readonly string[]
    readonly zonesFrom: ZonesFrom
    readonly placements: number
    readonly reservedAgent: AgentName | undefined
    readonly placing: Placing | undefined
    readonly givenAtMs: AtMs
    /** A call planned for 19:59:59 is not placed at 20:00:01 (F-G6). */
    readonly validUntilAtMs: AtMs
  },
  'Permit'
>

/** Who told the zones. `country`: one of many, so that all of them and the campaign's own are kept (F-G4). */
type ZonesFrom = 'contact' | 'number' | 'country'

/** The gate's answer. `untilAtMs` where time alone will mend it. */
export type DialAnswer =
  | { readonly permit: Permit }
  | { readonly refused: Reason; readonly untilAtMs?: AtMs | undefined }

/** Why not, in a sentence for the people who ask. The keys are the closed list of reasons. */
export const REASONS = {
  killSwitch: 'Dialing is stopped everywhere, or it is not known whether it is; lift the kill switch.',
  clockUnknown: 'The time is not known: the database or this engine gave no clock reading.',
  clockWentBack: 'The clock shows less than it has shown before; set it right.',
  clocksDiffer: 'The clocks of this engine and of the database differ by more than 2 s; set them right.',
  leaseLost: 'Another engine may have taken this campaign over.',
  campaignInactive: 'The campaign is not active.',
  foreignTask: 'The call task belongs to another campaign.',
  taskFinished: 'The call task is finished, or nothing of it is left to be tried.',
  attemptInFlight: 'An attempt for this call task, number or person has not ended yet, or that is not known.',
  notYet: 'The interval, a callback date or the quiet after a dropped call is not over.',
  notItsTurn: 'It is the turn of another number of the call task.',
  stopped: 'The number or the person is on a stop list, or the lists could not be read.',
  numberRefused: 'The number is none that may be dialed: not valid, costly, an emergency or a service number.',
  countryNotAllowed: 'The number is in a country that the campaign may not call.',
  zoneUnknown: 'It is not known what time it is where the person lives.',
  outsideHours: 'The calling hours are closed where the person lives, or a holiday is.',
  frequencyCap: 'The person was called as often as the cap allows, or that is not known.',
  quietAfterTalk: 'The person has talked to us too recently, or that is not known.',
  callerIdNotOurs: 'The campaign shows a caller id that is not proved to be ours.',
  trunkFull: 'No line is free on the trunks, or their use is not known.',
  trunkTooFast: 'The trunks take no more calls in this second.',
  agentNeeded: 'This call is placed only with an agent reserved for it: by its mode, or because we dropped the person.',
  ledgerFull: 'One more line could be abandoned beyond the cap, or a ledger of the campaign is not known.',
} as const satisfies Readonly<Record<string, string>>

/** Why a call is not placed: a closed list. */
export type Reason = keyof typeof REASONS

/** Engine and database may differ by so much (F-G1). */
const CLOCKS_DIFFER_MAX_MS = 2_000
/** Our choice: long enough for a commit, too short for anything to be forgotten. */
const PERMIT_MS = 2_000

type Due = Extract<NextAttempt, { kind: 'due' }>

/** A question with what follows from it, worked out once. */
interface Weighed extends DialQuestion {
  /** Not a number when it is not known: no instant is then before or after it. */
  readonly nowAtMs: AtMs
  readonly next: NextAttempt
  /** What is next, where something is. */
  readonly due: Due | undefined
  readonly facts: NumberFacts
  readonly zones: readonly string[]
  readonly zonesFrom: ZonesFrom
  readonly open: OpenSpan | undefined
}

/** In the order in which people want to know. The first that is not proved is the answer. */
const RULES: readonly (readonly [Reason, (weighed: Weighed) => boolean])[] = [
  ['killSwitch', ({ killSwitch }) => killSwitch === 'off'],
  ['clockUnknown', ({ clocks }) => Object.values(clocks).every((atMs) => Number.isFinite(atMs))],
  ['clockWentBack', ({ nowAtMs, clocks }) => nowAtMs >= clocks.latestSeenAtMs!],
  ['clocksDiffer', ({ nowAtMs, clocks }) => Math.abs(nowAtMs - clocks.engineNowAtMs!) <= CLOCKS_DIFFER_MAX_MS],
  ['leaseLost', ({ holdsLease }) => holdsLease === true],
  ['campaignInactive', ({ campaign }) => campaign.isActive === true],
  ['foreignTask', ({ task, campaign }) => task.campaign === campaign.id],
  ['taskFinished', ({ next }) => next.kind !== 'finished'],
  ['attemptInFlight', ({ due, inFlight }) => due !== undefined && isNone(inFlight)],
  ['notYet', ({ due, nowAtMs }) => due !== undefined && nowAtMs >= due.fromAtMs],
  ['notItsTurn', ({ due, number }) => due?.numbers.includes(number) === true],
  ['stopped', ({ stops }) => stops?.length === 0],
  ['numberRefused', ({ facts }) => facts.ok],
  ['countryNotAllowed', ({ facts, campaign }) => facts.ok && campaign.allowedCountries.includes(facts.country)],
  ['zoneUnknown', ({ zones }) => zones.length > 0 && zones.every(isZone)],
  ['outsideHours', ({ open }) => open !== undefined],
  ['frequencyCap', ({ placements, campaign }) => isBelow(placements, campaign.frequencyCap.callsMax)],
  ['quietAfterTalk', isQuietOver],
  ['callerIdNotOurs', ({ isCallerIdOurs }) => isCallerIdOurs === true],
  ['trunkFull', ({ trunk }) => isBelow(trunk?.linesInUse, trunk?.linesMax)],
  ['trunkTooFast', ({ trunk }) => isBelow(trunk?.placedLastSecond, trunk?.perSecondMax)],
  ['agentNeeded', hasAgentOrNeedsNone],
  ['ledgerFull', isLineCovered],
]

/** Whether this number may be dialed for this task at this instant. Asked once more in the claim's transaction. */
export function mayDialNow(question: DialQuestion): DialAnswer {
  const weighed = weigh(question)
  const failed = RULES.find(([, holds]) => !holds(weighed))
  if (failed) return { refused: failed[0], untilAtMs: mendsAtMs(failed[0], weighed) }
  return { permit: permitFor(weighed) }
}

function weigh(question: DialQuestion): Weighed {
  const { task, campaign, number, clocks } = question
  const facts = examineNumber(number)
  const nowAtMs = clocks.nowAtMs ?? Number.NaN
  const place = zonesOf(task, campaign, facts)
  const open = openSpanAt(campaign.hours, place.zones, nowAtMs)
  const next = nextAttempt(task, campaign)
  const due = next.kind === 'due' ? next : undefined
  return { ...question, nowAtMs, facts, next, due, ...place, open }
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

/** False, too, where one of them is missing, negative or not a number. */
function isBelow(count: number | undefined, max: number | undefined): boolean {
  return count !== undefined && max !== undefined && count >= 0 && count < max
}

function isQuietOver({ lastTalk, nowAtMs, campaign }: Weighed): boolean {
  return (
    lastTalk === 'never' || (lastTalk !== undefined && nowAtMs >= lastTalk + campaign.frequencyCap.quietAfterTalkMs)
  )
}

function hasAgentOrNeedsNone({ reservedAgent, campaign, due, nowAtMs }: Weighed): boolean {
  if (reservedAgent !== undefined) return true
  if (campaign.mode === 'manual' || campaign.mode === 'preview') return false
  const fromAtMs = due?.withoutAgentFromAtMs
  return fromAtMs !== undefined && nowAtMs >= fromAtMs
}

/** A line with an agent of its own cannot be lost by us. Any other needs room in every ledger. */
function isLineCovered({ reservedAgent, campaign, ledgers, live }: Weighed): boolean {
  if (reservedAgent !== undefined) return true
  if (ledgers === undefined || live === undefined) return false
  const isComplete = campaign.ledgers.every((rule) => ledgers.some((ledger) => ledger.rule.name === rule.name))
  return isComplete && linesAllowedByAll(ledgers, live) >= 1
}

function mendsAtMs(reason: Reason, { due, campaign, zones, nowAtMs }: Weighed): AtMs | undefined {
  if (reason === 'outsideHours') return nextOpenAtMs(campaign.hours, zones, nowAtMs)
  return reason === 'notYet' ? due?.fromAtMs : undefined
}

function permitFor(weighed: Weighed): Permit {
  const { task, campaign, number, zones, zonesFrom, placements, reservedAgent, nowAtMs, open } = weighed
  // Proved by the rules above.
  const due = weighed.due!
  const facts = weighed.facts as Extract<NumberFacts, { ok: true }>
  return {
    task: task.id,
    campaign: campaign.id,
    contact: task.contact,
    number,
    callerId: campaign.callerId,
    attemptNo: due.attemptNo + due.numbers.indexOf(number),
    rules: campaign.rules,
    country: facts.country,
    zones,
    zonesFrom,
    placements: placements!,
    reservedAgent,
    placing: weighed.placing,
    givenAtMs: nowAtMs,
    validUntilAtMs: Math.min(nowAtMs + PERMIT_MS, open!.toAtMs),
  } as Permit
}
