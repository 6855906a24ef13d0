import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AtMs } from '../../kernel/clock.ts'
import type { Sound } from '../../ports/speech.ts'
import { LruMap } from '../http/lru-map.ts'
import { durationMsOf, readWavHeader, whyNotPlayable, writeWav } from './wav.ts'

/** Sounds whose duration is cached in memory. */
const REMEMBERED_MAX = 5_000
/** Files on disk, about 30 kB each. Prompts with amounts are used once, so the oldest are removed. */
const FILES_MAX = 20_000
/** Writes between two sweeps of the directory. */
const WRITES_PER_SWEEP = 1_000

/** Generated sounds: WAV files in one directory, named by their content, and a cache of the latest durations. */
export class SoundStore {
  readonly #directory: string
  readonly #filesMax: number
  readonly #remembered = new LruMap<string, Sound>(REMEMBERED_MAX)
  #writes = 0

  constructor(directory: string, filesMax = FILES_MAX) {
    this.#directory = directory
    this.#filesMax = filesMax
  }

  /** The file for a sound made of `parts`, without its extension. Different parts give a different file. */
  fileFor(parts: readonly string[]): string {
    return join(this.#directory, createHash('sha256').update(JSON.stringify(parts)).digest('hex'))
  }

  recall(key: string): Sound | undefined {
    return this.#remembered.get(key)
  }

  remember(key: string, sound: Sound): void {
    this.#remembered.set(key, sound)
  }

  /** The duration of the sound on disk; undefined if it is missing or broken. */
  async findOnDisk(file: string): Promise<number | undefined> {
    try {
      const header = await readWavHeader(`${file}.wav`)
      if (!header || whyNotPlayable(header)) return undefined
      return durationMsOf(header.dataBytes / 2)
    } catch {
      return undefined
    }
  }

  /** Writes a sound atomically and returns its duration. Rejects when the disk fails. */
  async write(file: string, samples: Int16Array): Promise<number> {
    await mkdir(this.#directory, { recursive: true })
    if (this.#writes++ % WRITES_PER_SWEEP === 0) await this.#sweep()
    const temporary = `${file}.${process.pid}-${this.#writes}.tmp`
    try {
      await writeFile(temporary, writeWav(samples))
      await rename(temporary, `${file}.wav`)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    return durationMsOf(samples.length)
  }

  /** Removes the least recently used files, except cached ones, which may be played at any moment. */
  async #sweep(): Promise<void> {
    const names = await readdir(this.#directory)
    if (names.length <= this.#filesMax) return
    const inUse = new Set([...this.#remembered.values()].map(({ file }) => `${file}.wav`))
    const files: { path: string; usedAtMs: AtMs }[] = []
    for (const name of names) {
      const path = join(this.#directory, name)
      const facts = inUse.has(path) ? undefined : await stat(path).catch(() => undefined)
      if (facts?.isFile()) files.push({ path, usedAtMs: Math.max(facts.mtimeMs, facts.atimeMs) })
    }
    files.sort((a, b) => a.usedAtMs - b.usedAtMs)
    for (const { path } of files.slice(0, names.length - this.#filesMax)) await rm(path, { force: true })
  }
}
