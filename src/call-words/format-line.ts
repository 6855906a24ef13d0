import type { DistributorCommand } from '../acd/distributor.ts'
import type { CallBegan, StepsLost } from '../engine/call-trace.ts'
import type { CallCommand, CallFact, CallNote } from '../flow/model/call-messages.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { Utterance } from '../ports/speech.ts'
import { targetText } from '../ports/transfer.ts'
import { formatAttempt } from './format-attempt.ts'
import { soundOf } from './format-sound.ts'
import type { FormattedLine } from './formatted-line.ts'

/** One journal line of a call as text; a line of unknown type is shown as it is. */
export function formatLine(line: JournalLine): FormattedLine {
  const { kind, by, what } = line
  if (by === 'attempt') return formatAttempt(line)
  if (by === 'desk') return formatDistributor(kind, what)
  return isCallLine(what) ? formatOwn(what) : engine(asItIs(what))
}

type CallLine = CallBegan | CallFact | CallCommand | CallNote | StepsLost

function isCallLine(what: JournalLine['what']): what is JournalLine['what'] & CallLine {
  return Object.hasOwn(FORMATS, what.type)
}

function formatOwn<T extends CallLine>(what: T): FormattedLine {
  return (FORMATS[what.type] as (what: T) => FormattedLine)(what)
}

const fromCaller = (text: string): FormattedLine => ({ lane: 'caller', way: 'in', text })
const toCaller = (text: string): FormattedLine => ({ lane: 'caller', way: 'out', text })
const engine = (text: string): FormattedLine => ({ lane: 'engine', way: 'none', text })

/** Every fact, command and note of a call: a new one that is missing here fails the type check. */
const FORMATS: { readonly [T in CallLine['type']]: (what: Extract<CallLine, { type: T }>) => FormattedLine } = {
  'call.began': ({ begins }) => fromCaller(`calls ${begins.called}`),
  'leg.answered': (what) => fromCaller(`connected${soundOf(what)}`),
  'leg.digit': ({ digit, heldMs, isInfo }) => {
    const how = [...(heldMs === undefined ? [] : [`${heldMs} ms`]), ...(isInfo ? ['SIP INFO'] : [])]
    return fromCaller(`presses ${digit}${how.length === 0 ? '' : ` (${how.join(', ')})`}`)
  },
  'leg.speaks': () => fromCaller('speaks'),
  'leg.said': ({ text, confidence }) =>
    fromCaller(text === '' ? 'is not understood' : `says "${text}" (${Math.round(confidence * 100)} % sure)`),
  'leg.unheard': ({ why }) => engine(`the caller is not heard: ${why}`),
  'leg.ended': (what) =>
    fromCaller(
      `ended: ${what.reason}${what.code === undefined ? '' : ` (${what.code})`}${soundOf(what)}` +
        `${what.left ? `; left a message of ${what.left.seconds} s` : ''}`,
    ),
  'leg.talking': () => fromCaller('begins to speak'),
  'leg.quiet': () => fromCaller('is quiet'),
  'playback.started': () => fromCaller('playback starts'),
  'playback.ended': ({ result }) => fromCaller(PLAYBACK_RESULTS[result]),
  'time.passed': () => engine('time is up'),
  'request.answered': ({ answer }) =>
    engine(
      answer.outcome === 'answered' ? `answer ${answer.status} ${answer.body}` : `${answer.outcome}: ${answer.why}`,
    ),
  'sms.settled': ({ result }) =>
    engine(`text message ${result.outcome}${result.outcome === 'sent' ? '' : `: ${result.why}`}`),
  'caller.stopped': ({ why }) => engine(why ?? "the caller's number is on the stop list"),
  'event.came': ({ data }) => engine(`the event came: ${JSON.stringify(data)}`),
  'wait.refused': ({ why }) => engine(why),
  'message.ended': (what) => engine(what.end === 'done' ? `a message of ${what.message.seconds} s` : what.why),
  'transfer.dialing': () => engine('the other telephone is called'),
  'transfer.connected': () => engine('connected with the other telephone'),
  'transfer.ended': ({ end, why }) => engine(`the transfer is over: ${end}${why === undefined ? '' : ` (${why})`}`),
  'queue.refused': ({ why }) => engine(`the queue is ${why}`),
  'queue.position': ({ position, waitMs }) =>
    engine(`number ${position} in the queue${waitMs === undefined ? '' : `, about ${Math.round(waitMs / 1_000)} s`}`),
  'queue.callback': ({ what, why }) => engine(`the callback is ${what}${why === undefined ? '' : ` (${why})`}`),
  'agent.connected': ({ agent }) => engine(`connected with ${agent}`),
  'agent.left': ({ agent }) => engine(`${agent} has left`),
  'agent.lost': ({ agent }) => engine(`the phone of ${agent} is lost; the caller waits again`),
  'call.broken': ({ why }) => engine(`BROKEN: ${why}`),

  answer: () => toCaller('answer'),
  hangUp: () => toCaller('hang up'),
  play: ({ say }) => toCaller(inWords(say)),
  setVolume: ({ volume }) => toCaller(volume === 'quiet' ? 'quieter, as the caller speaks' : 'as loud as before'),
  listen: () => engine('listens'),
  stopListening: () => engine('listens no longer'),
  stopPlaying: () => toCaller('stop playing'),
  startMusic: ({ music }) => toCaller(`music: ${music}`),
  stopMusic: () => toCaller('stop the music'),
  request: ({ ask }) => engine(`requests ${ask.method} ${ask.url}`),
  cancelRequest: () => engine('cancels the request'),
  sendSms: ({ to, text }) => engine(`text message to ${to}: ${text}`),
  stopCaller: ({ reason }) => engine(`stops the caller's number: ${reason}`),
  awaitEvent: ({ event, of }) => engine(`waits for ${event} of ${of}`),
  stopAwaiting: () => engine('waits no longer'),
  takeMessage: ({ maxMs }) => toCaller(`tone; records a message of at most ${maxMs / 1_000} s`),
  endMessage: () => toCaller('ends the message'),
  transfer: ({ to, mode }) => engine(`brings the caller to ${targetText(to)}${mode === 'blind' ? ', blind' : ''}`),
  endTransfer: () => engine('ends the transfer'),
  joinQueue: ({ team, priority, skills = [] }) =>
    engine(
      [
        `waits for ${team}`,
        ...(priority === 0 ? [] : [`priority ${priority}`]),
        ...(skills.length === 0 ? [] : [`skills ${skills.join(', ')}`]),
      ].join(', '),
    ),
  leaveQueue: () => engine('leaves the queue'),
  askPosition: () => engine('asks for the position'),
  askCallback: () => engine('asks whether the caller may be called back'),
  keepPlace: () => engine('keeps the place in the queue for a callback'),
  endCall: ({ record }) => engine(`the call is over: ${record.outcome}`),

  'steps.lost': ({ why }) => engine(`the steps of onHangup do not run: ${why}`),
  'step.entered': ({ step, kind, line, visit }) =>
    engine(`▸ ${step}: ${kind}, line ${line}${visit > 1 ? `, visit ${visit}` : ''}`),
  'step.left': ({ step, end, to, why }) =>
    engine(`${step} ${endInWords(end)} → ${to ?? 'the end'}${why === undefined ? '' : ` (${why})`}`),
}

