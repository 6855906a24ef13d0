import type { AttemptCommand } from '../dialer/attempt.machine.ts'
import type { JournalLine } from '../ports/journal.ts'
import { soundOf } from './format-sound.ts'
import type { FormattedLine } from './formatted-line.ts'

type Format = (what: JournalLine['what']) => string

const COMMANDS: Readonly<Record<AttemptCommand['type'], Format>> = {
  originate: ({ number }) => `dial ${String(number ?? '')}`,
  hangUp: () => 'hang up',
  detectMachine: () => 'detect an answering machine',
  askForAgent: () => 'ask for an agent',
  withdrawAsk: () => 'ask for an agent no longer',
  connect: ({ agent }) => `connect with ${String(agent)}`,
  releaseAgent: ({ agent }) => `release ${String(agent)}`,
  speak: ({ message }) => `speak the message “${String(message)}”`,
  startMusic: () => 'music',
  stopMusic: () => 'stop the music',
  report: ({ result }) => `attempt ended: ${String(result)}`,
}

/** RFC 3261 21.4.26. An answer with it had no codec of ours (calls-and-flows-42). */
const NOT_ACCEPTABLE_HERE = 488

function ended(what: JournalLine['what']): string {
  const { reason, code, answeredAtMs } = what
  if (code === NOT_ACCEPTABLE_HERE && answeredAtMs !== undefined) return 'answered without a codec of ours: ended (488)'
  return `ended: ${String(reason)}${code === undefined ? '' : ` (${String(code)})`}${soundOf(what)}`
}

const FACTS: Readonly<Record<string, Format>> = {
  'leg.ringing': () => 'rings',
  'leg.answered': (what) => `answers${soundOf(what)}`,
  'leg.judged': ({ verdict }) => (verdict === 'unsure' ? 'human or machine: unsure' : `is a ${String(verdict)}`),
  'leg.greeted': ({ greeting }) =>
    greeting === undefined ? 'has greeted' : `greets as in attempt ${String(greeting)}`,
  'leg.ended': ended,
  'bridge.joined': () => 'is connected to the agent',
  'playback.ended': () => 'heard it',
}

/** Commands that do not go to the switch. */
const INTERNAL: readonly string[] = ['askForAgent', 'withdrawAsk', 'releaseAgent', 'report']

/** One journal line of an attempt, for the ladder. */
export function formatAttempt({ kind, what }: JournalLine): FormattedLine {
  const { type, ...fields } = what
  if (kind === 'fact') return { lane: 'caller', way: 'in', text: FACTS[type]?.(what) ?? type }
  const text =
    (COMMANDS as Readonly<Record<string, Format | undefined>>)[type]?.(what) ?? `${type} ${JSON.stringify(fields)}`
  return INTERNAL.includes(type) ? { lane: 'engine', way: 'none', text } : { lane: 'caller', way: 'out', text }
}
