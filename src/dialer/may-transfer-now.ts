/**
 * The gate of transfers: nobody is called for a flow without a permit, and only this file issues them. As at the gate
 * of campaigns (`may-dial-now.ts`), every rule must be *proved*: what is unknown proves nothing.
 */
import type { Branded, PhoneNumber } from '../kernel/ids.ts'
import type { AbroadUse } from '../ports/attempt.ts'
import { type TransferTarget, targetText } from '../ports/transfer.ts'
import { type AbroadCaps, isHome, isRoomAbroad } from './abroad.ts'
import { REASONS, type TrunkUse } from './may-dial-now.ts'
import { examineNumber } from './phone-zone.ts'

/** A trunk of the configuration, and what is on it now. */
export interface TransferTrunk {
  readonly name: string
  readonly host: string | undefined
  readonly callerIds: readonly PhoneNumber[]
  readonly transferCountries: readonly string[]
  readonly sipTransfers: boolean
  readonly abroad: AbroadCaps | undefined
  readonly use: TrunkUse
}

/** The input of the gate. `undefined` means that a value could not be determined. */
export interface TransferQuestion {
  readonly to: TransferTarget
  readonly mode: 'attended' | 'blind'
  /** As the flow wishes; undefined: the first of the trunk. */
  readonly callerId: PhoneNumber | undefined
  readonly trunks: readonly TransferTrunk[]
  readonly killSwitch: 'off' | 'on' | undefined
  /** Whether this engine may dial: it holds its lease, and its records are written. */
  readonly isWell: boolean
  /** Whether the number is one of the configuration: it would lead back to a flow. */
  readonly isOurs: boolean
  /** Of a number: whether it, or its person, is on a stop list. */
  readonly isStopped: boolean | undefined
  /** Of a number: whether it belongs to an open call task. */
  readonly hasOpenTask: boolean | undefined
  readonly abroad: readonly AbroadUse[] | undefined
}

/** Permission for one transfer. */
export type TransferPermit = Branded<
  { readonly trunk: string; readonly host: string; readonly callerId: PhoneNumber; readonly abroad?: string },
  'TransferPermit'
>

/** Each reason as a sentence for the trace of the call. */
const WHY = {
  killSwitch: REASONS.killSwitch,
  notReady: 'This engine may not dial now: its lease, its records or the switch are in doubt.',
  ours: 'The number is one of ours: the call would come back. Go on with a step of the flow.',
  stopped: REASONS.stopped,
  openTask: 'The number belongs to an open call task, or it is unknown whether it does: only its campaign calls it.',
  numberRefused: REASONS.numberRefused,
  countryNotAllowed: 'No trunk may transfer to the country of the number; add it to transferCountries of a trunk.',
  countrySpent: REASONS.countrySpent,
  hostNotAllowed: 'No trunk with sipTransfers has this host; add it to the configuration.',
  callerIdNotOurs: 'The caller id is not one of the trunk; add it to its callerIds, or choose another.',
  carrierFailing: REASONS.carrierFailing,
  trunkFull: REASONS.trunkFull,
  trunkTooFast: REASONS.trunkTooFast,
} as const satisfies Readonly<Record<string, string>>

type TransferReason = keyof typeof WHY

interface Weighed extends TransferQuestion {
  readonly trunk: TransferTrunk | undefined
  readonly shown: PhoneNumber | undefined
  /** The country of the number, if it is none of the trunk's caller ids. */
  readonly foreign: string | undefined
}

/** The first rule that is not proved is the answer, so the most general come first. */
const RULES: readonly (readonly [TransferReason, (weighed: Weighed) => boolean])[] = [
  ['killSwitch', ({ killSwitch }) => killSwitch === 'off'],
  ['notReady', ({ isWell }) => isWell],
  ['ours', ({ isOurs }) => !isOurs],
  ['stopped', ({ to, isStopped }) => !('number' in to) || isStopped === false],
  ['openTask', ({ to, hasOpenTask }) => !('number' in to) || hasOpenTask === false],
  ['numberRefused', ({ to }) => ('number' in to ? examineNumber(to.number).ok : !looksLikeNumber(to.user))],
  ['countryNotAllowed', ({ to, trunk }) => !('number' in to) || trunk?.host !== undefined],
  ['countrySpent', ({ foreign, trunk, abroad }) => foreign === undefined || isRoomFor(foreign, trunk, abroad)],
  ['hostNotAllowed', ({ trunk }) => trunk?.host !== undefined],
  ['callerIdNotOurs', ({ trunk, shown }) => shown !== undefined && trunk?.callerIds.includes(shown) === true],
  // The other network calls: none of our lines is used.
  ['carrierFailing', ({ mode, trunk }) => mode === 'blind' || trunk?.use.isFailing === false],
  ['trunkFull', ({ mode, trunk }) => mode === 'blind' || isBelow(trunk?.use.linesInUse, trunk?.use.linesMax)],
  [
    'trunkTooFast',
    ({ mode, trunk }) => mode === 'blind' || isBelow(trunk?.use.placedLastSecond, trunk?.use.perSecondMax),
  ],
]

/** Whether a caller may be transferred there now. */
export function mayTransferNow(
  question: TransferQuestion,
): { readonly permit: TransferPermit } | { readonly refused: TransferReason; readonly why: string } {
  const trunk = question.trunks.find((one) => leadsTo(one, question.to))
  const foreign = foreignOf(question.to, trunk)
  const weighed: Weighed = { ...question, trunk, foreign, shown: question.callerId ?? trunk?.callerIds[0] }
  const failed = RULES.find(([, holds]) => !holds(weighed))
  if (failed) return { refused: failed[0], why: `${targetText(question.to)} is not called: ${WHY[failed[0]]}` }
  const permit = { trunk: trunk!.name, host: trunk!.host!, callerId: weighed.shown! }
  return { permit: { ...permit, ...(foreign !== undefined && { abroad: foreign }) } as TransferPermit }
}

function foreignOf(to: TransferTarget, trunk: TransferTrunk | undefined): string | undefined {
  const facts = 'number' in to ? examineNumber(to.number) : undefined
  return facts?.ok && !isHome(facts.country, trunk?.callerIds) ? facts.country : undefined
}

function isRoomFor(country: string, trunk: TransferTrunk | undefined, used: TransferQuestion['abroad']): boolean {
  return isRoomAbroad(country, { caps: trunk?.abroad, used, beside: 0 })
}

function leadsTo({ name, host, transferCountries, sipTransfers }: TransferTrunk, to: TransferTarget): boolean {
  if (!('number' in to)) return sipTransfers && (to.host === name || to.host === host?.toLowerCase())
  const facts = examineNumber(to.number)
  return facts.ok && transferCountries.includes(facts.country)
}

/** A user of so many digits may be a number that the plan refuses, behind a system that dials it. Our choice. */
function looksLikeNumber(user: string): boolean {
  return /^[0-9]{7,}$/.test(user)
}

function isBelow(count: number | undefined, max: number | undefined): boolean {
  return count !== undefined && max !== undefined && count >= 0 && count < max
}
