/** The data of ec485bb (`test/fixtures/before`), and the service of this tree, started on it by its user. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { makeDatabase, servers } from '../store/db/database.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The folder of the fixtures. */
export const BEFORE = join(ROOT, 'test/fixtures/before')
/** The password of every user who may sign on. */
export const PASSWORD = 'seven green bottles'

/** The variables of the environment that do not belong to the service. */
type Variables = Readonly<Record<string, string>>

/** The three credential headers. */
export type Credential = Readonly<Record<string, string>>

/** The fixture's database on a test server, and a data directory like the one that belonged to it. */
export interface Installation {
  readonly dataDirectory: string
  readonly env: Variables
  /** The rows of one statement on the database. */
  rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  remove(): Promise<void>
}

/** A service that runs. */
export interface FixtureService {
  /** The addresses of REST and of sign-on. */
  readonly rest: string
  readonly signOn: string
  /** Its log so far. */
  log(): string
  stop(): Promise<void>
}

/** Restores the fixture. `folders`: those of the data directory to copy. */
export async function restore(folders: readonly string[]): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-before-'))
  const dataDirectory = join(directory, 'data')
  for (const folder of folders) cpSync(join(BEFORE, 'data', folder), join(dataDirectory, folder), { recursive: true })
  const setup = readFileSync(join(BEFORE, 'switchboard.yaml'), 'utf8')
  // Nothing is dialed without a caller id, and no port collides with another test.
  const quiet = setup.replace(/callerIds: \[.*?\], /, '').replace(/^ +intake: .*\n/m, '')
  writeFileSync(join(directory, 'switchboard.yaml'), quiet)
  const database = await makeDatabase(servers[0]!, false)
  const restoring = new Client(database.connection)
  await restoring.connect()
  await restoring.query(readFileSync(join(BEFORE, 'database.sql'), 'utf8'))
  // The dump leaves its session without a search path.
  await restoring.end()
  const client = new Client(database.connection)
  await client.connect()
  const { host, user, database: name } = client
  return {
    dataDirectory,
    env: {
      DATA_DIR: dataDirectory,
      ENVIRONMENT: 'development',
      PBX: 'simulated',
      NODE_NAME: 'node-1',
      SETUP_FILE: join(directory, 'switchboard.yaml'),
      FLOWS_DIR: join(BEFORE, 'flows'),
      DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
      HTTP_PORT: '0',
      SSO_PORT: '0',
      INTEGRATOR_URL: 'http://127.0.0.1:9',
      CASE_INFO_TOKEN: 'none',
      // The fixture may be of any age.
      ...Object.fromEntries(KEPT.map((what) => [`RETENTION_${what}_DAYS`, '36500'])),
    },
    rows: async (statement) => (await client.query(statement)).rows,
    async remove() {
      await client.end()
      await database.drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const KEPT = ['RECORDING', 'TRANSCRIPT', 'TASK', 'CASE', 'CONTACT', 'JOURNAL', 'AUDIT']

/** Starts `src/main.ts`, and returns when it takes calls. */
export async function start(env: Variables): Promise<FixtureService> {
  const child = spawn(process.execPath, ['--require', './preflight.cjs', 'src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ALLOW_ROOT: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (text) => {
    log += text
  })
  const ready = new Promise<{ rest: string; signOn: string }>((isReady) => {
    createInterface(child.stdout).on('line', (line) => {
      log += `${line}\n`
      const { rest, signOn } = JSON.parse(line) as { rest?: string; signOn?: string }
      if (rest !== undefined && signOn !== undefined) isReady({ rest, signOn })
    })
  })
  const begun = await Promise.race([ready, exited.then(() => undefined)])
  if (!begun) throw new Error(`the service ended: ${log}`)
  return {
    ...begun,
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Runs the `switchboard` command. */
export async function switchboard(args: readonly string[], env: Variables) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/switchboard.cjs'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      text += piece
    })
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, text }
}

/** A new credential of a system, by the command line. */
export async function newCredential(env: Variables): Promise<Credential> {
  const { text } = await switchboard(['token', 'create', '--name', 'after'], env)
  const values = [...text.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)]
  return Object.fromEntries(values.map(([, name, value]) => [name!, value!]))
}

/** Sends a request over HTTP; returns status and JSON. */
export async function ask(address: string, as: Credential, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { ...as, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}
