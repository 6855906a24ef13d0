import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import {
  closeSync,
  type FSWatcher,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RtpAddress } from './rtp-peer.ts'
import { LOG_MARK } from './sipp-xml.ts'

/** Something that happened at a SIPp phone, as its scenario logs it. `media` is where the other side wants sound. */
export type SippFact =
  | { readonly type: 'ready' }
  | { readonly type: 'ringing' | 'answered'; readonly call: string; readonly media: RtpAddress }
  | { readonly type: 'refused'; readonly call: string; readonly code: number }
  | { readonly type: 'gaveUp' | 'cancelled'; readonly call: string }
  | { readonly type: 'hungUp'; readonly call: string; readonly by: 'us' | 'them' }

/** What to run. */
export interface SippOptions {
  /** Path of the program. */
  readonly sipp: string
  readonly scenario: string
  /** Own address, and where the calls go. */
  readonly args: readonly string[]
  readonly onFact: (fact: SippFact) => void
}

const READ_BYTES_MAX = 64 * 1024
const ERROR_CHARACTERS_MAX = 600
/** Longer than any test or demo. */
const LIFE_MAX_S = 3_600

/**
 * One running SIPp. File events follow its log file: facts come at once, complete and in order.
 * The files live in a folder of their own that goes with the process.
 */
export class SippProcess {
  /** Resolves when it has ended; `why` tells what SIPp complained about, when it failed. */
  readonly exited: Promise<{ readonly code: number | null; readonly why: string }>
  readonly #folder: string
  readonly #log: number
  readonly #process: ChildProcess
  readonly #watcher: FSWatcher
  readonly #onFact: (fact: SippFact) => void
  #readBytes = 0
  #rest = ''
  #complaint = ''

  constructor({ sipp, scenario, args, onFact }: SippOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), 'switchboard-phone-'))
    this.#onFact = onFact
    const [scenarioFile, logFile, errorFile] = ['phone.xml', 'phone.log', 'errors.log'].map((name) => this.#file(name))
    writeFileSync(scenarioFile!, scenario)
    writeFileSync(logFile!, '')
    this.#log = openSync(logFile!, 'r')
    this.#watcher = watch(logFile!, () => this.#read()).on('error', (error) => this.#complain(error.message))
    const logging = ['-trace_logs', '-log_file', logFile!, '-trace_err', '-error_file', errorFile!]
    const fixed = ['-sf', scenarioFile!, '-nostdin', '-ci', '127.0.0.1', '-timeout', `${LIFE_MAX_S}s`]
    // SIPp ends with this process, even if it is killed (util-linux, in every Debian).
    this.#process = spawn('setpriv', ['--pdeathsig', 'KILL', sipp, ...fixed, ...logging, ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C in a terminal must not end calls directly.
      detached: true,
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => this.#complain(text))
    this.exited = new Promise((done) => {
      this.#process.once('error', (error) => done(this.#close(null, `SIPp cannot be started: ${error.message}`)))
      this.#process.once('close', (code) => done(this.#close(code, '')))
    })
  }

  /** Ends it at once, without any message. */
  async stop(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.exited
  }

  #file(name: string): string {
    return join(this.#folder, name)
  }

  #complain(text: string): void {
    this.#complaint = (this.#complaint + text).slice(-ERROR_CHARACTERS_MAX)
  }

  #read(): void {
    const buffer = Buffer.alloc(READ_BYTES_MAX)
    const bytes = readSync(this.#log, buffer, 0, buffer.length, this.#readBytes)
    this.#readBytes += bytes
    const lines = (this.#rest + buffer.toString('utf8', 0, bytes)).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const fact = readFact(line)
      if (fact) this.#onFact(fact)
    }
  }

  #close(code: number | null, reason: string): { code: number | null; why: string } {
    this.#watcher.close()
    this.#read()
    closeSync(this.#log)
    const why = [reason, this.#complaint.trim(), this.#errors()].filter((text) => text !== '').join('; ')
    rmSync(this.#folder, { recursive: true, force: true })
    return { code, why }
  }

  #errors(): string {
    try {
      return readFileSync(this.#file('errors.log'), 'utf8').trim().slice(-ERROR_CHARACTERS_MAX)
    } catch {
      return '' // SIPp writes the file only when there is something to complain about.
    }
  }
}

/** `switchboard answered 1 127.0.0.1 34386` → a fact. Undefined for lines that are not ours. */
export function readFact(line: string): SippFact | undefined {
  const [mark, type, call = '', first = '', second = ''] = line.trim().split(' ')
  if (mark !== LOG_MARK) return undefined
  switch (type) {
    case 'ready':
      return { type }
    case 'ringing':
    case 'answered':
      return { type, call, media: { host: first, port: Number(second) } }
    case 'refused':
      return { type, call, code: Number(first) }
    case 'gaveUp':
    case 'cancelled':
      return { type, call }
    case 'hungUp':
      return { type, call, by: first === 'us' ? 'us' : 'them' }
    default:
      return undefined
  }
}

/** A UDP port that is free now. Rejects when `port` is given and taken, or the address is not ours. */
export async function freeUdpPort(host: string, port = 0): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((done, fail) => {
    socket.once('error', (error) =>
      fail(new Error(`no phone can stand at ${host}:${port}: ${error.message}; stop what listens there`)),
    )
    socket.bind(port, host, done)
  })
  const free = socket.address().port
  await new Promise<void>((done) => socket.close(() => done()))
  return free
}
