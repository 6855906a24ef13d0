/** Prompts of a file → prompts of a flow: a text, one piece, or a list of them (flow-language.md 3.1). */
import { parseDuration } from '../../kernel/duration.ts'
import { didYouMean } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Prompt, Reprompts, Segment } from '../model/flow.ts'
import { isCurrency } from '../model/spoken.ts'
import { complain, type Reading, readTemplate, type TextPlace } from './reading.ts'
import type { RawPrompt, RawSegment } from './schema.ts'

const PAUSE_MAX_MS = 30_000

type SegmentKey = Exclude<keyof RawSegment, 'currency'>

/** Reads a prompt. An invalid piece is reported and left out. */
export function readPrompt(reading: Reading, raw: RawPrompt, path: Path, place: TextPlace = 'speech'): Prompt {
  if (!Array.isArray(raw)) return readPiece(reading, raw as string | RawSegment, path, place)
  return raw.flatMap((piece, index) => readPiece(reading, piece, [...path, index], place))
}

/** Reads the prompts before further tries: one for all, or a list with one for each. */
export function readReprompts(
  reading: Reading,
  raw: { readonly noInput?: unknown; readonly invalid?: unknown } | undefined,
  path: Path,
): Reprompts {
  const read = (reason: 'noInput' | 'invalid'): Prompt[] => {
    const prompts = raw?.[reason] as RawPrompt | RawPrompt[] | undefined
    const at = [...path, reason]
    if (prompts === undefined) return []
    if (!Array.isArray(prompts)) return [readPrompt(reading, prompts, at)]
    return prompts.map((prompt, index) => readPrompt(reading, prompt, [...at, index]))
  }
  return { noInput: read('noInput'), invalid: read('invalid') }
}

function readPiece(reading: Reading, piece: string | RawSegment | null, path: Path, place: TextPlace): Segment[] {
  if (piece === null) return []
  if (typeof piece === 'string') return [{ kind: 'say', text: readTemplate(reading, piece, path, place) }]
  const { currency, ...rest } = piece
  const [kind, another] = Object.keys(rest) as SegmentKey[]
  if (kind === undefined && hasUnknownKey(reading, piece, path)) return []
  if (kind === undefined || another !== undefined) {
    complain(
      reading,
      path,
      'one piece of a prompt says exactly one thing (say, prompt, file, digits, number, money, date, pause)',
    )
    return []
  }
  if (currency !== undefined && kind !== 'money') complain(reading, [...path, 'currency'], 'currency belongs to money')
  return readSegment(reading, kind, rest[kind]!, currency, [...path, kind], place)
}

/** An unknown key was reported and left out; what is left of the piece is no second mistake. */
function hasUnknownKey({ source }: Reading, piece: RawSegment, path: Path): boolean {
  return Object.keys(source.valueAt(path) ?? {}).some((key) => !Object.hasOwn(piece, key))
}

function readSegment(
  reading: Reading,
  kind: SegmentKey,
  text: string,
  currency: string | undefined,
  path: Path,
  place: TextPlace,
): Segment[] {
  switch (kind) {
    case 'say':
      return [{ kind, text: readTemplate(reading, text, path, place) }]
    case 'prompt':
      reading.prompts.push({ name: text, path })
      return [{ kind, name: text }]
    case 'file':
      reading.recordings.push({ file: text, path })
      return [{ kind, file: text }]
    case 'pause': {
      const ms = parseDuration(text)!
      if (ms > PAUSE_MAX_MS) complain(reading, path, `a pause lasts at most ${PAUSE_MAX_MS / 1000}s`)
      return [{ kind, ms }]
    }
    case 'money': {
      const value = readTemplate(reading, text, path, place)
      if (currency !== undefined && isCurrency(currency)) return [{ kind, value, currency }]
      const guess =
        currency === undefined ? '' : didYouMean(currency, ['EUR', 'USD', 'GBP', 'DKK', 'SEK', 'NOK', 'CHF', 'PLN'])
      complain(
        reading,
        path,
        currency ? `there is no currency "${currency}"${guess}` : 'money needs a currency: {money: …, currency: EUR}',
      )
      return []
    }
    default:
      return [{ kind, value: readTemplate(reading, text, path, place) }]
  }
}
