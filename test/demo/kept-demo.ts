/** A kept demo as a process of its own: what it prints, and its end by Ctrl-C. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Starts it with these arguments. `ready` rejects with its words where it fails. */
export function startKeptDemo(args: readonly string[] = []) {
  // The database's server runs as another user where we are root: it must reach the folder.
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-kept-'))
  const dataDir = join(directory, '.data')
  mkdirSync(dataDir)
  const tree = process.env['SWITCHBOARD_TEST_TREE']
  if (tree !== undefined) symlinkSync(tree, join(dataDir, 'asterisk'))
  const program = ['--require', './preflight.cjs', 'src/cli/switchboard.ts', 'demo', '--keep', ...args]
  const env = { PATH: process.env['PATH'], ALLOW_ROOT: '1', DATA_DIR: dataDir }
  const child = spawn(process.execPath, program, { cwd: root, env })
  const exited = new Promise<number | null>((done) => child.once('close', done))
  let said = ''
  const ready = new Promise<void>((isReady, fails) => {
    const hear = (text: Buffer) => {
      said += String(text)
      if (/kept running: .*\n/.test(said)) isReady()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void exited.then(() => fails(new Error(`the demo ended: ${said}`)))
  })
  return {
    ready,
    directory,
    dataDir,
    said: () => said,
    /** What the first group of `pattern` found in its words; throws if nothing did. */
    found(pattern: RegExp): string {
      const match = pattern.exec(said)
      if (!match) throw new Error(`${pattern} is not in: ${said}`)
      return match[1]!
    },
    /** Ctrl-C; resolves with the exit status. */
    interrupt() {
      child.kill('SIGINT')
      return exited
    },
  }
}
