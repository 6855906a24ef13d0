import { formatLine } from '../call-words/format-line.ts'
import type { SimulatedCall } from '../flow-test/simulated-call.ts'
import type { JournalLine } from '../ports/journal.ts'

/** Facts and commands that a caller does not notice, or that another line tells. */
const UNNOTICED: ReadonlySet<string> = new Set([
  'call.began',
  'answer',
  'leg.answered',
  'playback.started',
  'playback.ended',
  'leg.speaks',
  'listen',
  'stopListening',
  'stopPlaying',
  'stopMusic',
  'time.passed',
  'askPosition',
  'queue.position',
  'askCallback',
  'keepPlace',
  'endMessage',
  'endTransfer',
  'leaveQueue',
  'cancelRequest',
  'stopAwaiting',
  'hangUp',
  'endCall',
])

/** What is heard and what the flow does, with the time of the call. `file` is that of the flow. */
export function noticedLines(lines: readonly JournalLine[], beganAtMs: number, file: string): string[] {
  return lines.flatMap((line) => {
    const { what } = line
    if (UNNOTICED.has(what.type)) return []
    return [`${secondsOf(line.atMs - beganAtMs).padStart(8)}  ${lineText(line, file)}`]
  })
}

function lineText(line: JournalLine, file: string): string {
  const { what } = line
  const text = formatLine(line).text.replace(/\s+/g, ' ')
  if (what.type === 'step.entered') return `${file}:${what['line']} ${what['step']} (${what['kind']})`
  // Under the step.
  return `  ${text}`
}

/** The record of a call that is over. */
export function recordLines({ record, texts, requests }: SimulatedCall): string[] {
  if (!record) return []
  const { outcome, path, marks, activity, arrivedAtMs, endedAtMs } = record
  const fields = Object.entries(activity).map(([field, value]) => `${field}: ${value}`)
  return [
    '',
    `The call is over after ${secondsOf(endedAtMs - arrivedAtMs)}: ${outcome}.`,
    `  path: ${path.join(' → ')}`,
    ...(marks.length > 0 ? [`  marks: ${marks.join(', ')}`] : []),
    ...(fields.length > 0 ? [`  activity: ${fields.join(', ')}`] : []),
    ...(requests.length > 0 ? [`  requests: ${requests.length}`] : []),
    ...(texts.length > 0 ? [`  text messages: ${texts.length}`] : []),
  ]
}

function secondsOf(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)}s`
}
