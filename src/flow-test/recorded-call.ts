/** A call as the journal has it, in the form in which it can be played through another revision of its flow. */
import type { CallBegan } from '../engine/call-trace.ts'
import type { CallBegins, CallCommand, CallFact, CallNote } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { JournalLine } from '../ports/journal.ts'
import { QUIET_AFTER_MS } from '../ports/pbx.ts'
import type { SmsResult } from '../ports/sms.ts'
import { targetText } from '../ports/transfer.ts'
import { spokenText } from './heard.ts'
import type { Verb } from './script.ts'
import type { Reply, TransferReply, World } from './world.ts'

/** An action of the caller or of the world around, at its place in the talk of one visit of a step. */
interface TimedVerb {
  readonly verb: Extract<Verb, { kind: 'press' | 'speak' | 'agent' | 'event' }> | Said | { readonly kind: 'hangup' }
  /** How many prompts of the visit had begun. */
  readonly prompts: number
  /** Since the last of them began, or since it ended: callers wait for the end of a prompt, or speak into it. */
  readonly since: 'begin' | 'end'
  readonly afterMs: number
}

/** A message, from the tone on, 0 ms if nothing was said; or speech over a prompt. */
interface Said {
  readonly kind: 'say'
  forMs: number
}

export interface RecordedVisit {
  readonly kind: string
  readonly verbs: readonly TimedVerb[]
  /** How the step ended; undefined where the call ended in it. */
  readonly end: string | undefined
  /** The words of the first prompt. */
  readonly words: string | undefined
  readonly isSecret: boolean
}

/** What a call came to: of the record, and of a replay. */
export interface Course {
  readonly path: readonly string[]
  readonly teams: readonly string[]
  readonly texts: number
  readonly stops: number
  /** Whom the caller was to be brought to, in order. */
  readonly transfers: readonly string[]
  readonly outcome: string
  /** `lookup malformed`: steps that ended without success. */
  readonly failures: readonly string[]
}

export interface RecordedCall {
  readonly begins: CallBegins
  /** `ask 1` → the first visit of `ask`. */
  readonly visits: ReadonlyMap<string, RecordedVisit>
  readonly replies: ReadonlyMap<string, readonly Reply[]>
  readonly texts: readonly SmsResult[]
  readonly stops: readonly ReturnType<World['stopCaller']>[]
  /** Team → what its queue answered, join after join. */
  readonly queues: ReadonlyMap<string, readonly QueueAnswer[]>
  readonly places: readonly ReturnType<World['place']>[]
  /** Whether the caller could be called back, as often as it was asked. */
  readonly callbacks: readonly boolean[]
  readonly transfers: readonly TransferReply[]
  readonly refusedWait: string | undefined
  readonly refusedMessage: string | undefined
  /** Prompts that could not be played. */
  readonly unplayable: ReadonlySet<string>
  readonly course: Course
}

type What = CallBegan | CallFact | CallCommand | CallNote
type Of<T extends What['type']> = Extract<What, { type: T }>

type QueueAnswer = 'full' | 'closed' | undefined

interface Visit extends RecordedVisit {
  verbs: TimedVerb[]
  end: string | undefined
  words: string | undefined
  isSecret: boolean
}

/** Types of lines that are read; a reader of journals may skip all others. */
export function isRead(type: string): boolean {
  return Object.hasOwn(READ, type)
}

/** The call of these lines, which are all of it and begin with `call.began`. Undefined: it did not come to its end. */
export function recordedCall(lines: readonly JournalLine[]): RecordedCall | undefined {
  const recording = new Recording((lines[0]!.what as unknown as CallBegan).begins)
  for (const { what, atMs } of lines) {
    const read = READ[what.type as What['type']] as
      | ((recording: Recording, what: never, atMs: AtMs) => void)
      | undefined
    read?.(recording, what as never, atMs)
  }
  return recording.outcome === undefined ? undefined : recording.toCall(recording.outcome)
}

/** `ask 1` */
export function visitName({
  step,
  visit,
}: Pick<Extract<CallNote, { type: 'step.entered' }>, 'step' | 'visit'>): string {
  return `${step} ${visit}`
}

