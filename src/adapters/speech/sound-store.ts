import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AtMs } from '../../kernel/clock.ts'
import type { Sound } from '../../ports/speech.ts'
import { LruMap } from '../http/lru-map.ts'
import { durationMsOf, readWavHeader, whyNotPlayable, writeWav } from './wav.ts'

/** Sounds whose duration is known without touching the disk. */
const REMEMBERED_MAX = 5_000
/** Files on disk; some 30 kB each. Prompts with amounts in them are used once, so the oldest go. */
const FILES_MAX = 20_000
/** The directory is looked through once in so many writes. */
const WRITES_PER_SWEEP = 1_000

/** The sounds made so far: wav files in one directory, named by what is in them, and a memory of the latest. */
export class SoundStore {
  readonly #directory: string
  readonly #filesMax: number
  readonly #remembered = new LruMap<string, Sound>(REMEMBERED_MAX)
  #writes = 0

  constructor(directory: string, filesMax = FILES_MAX) {
    this.#directory = directory
    this.#filesMax = filesMax
  }

  /** The file for a sound made of `parts`, without its ending. Other parts, another file. */
  fileFor(parts: readonly string[]): string {
    return join(this.#directory, createHash('sha256').update(JSON.stringify(parts)).digest('hex'))
  }

  recall(key: string): Sound | undefined {
    return this.#remembered.get(key)
  }

  remember(key: string, sound: Sound): void {
    this.#remembered.set(key, sound)
  }

  /** How long the sound on disk lasts; undefined when there is none, or a broken one that must be made again. */
  async findOnDisk(file: string): Promise<number | undefined> {
    try {
      const header = await readWavHeader(`${file}.wav`)
      if (!header || whyNotPlayable(header)) return undefined
      return durationMsOf(header.dataBytes / 2)
    } catch {
      return undefined
    }
  }

  /** Writes a sound so that nobody ever sees half of it; answers its duration. Rejects when the disk cannot. */
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

  /** Removes the files not used for longest, except those that are remembered and may be played any moment. */
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
