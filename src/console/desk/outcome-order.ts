/** From what an agent has typed about a call to the order that saves it. Pure. */
import type { AnswerOf } from '../../client/request.ts'
import { callbackAt, type Understood } from './callback-words.ts'
import type { DeskCall } from './desk-state.ts'
import type { Order } from './use-orders.ts'

/** An outcome of the campaign's catalogue. */
export type Outcome = AnswerOf<'GET /dialer/callcode/{callCode}/outcomes'>[number]

/** What has been typed about a call, and kept in this browser. */
export interface Draft {
  readonly call: DeskCall
  readonly outcomeId: number | null
  /** The result in free words, where the campaign has no catalogue. */
  readonly result: string
  readonly note: string
  /** In plain words. */
  readonly callback: string
  readonly forMe: boolean
  /** Whether the contact asked for this time; absent: they did, as the agent has talked with them. */
  readonly asked?: boolean
  readonly fields: Readonly<Record<string, string>>
  /** Why the contact is not to be called again, while that is written; undefined: it is not asked for. */
  readonly stop?: string | undefined
  /** `contentOf` the draft when it was saved last; null: never. */
  readonly saved: string | null
  /** The last order that saves it, unless it was refused, and what it says. */
  readonly sent?: { readonly content: string; readonly key: string; readonly body: Order } | undefined
  /** It was discarded, and these calls have come since. */
  readonly discarded?: readonly string[]
  /** What comes when the call is over, and the key of its order. */
  readonly next?: { readonly to: Next; readonly key: string } | undefined
}

/** What an agent does after a call. */
export type Next = 'ready' | 'pause'

/** Where something is missing or wrong: a field of the form, or `field:` and the name of the outcome's. */
export type Place = 'outcome' | 'result' | 'note' | 'callback' | 'stop' | `field:${string}`

/** Why an order cannot be made. */
export type Missing =
  | 'outcome'
  | 'result'
  | 'required'
  | 'number'
  | 'date'
  | 'note'
  | 'stop'
  | `callback.${Exclude<Understood, { ok: true }>['why'] | 'zone'}`

export type OrderMade = { readonly ok: true; readonly body: Order } | NotMade

interface NotMade {
  readonly ok: false
  readonly at: Place
  readonly why: Missing
}

/** Of an order; empty: nobody is called back. */
interface Promised {
  readonly callBackTs?: string
  readonly callBackForMe?: boolean
  readonly askedByContact?: boolean
}

/** As the node counts them. */
const NOTE_LETTERS_MAX = 1_000

/** Nothing typed yet. */
export function emptyDraft(call: DeskCall): Draft {
  return { call, outcomeId: null, result: '', note: '', callback: '', forMe: false, fields: {}, saved: null }
}

/** The typed part as one text: equal texts say the same. */
export function contentOf({ outcomeId, result, note, callback, forMe, asked, fields }: Draft): string {
  // Without a time it says nothing.
  const ofTime = callback === '' || asked === undefined ? [] : [asked]
  return JSON.stringify([outcomeId, result, note, callback, forMe, Object.entries(fields).sort(), ...ofTime])
}

/** Whether anything was typed that is not saved. */
export function isUnsaved(draft: Draft): boolean {
  if (draft.stop?.trim()) return true
  const content = contentOf(draft)
  return content !== draft.saved && content !== contentOf(emptyDraft(draft.call))
}

/**
 * The order; or the first place that is missing or wrong. No outcomes: the campaign takes free words. No `zone`: nobody
 * knows yet what the wall shows where the callee lives, and no time is promised.
 */
export function outcomeOrder(
  draft: Draft,
  outcomes: readonly Outcome[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string | undefined },
): OrderMade {
  const { callId } = draft.call
  const written = draft.note.trim()
  if ([...written].length > NOTE_LETTERS_MAX) return { ok: false, at: 'note', why: 'note' }
  const note = written === '' ? {} : { note: written }
  if (outcomes.length === 0) {
    const feedbackType = draft.result.trim()
    if (feedbackType === '') return { ok: false, at: 'result', why: 'result' }
    return { ok: true, body: { type: 'feedback', callId, feedbackType, ...note } }
  }
  const outcome = outcomes.find(({ outcomeId }) => outcomeId === draft.outcomeId)
  if (!outcome) return { ok: false, at: 'outcome', why: 'outcome' }
  const date = outcome.final || draft.call.isIncoming ? NO_DATE : callbackOf(draft, outcome, nowMs, zone)
  if ('why' in date) return date
  const fields: { name: string; value: string | number }[] = []
  for (const { name, kind, required } of outcome.fields) {
    const typed = draft.fields[name]?.trim() ?? ''
    if (typed === '' && required) return { ok: false, at: `field:${name}`, why: 'required' }
    if (typed === '') continue
    const value = kind === 'number' ? numberIn(typed) : typed
    if (value === undefined) return { ok: false, at: `field:${name}`, why: 'number' }
    fields.push({ name, value })
  }
  return { ok: true, body: { type: 'outcome', callId, outcomeId: outcome.outcomeId, ...note, ...date, fields } }
}

const NO_DATE: Promised = {}

/** In either language: 1500.50 or 1500,50. "1.500" may be one and a half, or a thousand times as much: it is none. */
function numberIn(typed: string): number | undefined {
  const isThousands = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(typed)
  return /^[+-]?\d{1,15}([.,]\d{1,6})?$/.test(typed) && !isThousands ? Number(typed.replace(',', '.')) : undefined
}

function callbackOf(
  draft: Draft,
  { needsCallBackDate }: Outcome,
  nowMs: number,
  zone: string | undefined,
): Promised | NotMade {
  const said = callbackAt(draft.callback, nowMs, zone ?? 'UTC')
  if (said.ok && zone === undefined) return { ok: false, at: 'callback', why: 'callback.zone' }
  if (said.ok) {
    const { forMe: callBackForMe, asked: askedByContact = true } = draft
    return { callBackTs: new Date(said.atMs).toISOString(), callBackForMe, askedByContact }
  }
  if (said.why === 'empty' && !needsCallBackDate) return NO_DATE
  return { ok: false, at: 'callback', why: `callback.${said.why}` }
}