/** Whether a step that ended like this did what its author wanted of it. */
export function isSuccess(end: string): boolean {
  return end === 'done' || end.startsWith('key:') || end.startsWith('case:')
}

class Recording {
  readonly begins: CallBegins
  readonly visits = new Map<string, Visit>()
  readonly replies = new Map<string, Reply[]>()
  readonly asked = new Map<string, { readonly name: string; readonly atMs: AtMs }>()
  readonly texts: SmsResult[] = []
  readonly stops: ReturnType<World['stopCaller']>[] = []
  readonly queues = new Map<string, QueueAnswer[]>()
  readonly places: ReturnType<World['place']>[] = []
  readonly callbacks: boolean[] = []
  readonly transfers: { -readonly [K in keyof TransferReply]: TransferReply[K] }[] = []
  readonly targets: string[] = []
  /** When the transfer began, and then when it was answered. */
  transferMs: AtMs = 0
  readonly path: string[] = []
  readonly teams: string[] = []
  readonly failures: string[] = []
  readonly unplayable = new Set<string>()
  refusedWait: string | undefined
  refusedMessage: string | undefined
  said: Said | undefined
  /** Speech over a prompt, which stopped it unless its end is told. */
  talk: { readonly said: Said; readonly fromMs: AtMs } | undefined
  lastWords = ''
  awaited: Of<'awaitEvent'> | undefined
  outcome: string | undefined
  visit: Visit | undefined
  sentTexts = 0
  wantedStops = 0
  prompts = 0
  isSpeaking = false
  isHungUpByUs = false
  /** When the last prompt of the visit began or ended, or the visit did. */
  sinceMs: AtMs = 0

  constructor(begins: CallBegins) {
    this.begins = begins
  }

  add(verb: TimedVerb['verb'], atMs: AtMs): void {
    const since = this.isSpeaking ? 'begin' : 'end'
    this.visit?.verbs.push({ verb, prompts: this.prompts, since, afterMs: atMs - this.sinceMs })
  }

  toCall(outcome: string): RecordedCall {
    const { path, teams, failures, begins, visits, replies, texts, stops, queues, places, callbacks } = this
    const course = {
      path,
      teams,
      texts: this.sentTexts,
      stops: this.wantedStops,
      transfers: this.targets,
      outcome,
      failures,
    }
    const { refusedWait, refusedMessage, unplayable, transfers } = this
    const world = {
      transfers,
      replies,
      texts,
      stops,
      queues,
      places,
      callbacks,
      refusedWait,
      refusedMessage,
      unplayable,
    }
    return { begins, visits, ...world, course }
  }
}

/** Speech that stops a prompt. */
const STOPS_MS = 1_000
/** Longer than any talk of a transfer. */
const TALK_MAX_MS = 24 * 3_600_000
const LEAVES = { kind: 'agent', does: 'leaves' } as const
const ANSWERS = { kind: 'agent', does: 'answers' } as const
const IS_LOST = { kind: 'agent', does: 'lost' } as const

