import type { StreamRow } from './stream-topic.ts'

interface Snapshot {
  readonly id: number
  readonly topic: string
  readonly seq: number
  readonly rows: readonly StreamRow[]
}

/** Of one part, with room for its head. */
const ROWS_BYTES_MAX = 256 * 1024 - 512

/** The frames of a whole state, each at most 256 KiB; a row is never cut in two. */
export function snapFrames({ id, topic, seq, rows }: Snapshot): string[] {
  const parts: string[][] = [[]]
  let bytes = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    const rowBytes = Buffer.byteLength(text) + 1
    if (bytes > 0 && bytes + rowBytes > ROWS_BYTES_MAX) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(text)
    bytes += rowBytes
  }
  return parts.map((texts, index) => {
    const head = JSON.stringify({ t: 'snap', id, topic, seq, part: index + 1, of: parts.length })
    return `${head.slice(0, -1)},"rows":[${texts.join(',')}]}`
  })
}
