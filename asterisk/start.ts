import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, RealClock } from '../src/kernel/clock.ts'
import type { AriAccess } from './config-input.ts'
import { configFolder, entityId } from './general.ts'
import type { ConfigFiles } from './generate-config.ts'
import { type Refusal, refusal } from './install.ts'
import { lastLogLines } from './logs.ts'
import { isFree } from './ports.ts'
import { isRunning, type KnownProcess, killProcess, stopProcess } from './process.ts'
import type { AsteriskTree } from './tree.ts'
import { waitUntil } from './wait.ts'
import { isWritten, textOf, writeConfig } from './write-config.ts'

/** `config` was generated from `tree`, `runDirectory` and `ari`. */
interface StartInput {
  readonly tree: AsteriskTree
  readonly runDirectory: string
  readonly config: ConfigFiles
  readonly ari: AriAccess
  /** The SIP address, which is checked before the start: Asterisk would start without it. */
  readonly sip: { readonly host: string; readonly port: number }
  readonly clock?: Clock
  readonly onLine?: (line: string) => void
}

/** A running switch, which outlives this process. */
export interface RunningAsterisk {
  readonly ok: true
  readonly pid: number
  /** It was running before, with this very configuration. */
  readonly reused: boolean
  /** Whether its process still runs. */
  isAlive(): boolean
  /** Stops it within about two seconds; calls are hung up. */
  stop(): Promise<void>
  /** Kills it, like a power failure. */
  kill(): Promise<void>
}

/** A start takes 0.3 s; on a busy machine, a few seconds. */
const START_LIMIT_MS = 20_000
const ASK_LIMIT_MS = 2_000
/** A dying process loses its command line, which identifies it, a moment before its ports. */
const LET_GO_LIMIT_MS = 3_000

const CHANGED_REMEDY =
  'start with the configuration and the secrets of before, and `apply` the new ones; or wait until the calls ' +
  'are over; or end them with `switchboard asterisk stop`'

/**
 * Starts Asterisk and waits until it takes calls and answers ARI. A switch that already runs in this directory is kept
 * if its configuration is the same; otherwise it is replaced, unless calls are up. Never throws: a refusal ends with
 * the last lines of the log.
 */
export async function startAsterisk(input: StartInput): Promise<RunningAsterisk | Refusal> {
  const { runDirectory, config, clock = new RealClock(), onLine = () => {} } = input
  const before = findAsterisk(runDirectory)
  if (before) {
    if (isWritten(runDirectory, config) && (await answersPing(input))) {
      onLine(`Asterisk runs already (process ${before.pid}), with this configuration`)
      return running(before, true, clock)
    }
    const calls = await channelsUp(input)
    if (calls > 0) return refusal(`the configuration changed while ${calls} channels are up`, CHANGED_REMEDY)
    onLine(`Asterisk (process ${before.pid}) runs with another configuration or does not answer; it is started again`)
    await stopProcess(before, clock)
  }
  writeConfig(runDirectory, config)
  return await startNew(input, clock, onLine)
}

/** Stops the Asterisk of a run directory, also one of another process. Returns false when none runs. */
export async function stopAsterisk(runDirectory: string, clock: Clock = new RealClock()): Promise<boolean> {
  const found = findAsterisk(runDirectory)
  if (found) await stopProcess(found, clock)
  return found !== undefined
}

async function startNew(input: StartInput, clock: Clock, onLine: (line: string) => void) {
  const { runDirectory } = input
  const busy = await busyPort(input, clock)
  if (busy) return refusal(`${busy} is in use by another program`, 'end it, or set another port in the setup file')
  const startedAtMs = clock.nowMs()
  const child = launch(input)
  if (child.pid === undefined) return refusal(`${input.tree.asterisk} could not be started`, 'install it again')
  const known = { pid: child.pid, marker: configurationFile(runDirectory) }
  // Asked of the child, not of /proc: a process that was just started has no command line there for a moment.
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isUp = async () => hasEnded() || (await answersPing(input))
  const waited = await waitUntil(clock, isUp, { everyMs: 20, limitMs: START_LIMIT_MS })
  if (waited && !hasEnded() && (await isFullyBooted(input))) {
    onLine(`Asterisk runs (process ${known.pid}), started in ${clock.nowMs() - startedAtMs} ms`)
    return running(known, false, clock)
  }
  const what = hasEnded() ? 'ended while it was starting' : `did not answer within ${START_LIMIT_MS / 1_000} s`
  await killProcess(known, clock)
  return refusal(`Asterisk ${what}:\n${lastLogLines(runDirectory)}`, `the whole log is in ${join(runDirectory, 'log')}`)
}

