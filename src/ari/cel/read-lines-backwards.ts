import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024

/** A longer line is not ours: it is returned in pieces. */
const LINE_BYTES_MAX = 64 * 1024

const LINE_END = 0x0a

/** Lines between two offsets, last first, none empty; the first may lack its beginning. Rejects if unreadable. */
export async function* linesBackwards(
  file: Pick<FileHandle, 'read'>,
  from: number,
  to: number,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - CHUNK_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    const text = Buffer.concat([buffer.subarray(0, bytesRead), rest])
    let lineEnd = text.length
    for (let at = text.lastIndexOf(LINE_END); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(LINE_END, at - 1)) {
      if (lineEnd > at + 1) yield text.toString('utf8', at + 1, lineEnd)
      lineEnd = at
    }
    rest = text.subarray(0, Math.min(lineEnd, LINE_BYTES_MAX))
    end = start
  }
  if (rest.length > 0) yield rest.toString('utf8')
}
