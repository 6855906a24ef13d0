import { open, rename, stat } from 'node:fs/promises'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { CallEventLog, LoggedCallEnd } from '../ports/pbx.ts'
import { type CallEvent, loggedEndFrom, readCallEvent } from './cel-lines.ts'
import { linesBackwards } from './read-lines-backwards.ts'

/** A larger file is rotated: some 80,000 calls. The file that was rotated before is overwritten. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const LOOK_EVERY_MS = 10 * 60_000

/** Limit for one query over both files, newest first. */
const READ_BYTES_MAX = 3 * FILE_BYTES_MAX

/** A call event log that rotates its files until it is closed. */
interface CelReader extends CallEventLog {
  close(): void
}

/**
 * The second source for call ends (R4): the file to which Asterisk appends a line for each channel event
 * (`asterisk/call-events.ts` configures it). It is read backwards, no further than the beginnings of the legs in
 * question. Our choice: the engine rotates the file, as Asterisk opens it anew for every line; so disk use is at most
 * two files of 32 MiB and what comes in ten minutes. Older calls are not found.
 */
export function celReader(file: string, { clock, log }: { readonly clock: Clock; readonly log: Log }): CelReader {
  const aside = `${file}.1`
  let timer: Timer | undefined
  const keepSmall = async () => {
    timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void keepSmall())
    try {
      if (((await sizeOf(file)) ?? 0) > FILE_BYTES_MAX) await rename(file, aside)
    } catch (error) {
      log.warn({ err: error, file }, 'the call event log of Asterisk could not be rotated')
    }
  }
  void keepSmall()
  return {
    close: () => timer?.cancel(),
    async readEnds(legs) {
      try {
        return await endsIn(new Set(legs), [file, aside])
      } catch (error) {
        log.warn(
          { err: error, file },
          'the call events of Asterisk cannot be read: calls that ended unseen stay unknown',
        )
        return undefined
      }
    },
  }
}

async function endsIn(legs: ReadonlySet<string>, files: readonly string[]) {
  const story = new Map<string, CallEvent[]>()
  const open = new Set(legs)
  let bytesLeft = READ_BYTES_MAX
  for (const file of files) {
    if (open.size > 0) bytesLeft = await readInto(story, open, file, bytesLeft)
  }
  const ends = [...story].map(([leg, events]) => [leg as LegId, loggedEndFrom(events)] as const)
  return new Map<LegId, LoggedCallEnd | 'seen'>(ends)
}

/** Goes back until it has seen the beginning of every leg. Returns how many bytes may still be read. */
async function readInto(story: Map<string, CallEvent[]>, open: Set<string>, file: string, bytesMax: number) {
  const handle = await openIfThere(file)
  if (!handle) return bytesMax
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - bytesMax)
    for await (const line of linesBackwards(handle, from, size)) {
      const event = readCallEvent(line, open)
      if (!event) continue
      story.set(event.leg, [event, ...(story.get(event.leg) ?? [])])
      if (event.type === 'CHAN_START') open.delete(event.leg)
      if (open.size === 0) break
    }
    return bytesMax - (size - from)
  } finally {
    await handle.close()
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

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
