import { chmod, type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
import type { CallId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { CallSpan, Journal, JournalLine } from '../../ports/journal.ts'
import { fileName, readCall, startsOfFiles } from './journal-folder.ts'

const FLUSH_AFTER_MS = 50
const FLUSH_AT_BYTES = 64 * 1024
/** Limit for lines that wait for a slow or full disk; more are dropped: calls matter more than traces (F-L1). */
const BUFFER_BYTES_MAX = 16 * 1024 * 1024
const COMPLAIN_EVERY_MS = 60_000
const DAY_MS = 24 * 3_600_000

/** `directory` belongs to the journal: files beyond `filesMax` are removed from it. */
export interface JournalFilesOptions {
  readonly directory: string
  /** A file that has reached this size is followed by a new one. */
  readonly fileBytesMax: number
  readonly filesMax: number
  /** A file begins each day, and is removed when all in it is older. */
  readonly daysMax: number
  /** Hears every line, before it is written. */
  readonly onLine?: (line: JournalLine) => void
  readonly clock: Clock
  readonly log: Log
}

/** A journal on disk: the owner closes it, and it may have lost lines. */
export interface FileJournal extends Journal {
  /** Lines lost to a full buffer or a failing disk since the start. */
  readonly droppedLines: number
  /** Writes what waits and closes the file. Later lines are dropped. */
  close(): Promise<void>
}

/**
 * Keeps the journal in append-only files of JSON lines, `journal-<startAtMs>.jsonl`, readable by their owner only.
 *
 * Appending never waits and never throws: lines are collected for 50 ms or 64 kB, and one write runs at a time. A disk
 * that is full or gone costs lines only; they are counted, and logged once a minute. Nothing is synced: a killed
 * process loses 50 ms, a power cut what the kernel had not written. Our choice: a trace is not a record. Readers skip a
 * line that a crash cut off.
 */
export function journalFiles(options: JournalFilesOptions): FileJournal {
  return new JournalWriter(options)
}

class JournalWriter implements FileJournal {
  readonly #options: JournalFilesOptions
  #waiting: string[] = []
  #bufferedBytes = 0
  #timer: Timer | undefined
  /** The last requested write; the next one begins after it. */
  #lastWrite: Promise<void> = Promise.resolve()
  /** A requested write that has not begun: it will take everything that waits by then. */
  #nextWrite: Promise<void> | undefined
  #file: OpenFile | undefined
  #isClosed = false
  #droppedLines = 0
  #mayComplainAtMs: AtMs = 0

  constructor(options: JournalFilesOptions) {
    this.#options = options
  }

  get droppedLines(): number {
    return this.#droppedLines
  }

  append(line: JournalLine): void {
    this.#options.onLine?.(line)
    const text = `${JSON.stringify(line)}\n`
    const bytes = Buffer.byteLength(text)
    const isFull = this.#bufferedBytes + bytes > BUFFER_BYTES_MAX
    if (this.#isClosed || isFull) {
      this.#drop(1, isFull ? 'the disk is too slow' : 'the journal is closed')
      return
    }
    this.#waiting.push(text)
    this.#bufferedBytes += bytes
    if (this.#bufferedBytes >= FLUSH_AT_BYTES) void this.#write()
    else this.#timer ??= this.#clock.schedule(this.#clock.nowMs() + FLUSH_AFTER_MS, () => void this.#write())
  }

  flush(): Promise<void> {
    return this.#write()
  }

  async read(call: CallId, within?: CallSpan): Promise<JournalLine[]> {
    await this.flush()
    return readCall(this.#options.directory, call, within)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    await this.#closeFile()
  }

  get #clock(): Clock {
    return this.#options.clock
  }

  #write(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#nextWrite ??= this.#lastWrite.then(() => {
      this.#nextWrite = undefined
      return this.#writeWaiting()
    })
    this.#lastWrite = this.#nextWrite
    return this.#nextWrite
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#waiting
    if (lines.length === 0) return
    this.#waiting = []
    const batch = Buffer.from(lines.join(''))
    try {
      const file = await this.#fileWithRoom()
      file.bytes += batch.length
      await file.handle.appendFile(batch)
    } catch (error) {
      this.#drop(lines.length, error instanceof Error ? error.message : String(error))
      // The file may end in half a line, and the folder may be gone: the next write opens a new file.
      await this.#closeFile().catch(() => {})
    } finally {
      this.#bufferedBytes -= batch.length
    }
  }

  async #fileWithRoom(): Promise<OpenFile> {
    const { directory, fileBytesMax, filesMax, daysMax } = this.#options
    const nowMs = this.#clock.nowMs()
    const isOfToday = this.#file && this.#file.startAtMs > nowMs - DAY_MS
    if (this.#file && isOfToday && this.#file.bytes < fileBytesMax) return this.#file
    await this.#closeFile()
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await chmod(directory, 0o700)
    const starts = await startsOfFiles(directory)
    const file = await openNext(directory, starts, fileBytesMax, nowMs)
    this.#file = file
    const kept = starts.includes(file.startAtMs) ? filesMax : filesMax - 1
    const tooOld = starts.filter((startAtMs) => startAtMs + DAY_MS < nowMs - daysMax * DAY_MS)
    for (const startAtMs of [...starts.slice(0, Math.max(0, starts.length - kept)), ...tooOld]) {
      await rm(join(directory, fileName(startAtMs)), { force: true })
    }
    return file
  }

  async #closeFile(): Promise<void> {
    const handle = this.#file?.handle
    this.#file = undefined
    await handle?.close()
  }

  #drop(lines: number, why: string): void {
    this.#droppedLines += lines
    const nowMs = this.#clock.nowMs()
    if (nowMs < this.#mayComplainAtMs) return
    this.#mayComplainAtMs = nowMs + COMPLAIN_EVERY_MS
    this.#options.log.error({ why, droppedLines: this.#droppedLines }, 'the call journal lost lines; calls go on')
  }
}

interface OpenFile {
  readonly handle: FileHandle
  readonly startAtMs: AtMs
  bytes: number
}

/** Today's newest file while it has room, to keep restarts from pushing old calls out; else a new file. */
async function openNext(directory: string, starts: AtMs[], bytesMax: number, nowMs: AtMs): Promise<OpenFile> {
  const newest = starts.at(-1)
  if (newest !== undefined && newest > nowMs - DAY_MS) {
    const handle = await open(join(directory, fileName(newest)), 'a', 0o600)
    const bytes = await endedLine(handle, bytesMax).catch(async (error: unknown) => {
      await handle.close()
      throw error
    })
    if (bytes !== undefined) return { handle, startAtMs: newest, bytes }
    await handle.close()
  }
  const startAtMs = Math.max(nowMs, (newest ?? 0) + 1)
  return { handle: await open(join(directory, fileName(startAtMs)), 'ax', 0o600), startAtMs, bytes: 0 }
}

/** The size of a file that has room; it may end in half a line, after a failed write or a killed process. */
async function endedLine(handle: FileHandle, bytesMax: number): Promise<number | undefined> {
  const { size } = await handle.stat()
  if (size >= bytesMax) return undefined
  await handle.appendFile('\n')
  return size + 1
}
