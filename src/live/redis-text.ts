/** The text form of nodes, agents and board lines in Redis, parsed with checks: other clients write there too. */
import type { BoardLine, LiveAgent, LiveNode } from '../ports/live.ts'

/** Longer texts are not ours. */
const CHARACTERS_MAX = 64 * 1024

/** A board line and the process that sent it, which has heard it already. */
export interface SentLine {
  readonly from: string
  readonly line: BoardLine
}

/** Undefined if the text is malformed. */
export function readNode(text: string): Omit<LiveNode, 'seenAtMs'> | undefined {
  const read = readMap(text)
  if (!isText(read?.['node']) || !isText(read['endpoint'])) return undefined
  return { node: read['node'], endpoint: read['endpoint'] }
}

/** Undefined if the text is malformed. */
export function readAgent(text: string): LiveAgent | undefined {
  const read = readMap(text)
  const isRight = isText(read?.['agent']) && isText(read['node']) && isText(read['state'])
  if (!isRight || !Number.isFinite(read['sinceAtMs'])) return undefined
  const { agent, node, state, sinceAtMs } = read as unknown as LiveAgent
  return { agent, node, state, sinceAtMs }
}

/** Undefined if the text is malformed. */
export function readSentLine(text: string): SentLine | undefined {
  const read = readMap(text)
  const line = asMap(read?.['line'])
  const isRight = isText(read?.['from']) && isText(line?.['node']) && Number.isFinite(line['atMs'])
  return isRight && isText(asMap(line?.['what'])?.['type']) ? (read as unknown as SentLine) : undefined
}

function readMap(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > CHARACTERS_MAX) return undefined
  try {
    return asMap(JSON.parse(text))
  } catch {
    return undefined
  }
}

function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
