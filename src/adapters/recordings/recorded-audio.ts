/** Recordings read in pieces, one channel at a time: hours of audio need little memory. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { readOpenWavHeader, type WavHeader } from '../speech/wav.ts'

export interface SoundPiece {
  readonly channel: number
  readonly startMs: number
  readonly durationMs: number
  readonly samples: Int16Array
}

/**
 * An open recording. `pieces` goes through it once, all channels of a stretch before the next stretch. A stretch
 * ends in quiet after 3 minutes, or has the given length: short ones keep the event loop free.
 */
export interface RecordedSound {
  readonly channels: number
  readonly rateHz: number
  readonly durationMs: number
  /** Samples of each channel. */
  readonly frames: number
  pieces(lengthMs?: number): AsyncGenerator<SoundPiece>
  close(): Promise<void>
}

/** Why there is no audio. `isMissing`: the file does not exist here, or not yet. */
interface NoSound {
  readonly why: string
  readonly isMissing: boolean
}

/** Our choice: 3 MB of telephone audio, well below every service's limit, and a few milliseconds of CPU time. */
const PIECE_MS = 180_000
/** A piece ends at the quietest moment of its last seconds, to keep words whole. */
const SEARCH_MS = 15_000
const WINDOW_MS = 20
/** A longer recording is not a conversation but a forgotten line. */
const DURATION_MAX_MS = 4 * 3_600_000
const RATE_MAX_HZ = 48_000
/** 1 % of full scale: line noise stays below, a voice does not. */
const SILENCE_PEAK = 328

/** Opens a file of the recordings folder; links are not followed. Never rejects. */
export async function openSound(path: string): Promise<RecordedSound | NoSound> {
  let file: FileHandle | undefined
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const header = await readOpenWavHeader(file)
    const why = whyNoSound(header)
    if (header && why === undefined) return soundOf(file, header)
    await file.close()
    return { why: why ?? 'it is no wav file', isMissing: false }
  } catch (error) {
    await file?.close().catch(() => {})
    return { why: `its file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, isMissing: true }
  }
}

/** Whether no voice is heard: a transcription model invents words for silence. */
export function isSilent(samples: Int16Array): boolean {
  return samples.every((sample) => Math.abs(sample) < SILENCE_PEAK)
}

function whyNoSound(header: WavHeader | undefined): string | undefined {
  if (!header) return 'it is no wav file'
  const { format, channels, rateHz, bitsPerSample } = header
  const isRead = format === 1 && bitsPerSample === 16 && (channels === 1 || channels === 2)
  if (!isRead || rateHz < 1_000 || rateHz > RATE_MAX_HZ) {
    const found = `format ${format}, ${bitsPerSample} bit, ${channels} channel(s), ${rateHz} Hz`
    return `it must be PCM of 16 bit with 1 or 2 channels, and is ${found}`
  }
  if (framesOf(header) === 0) return 'it holds no sound'
  return msOf(framesOf(header), rateHz) > DURATION_MAX_MS ? 'it is longer than 4 hours' : undefined
}

function soundOf(file: FileHandle, header: WavHeader): RecordedSound {
  const { channels, rateHz } = header
  const frames = framesOf(header)
  async function* pieces(lengthMs?: number): AsyncGenerator<SoundPiece> {
    const most = Math.floor(((lengthMs ?? PIECE_MS) / 1_000) * rateHz)
    for (let at = 0; at < frames; ) {
      const sound = await readFrames(file, header, at, Math.min(most, frames - at))
      const read = sound.length / channels
      if (read === 0) return
      const isCut = lengthMs === undefined && at + read < frames
      const length = isCut ? quietestEnd(sound, channels, rateHz) : read
      const place = { startMs: msOf(at, rateHz), durationMs: msOf(length, rateHz) }
      for (let channel = 0; channel < channels; channel++) {
        yield { channel, ...place, samples: channelOf(sound, channel, channels, length) }
      }
      at += length
    }
  }
  return { channels, rateHz, frames, durationMs: msOf(frames, rateHz), pieces, close: () => file.close() }
}

async function readFrames(file: FileHandle, header: WavHeader, at: number, count: number): Promise<Int16Array> {
  const frameBytes = 2 * header.channels
  const bytes = new Uint8Array(count * frameBytes)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, header.dataOffset + at * frameBytes)
  // WAV files and the machines Node runs on are little endian alike.
  return new Int16Array(bytes.buffer, 0, Math.floor(bytesRead / frameBytes) * header.channels)
}

/** The number of frames before the quietest moment near the end. */
function quietestEnd(sound: Int16Array, channels: number, rateHz: number): number {
  const frames = sound.length / channels
  const window = Math.ceil((WINDOW_MS / 1_000) * rateHz)
  let best = { loudness: Number.POSITIVE_INFINITY, end: frames }
  for (let end = frames - Math.floor((SEARCH_MS / 1_000) * rateHz); end <= frames; end += window) {
    if (end <= window) continue
    const slice = sound.subarray((end - window) * channels, end * channels)
    const loudness = slice.reduce((sum, sample) => sum + Math.abs(sample), 0)
    if (loudness < best.loudness) best = { loudness, end }
  }
  return best.end
}

function channelOf(sound: Int16Array, channel: number, channels: number, length: number): Int16Array {
  if (channels === 1) return sound.subarray(0, length)
  const samples = new Int16Array(length)
  for (let frame = 0; frame < length; frame++) samples[frame] = sound[frame * channels + channel]!
  return samples
}

function framesOf({ dataBytes, channels }: WavHeader): number {
  return Math.floor(dataBytes / (2 * channels))
}

function msOf(frames: number, rateHz: number): number {
  return Math.round((frames * 1_000) / rateHz)
}
