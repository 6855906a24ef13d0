/** The service and its commands as processes of their own, as `npm start` and `npx switchboard` run them. */
import { execFile, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Credential } from '../../src/client/client.ts'

const root = resolve(import.meta.dirname, '../..')
const NODE = ['--require', './preflight.cjs'] as const

/**
 * Starts the service with this environment alone. `ready` rejects with its log where it does not start. `checkout`:
 * the folder of its sources, where they are not ours.
 */
export function startServiceProcess(env: Readonly<Record<string, string>>, checkout = root) {
  const child = spawn(process.execPath, [...NODE, 'src/main.ts'], { cwd: checkout, env: withPath(env) })
  const exited = new Promise<number | null>((done) => child.once('close', done))
  let log = ''
  const ready = new Promise<void>((isReady, fails) => {
    const hear = (text: Buffer) => {
      log += String(text)
      if (log.includes('ready: calls are taken')) isReady()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void exited.then(() => fails(new Error(`the service ended: ${log}`)))
  })
  return {
    ready,
    pid: child.pid!,
    /** The lines of its log with this text. */
    said: (text: string) => log.split('\n').filter((line) => line.includes(text)),
    async stop() {
      child.kill('SIGTERM')
      if ((await exited) !== 0) throw new Error(`the service did not stop in order: ${log}`)
    },
  }
}

/** What `switchboard` prints with these arguments. Rejects with that if it fails. */
export async function switchboard(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const run = promisify(execFile)
  const asked = run(process.execPath, [...NODE, 'src/cli/switchboard.ts', ...args], { cwd: root, env: withPath(env) })
  const { stdout } = await asked.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** A credential that `token create` makes in this environment; `--user NAME` for one of a user. */
export async function tokenOf(env: Readonly<Record<string, string>>, ...options: string[]): Promise<Credential> {
  const said = await switchboard(['token', 'create', ...options], env)
  const values = [...said.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)].map((found) => found.slice(1))
  return Object.fromEntries(values) as Credential
}

function withPath(env: Readonly<Record<string, string>>) {
  return { PATH: process.env['PATH'], ALLOW_ROOT: '1', ...env }
}
