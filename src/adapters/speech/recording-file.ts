import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Larger than any prompt. Our choice: it bounds the memory of a conversion. */
export const RECORDING_BYTES_MAX = 20 * 1024 * 1024

/** The first bytes of what we convert: RIFF (WAV), Ogg (RFC 3533 6), ID3v2, and a frame of MPEG audio, layer III. */
const BEGINNINGS: Readonly<Record<string, (start: Buffer) => boolean>> = {
  wav: (start) => start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WAVE',
  ogg: (start) => start.toString('latin1', 0, 4) === 'OggS',
  mp3: (start) => start.toString('latin1', 0, 3) === 'ID3' || (start[0] === 0xff && (start[1]! & 0xe6) === 0xe2),
}

/**
 * Why the recording `file` of a flow in `directory` cannot be played; undefined if nothing is known against it.
 * Reads the beginning of the file only: a damaged end shows when the recording is converted.
 */
export function whyNoRecording(directory: string, file: string): string | undefined {
  const path = join(directory, file)
  try {
    const facts = statSync(path)
    if (!facts.isFile()) return `${path} is not a file; name a sound file`
    if (facts.size > RECORDING_BYTES_MAX) {
      return `${path} has ${facts.size} bytes; shorten it to at most ${RECORDING_BYTES_MAX}`
    }
    const kind = file.slice(file.lastIndexOf('.') + 1)
    return BEGINNINGS[kind]?.(startOf(path)) ? undefined : `${path} holds no ${kind} sound; export it again as ${kind}`
  } catch (error) {
    return `${path} cannot be read (${(error as NodeJS.ErrnoException).code}); put the recording there`
  }
}

function startOf(path: string): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const start = Buffer.alloc(12)
    readSync(descriptor, start, 0, start.length, 0)
    return start
  } finally {
    closeSync(descriptor)
  }
}
