import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JoinSides } from '../../ports/recordings/join-channels.ts'
import { readOpenWavHeader, TELEPHONE_HZ, wavHeader } from '../speech/wav.ts'

/** Two seconds of audio at a time, to keep the event loop free. */
const CHUNK_FRAMES = 16_384
const SAMPLE_BYTES = 2
/** Files whose creation times differ more than this have a wrong time. */
const APART_MAX_MS = 60_000

/** One channel on disk. `bornAtMs` 0: the file system does not know. */
interface SideFile {
  readonly file: FileHandle
  readonly dataOffset: number
  readonly frames: number
  readonly bornAtMs: number
}

/** The position of a channel in the joined audio: this many silent frames come before it. */
interface Track extends SideFile {
  readonly startFrame: number
}

/** The creation time of a file in ms; 0 if the file system does not know it. */
type BornAtMs = (file: Stats) => number

/** Joins the channel files of recordings in a folder; the later created starts later. `bornAtMs` is for tests. */
export function sidesInFolder(directory: string, bornAtMs: BornAtMs = (file) => file.birthtimeMs): JoinSides {
  return async (joined, { left, right }) => {
    const paths = [left, right].map((name) => join(directory, name))
    try {
      if (!(await isThere(join(directory, joined)))) {
        const why = await joinTo(join(directory, joined), paths, bornAtMs)
        if (why !== undefined) return why
      }
      for (const path of paths) await rm(path, { force: true })
      return undefined
    } catch (error) {
      return `its two sides cannot be joined (${codeOf(error)})`
    }
  }
}

async function joinTo(path: string, sides: readonly string[], bornAtMs: BornAtMs): Promise<string | undefined> {
  const opened: (SideFile | undefined)[] = []
  try {
    for (const side of sides) opened.push(await openSide(side, bornAtMs))
    const tracks = placed(opened)
    const frames = Math.max(0, ...tracks.map((track) => (track ? track.startFrame + track.frames : 0)))
    if (tracks.every((track) => track === undefined)) return 'its file is not there'
    if (frames === 0) return 'no sound came'
    await write(path, tracks, frames)
    // The existing channel was stored; the other may still be found.
    return tracks.includes(undefined) ? 'one of its two sides is missing' : undefined
  } finally {
    for (const side of opened) await side?.file.close()
  }
}

/** Writes under another name first: a joined file is complete, or does not exist. */
async function write(path: string, tracks: readonly (Track | undefined)[], frames: number): Promise<void> {
  const unfinished = `${path}.joining`
  const out = await open(unfinished, 'w')
  try {
    const channels = tracks.length
    const dataBytes = frames * channels * SAMPLE_BYTES
    await out.writeFile(wavHeader({ channels, rateHz: TELEPHONE_HZ, dataBytes }))
    for (let at = 0; at < frames; at += CHUNK_FRAMES) {
      const length = Math.min(CHUNK_FRAMES, frames - at)
      const chunk = new Int16Array(length * channels)
      for (const [channel, track] of tracks.entries()) {
        const samples = track && (await samplesOf(track, at, length))
        if (samples) for (let frame = 0; frame < length; frame++) chunk[frame * channels + channel] = samples[frame]!
      }
      await out.writeFile(new Uint8Array(chunk.buffer))
    }
    // The channel files are removed next.
    await out.datasync()
  } finally {
    await out.close()
  }
  await rename(unfinished, path)
}

/** Frames of the joined audio from `at` on; silence where this channel has none. */
async function samplesOf(track: Track, at: number, length: number): Promise<Int16Array> {
  const samples = new Int16Array(length)
  const from = Math.max(at, track.startFrame)
  const until = Math.min(at + length, track.startFrame + track.frames)
  if (from >= until) return samples
  // WAV files and the machines Node runs on are little endian alike.
  const bytes = new Uint8Array(samples.buffer, (from - at) * SAMPLE_BYTES, (until - from) * SAMPLE_BYTES)
  await track.file.read(bytes, 0, bytes.length, track.dataOffset + (from - track.startFrame) * SAMPLE_BYTES)
  return samples
}

function placed(sides: readonly (SideFile | undefined)[]): (Track | undefined)[] {
  const births = sides.flatMap((side) => (side && side.bornAtMs > 0 ? [side.bornAtMs] : []))
  const firstAtMs = Math.min(...births)
  const isKnown = births.length === sides.length && Math.max(...births) - firstAtMs <= APART_MAX_MS
  return sides.map((side) => {
    const lateMs = side && isKnown ? side.bornAtMs - firstAtMs : 0
    return side && { ...side, startFrame: Math.round((lateMs * TELEPHONE_HZ) / 1_000) }
  })
}

/** Undefined if the file does not exist or holds no telephone audio. Links are not followed. */
async function openSide(path: string, bornAtMs: BornAtMs): Promise<SideFile | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  const header = await readOpenWavHeader(file)
  const isSound = header?.format === 1 && header.channels === 1 && header.bitsPerSample === 16
  if (!header || !isSound || header.rateHz !== TELEPHONE_HZ) {
    await file.close()
    return undefined
  }
  const facts = await file.stat()
  // Asterisk writes the length at the end: a file it left open when it died has none.
  const dataBytes = header.dataBytes > 0 ? header.dataBytes : facts.size - header.dataOffset
  const frames = Math.floor(dataBytes / SAMPLE_BYTES)
  return { file, dataOffset: header.dataOffset, frames, bornAtMs: bornAtMs(facts) }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
