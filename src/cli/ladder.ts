import { beganOf, recordOf } from '../call-words/call-story.ts'
import { formatLine } from '../call-words/format-line.ts'
import type { FormattedLine } from '../call-words/formatted-line.ts'
import { withLateWays } from '../call-words/late-ways.ts'
import { maskNumber } from '../kernel/log.ts'
import type { JournalLine } from '../ports/journal.ts'

export interface LadderOptions {
  /** Shows telephone numbers in full; otherwise most digits are masked. */
  readonly showsNumbers?: boolean
}

/** Widths of the columns; with their separators 115 characters, which fit a wide terminal. */
const WIDTHS = { time: 9, caller: 36, engine: 42, agent: 24 } as const
/** Rows of a text before it is cut. */
const ROWS_MAX = 3

/** Draws a call, time downwards: engine in the middle; arrows to it are facts, from it commands. `lines` in order. */
export function ladder(lines: readonly JournalLine[], options: LadderOptions = {}): string {
  const hide = options.showsNumbers ? (text: string) => text : numberHider(lines)
  const beganAtMs = lines[0]?.atMs ?? 0
  const rows = withLateWays(lines).flatMap((line) => {
    const formatted = formatLine(line)
    return drawn(`+${seconds(line.atMs - beganAtMs)}`, { ...formatted, text: hide(formatted.text) })
  })
  return [...header(lines, hide), '', titles(), ...rows, '', ...footer(lines, hide)].join('\n')
}

function header(lines: readonly JournalLine[], hide: (text: string) => string): string[] {
  const first = lines[0]
  if (!first) return ['no journal lines']
  const began = beganOf(lines)
  const facts = [
    began && `${hide(began.begins.caller ?? 'withheld')} called ${hide(began.begins.called)}`,
    began && `flow ${began.flow}@${began.revision.slice(0, 12)}`,
    began?.begins.language && `language ${began.begins.language}`,
    new Date(first.atMs).toISOString().replace('T', ' ').replace('Z', ' UTC'),
  ]
  return [first.call, facts.filter(Boolean).join(' · ')]
}

function footer(lines: readonly JournalLine[], hide: (text: string) => string): string[] {
  const record = recordOf(lines)
  if (!record && lines.some(({ by, what }) => by === 'attempt' && what.type === 'report')) return []
  if (!record) return ['not ended yet, or its end was not recorded']
  const facts = [
    `outcome ${record.outcome}`,
    `${seconds(record.endedAtMs - record.arrivedAtMs)} long`,
    `ended by ${record.endedBy === 'us' ? 'us' : `the caller (${record.endedBy})`}`,
    record.agent && `agent ${record.agent}`,
    record.marks.length > 0 && `marks ${record.marks.join(', ')}`,
  ]
  const width = Object.values<number>(WIDTHS).reduce((sum, column) => sum + column)
  const path = wrap(`path ${record.path.join(' → ')}`, width, 6)
  const fields = Object.entries(record.activity).map(([name, value]) => `${name} = ${value}`)
  return [facts.filter(Boolean).join(' · '), ...path, ...fields].map(hide)
}

function titles(): string {
  return row('', centred('caller', WIDTHS.caller), centred('engine', WIDTHS.engine), centred('agent', WIDTHS.agent))
}

/** The first row has the arrow and the time. */
function drawn(time: string, { lane, way, text }: FormattedLine): string[] {
  const width = WIDTHS[lane]
  const texts = wrap(text, width - 4, ROWS_MAX)
  return texts.map((part, index) => {
    const cell = index === 0 ? ARROWS[lane][way](part, width) : beside(lane, way, part, width)
    const cells = { caller: '', engine: '', agent: '', [lane]: cell }
    return row(index === 0 ? time : '', cells.caller, cells.engine, cells.agent)
  })
}

type Draw = (text: string, width: number) => string

/** ` text ────▶` */
const right: Draw = (text, width) => ` ${text} ${'─'.repeat(width - text.length - 3)}▶`
/** `◀──── text ` */
const left: Draw = (text, width) => `◀${'─'.repeat(width - text.length - 3)} ${text} `
const plain: Draw = (text) => ` ${text}`

const ARROWS: Readonly<Record<FormattedLine['lane'], Readonly<Record<FormattedLine['way'], Draw>>>> = {
  caller: { in: right, out: left, none: plain },
  engine: { in: plain, out: plain, none: plain },
  agent: { in: left, out: right, none: plain },
}

/** A further row of a long text. */
function beside(lane: FormattedLine['lane'], way: FormattedLine['way'], text: string, width: number): string {
  if (ARROWS[lane][way] === left) return `${text} `.padStart(width)
  return lane === 'engine' ? `   ${text}` : ` ${text}`
}

function row(time: string, caller: string, engine: string, agent: string): string {
  const cells = [time.padStart(WIDTHS.time), `${caller.padEnd(WIDTHS.caller)}│${engine.padEnd(WIDTHS.engine)}│${agent}`]
  return cells.join('  ').trimEnd()
}

function centred(text: string, width: number): string {
  return text.padStart((width + text.length) >> 1).padEnd(width)
}

/** Breaks between words where possible and cuts the text after `rowsMax` rows. */
function wrap(text: string, width: number, rowsMax: number): string[] {
  const rows: string[] = []
  let rest = text.replace(/\s+/g, ' ').trim()
  while (rest.length > width && rows.length < rowsMax - 1) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > width / 2 ? space : width
    rows.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  rows.push(rest.length > width ? `${rest.slice(0, width - 1)}…` : rest)
  return rows
}

/** `1.204s` */
function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(3)}s`
}

/** Fields of facts and commands that hold telephone numbers. */
const NUMBER_FIELDS = ['caller', 'called', 'callerId', 'to']
const LOOKS_LIKE_NUMBER = /^\+?\d{5,15}$/

/** Masks the numbers of this call, with or without plus, and every other number with a plus. */
function numberHider(lines: readonly JournalLine[]): (text: string) => string {
  const numbers = new Set<string>()
  for (const { what } of lines) {
    const holder = (what['begins'] ?? what) as Readonly<Record<string, unknown>>
    for (const field of NUMBER_FIELDS) {
      const value = holder[field]
      if (typeof value === 'string' && LOOKS_LIKE_NUMBER.test(value)) numbers.add(value)
    }
  }
  const covered = [...numbers].flatMap((number) => {
    const mask = maskNumber(number)
    return number.startsWith('+')
      ? [[number, mask] as const, [number.slice(1), mask.slice(1)] as const]
      : [[number, mask] as const]
  })
  return (text) => {
    const ownHidden = covered.reduce((hidden, [number, mask]) => hidden.replaceAll(number, mask), text)
    return ownHidden.replace(/\+\d{7,15}/g, maskNumber)
  }
}