/** A port that another program holds; a port of an ending predecessor is waited for. */
async function busyPort(input: StartInput, clock: Clock): Promise<string | undefined> {
  let held: string | undefined
  const areFree = async () => {
    held = await heldPort(input)
    return held === undefined
  }
  await waitUntil(clock, areFree, { everyMs: 50, limitMs: LET_GO_LIMIT_MS })
  return held
}

async function heldPort({ ari, sip }: StartInput): Promise<string | undefined> {
  if (!(await isFree('udp', sip.host, sip.port))) return `the SIP address ${sip.host}:${sip.port} (asterisk.sipPort)`
  if (!(await isFree('tcp', '127.0.0.1', ari.port))) return `the ARI address 127.0.0.1:${ari.port} (asterisk.ariPort)`
  return undefined
}

/** Detached, with its output in a file: it outlives this process, and no pipe can block it. */
function launch({ tree, runDirectory }: StartInput): ChildProcess {
  const output = openSync(join(runDirectory, 'log', 'console'), 'w', 0o600)
  const child = spawn(tree.asterisk, ['-f', '-C', configurationFile(runDirectory)], {
    cwd: runDirectory,
    detached: true,
    stdio: ['ignore', output, output],
  })
  child.on('error', () => {})
  child.unref()
  closeSync(output)
  return child
}

function running(known: KnownProcess, reused: boolean, clock: Clock): RunningAsterisk {
  const { pid } = known
  return {
    ok: true,
    pid,
    reused,
    isAlive: () => isRunning(known),
    stop: () => stopProcess(known, clock),
    kill: () => killProcess(known, clock),
  }
}

/** The running Asterisk of a run directory, by its pid file. */
function findAsterisk(runDirectory: string): KnownProcess | undefined {
  const pid = Number(textOf(join(runDirectory, 'run', 'asterisk.pid')))
  const known = { pid, marker: configurationFile(runDirectory) }
  return pid > 0 && isRunning(known) ? known : undefined
}

function configurationFile(runDirectory: string): string {
  return join(configFolder(runDirectory), 'asterisk.conf')
}

/** Identifies the switch over ARI: another switch on the same port is not the started switch. */
async function answersPing(input: StartInput): Promise<boolean> {
  const answer = (await askAri(input, 'asterisk/ping')) as { asterisk_id?: string } | undefined
  return answer?.asterisk_id === entityId(input.runDirectory)
}

/** The number of channels a restart would end; 0 without an answer of ARI, because no engine could serve them. */
async function channelsUp(input: StartInput): Promise<number> {
  const answer = (await answersPing(input)) ? await askAri(input, 'channels') : undefined
  return Array.isArray(answer) ? answer.length : 0
}

/** The answer to a GET; undefined after a timeout or a refusal. */
async function askAri({ ari }: StartInput, path: string): Promise<unknown> {
  try {
    const authorization = `Basic ${Buffer.from(`${ari.user}:${ari.password}`).toString('base64')}`
    const signal = AbortSignal.timeout(ASK_LIMIT_MS)
    const answer = await fetch(`http://127.0.0.1:${ari.port}/ari/${path}`, { headers: { authorization }, signal })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined
  }
}

/** ARI answers a little before the last module is loaded. */
function isFullyBooted({ tree, runDirectory }: StartInput): Promise<boolean> {
  const question = ['-C', configurationFile(runDirectory), '-rx', 'core waitfullybooted']
  return new Promise((resolve) => {
    execFile(tree.asterisk, question, { timeout: START_LIMIT_MS }, (error) => resolve(error === null))
  })
}