const READ: { readonly [T in What['type']]?: (recording: Recording, what: Of<T>, atMs: AtMs) => void } = {
  'call.began': () => {},
  'step.entered': (recording, what, atMs) => {
    const visit = { kind: what.kind, verbs: [], end: undefined, words: undefined, isSecret: false }
    recording.visit = visit
    recording.visits.set(visitName(what), visit)
    recording.path.push(what.step)
    recording.prompts = 0
    recording.isSpeaking = false
    recording.sinceMs = atMs
  },
  'step.left': ({ visit, failures }, { step, end }) => {
    if (visit) visit.end = end
    if (!isSuccess(end)) failures.push(`${step} ${end}`)
  },
  play: (recording, { say }, atMs) => {
    recording.lastWords = spokenText(say)
    if (recording.visit && recording.prompts === 0) recording.visit.words = recording.lastWords
    recording.prompts++
    recording.isSpeaking = true
    recording.sinceMs = atMs
  },
  stopPlaying: (recording, _, atMs) => {
    recording.isSpeaking = false
    recording.sinceMs = atMs
  },
  'playback.ended': (recording, { result }, atMs) => {
    if (result === 'stopped') return
    if (result === 'failed') recording.unplayable.add(recording.lastWords)
    recording.isSpeaking = false
    recording.sinceMs = atMs
  },
  'leg.digit': (recording, { digit }, atMs) => {
    if (recording.visit && !/[0-9*#]/.test(digit)) recording.visit.isSecret = true
    recording.add({ kind: 'press', keys: digit }, atMs)
  },
  'leg.talking': (recording, _, atMs) => {
    recording.talk = { said: { kind: 'say', forMs: STOPS_MS }, fromMs: atMs }
    recording.add(recording.talk.said, atMs)
  },
  'leg.quiet': ({ talk }, _, atMs) => {
    if (talk) talk.said.forMs = Math.max(0, atMs - talk.fromMs - QUIET_AFTER_MS)
  },
  'leg.said': (recording, { text, confidence }, atMs) => recording.add({ kind: 'speak', says: text, confidence }, atMs),
  hangUp: (recording) => {
    recording.isHungUpByUs = true
  },
  takeMessage: (recording, _, atMs) => {
    recording.said = { kind: 'say', forMs: 0 }
    recording.add(recording.said, atMs)
  },
  'message.ended': (recording, fact) => {
    if (fact.end === 'done') recording.said!.forMs = fact.message.seconds * 1_000
    if (fact.end === 'failed') recording.refusedMessage = fact.why
  },
  'leg.ended': (recording, { left }, atMs) => {
    if (left) recording.said!.forMs = left.seconds * 1_000
    if (!recording.isHungUpByUs) recording.add({ kind: 'hangup' }, atMs)
  },
  request: ({ asked }, { request, ask }, atMs) => void asked.set(request, { name: `${ask.method} ${ask.url}`, atMs }),
  'request.answered': ({ asked, replies }, { request, answer }, atMs) => {
    const of = asked.get(request)
    if (!of) return
    const before = replies.get(of.name) ?? []
    replies.set(of.name, [...before, { afterMs: atMs - of.atMs, answer }])
  },
  sendSms: (recording) => void recording.sentTexts++,
  'sms.settled': ({ texts }, { result }) => void texts.push(result),
  stopCaller: (recording) => void recording.wantedStops++,
  'caller.stopped': ({ stops }, { end, why }) => void stops.push({ end, ...(why !== undefined && { why }) }),
  transfer: (recording, { to }, atMs) => {
    recording.targets.push(targetText(to))
    recording.transferMs = atMs
    // A caller who hangs up before its end is there as long as the record is.
    recording.transfers.push({ end: 'done', afterMs: TALK_MAX_MS, talkMs: TALK_MAX_MS })
  },
  'transfer.connected': (recording, _, atMs) => {
    recording.transfers.at(-1)!.afterMs = atMs - recording.transferMs
    recording.transferMs = atMs
  },
  'transfer.ended': (recording, { end, why }, atMs) => {
    const reply = recording.transfers.at(-1)!
    const isTalk = reply.afterMs < TALK_MAX_MS
    reply[isTalk ? 'talkMs' : 'afterMs'] = atMs - recording.transferMs
    Object.assign(reply, { end, ...(why !== undefined && { why }) })
  },
  joinQueue: ({ teams, queues }, { team }) => {
    teams.push(team)
    queues.set(team, [...(queues.get(team) ?? []), undefined])
  },
  'queue.refused': ({ queues, teams }, { why }) => void queues.get(teams.at(-1) ?? '')?.splice(-1, 1, why),
  'queue.position': ({ places }, { type: _, ...place }) => void places.push(place),
  'queue.callback': ({ callbacks }, { what }) => void callbacks.push(what !== 'refused'),
  'agent.connected': (recording, _, atMs) => recording.add(ANSWERS, atMs),
  'agent.left': (recording, _, atMs) => recording.add(LEAVES, atMs),
  'agent.lost': (recording, _, atMs) => recording.add(IS_LOST, atMs),
  awaitEvent: (recording, what) => {
    recording.awaited = what
  },
  'event.came': (recording, { data }, atMs) => {
    const { event, of } = recording.awaited!
    recording.add({ kind: 'event', name: { event, of }, data }, atMs)
  },
  'wait.refused': (recording, { why }) => {
    recording.refusedWait = why
  },
  endCall: (recording, { record }) => {
    recording.outcome = record.outcome
  },
}
