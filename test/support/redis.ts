import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../asterisk/ports.ts'

/** A real Redis of a test's own: in memory only, on a port of its own, gone with the test process. */
export interface TestRedis {
  readonly url: string
  /** Ends it without a goodbye; everything in it is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  /** Freezes it: it keeps its connections and sends no reply. */
  freeze(): Promise<void>
  thaw(): void
  /** Whether it is frozen, as the system sees it. */
  isFrozen(): boolean
  /** Ends it and removes what it left. */
  end(): Promise<void>
}

/** Starts one, with further settings of redis.conf as arguments. Installs Redis first where there is none. */
export async function testRedis(...settings: readonly string[]): Promise<TestRedis> {
  const program = await redisProgram()
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-redis-'))
  const port = await freePort('tcp', '127.0.0.1')
  const ours = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no']
  let child: ChildProcess | undefined
  const start = async () => {
    child = await started(program, [...ours, ...settings])
  }
  const kill = async () => {
    const dying = child
    child = undefined
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
    const gone = once(dying, 'exit')
    dying.kill('SIGKILL')
    await gone
  }
  // The letter after the name of the program: T is stopped.
  const isFrozen = () => child !== undefined && / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'))
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    isFrozen,
    async freeze() {
      child?.kill('SIGSTOP')
      while (!isFrozen()) await new Promise(setImmediate)
    },
    thaw: () => void child?.kill('SIGCONT'),
    async end() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** `setpriv` ends the server with us, even when we are killed. */
async function started(program: string, settings: readonly string[]): Promise<ChildProcess> {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...settings], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  const ready = new Promise<boolean>((resolve) => {
    child.once('error', ({ message }) => {
      said.push(message)
      resolve(false)
    })
    child.once('close', () => resolve(false))
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said.push(line)
        if (line.includes('Ready to accept connections')) resolve(true)
      })
    }
  })
  if (!(await ready)) throw new Error(`the test's Redis did not start:\n${said.slice(-10).join('\n')}`)
  return child
}

/** The one on the PATH, else our own, which is installed once and kept. Fails loudly where neither can be had. */
async function redisProgram(): Promise<string> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server'))
  const found = onPath.find(mayRun)
  if (found) return found
  const directory = fileURLToPath(new URL('../../.data/redis', import.meta.url))
  const script = fileURLToPath(new URL('install-redis.sh', import.meta.url))
  try {
    await promisify(execFile)('bash', [script, directory])
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    throw new Error(`the tests of the live port need a real Redis:\n${stderr || error}`)
  }
  return join(directory, 'redis-server')
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