/** Cases are counted from 1, as in diagrams and reports of coverage. */
function endInWords(end: string): string {
  const [, index] = /^case:(\d+)$/.exec(end) ?? []
  return index === undefined ? end.replace('case:', '') : `case ${Number(index) + 1}`
}

const PLAYBACK_RESULTS = {
  finished: 'heard all of it',
  stopped: 'heard part of it',
  failed: 'heard nothing: playback failed',
} as const

const DISTRIBUTOR_FORMATS: Readonly<Record<DistributorCommand['type'], (who: string, leg: string) => string>> = {
  ringAgent: (who) => `ring ${who}`,
  whisper: (who) => `whisper to ${who}`,
  turnAway: () => 'the team no longer exists; the caller is turned away',
  callBack: (who) => `call back for ${who}`,
  connect: (who) => `connect with ${who}`,
  hangUpAgent: (who) => `hang up on ${who}`,
  closeBridge: (who) => `disconnect from ${who}`,
  agentLeft: (who) => `${who} has left`,
  agentMet: (who) => `${who} talks to the caller`,
  agentLost: (who) => `the phone of ${who} is lost; the caller gets the next agent`,
  offerRefused: (who) => `${who} did not answer`,
  'seat.ring': (who) => `call ${who} for the session`,
  'seat.hold': (who) => `${who} waits on the line`,
  'seat.listen': (who) => `listen whether ${who} sends sound`,
  'seat.hangUp': (who) => `hang up the phone of ${who}`,
  'seat.close': (who) => `close the line of ${who}`,
  'seat.join': (who, leg) => `connect with ${who}${leg}`,
  'seat.part': (who) => `disconnect from ${who}`,
  'seat.hush': (who) => `stop the whisper to ${who}`,
  'seat.changed': (who) => `the state of ${who} changes`,
  'agent.given': (who, leg) => `${who} takes it${leg}`,
  'agent.connected': (who) => `${who} talks to the callee`,
  'agent.away': (who) => `the phone of ${who} was lost; the other side waits`,
  'agent.back': (who) => `the phone of ${who} is back`,
  'agent.lost': (who) => `the phone of ${who} is lost; the callee gets the next agent`,
  'agent.finished': (who) => `${who} ends it`,
}

/** Commands of the distributor about the call: they do not reach the agent's phone. */
const OF_THE_CALL: readonly string[] = [
  'agentLeft',
  'agentLost',
  'agentMet',
  'offerRefused',
  'turnAway',
  'agent.given',
  'agent.connected',
  'agent.away',
  'agent.back',
  'agent.lost',
  'agent.finished',
] satisfies DistributorCommand['type'][]

function formatDistributor(kind: JournalLine['kind'], what: JournalLine['what']): FormattedLine {
  const who = typeof what['agent'] === 'string' ? what['agent'] : 'agent'
  if (kind === 'note') return { lane: 'agent', way: 'none', text: asItIs(what) }
  if (kind === 'fact') {
    const text = `${who} ${AGENT_FACTS[what.type] ?? what.type}${reasonOf(what)}${soundOf(what)}`
    return { lane: 'agent', way: 'in', text }
  }
  const formats: Readonly<Record<string, ((who: string, leg: string) => string) | undefined>> = DISTRIBUTOR_FORMATS
  const leg = what['agentLeg'] ?? what['leg']
  const text = formats[what.type]?.(who, leg === undefined ? '' : `, leg ${leg}`) ?? `${what.type} ${who}`
  const say = what.type === 'whisper' ? `: ${inWords((what['say'] ?? []) as readonly Utterance[])}` : ''
  return { lane: 'agent', way: OF_THE_CALL.includes(what.type) ? 'none' : 'out', text: text + say }
}

const AGENT_FACTS: Readonly<Record<string, string | undefined>> = {
  'leg.ringing': 'hears it ring',
  'leg.answered': 'answered',
  'leg.ended': 'ended',
  'leg.heard': 'is there: a packet came',
  'leg.silent': 'is not there: no packet came for 1 s',
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

function asItIs({ type, ...fields }: JournalLine['what']): string {
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  return `${type}${rest}`
}
