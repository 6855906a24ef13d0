/** A kept demo as a process of its own: what it prints, and its end by Ctrl-C or with its terminal. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'

/** Less than hooks wait, so that its words are told. */
const READY_MAX = { timeout: 280_000, interval: 500 }
const root = resolve(import.meta.dirname, '../..')

/**
 * Starts it with these arguments. `inTerminal`: `script` (Debian's bsdutils) is its terminal.
 */
export function startKeptDemo(args: readonly string[] = [], { inTerminal = false } = {}) {
  // The database's server runs as another user where we are root: it must reach the folder.
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-kept-'))
  const dataDir = join(directory, '.data')
  mkdirSync(dataDir)
  const tree = process.env['SWITCHBOARD_TEST_TREE']
  if (tree !== undefined) symlinkSync(tree, join(dataDir, 'asterisk'))
  const program = ['--require', './preflight.cjs', 'src/cli/switchboard.ts', 'demo', '--keep', ...args]
  const env = { PATH: process.env['PATH'], ALLOW_ROOT: '1', DATA_DIR: dataDir }
  const command = [process.execPath, ...program].join(' ')
  const child = inTerminal
    ? spawn('script', ['-qfc', command, '/dev/null'], { cwd: root, env })
    : spawn(process.execPath, program, { cwd: root, env })
  const exited = new Promise<number | null>((done) => child.once('close', done))
  const ended = exited.then((): never => {
    throw new Error(`the demo ended: ${said}`)
  })
  // Nobody waits for the end of one that is ready.
  ended.catch(() => {})
  let said = ''
  const hear = (text: Buffer) => {
    // A terminal ends its lines with both.
    said += String(text).replaceAll('\r', '')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  /** What the first group of `pattern` found in its words; throws if nothing did. */
  const found = (pattern: RegExp): string => {
    const match = pattern.exec(said)
    if (!match) throw new Error(`${pattern} is not in: ${said}`)
    return match[1]!
  }
  return {
    /** Its address, when it is open to visitors; rejects with its words where it fails, or never comes so far. */
    ready: () => Promise.race([ended, vi.waitFor(() => found(/kept running: open (\S+) .*\n/), READY_MAX)]),
    found,
    directory,
    dataDir,
    said: () => said,
    /** Closes the terminal, as a window is closed. */
    closeTerminal: () => child.kill('SIGKILL'),
    /** The commands of processes of this demo that still run: its own, its switch, its database, its phones. */
    processes: () => processesIn(directory),
    /** Ctrl-C; resolves with the exit status. */
    interrupt() {
      child.kill('SIGINT')
      return exited
    },
  }
}

function processesIn(directory: string): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.flatMap((id) => {
    try {
      const texts = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${id}/${file}`, 'utf8'))
      return texts.some((text) => text.includes(directory)) ? texts[0]!.replaceAll('\0', ' ') : []
    } catch {
      // It has just ended.
      return []
    }
  })
}
