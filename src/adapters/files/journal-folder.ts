import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AtMs } from '../../kernel/clock.ts'
import type { CallId } from '../../kernel/ids.ts'
import type { CallSpan, JournalLine } from '../../ports/journal.ts'

const CHUNK_BYTES = 1024 * 1024
/** Far more than one call writes: a damaged or forged file must not exhaust memory. */
const LINES_MAX = 50_000
const NEW_LINE = 10

/** Files are named by the instant at which they begin, and sort by time. */
export function fileName(startAtMs: AtMs): string {
  return `journal-${startAtMs}.jsonl`
}

/** Oldest first. A missing folder has no files. */
export async function startsOfFiles(directory: string): Promise<AtMs[]> {
  const names = await readdir(directory).catch(noneIfGone)
  const starts = names.flatMap((name) => /^journal-(\d{1,16})\.jsonl$/.exec(name)?.[1] ?? [])
  return starts.map(Number).sort((a, b) => a - b)
}

/** Steps run after the end of a call, and clocks are set. */
const AROUND_MS = 3_600_000

/**
 * All lines of one call, as written, without damaged ones. Without a span it reads every file: a silent caller's call
 * may be in several.
 */
export async function readCall(directory: string, call: CallId, within?: CallSpan): Promise<JournalLine[]> {
  const lines: JournalLine[] = []
  const starts = await startsOfFiles(directory)
  // A file goes on until the next one begins.
  const isNear = (startAtMs: AtMs, index: number) =>
    !within ||
    (startAtMs <= within.toAtMs + AROUND_MS &&
      (starts[index + 1] ?? Number.POSITIVE_INFINITY) >= within.fromAtMs - AROUND_MS)
  for (const startAtMs of starts.filter(isNear)) {
    for await (const line of linesWith(join(directory, fileName(startAtMs)), call)) {
      if (lines.length < LINES_MAX) lines.push(line)
    }
  }
  return lines
}

/** As `Trace` writes it. */
const OWN_LINE = /^\{"atMs":\d+,"call":"([^"]*)","kind":"\w+","by":"call","what":\{"type":"([^"]*)"/

/**
 * The lines of all calls with a flow, oldest first, in portions. `isWanted`: the lines that are read, by their call and
 * type; others are skipped before they are parsed.
 */
export async function* readJournal(
  directory: string,
  isWanted: (call: string, type: string) => boolean,
): AsyncGenerator<JournalLine[]> {
  for (const startAtMs of await startsOfFiles(directory)) {
    for await (const text of wholeLines(join(directory, fileName(startAtMs)))) {
      yield text
        .toString()
        .split('\n')
        .flatMap((line) => {
          const [, call, type] = OWN_LINE.exec(line) ?? []
          return call !== undefined && type !== undefined && isWanted(call, type) ? parsedLine(line) : []
        })
    }
  }
}

/** The call's lines in one file. Chunks that do not contain the id as text are skipped. */
async function* linesWith(path: string, call: CallId): AsyncGenerator<JournalLine> {
  const needle = Buffer.from(`"call":${JSON.stringify(call)}`)
  for await (const whole of wholeLines(path)) {
    if (!whole.includes(needle)) continue
    for (const line of whole.toString().split('\n')) {
      const found = line.includes(call) ? parsedLine(line) : []
      yield* found.filter((one) => one.call === call)
    }
  }
}

/** A file in portions that end with a line. */
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      const bytes = Buffer.concat([rest, chunk as Buffer])
      const end = bytes.lastIndexOf(NEW_LINE) + 1
      rest = bytes.subarray(end)
      yield bytes.subarray(0, end)
    }
    yield rest
  } catch (error) {
    // Removed by rotation since the folder was listed.
    noneIfGone(error)
  }
}

function noneIfGone(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  return []
}

/** The lines with this mark in their text, of one file. */
export async function* linesOfFile(directory: string, startAtMs: AtMs, isWanted: (text: string) => boolean) {
  for await (const whole of wholeLines(join(directory, fileName(startAtMs)))) {
    for (const text of whole.toString().split('\n')) if (isWanted(text)) yield* parsedLine(text)
  }
}

/** A damaged line is none. */
function parsedLine(line: string): JournalLine[] {
  try {
    return [JSON.parse(line) as JournalLine]
  } catch {
    return []
  }
}
