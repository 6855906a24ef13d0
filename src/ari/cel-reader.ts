import { open, rename, stat } from 'node:fs/promises'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { CallEventLog, LoggedCallEnd } from '../ports/pbx.ts'
import { type CallEvent, loggedEndFrom, readCallEvent } from './cel-lines.ts'
import { linesBackwards } from './read-lines-backwards.ts'

/** Put aside when larger: some 80,000 calls. What was put aside before is gone then. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const LOOK_EVERY_MS = 10 * 60_000

/** Read at most for one question, of both files together, newest first. */
const READ_BYTES_MAX = 3 * FILE_BYTES_MAX

/** A witness that looks after its own files until it is closed. */
export interface CelReader extends CallEventLog {
  close(): void
}

/**
 * The second witness (R4): the file to which Asterisk appends a line for each event of a channel's life
 * (`asterisk/call-events.ts` tells it to). Read from its end, and no further than to the beginnings of the legs that
 * are asked about. Our choice: we put the file aside ourselves, as Asterisk opens it anew for every line; so at most
 * two files of 32 MiB and what comes in ten minutes are kept. A call older than that has no witness.
 */
export function celReader(file: string, { clock, log }: { readonly clock: Clock; readonly log: Log }): CelReader {
  const aside = `${file}.1`
  let timer: Timer | undefined
  const keepSmall = async () => {
    timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void keepSmall())
    try {
      if (((await sizeOf(file)) ?? 0) > FILE_BYTES_MAX) await rename(file, aside)
    } catch (error) {
      log.warn({ err: error, file }, 'the call events of Asterisk could not be put aside')
    }
  }
  void keepSmall()
  return {
    close: () => timer?.cancel(),
    async readEnds(legs) {
      try {
        return await testimonies(new Set(legs), [file, aside])
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

async function testimonies(legs: ReadonlySet<string>, files: readonly string[]) {
  const story = new Map<string, CallEvent[]>()
  const open = new Set(legs)
  let bytesLeft = READ_BYTES_MAX
  for (const file of files) {
    if (open.size > 0) bytesLeft = await readInto(story, open, file, bytesLeft)
  }
  const told = [...story].map(([leg, events]) => [leg as LegId, loggedEndFrom(events)] as const)
  return new Map<LegId, LoggedCallEnd | 'seen'>(told)
}

/** Goes back until every leg's beginning was seen. Returns how many bytes may still be read. */
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

/** No file is no call yet; anything else that is wrong is told. */
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
