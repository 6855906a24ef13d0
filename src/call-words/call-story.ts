import type { CallBegan } from '../engine/call-trace.ts'
import type { CallRecord } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { JournalLine } from '../ports/journal.ts'
import { formatLine } from './format-line.ts'
import type { FormattedLine } from './formatted-line.ts'
import { withLateWays } from './late-ways.ts'

/** A call as its journal tells it, for a screen. Numbers are not masked. */
export interface CallStory {
  /** In order. */
  readonly rows: readonly StoryRow[]
  /** Whether the call has more lines than a screen gets. */
  readonly isCut: boolean
  readonly flow: StoryFlow | null
  /** The agents' phones of it, in order. That of a logged-in agent is up before and after it: its part is shown. */
  readonly agentLegs: readonly AgentLeg[]
}

export interface StoryRow extends FormattedLine {
  readonly atMs: AtMs
}

/** Where a call went within its flow. Everything but its name and revision is null or empty before the end. */
export interface StoryFlow {
  readonly name: string
  readonly revision: string
  readonly outcome: string | null
  readonly path: readonly string[]
  readonly marks: readonly string[]
}

interface AgentLeg {
  readonly agent: string
  readonly dialedAtMs: AtMs
  readonly ringingAtMs: AtMs | null
  readonly answeredAtMs: AtMs | null
  readonly endedAtMs: AtMs | null
  /** Such as `hungUp` or `noAnswer`. */
  readonly end: string | null
}

/** Our choice: a call has some dozens of lines, and a caller who presses keys for an hour fills no browser. */
const ROWS_MAX = 2_000
const TEXT_LETTERS_MAX = 500

/** The story of a call; `lines` in order. */
export function callStory(lines: readonly JournalLine[]): CallStory {
  const told = withLateWays(lines).filter(({ by }) => by !== 'witness')
  return {
    rows: told.slice(0, ROWS_MAX).map((line) => {
      const { lane, way, text } = formatLine(line)
      return { atMs: line.atMs, lane, way, text: shortened(text) }
    }),
    isCut: told.length > ROWS_MAX,
    flow: flowOf(lines),
    agentLegs: agentLegsOf(lines),
  }
}

/** What was recorded at the end of a call; undefined before. */
export function recordOf(lines: readonly JournalLine[]): CallRecord | undefined {
  return lines.findLast(({ what }) => what.type === 'endCall')?.what['record'] as CallRecord | undefined
}

/** The first line of a call with a flow. */
export function beganOf(lines: readonly JournalLine[]): CallBegan | undefined {
  return lines.find(({ what }) => what.type === 'call.began')?.what as CallBegan | undefined
}

function flowOf(lines: readonly JournalLine[]): StoryFlow | null {
  const began = beganOf(lines)
  if (!began) return null
  const { outcome = null, path = [], marks = [] } = recordOf(lines) ?? {}
  return { name: began.flow, revision: began.revision, outcome, path, marks }
}

type Times = Readonly<Record<string, 'ringingAtMs' | 'answeredAtMs' | 'endedAtMs' | undefined>>

/** Facts about a phone that was called. */
const TIMES: Times = { 'leg.ringing': 'ringingAtMs', 'leg.answered': 'answeredAtMs', 'leg.ended': 'endedAtMs' }
/** Facts about the callee, of an attempt: the agent's phone was up before. */
const TIMES_OF_ATTEMPT: Times = { 'bridge.joined': 'answeredAtMs', 'leg.ended': 'endedAtMs' }

function agentLegsOf(lines: readonly JournalLine[]): AgentLeg[] {
  const legs = new Map<unknown, AgentLeg>()
  for (const { atMs, by, what } of lines) {
    if (by !== 'desk' && by !== 'attempt') continue
    const { type, agent, reason } = what
    const leg = by === 'desk' ? what['leg'] : by
    if (type === (by === 'desk' ? 'ringAgent' : 'connect') && typeof agent === 'string') {
      legs.set(leg, { agent, dialedAtMs: atMs, ringingAtMs: null, answeredAtMs: null, endedAtMs: null, end: null })
    }
    const [known, time] = [legs.get(leg), (by === 'desk' ? TIMES : TIMES_OF_ATTEMPT)[type]]
    if (!known || !time) continue
    const end = time === 'endedAtMs' && typeof reason === 'string' ? reason : known.end
    legs.set(leg, Object.assign({}, known, { [time]: atMs, end }))
  }
  return [...legs.values()]
}

function shortened(text: string): string {
  const plain = text.toWellFormed()
  return plain.length > TEXT_LETTERS_MAX ? `${plain.slice(0, TEXT_LETTERS_MAX - 1).toWellFormed()}…` : plain
}
