import { open, rename, rm, stat } from 'node:fs/promises'
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
import { attemptNamed, type LegId, OUR_PREFIX } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { CallEventLog, LoggedArrival, LoggedLeg } from '../../ports/pbx.ts'
import { type CallEvent, loggedArrivalFrom, loggedLegFrom, readCallEvent } from './cel-lines.ts'
import { linesBackwards } from './read-lines-backwards.ts'

/** A larger file is rotated: some 40,000 calls. The file that was rotated before is overwritten. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const LOOK_EVERY_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000
/** Some first lines: one of them is whole. */
const HEAD_BYTES = 64 * 1024

/** Limit for one query over both files, newest first. */
const READ_BYTES_MAX = 3 * FILE_BYTES_MAX

interface CelReaderOptions {
  readonly clock: Clock
  readonly log: Log
  /** No line is kept longer. */
  readonly daysMax: number
}

/** A call event log that rotates its files until it is closed. */
interface CelReader extends CallEventLog {
  close(): void
}

/**
 * The second source for call ends (R4): the file to which Asterisk appends a line for each channel event
 * (`asterisk/call-events.ts` configures it). It is read backwards, no further than the beginnings of the legs in
 * question. Our choice: the engine rotates the file, as Asterisk opens it anew for every line; so disk use is at most
 * two files of 32 MiB and what comes in ten minutes. Older calls are not found. The lines hold callers' numbers: a file
 * is rotated after half of `daysMax`, and removed after all of it.
 */
export function celReader(file: string, { clock, log, daysMax }: CelReaderOptions): CelReader {
  const aside = `${file}.1`
  let timer: Timer | undefined
  const keepSmall = async () => {
    timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void keepSmall())
    try {
      const oldestAtMs = clock.nowMs() - daysMax * DAY_MS
      if ((await firstEventAtMs(aside)) < oldestAtMs) await rm(aside)
      const isTooOld = (await firstEventAtMs(file)) < oldestAtMs + (daysMax * DAY_MS) / 2
      if (isTooOld || (await sizeOf(file)) > FILE_BYTES_MAX) await rename(file, aside)
    } catch (error) {
      log.warn({ err: error, file }, 'the call event log of Asterisk could not be rotated')
    }
  }
  void keepSmall()
  const readable = async <Read>(read: () => Promise<Read>) => {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error, file }, 'the call events of Asterisk cannot be read: calls that ended unseen stay unknown')
      return undefined
    }
  }
  return {
    close: () => timer?.cancel(),
    readEnds: (legs) => readable(() => legsIn(legs, [file, aside])),
    readArrivals: (sinceMs) => readable(() => arrivalsIn(sinceMs, [file, aside])),
  }
}

/** Enough to meet the highest one: legs are named in the order in which they are claimed. */
const NEWEST_EVENTS = 2_000

/** The highest attempt among the newest events of these files; 0 without any, or where nothing can be read. */
export async function highestAttemptIn(file: string): Promise<number> {
  let [highest, events] = [0, 0]
  try {
    for await (const { leg } of eventsBackwards([file, `${file}.1`], (one) => attemptNamed(one) !== undefined)) {
      highest = Math.max(highest, attemptNamed(leg)!)
      if (++events === NEWEST_EVENTS) break
    }
  } catch {
    // The reader of ends complains about a file that cannot be read.
  }
  return highest
}

async function legsIn(legs: readonly LegId[], files: readonly string[]): Promise<Map<LegId, LoggedLeg>> {
  const story = new Map<LegId, CallEvent[]>()
  const open = new Set<string>(legs)
  if (open.size === 0) return new Map()
  for await (const event of eventsBackwards(files, (leg) => open.has(leg))) {
    note(story, event)
    // The beginnings of all legs were seen: older lines tell nothing about them.
    if (event.type === 'CHAN_START') open.delete(event.leg)
    if (open.size === 0) break
  }
  return new Map([...story].map(([leg, events]) => [leg, loggedLegFrom(events)] as const))
}

async function arrivalsIn(sinceMs: AtMs, files: readonly string[]): Promise<LoggedArrival[]> {
  const story = new Map<LegId, CallEvent[]>()
  for await (const event of eventsBackwards(files, (leg) => !leg.startsWith(OUR_PREFIX))) {
    if (event.atMs < sinceMs) break
    note(story, event)
  }
  return [...story.values()].flatMap((events) => loggedArrivalFrom(events) ?? [])
}

function note(story: Map<LegId, CallEvent[]>, event: CallEvent): void {
  const leg = event.leg as LegId
  story.set(leg, [event, ...(story.get(leg) ?? [])])
}

/** The newest event first. */
async function* eventsBackwards(
  files: readonly string[],
  isWanted: (leg: string) => boolean,
): AsyncGenerator<CallEvent> {
  let bytesLeft = READ_BYTES_MAX
  for (const file of files) {
    const handle = await openIfThere(file)
    if (!handle) continue
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - bytesLeft)
      bytesLeft -= size - from
      for await (const line of linesBackwards(handle, from, size)) {
        const event = readCallEvent(line, isWanted)
        if (event) yield event
      }
    } finally {
      await handle.close()
    }
  }
}

/** A missing file means that there was no call yet; other errors are thrown. */
async function openIfThere(file: string) {
  try {
    return await open(file, 'r')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return 0
    throw error
  }
}

/** Of the first line that can be read: erased lines are blank. Infinity without one. */
async function firstEventAtMs(file: string): Promise<AtMs> {
  const handle = await openIfThere(file)
  if (!handle) return Number.POSITIVE_INFINITY
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    for (const line of lines) {
      const event = readCallEvent(line, () => true)
      if (event) return event.atMs
    }
    return Number.POSITIVE_INFINITY
  } finally {
    await handle.close()
  }
}
