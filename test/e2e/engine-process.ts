/** The service as a process of its own, as `npm start` runs it: a test can kill it. */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Place } from './campaign-place.ts'

/** A started service. */
export interface EngineProcess {
  readonly pid: number
  /** Resolves when it serves; rejects with its last log lines when it ends before. */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  /** Breaks its line to the switch; new ones are accepted again after `refusedMs`. */
  cutLine(): void
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const LAST_WORDS = 4_000

/** Starts it. Its log is appended to `engine.log` of the place. */
export function startEngine(place: Place, nodeOptions: readonly string[] = []): EngineProcess {
  const cutter = ['--import', join(import.meta.dirname, 'line-cutter.ts')]
  const child = spawn(process.execPath, ['--require', './preflight.cjs', ...cutter, ...nodeOptions, 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ALLOW_ROOT: '1', ...place.env, LINE_CUTTER_PORT: String(place.ariPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const file = createWriteStream(join(place.logsDirectory, 'engine.log'), { flags: 'a' })
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  let words = ''
  const ready = new Promise<void>((isReady, fails) => {
    const hear = (text: Buffer) => {
      file.write(text)
      words = (words + String(text)).slice(-LAST_WORDS)
      if (words.includes('ready: calls are taken')) isReady()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void exited.then(() => {
      file.end()
      fails(new Error(`the engine ended: ${words}`))
    })
  })
  // A caller that kills it before it serves does not await that.
  ready.catch(() => {})
  return {
    pid: child.pid!,
    ready,
    exited,
    cutLine: () => void child.kill('SIGUSR2'),
    kill(signal) {
      child.kill(signal)
      return exited
    },
  }
}
