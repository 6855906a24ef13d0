import type { CallBegins, CallCommand, CallFact, CallNote } from '../flow/model/call-messages.ts'
import type { FlowRun } from '../flow/run/flow-run.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { CallId } from '../kernel/ids.ts'
import type { Journal, JournalLine } from '../ports/journal.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { Utterance } from '../ports/speech.ts'

const COVER = '•'

/** The first line of every call: with the flow, all that a replay needs. */
export interface CallBegan {
  readonly type: 'call.began'
  readonly begins: CallBegins
  readonly flow: string
  readonly revision: string
}

export interface DistributorLine {
  readonly kind: 'fact' | 'command'
  readonly what: { readonly type: string }
}

/** Nobody runs the steps of `onHangup` (calls-and-flows-108). */
export interface StepsLost {
  readonly type: 'steps.lost'
  readonly why: string
}

/** What is written beside the notes of the flow. */
type OwnNote =
  | CallNote
  | { readonly type: 'call.broke'; readonly why: string }
  | Extract<PbxEvent, { type: 'leg.digitWasInfo' }>

/** Journals calls. What a caller types at a `secret: true` gather never reaches the journal. */
export class Trace {
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  began(begins: CallBegins, flow: string, revision: string): void {
    const what: CallBegan = { type: 'call.began', begins, flow, revision }
    this.#write(begins.call, begins.atMs, 'fact', 'call', what)
  }

  /** Call it before the call handles the fact: the waiting step decides whether a digit is masked. */
  fact(call: CallId, run: FlowRun, fact: CallFact, atMs: AtMs): void {
    const hidden = fact.type === 'leg.digit' && run.hidesDigits
    this.#write(call, atMs, 'fact', 'call', cover(hidden ? { ...fact, digit: COVER } : fact, run.secrets))
  }

  command(call: CallId, run: FlowRun, command: CallCommand, atMs: AtMs): void {
    this.#write(call, atMs, 'command', 'call', cover(command, run.secrets))
  }

  note(call: CallId, run: FlowRun, note: OwnNote, atMs: AtMs): void {
    this.#write(call, atMs, 'note', 'call', cover(note, run.secrets))
  }

  stepsLost(call: CallId, why: string, atMs: AtMs): void {
    const what: StepsLost = { type: 'steps.lost', why }
    this.#write(call, atMs, 'note', 'call', what)
  }

  /** `run` is absent when the caller is gone. Whispers are masked as well. */
  distributor(call: CallId, run: FlowRun | undefined, line: DistributorLine, atMs: AtMs): void {
    this.#write(call, atMs, line.kind, 'desk', cover(line.what, run?.secrets ?? []))
  }

  #write(call: CallId, atMs: AtMs, kind: JournalLine['kind'], by: JournalLine['by'], what: { type: string }): void {
    this.#journal.append({ atMs, call, kind, by, what: what as JournalLine['what'] })
  }
}

/** Fields that hold our own names, or telephone numbers: a caller typed nothing in them. */
const NAMES: ReadonlySet<string> = new Set([
  'type',
  'call',
  'leg',
  'callerLeg',
  'agentLeg',
  'bridge',
  'playback',
  'listening',
  'request',
  'key',
  'flow',
  'revision',
  'path',
  'marks',
  'step',
  'to',
  'kind',
  'end',
  'called',
  'caller',
  'callerId',
  'agent',
  'team',
  'music',
  'voice',
  'reason',
  'result',
  'contentType',
  'method',
])

/** Masks every secret inside the texts of a line; numbers hold no typed digits. */
function cover<T>(value: T, secrets: readonly string[]): T {
  const masks = secrets.filter((secret) => secret !== '').map(maskOf)
  return masks.length === 0 ? value : (coverDeep(value, masks) as T)
}

function coverDeep(value: unknown, masks: readonly Mask[]): unknown {
  if (typeof value === 'string') {
    return masks.reduce((text, { pattern, cover }) => text.replace(pattern, cover), value)
  }
  if (Array.isArray(value)) return value.map((inner) => coverDeep(inner, masks))
  if (typeof value !== 'object' || value === null) return value
  const covered = ([key, inner]: [string, unknown]) => [key, NAMES.has(key) ? inner : coverDeep(inner, masks)]
  return Object.fromEntries(Object.entries(value).map(covered))
}

const SPOKEN_SIGNS: Readonly<Record<string, string>> = { '*': '(?:[*]|star)', '#': '(?:#|hash)' }

/** Marks utterances that hold a secret of the caller. */
export function guardSecrets(say: readonly Utterance[], secrets: readonly string[]): readonly Utterance[] {
  return say.map((one) => ('text' in one && cover(one.text, secrets) !== one.text ? { ...one, isPrivate: true } : one))
}

interface Mask {
  readonly pattern: RegExp
  readonly cover: string
}

/**
 * A secret as it was typed, and as it is read aloud digit by digit: `1772` and `1, 7, 7, 2`. Both become `••••`: a
 * replay, which knows the masked value alone, reads that aloud.
 */
function maskOf(secret: string): Mask {
  const pattern = new RegExp([...secret].map((sign) => SPOKEN_SIGNS[sign] ?? sign).join('[, ]*'), 'g')
  return { pattern, cover: COVER.repeat(secret.length) }
}
