import type { DistributorCommand } from '../acd/distributor.ts'
import type { CallBegan } from '../engine/call-trace.ts'
import type { CallCommand, CallFact, CallNote } from '../flow/model/call-messages.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { Utterance } from '../ports/speech.ts'
import { formatAttempt } from './format-attempt.ts'
import type { Telling } from './formatted-line.ts'

/** One line of a call's journal in the words of a reader. What is not known by name is told as it stands. */
export function formatLine(line: JournalLine): Telling {
  const { kind, by, what } = line
  if (by === 'attempt') return formatAttempt(line)
  if (by === 'desk') return formatDistributor(kind, what)
  return isTold(what) ? formatOwn(what) : engine(asItStands(what))
}

type FormattedLine = CallBegan | CallFact | CallCommand | CallNote

function isTold(what: JournalLine['what']): what is JournalLine['what'] & FormattedLine {
  return Object.hasOwn(TELLINGS, what.type)
}

function formatOwn<T extends FormattedLine>(what: T): Telling {
  return (TELLINGS[what.type] as (what: T) => Telling)(what)
}

const fromCaller = (text: string): Telling => ({ lane: 'caller', way: 'in', text })
const toCaller = (text: string): Telling => ({ lane: 'caller', way: 'out', text })
const engine = (text: string): Telling => ({ lane: 'engine', way: 'none', text })

/** Every fact, command and note of a call: one that is added and not told here fails the type check. */
const TELLINGS: { readonly [T in FormattedLine['type']]: (what: Extract<FormattedLine, { type: T }>) => Telling } = {
  'call.began': ({ begins }) => fromCaller(`calls ${begins.called}`),
  'leg.answered': () => fromCaller('connected'),
  'leg.digit': ({ digit }) => fromCaller(`presses ${digit}`),
  'leg.ended': ({ reason, code }) => fromCaller(`gone: ${reason}${code === undefined ? '' : ` (${code})`}`),
  'playback.started': () => fromCaller('hears it begin'),
  'playback.ended': ({ result }) => fromCaller(PLAYBACK_RESULTS[result]),
  'time.passed': () => engine('time is up'),
  'request.answered': ({ answer }) =>
    engine(
      answer.outcome === 'answered' ? `answer ${answer.status} ${answer.body}` : `${answer.outcome}: ${answer.why}`,
    ),
  'sms.settled': ({ result }) =>
    engine(`text message ${result.outcome}${result.outcome === 'sent' ? '' : `: ${result.why}`}`),
  'queue.refused': ({ why }) => engine(`the queue is ${why}`),
  'queue.position': ({ position }) => engine(`number ${position} in the queue`),
  'agent.connected': ({ agent }) => engine(`connected with ${agent}`),
  'agent.left': ({ agent }) => engine(`${agent} has left`),
  'call.broken': ({ why }) => engine(`BROKEN: ${why}`),

  answer: () => toCaller('answer'),
  hangUp: () => toCaller('hang up'),
  play: ({ say }) => toCaller(inWords(say)),
  stopPlaying: () => toCaller('stop playing'),
  startMusic: ({ music }) => toCaller(`music: ${music}`),
  stopMusic: () => toCaller('stop the music'),
  request: ({ ask }) => engine(`asks ${ask.method} ${ask.url}`),
  cancelRequest: () => engine('asks no longer'),
  sendSms: ({ to, text }) => engine(`text message to ${to}: ${text}`),
  joinQueue: ({ team, priority }) => engine(`waits for ${team}${priority === 0 ? '' : `, priority ${priority}`}`),
  leaveQueue: () => engine('waits no longer'),
  askPosition: () => engine('asks for the position'),
  endCall: ({ record }) => engine(`the call is over: ${record.outcome}`),

  'step.entered': ({ step, kind, line, visit }) =>
    engine(`▸ ${step}: ${kind}, line ${line}${visit > 1 ? `, visit ${visit}` : ''}`),
  'step.left': ({ step, end, to, why }) =>
    engine(`${step} ${end} → ${to ?? 'the end'}${why === undefined ? '' : ` (${why})`}`),
}

const PLAYBACK_RESULTS = {
  finished: 'heard it to the end',
  stopped: 'heard it cut short',
  failed: 'heard nothing: it failed',
} as const

/** Commands of the desk about an agent; their facts are those of any leg, told from the agent's side. */
const DESK_TELLINGS: Readonly<Record<DistributorCommand['type'], (who: string) => string>> = {
  ringAgent: (who) => `ring ${who}`,
  whisper: (who) => `whisper to ${who}`,
  turnAway: () => 'the team is gone; the caller is turned away',
  connect: (who) => `connect with ${who}`,
  hangUpAgent: (who) => `hang up on ${who}`,
  closeBridge: (who) => `part from ${who}`,
  agentLeft: (who) => `${who} has left`,
  offerRefused: (who) => `${who} did not come`,
  'seat.ring': (who) => `call ${who}, to stay on the line`,
  'seat.hold': (who) => `${who} waits on the line`,
  'seat.hangUp': (who) => `let ${who}'s phone go`,
  'seat.close': (who) => `close the line of ${who}`,
  'seat.join': (who) => `connect with ${who}`,
  'seat.part': (who) => `part from ${who}`,
  'seat.hush': (who) => `whisper no more to ${who}`,
  'seat.changed': (who) => `${who} is something else now`,
  'agent.given': (who) => `${who} takes it`,
  'agent.lost': (who) => `${who} is not there after all`,
  'agent.finished': (who) => `${who} ends it`,
}

/** Wishes of the desk that concern the call: nothing is asked of the agent's phone. */
const OF_THE_CALL: readonly string[] = [
  'agentLeft',
  'offerRefused',
  'turnAway',
  'agent.given',
  'agent.lost',
  'agent.finished',
] satisfies DistributorCommand['type'][]

function formatDistributor(kind: JournalLine['kind'], what: JournalLine['what']): Telling {
  const who = typeof what['agent'] === 'string' ? what['agent'] : 'agent'
  if (kind === 'note') return { lane: 'agent', way: 'none', text: asItStands(what) }
  if (kind === 'fact')
    return { lane: 'agent', way: 'in', text: `${who} ${AGENT_FACTS[what.type] ?? what.type}${reasonOf(what)}` }
  const command = (DESK_TELLINGS as Readonly<Record<string, ((who: string) => string) | undefined>>)[what.type]
  const text = command?.(who) ?? `${what.type} ${who}`
  const say = what.type === 'whisper' ? `: ${inWords((what['say'] ?? []) as readonly Utterance[])}` : ''
  return { lane: 'agent', way: OF_THE_CALL.includes(what.type) ? 'none' : 'out', text: text + say }
}

const AGENT_FACTS: Readonly<Record<string, string | undefined>> = {
  'leg.ringing': 'hears it ring',
  'leg.answered': 'answered',
  'leg.ended': 'is gone',
  'playback.started': 'hears the whisper',
  'playback.ended': 'heard the whisper',
  'bridge.joined': 'is connected',
}

function reasonOf({ reason }: JournalLine['what']): string {
  return typeof reason === 'string' ? `: ${reason}` : ''
}

function inWords(say: readonly Utterance[]): string {
  const words = say.map((part) =>
    'text' in part ? part.text : 'file' in part ? `[${part.file.split('/').at(-1)}]` : '…',
  )
  return `“${words.join(' ')}”`
}

function asItStands({ type, ...fields }: JournalLine['what']): string {
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  return `${type}${rest}`
}
