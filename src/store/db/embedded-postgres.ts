import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { DatabasePlace } from './database-location.ts'
import { loginRules } from './login-rules.ts'
import { OUR_CONNECTIONS } from './pools.ts'
import { USE_YOUR_OWN } from './postgres-binaries.ts'

/** Why there is no database, and what to do about it. */
export interface Refusal {
  readonly ok: false
  readonly why: string
  readonly remedy: string
}

interface EmbeddedDependencies {
  readonly place: DatabasePlace
  readonly programs: { readonly initdb: string; readonly postgres: string }
  readonly clock: Clock
  readonly log: Log
}

/** Recovery after a `kill -9` took 3.1 s when measured; a large log may take longer. */
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000
const LOOK_AGAIN_MS = 20
const USED_LOOKS = 25
const SPAWN_AGAIN_MS = 500
const LOG_BYTES_SHOWN = 2_000
/** Connections of running processes, in any database; short-lived queries have other application names. */
const CONNECTED = `select 1 from pg_stat_activity where application_name like '${OUR_CONNECTIONS}%' limit 1`
/** The superuser of the embedded cluster: no other user can reach its socket, or log in there. */
const USER = 'switchboard'

/** On a Unix socket in a private folder, so without a password. It outlives a crash of ours. Measured, 2026. */
export class EmbeddedPostgres {
  readonly #dependencies: EmbeddedDependencies
  #child: ChildProcess | undefined
  #isStopping = false

  constructor(dependencies: EmbeddedDependencies) {
    this.#dependencies = dependencies
  }

  connection(database = 'postgres'): ClientConfig {
    return { host: this.#dependencies.place.socket, user: USER, database }
  }

  /** Creates the cluster if necessary, starts the server unless it runs, and resolves when it answers. */
  async start(): Promise<Refusal | undefined> {
    this.#isStopping = false
    if (await this.#answers()) return undefined
    const problem = await this.#makeCluster()
    if (problem) return problem
    const deadlineMs = this.#dependencies.clock.nowMs() + START_TIMEOUT_MS
    while (this.#dependencies.clock.nowMs() < deadlineMs) {
      // A server that ended may have met an older one that is stopping, or one that another process starts.
      if (!this.#child) this.#spawnServer()
      await this.#pause(LOOK_AGAIN_MS)
      if (await this.#answers()) return undefined
      if (!this.#child) await this.#pause(SPAWN_AGAIN_MS)
    }
    return refusal(`PostgreSQL did not start within ${START_TIMEOUT_MS / 1000} s: ${this.#lastWords()}`)
  }

  /** Stops the server cleanly: open transactions are rolled back, everything committed is on disk. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const pid = this.runningPid()
    if (pid === undefined) return
    process.kill(pid, 'SIGINT')
    const deadlineMs = this.#dependencies.clock.nowMs() + STOP_TIMEOUT_MS
    while (this.runningPid() === pid && this.#dependencies.clock.nowMs() < deadlineMs) await this.#pause(LOOK_AGAIN_MS)
  }

  /**
   * Whether another Switchboard process is connected, after our own connections are closed. A server that gives no
   * answer counts as used: it may be stalled or in recovery, and a stop would cut the service off.
   */
  async isUsed(): Promise<boolean> {
    // The server needs a moment to drop connections that were just closed.
    for (let look = 0; look < USED_LOOKS; look++) {
      if ((await this.#ask(CONNECTED)) === false) return false
      await this.#pause(LOOK_AGAIN_MS)
    }
    return true
  }

  /** The server's process, even if another process started it. A pid file of a dead server is ignored. */
  runningPid(): number | undefined {
    const { cluster } = this.#dependencies.place
    try {
      const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster) ? pid : undefined
    } catch {
      return undefined
    }
  }

  /** Created in a temporary folder and renamed: an incomplete cluster is never used. */
  async #makeCluster(): Promise<Refusal | undefined> {
    const { place, programs } = this.#dependencies
    if (existsSync(join(place.cluster, 'PG_VERSION'))) return undefined
    const unfinished = await mkdtemp(`${place.cluster}.`)
    if (place.user) await chown(unfinished, place.user.uid, place.user.gid)
    const args = ['-D', unfinished, '-U', USER, '-E', 'UTF8', '--locale=C', '--auth-local=trust', '--auth-host=reject']
    const code = await exitOf(this.#run(programs.initdb, args))
    const discard = () => rm(unfinished, { recursive: true, force: true })
    // Another process may have been faster; both new clusters are equal.
    if (code === 0) await rename(unfinished, place.cluster).catch(discard)
    else await discard()
    return code === 0 ? undefined : refusal(`initdb ended with ${code}: ${this.#lastWords()}`)
  }

  #spawnServer(): void {
    const { place, programs, log } = this.#dependencies
    const settings = ['listen_addresses=', 'unix_socket_permissions=0700', 'max_connections=60', 'shared_buffers=128MB']
    if (place.user) settings.push(...loginRules(place.rules, USER))
    const args = ['-D', place.cluster, '-k', place.socket, ...settings.flatMap((setting) => ['-c', setting])]
    const child = this.#run(programs.postgres, args)
    this.#child = child
    void exitOf(child).then((end) => {
      this.#child = undefined
      if (!this.#isStopping) log.warn({ end }, 'a PostgreSQL process ended')
    })
    child.unref()
  }

  /** Detached, with its output in a file: the server does not depend on this process. */
  #run(program: string, args: readonly string[]): ChildProcess {
    const { place } = this.#dependencies
    const words = openSync(place.logFile, 'a', 0o600)
    try {
      const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
      const options = { cwd: '/', env: environment, detached: true, ...place.user }
      return spawn(program, args, { ...options, stdio: ['ignore', words, words] })
    } finally {
      closeSync(words)
    }
  }

  async #answers(): Promise<boolean> {
    return (await this.#ask('select 1')) === true
  }

  /** Whether there are such rows; undefined if the server gives no answer. */
  async #ask(text: string): Promise<boolean | undefined> {
    const client = new Client({ ...this.connection(), connectionTimeoutMillis: 1000 })
    // A connection that breaks before its end reports it here too; the answer stays the same.
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rowCount !== 0
    } catch {
      return undefined
    } finally {
      await client.end().catch(() => {})
    }
  }

  #pause(durationMs: number): Promise<void> {
    const { clock } = this.#dependencies
    return new Promise((resolve) => clock.schedule(clock.nowMs() + durationMs, resolve))
  }

  #lastWords(): string {
    const words = readFileSync(this.#dependencies.place.logFile, 'utf8').slice(-LOG_BYTES_SHOWN).trim()
    return words.split('\n').slice(-3).join(' / ') || `it said nothing in ${this.#dependencies.place.logFile}`
  }
}

function refusal(why: string): Refusal {
  return { ok: false, why, remedy: `mend that, or ${USE_YOUR_OWN}` }
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'an unknown end'))
  })
}
