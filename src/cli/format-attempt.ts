/** The lines of an attempt in the words of a reader: what its leg did, and what we wished of it. */
import type { AttemptCommand } from '../dialer/attempt.machine.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { Telling } from './formatted-line.ts'

type Format = (what: JournalLine['what']) => string

const COMMANDS: Readonly<Record<AttemptCommand['type'], Format>> = {
  originate: ({ number }) => `dial ${String(number ?? '')}`,
  hangUp: () => 'hang up',
  detectMachine: () => 'listen whether it is a machine',
  askForAgent: () => 'ask for an agent',
  withdrawAsk: () => 'no agent is asked for any more',
  connect: ({ agent }) => `connect with ${String(agent)}`,
  releaseAgent: ({ agent }) => `${String(agent)} is free of it`,
  speak: ({ message }) => `speak the message “${String(message)}”`,
  report: ({ result }) => `it is over: ${String(result)}`,
}

const FACTS: Readonly<Record<string, Format>> = {
  'leg.ringing': () => 'it rings',
  'leg.answered': () => 'somebody or something answers',
  'leg.judged': ({ verdict }) => `it is ${verdict === 'unsure' ? 'not clear who it is' : `a ${String(verdict)}`}`,
  'leg.ended': ({ reason, code }) => `gone: ${String(reason)}${code === undefined ? '' : ` (${String(code)})`}`,
  'bridge.joined': () => 'is with the agent',
  'playback.ended': () => 'heard it',
}

/** Wishes that ask nothing of the switch. */
const OF_OURSELVES: readonly string[] = ['askForAgent', 'withdrawAsk', 'releaseAgent', 'report']

/** One line of an attempt. */
export function formatAttempt({ kind, what }: JournalLine): Telling {
  const { type, ...fields } = what
  if (kind === 'fact') return { lane: 'caller', way: 'in', text: FACTS[type]?.(what) ?? type }
  const text =
    (COMMANDS as Readonly<Record<string, Format | undefined>>)[type]?.(what) ?? `${type} ${JSON.stringify(fields)}`
  return OF_OURSELVES.includes(type) ? { lane: 'engine', way: 'none', text } : { lane: 'caller', way: 'out', text }
}
