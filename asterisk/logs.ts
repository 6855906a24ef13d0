import { appendFile, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../src/kernel/clock.ts'
import type { Log } from '../src/kernel/log.ts'
import { Periodic } from '../src/kernel/periodic.ts'
import { SECURITY, UNFILTERED } from './general.ts'
import { textOf } from './write-config.ts'

/** The service copies `unfiltered` to it, without noise. */
const MESSAGES = 'messages'

/**
 * A caller who presses a key stops a prompt, and one who hangs up makes it fail: two of three calls leave such lines.
 * `logger.conf` cannot leave them out. A sound that cannot be played has a line of its own.
 */
const NOISE = / res_stasis_playback\.c: .*: Playback (canceled|stopped|failed) for /

const LINES_TOLD = 15
const COPY_EVERY_MS = 1_000
const TRY_AGAIN_MS = 60_000
/** A larger file becomes `….1`, which replaces the one before. */
const FILE_BYTES_MAX = 20_000_000
const CHUNK_BYTES = 65_536
const ROTATE_LIMIT_MS = 5_000

/** The last log lines of a switch, for the operator. */
export function lastLogLines(runDirectory: string): string {
  // Asterisk writes early errors to its output and later ones to its log, and many to both.
  const lines = [UNFILTERED, 'console'].flatMap((name) => (textOf(join(runDirectory, 'log', name)) ?? '').split('\n'))
  return [...new Set(lines.filter((line) => line.trim() !== ''))].slice(-LINES_TOLD).join('\n')
}

interface AriLogin {
  readonly url: string
  readonly user: string
  readonly password: string
}

interface AsteriskLogOptions {
  /** The running switch: another one after a restart, in the same run directory. */
  readonly asterisk: () => { readonly runDirectory: string; readonly ari: AriLogin }
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps `messages` up to date, and the logs small. No line is lost: Asterisk itself renames its files, between two
 * lines, and a service that starts continues behind the last line that `messages` has.
 */
export function asteriskLog({ asterisk, clock, log }: AsteriskLogOptions): Periodic {
  const copier = new LogCopier(join(asterisk().runDirectory, 'log'))
  let pauseMs = COPY_EVERY_MS
  const work = async () => {
    try {
      await copier.copy()
      await copier.limit((name) => rotate(asterisk().ari, name))
      pauseMs = COPY_EVERY_MS
    } catch (error) {
      pauseMs = TRY_AGAIN_MS
      log.warn({ err: error }, 'the log of Asterisk could not be copied or rotated; trying again in a minute')
    }
  }
  return new Periodic({ clock, pauseMs: () => pauseMs, work })
}

/** `PUT /asterisk/logging/{logChannelName}/rotate`: the file becomes `….0`, or the next free number. */
async function rotate({ url, user, password }: AriLogin, name: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const signal = AbortSignal.timeout(ROTATE_LIMIT_MS)
  const answer = await fetch(`${url}/ari/asterisk/logging/${name}/rotate`, {
    method: 'PUT',
    headers: { authorization },
    signal,
  })
  if (!answer.ok) throw new Error(`Asterisk did not rotate its log "${name}": ${answer.status}`)
}

class LogCopier {
  readonly #folder: string
  /** How far the oldest file was copied; undefined until it is looked up. */
  #copiedBytes: number | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  async copy(): Promise<void> {
    const files = await this.#unfiltered()
    for (const [place, file] of files.entries()) {
      await this.#copyFile(file)
      if (place === files.length - 1) return
      await rm(file)
      this.#copiedBytes = 0
    }
  }

  /** Run after `copy`. */
  async limit(rotateFile: (name: string) => Promise<void>): Promise<void> {
    const file = (name: string) => join(this.#folder, name)
    if ((await sizeOf(file(UNFILTERED))) > FILE_BYTES_MAX) await rotateFile(UNFILTERED)
    if ((await sizeOf(file(SECURITY))) > FILE_BYTES_MAX) {
      await rotateFile(SECURITY)
      await rename(file(`${SECURITY}.0`), file(`${SECURITY}.1`))
    }
    if ((await sizeOf(file(MESSAGES))) > FILE_BYTES_MAX) await rename(file(MESSAGES), file(`${MESSAGES}.1`))
  }

  /** The oldest first; the last one is still written. */
  async #unfiltered(): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.startsWith(`${UNFILTERED}.`))
    const numberOf = (name: string) => Number(name.slice(UNFILTERED.length + 1))
    names.sort((a, b) => numberOf(a) - numberOf(b))
    return [...names, UNFILTERED].map((name) => join(this.#folder, name))
  }

  async #copyFile(file: string): Promise<void> {
    this.#copiedBytes ??= await this.#endOfCopied(file)
    if ((await sizeOf(file)) <= this.#copiedBytes) return
    for await (const { text, atBytes } of linesOf(file, this.#copiedBytes)) {
      const kept = text.split(/(?<=\n)/).filter((line) => !NOISE.test(line))
      await appendFile(join(this.#folder, MESSAGES), kept.join(''), { encoding: 'latin1', mode: 0o600 })
      this.#copiedBytes = atBytes + text.length
    }
  }

  /** Behind the last line of `messages`; 0 if the file does not have it. */
  async #endOfCopied(file: string): Promise<number> {
    const last = (await this.#lastLineOf(MESSAGES)) ?? (await this.#lastLineOf(`${MESSAGES}.1`))
    let end = 0
    if (last === undefined || (await sizeOf(file)) === 0) return end
    for await (const { text, atBytes } of linesOf(file, 0)) {
      const at = text.lastIndexOf(last)
      if (at >= 0) end = atBytes + at + last.length
    }
    return end
  }

  async #lastLineOf(name: string): Promise<string | undefined> {
    const file = join(this.#folder, name)
    const bytes = await sizeOf(file)
    if (bytes === 0) return undefined
    let last: string | undefined
    for await (const { text } of linesOf(file, Math.max(0, bytes - CHUNK_BYTES))) last = text.split(/(?<=\n)/).at(-1)
    return last
  }
}

/** Whole lines from here on, as Latin-1, which keeps every byte. A line without an end comes with the next look. */
async function* linesOf(file: string, fromBytes: number): AsyncGenerator<{ text: string; atBytes: number }> {
  const handle = await open(file, 'r')
  try {
    for (let atBytes = fromBytes; ; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, atBytes)
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
      const length = end === 0 && bytesRead === CHUNK_BYTES ? bytesRead : end
      if (length === 0) return
      yield { text: buffer.toString('latin1', 0, length), atBytes }
      atBytes += length
    }
  } finally {
    await handle.close()
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return { size: 0 }
    throw error
  })
  return found.size
}
