/** What nodes tell each other for their boards: their own agents, calls and queues, a part of them each second. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BoardLine } from '../../ports/live.ts'
import type { Fields, Key, StreamRow } from './stream-topic.ts'

const KINDS = Type.Union([Type.Literal('agent'), Type.Literal('call'), Type.Literal('queue')])
const KEY = Type.Union([Type.String(), Type.Integer()])
const news = Compile(
  Type.Object({
    type: Type.Literal('nodeRows'),
    rows: Type.Array(Type.Tuple([KINDS, KEY, Type.Record(Type.String(), Type.Unknown())])),
    gone: Type.Array(Type.Tuple([KINDS, KEY])),
    isLast: Type.Boolean(),
  }),
)

/** `rows` are whole rows, `gone` those that are over; `isLast`: the node stops, and so do all its rows. */
export interface NodeNews {
  readonly rows: readonly StreamRow[]
  readonly gone: readonly (readonly [kind: string, key: Key])[]
  readonly isLast: boolean
}

/** Every row is told again within so many seconds: a line that was lost costs no more. */
const TURNS = 5
/** Our choice, below the limit of a line. */
const CHARACTERS_MAX = 24_000

/** Reads a published line; undefined for all others. */
export function nodeNewsOf(what: BoardLine['what']): NodeNews | undefined {
  return news.Check(what) ? (what as unknown as NodeNews) : undefined
}

/**
 * What other nodes may know of a row: who talks, for which campaign, since when. Names and numbers of people, and what
 * somebody wrote, do not leave the node (rest-33).
 */
export function outward(kind: string, key: Key, fields: Fields): StreamRow {
  if (kind !== 'call') return [kind, key, Object.assign({}, fields, { reason: null })]
  const { userName, direction, sinceTs, eactId, queueCode, waits } = fields
  const task = fields['callTask'] as { readonly callCode?: unknown } | null
  const callTask = task && { callCode: task.callCode, callReceiverName: null }
  const kept = { userName, direction, sinceTs, eactId, queueCode, waits }
  return [kind, key, Object.assign({ callId: key, number: null, callTask }, kept)]
}

/** What a node has told, and what it has to tell now. */
export class ToldRows {
  readonly #told = new Map<string, { readonly json: string; readonly row: StreamRow }>()
  #turn = 0

  /** Once a second, of all rows of the node: those that changed, those whose turn it is, those that went. */
  next(rows: readonly StreamRow[]): BoardLine['what'][] {
    this.#turn = (this.#turn + 1) % TURNS
    const present = new Set<string>()
    const wanted: { readonly row: StreamRow; readonly length: number }[] = []
    rows.forEach((row, place) => {
      const [id, json] = [`${row[0]}:${row[1]}`, JSON.stringify(row)]
      present.add(id)
      if (place % TURNS === this.#turn || this.#told.get(id)?.json !== json) wanted.push({ row, length: json.length })
      this.#told.set(id, { json, row })
    })
    const gone = [...this.#told].flatMap(([id, { row }]) => {
      if (present.has(id)) return []
      this.#told.delete(id)
      return [[row[0], row[1]] as const]
    })
    // A line without rows says that the node lives.
    const lines: StreamRow[][] = [[]]
    let characters = 0
    for (const { row, length } of wanted) {
      if (characters + length > CHARACTERS_MAX && characters > 0) {
        lines.push([])
        characters = 0
      }
      lines.at(-1)!.push(row)
      characters += length
    }
    return lines.map((own, place) => lineOf(own, place === 0 ? gone : [], false))
  }
}

/** The node stops. */
export const lastLine = (): BoardLine['what'] => lineOf([], [], true)

function lineOf(rows: NodeNews['rows'], gone: NodeNews['gone'], isLast: boolean): BoardLine['what'] {
  return { type: 'nodeRows', rows, gone, isLast }
}
