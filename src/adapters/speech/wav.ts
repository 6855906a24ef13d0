import { type FileHandle, open } from 'node:fs/promises'

/** The only sample rate of our prompts: the rate of telephone lines, and of Asterisk's `.wav`. */
export const TELEPHONE_HZ = 8_000

/** The header of a WAV file. `dataBytes` is the actual size: writers to a pipe announce any size. */
export interface WavHeader {
  /** 1 is PCM. */
  readonly format: number
  readonly channels: number
  readonly rateHz: number
  readonly bitsPerSample: number
  readonly dataOffset: number
  readonly dataBytes: number
}

/** The duration of `samples` at 8 kHz, in whole milliseconds. */
export function durationMsOf(samples: number): number {
  return Math.ceil((samples * 1_000) / TELEPHONE_HZ)
}

const HEADER_BYTES = 44

/** The header of a 16-bit WAV file (RIFF, little endian). */
export function wavHeader(header: Pick<WavHeader, 'channels' | 'rateHz' | 'dataBytes'>): Buffer {
  const { channels, rateHz, dataBytes } = header
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(channels, 22)
  bytes.writeUInt32LE(rateHz, 24)
  bytes.writeUInt32LE(rateHz * 2 * channels, 28)
  bytes.writeUInt16LE(2 * channels, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}

/** A 16-bit mono wav file. */
export function writeWav(samples: Int16Array, rateHz = TELEPHONE_HZ): Buffer {
  const dataBytes = samples.length * 2
  const wav = Buffer.alloc(HEADER_BYTES + dataBytes)
  wavHeader({ channels: 1, rateHz, dataBytes }).copy(wav)
  // WAV files and the machines Node runs on (x64, arm64) are little endian alike, so bytes are copied as they are.
  wav.set(new Uint8Array(samples.buffer, samples.byteOffset, dataBytes), HEADER_BYTES)
  return wav
}

/** The samples of a 16-bit WAV file in memory, or undefined if it is none. Those of several channels take turns. */
export async function readWav(
  bytes: Buffer,
): Promise<{ rateHz: number; channels: number; samples: Int16Array } | undefined> {
  const header = await readHeader((length, at) => Promise.resolve(bytes.subarray(at, at + length)), bytes.length)
  if (header?.format !== 1 || header.channels < 1 || header.bitsPerSample !== 16) return undefined
  const data = Uint8Array.from(bytes.subarray(header.dataOffset, header.dataOffset + (header.dataBytes & ~1)))
  return { rateHz: header.rateHz, channels: header.channels, samples: new Int16Array(data.buffer) }
}

/** The header of a WAV file on disk; undefined if it is none. Rejects when the file cannot be read. */
export async function readWavHeader(path: string): Promise<WavHeader | undefined> {
  const file = await open(path, 'r')
  try {
    return await readOpenWavHeader(file)
  } finally {
    await file.close()
  }
}

/** The same for an open file, which stays open. */
export async function readOpenWavHeader(file: FileHandle): Promise<WavHeader | undefined> {
  const { size } = await file.stat()
  return readHeader((length, at) => readAt(file, length, at), size)
}

/** Why the switch cannot play this file; undefined if it can. */
export function whyNotPlayable(header: WavHeader | undefined): string | undefined {
  if (!header) return 'it is not a wav file'
  const { format, channels, rateHz, bitsPerSample, dataBytes } = header
  if (format !== 1 || channels !== 1 || rateHz !== TELEPHONE_HZ || bitsPerSample !== 16) {
    const kind = format === 1 ? 'PCM' : `format ${format}`
    const found = `${kind}, ${channels} channel(s), ${rateHz} Hz, ${bitsPerSample} bit`
    return `it must be PCM, 1 channel, ${TELEPHONE_HZ} Hz, 16 bit, and is ${found}`
  }
  return dataBytes < 2 ? 'it holds no sound' : undefined
}

/** Chunks before the audio: `fmt `, perhaps a few tags. A playable file has no more. */
const CHUNKS_MAX = 64

type ReadAt = (length: number, at: number) => Promise<Buffer>

async function readHeader(read: ReadAt, size: number): Promise<WavHeader | undefined> {
  const start = await read(12, 0)
  if (start.length < 12 || start.toString('latin1', 0, 4) !== 'RIFF' || start.toString('latin1', 8) !== 'WAVE') return
  let formatChunk: Buffer | undefined
  let at = 12
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk++) {
    const head = await read(8, at)
    if (head.length < 8) return undefined
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    at += 8
    if (name === 'data') {
      if (!formatChunk || formatChunk.length < 16) return undefined
      return {
        format: formatChunk.readUInt16LE(0),
        channels: formatChunk.readUInt16LE(2),
        rateHz: formatChunk.readUInt32LE(4),
        bitsPerSample: formatChunk.readUInt16LE(14),
        dataOffset: at,
        dataBytes: Math.min(length, size - at),
      }
    }
    if (name === 'fmt ') formatChunk = await read(Math.min(length, 16), at)
    // Chunks begin at even offsets.
    at += length + (length % 2)
  }
  return undefined
}

async function readAt(file: FileHandle, length: number, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
