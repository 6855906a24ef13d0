import type { Flow } from '../flow/model/flow.ts'
import type { SimulatedCall } from './simulated-call.ts'

/** Fields that hold numbers of telephones and names of ours: a caller typed nothing in them. */
const NOT_TYPED: ReadonlySet<string> = new Set([
  'call',
  'leg',
  'playback',
  'request',
  'key',
  'to',
  'callerId',
  'begins',
])
/** Shorter ones stand everywhere by chance. */
const SECRET_LENGTH_MIN = 4

/** What a call is judged by. */
export type Judged = Pick<SimulatedCall, 'faults' | 'isOver' | 'record' | 'queue' | 'notes' | 'lines' | 'secrets'> & {
  readonly tape: Pick<SimulatedCall['tape'], 'isOn'>
  readonly transfers: Pick<SimulatedCall['transfers'], 'isOn'>
}

/** What every call keeps, whatever the caller and the world do: the promises that this one broke. */
export function brokenPromises(call: Judged, flow: Flow): readonly string[] {
  const entered = call.notes.filter((note) => note.type === 'step.entered').length
  // The step that goes over the limit is entered, and not begun.
  const stepsMax = flow.limits.steps + 1 + flow.onHangup.length
  return [
    ...call.faults,
    ...(call.isOver && call.record ? [] : ['the call does not end']),
    ...(call.queue === 'none' ? [] : ['the call is over, and its place in the queue is kept']),
    ...(call.tape.isOn ? ['the call is over, and the caller is still recorded'] : []),
    ...(call.transfers.isOn ? ['the call is over, and the other side of its transfer is still up'] : []),
    ...(entered > stepsMax ? [`${entered} steps, more than limits.steps`] : []),
    ...leaksOf(call),
  ]
}

function leaksOf(call: Judged): string[] {
  const secrets = call.secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN)
  if (secrets.length === 0) return []
  const texts = call.lines.map(({ what }) =>
    JSON.stringify(what, (key, value) => (NOT_TYPED.has(key) ? undefined : value)),
  )
  const digits = call.lines.map(({ what }) => (what.type === 'leg.digit' ? what['digit'] : '')).join('')
  const written = [...texts, digits].map((text) => text.replaceAll(/, /g, ''))
  return secrets.some((secret) => written.some((text) => text.includes(secret))) ? ['a secret stands in the trace'] : []
}
