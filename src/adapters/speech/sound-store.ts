import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { Sound } from '../../ports/speech.ts'
import { LruMap } from '../http/lru-map.ts'
import { durationMsOf, readWavHeader, whyNotPlayable, writeWav } from './wav.ts'

/** Sounds whose duration is cached in memory. */
const REMEMBERED_MAX = 5_000
/** On disk. Sentences with amounts and names are used once: 5,000 to 10,000 of them fit in. */
const BYTES_MAX = 256 * 1024 * 1024
/** Asterisk opens the sounds of a prompt one after another. Our choice: nobody listens to a longer prompt. */
const MAY_BE_PLAYED_MS = 30 * 60_000
/** A sentence with somebody's name is nobody's for longer: erasures do not know it (audit-and-privacy-20). */
const KEPT_MS = 24 * 60 * 60_000
/** For one sound that is written: removing a file blocks the engine for some 50 µs. */
const REMOVED_MAX = 100

export interface SoundStoreOptions {
  readonly directory: string
  readonly clock: Pick<Clock, 'nowMs'>
  readonly bytesMax?: number
}

interface StoredFile {
  readonly bytes: number
  readonly usedAtMs: AtMs
}

/** Generated sounds: WAV files in one directory, named by their content, and a cache of the latest durations. */
export class SoundStore {
  readonly #options: SoundStoreOptions
  readonly #remembered = new LruMap<string, Sound>(REMEMBERED_MAX)
  /** By path, the least recently used file first. Complete once the directory was read. */
  #files = new Map<string, StoredFile>()
  #bytes = 0
  #reading: Promise<void> | undefined
  #writes = 0

  constructor(options: SoundStoreOptions) {
    this.#options = options
  }

  /** The file for a sound made of `parts`, without its extension. Different parts give a different file. */
  fileFor(parts: readonly string[]): string {
    return join(this.#options.directory, createHash('sha256').update(JSON.stringify(parts)).digest('hex'))
  }

  recall(key: string): Sound | undefined {
    const sound = this.#remembered.get(key)
    const stored = sound && this.#files.get(pathOf(sound.file))
    if (!stored) return undefined
    this.#use(pathOf(sound.file), stored.bytes)
    return sound
  }

  remember(key: string, sound: Sound): void {
    this.#remembered.set(key, sound)
  }

  /** The duration of the sound on disk; undefined if it is missing or broken. */
  async findOnDisk(file: string): Promise<number | undefined> {
    const path = pathOf(file)
    // In use from now on: it must not be removed while it is read.
    this.#use(path, this.#files.get(path)?.bytes ?? 0)
    const header = await readWavHeader(path).catch(() => undefined)
    if (!header || whyNotPlayable(header)) {
      this.#forget(path)
      return undefined
    }
    this.#use(path, header.dataOffset + header.dataBytes)
    return durationMsOf(header.dataBytes / 2)
  }

  /** Writes a sound atomically and returns its duration. Rejects when the disk fails. */
  async write(file: string, samples: Int16Array): Promise<number> {
    await mkdir(this.#options.directory, { recursive: true })
    const temporary = `${file}.${process.pid}-${++this.#writes}.tmp`
    const wav = writeWav(samples)
    try {
      await writeFile(temporary, wav)
      await rename(temporary, pathOf(file))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    this.#use(pathOf(file), wav.length)
    this.#reading ??= this.#readDirectory()
    await this.#reading
    this.#removeUnused()
    return durationMsOf(samples.length)
  }

  #use(path: string, bytes: number): void {
    this.#forget(path)
    this.#files.set(path, { bytes, usedAtMs: this.#options.clock.nowMs() })
    this.#bytes += bytes
  }

  #forget(path: string): void {
    this.#bytes -= this.#files.get(path)?.bytes ?? 0
    this.#files.delete(path)
  }

  /** Finds what an earlier process left. */
  async #readDirectory(): Promise<void> {
    const { directory } = this.#options
    const found: (readonly [path: string, file: StoredFile])[] = []
    for (const name of await readdir(directory)) {
      const path = join(directory, name)
      const facts = await stat(path).catch(() => undefined)
      if (facts?.isFile()) found.push([path, { bytes: facts.size, usedAtMs: Math.max(facts.mtimeMs, facts.atimeMs) }])
    }
    found.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)
    const earlier = found.filter(([path]) => !this.#files.has(path))
    for (const [, { bytes }] of earlier) this.#bytes += bytes
    this.#files = new Map([...earlier, ...this.#files])
  }

  #removeUnused(): void {
    const { clock, bytesMax = BYTES_MAX } = this.#options
    const nowMs = clock.nowMs()
    let removed = 0
    for (const [path, { usedAtMs }] of this.#files) {
      const unusedMs = nowMs - usedAtMs
      const isDue = unusedMs >= (this.#bytes > bytesMax ? MAY_BE_PLAYED_MS : KEPT_MS)
      if (!isDue || removed++ === REMOVED_MAX) return
      // At once: a sound that is looked up meanwhile is either in use or gone.
      rmSync(path, { force: true })
      this.#forget(path)
    }
  }
}

function pathOf(file: string): string {
  return `${file}.wav`
}
