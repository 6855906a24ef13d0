/** Erases whole lines in files that other code appends to: they are blanked in place, and offsets stay. */
import { type FileHandle, open } from 'node:fs/promises'

/** Most files are smaller, and an erasure reads many. */
const CHUNK_BYTES = 64 * 1024
const NEW_LINE = 10
const BLANK = 32

/**
 * Blanks the chosen lines and returns their number; they are on disk when this resolves. A last line without its end is
 * being written, and is left alone. A missing file has no lines.
 */
export async function eraseLines(path: string, isChosen: (line: string) => boolean): Promise<number> {
  const file = await open(path, 'r+').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return 0
  try {
    let count = 0
    for await (const { line, at } of linesOf(file)) {
      if (!isChosen(line.toString())) continue
      await file.write(Buffer.alloc(line.length, BLANK), 0, line.length, at)
      count++
    }
    if (count > 0) await file.sync()
    return count
  } finally {
    await file.close()
  }
}

/** The complete lines of a file. */
export async function* wholeLines(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return
  try {
    for await (const { line } of linesOf(file)) yield line.toString()
  } finally {
    await file.close()
  }
}

async function* linesOf(file: FileHandle): AsyncGenerator<{ readonly line: Buffer; readonly at: number }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at + rest.length)
    if (bytesRead === 0) return
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    let from = 0
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE, from)) {
      yield { line: rest.subarray(from, end), at: at + from }
      from = end + 1
    }
    rest = rest.subarray(from)
    at += from
  }
}
