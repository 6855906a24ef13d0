import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeepMessage, KeptMessage } from '../../ports/recordings/keep-message.ts'
import { readOpenWavHeader, TELEPHONE_HZ, wavHeader } from '../speech/wav.ts'

/** 20 ms, as a telephone sends it. */
const FRAME = 160
/** Mean of the samples of a frame: Asterisk takes the same for its silence (dsp.conf, `silencethreshold`). */
const LOUD = 256
/** Our choice: less than this is a click. Asterisk counts whole seconds of speech, and would lose a "yes". */
const SPOKEN_MIN_FRAMES = 10
/** One second at a time, to keep the event loop free. */
const CHUNK_BYTES = TELEPHONE_HZ * 2

/** Messages in a folder. Links are not followed. */
export function messagesInFolder(directory: string): KeepMessage {
  return async (name) => {
    const path = join(directory, name)
    let file: FileHandle | undefined
    try {
      file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
      const kept = await judge(file)
      if (kept.result === 'silent') await rm(path, { force: true })
      return kept
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
      return { result: 'failed', why: `its file cannot be read (${code}); Asterisk must be able to write its folder` }
    } finally {
      await file?.close()
    }
  }
}

async function judge(file: FileHandle): Promise<KeptMessage> {
  const header = await readOpenWavHeader(file)
  if (header?.format !== 1 || header.channels !== 1 || header.bitsPerSample !== 16 || header.rateHz !== TELEPHONE_HZ) {
    return { result: 'failed', why: 'its file holds no telephone audio' }
  }
  const { dataOffset } = header
  // Asterisk writes the length at the end: a file it left open when it died has none.
  const dataBytes = header.dataBytes > 0 ? header.dataBytes : (await file.stat()).size - dataOffset
  if (!(await isSpoken(file, dataOffset, dataBytes))) return { result: 'silent' }
  if (header.dataBytes === 0) {
    const whole = wavHeader({ channels: 1, rateHz: TELEPHONE_HZ, dataBytes })
    if (whole.length === dataOffset) await file.write(whole, 0, whole.length, 0)
  }
  return { result: 'stored', lengthMs: Math.round((dataBytes * 1_000) / (TELEPHONE_HZ * 2)) }
}

async function isSpoken(file: FileHandle, from: number, dataBytes: number): Promise<boolean> {
  const samples = new Int16Array(CHUNK_BYTES / 2)
  const bytes = new Uint8Array(samples.buffer)
  let loud = 0
  for (let at = 0; at < dataBytes; at += CHUNK_BYTES) {
    // WAV files and the machines Node runs on are little endian alike.
    const { bytesRead } = await file.read(bytes, 0, Math.min(CHUNK_BYTES, dataBytes - at), from + at)
    for (let frame = 0; frame + FRAME <= bytesRead / 2; frame += FRAME) {
      const sum = samples.subarray(frame, frame + FRAME).reduce((total, sample) => total + Math.abs(sample), 0)
      if (sum > LOUD * FRAME) loud++
    }
    if (loud >= SPOKEN_MIN_FRAMES) return true
  }
  return false
}
