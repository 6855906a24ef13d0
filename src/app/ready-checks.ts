/** Why this node should get no work: what `/readyz` tells load balancers and operators. One row is one reason. */
import { statfs } from 'node:fs/promises'
import { CLOCKS_DIFFER_MAX_MS } from '../dialer/may-dial-now.ts'
import type { Engine } from '../engine/loop/engine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Pbx } from '../ports/pbx.ts'
import type { ReadyCheck } from '../rest/openapi/docs-pages.ts'
import type { Pools } from '../store/db/pools.ts'
import { clockBehindMs } from '../store/nodes/latest-seen.ts'
import { restoredState } from '../store/nodes/restored.ts'
import type { RunningWork } from './run-work.ts'
import type { Settings } from './settings.ts'

/** Asterisk restarts in half a second; calls of that time are told apart from an outage. */
const SWITCH_AWAY_MS = 1_000
/** Below it passes by itself. */
const CLOCK_BEHIND_MS = 5_000
const MEGABYTE = 1024 * 1024

interface ReadinessOptions {
  readonly work: RunningWork
  readonly engine: Pick<Engine, 'dialer'>
  readonly pbx: Pick<Pbx, 'onEvent'>
  readonly clock: Clock
  readonly settings: Pick<Settings, 'dataDir' | 'diskFreeBytesMin'>
  /** Undefined in a service without records. */
  readonly pools: Pools | undefined
}

/** The reasons besides the database, which REST asks itself. */
export function readyChecks({ work, engine, pbx, clock, settings, pools }: ReadinessOptions): readonly ReadyCheck[] {
  return [
    () => partsMissing(work),
    switchAway(pbx, clock),
    () => diskFull(settings),
    () => leaseMissing(engine),
    () => clocksApart(engine),
    () => pools && restored(pools),
    () => pools && clockBehind(pools),
  ]
}

/** A database that is full or read-only answers questions, and takes no lease. */
function leaseMissing({ dialer }: Pick<Engine, 'dialer'>): string | undefined {
  if (!dialer || dialer.lease.held) return undefined
  return 'nothing is dialed: the database takes no lease of this node; its log says why'
}

function clocksApart({ dialer }: Pick<Engine, 'dialer'>): string | undefined {
  const apartMs = dialer?.lease.clocksApartMs ?? 0
  if (apartMs <= CLOCKS_DIFFER_MAX_MS) return undefined
  const apart = `the clocks of this node and of the database are ${Math.floor(apartMs / 1_000)} s apart`
  return `nothing is dialed: ${apart}; set them right`
}

/** Callers are served; nobody is dialed. */
async function restored(pools: Pools): Promise<string | undefined> {
  // A database that does not answer is a reason of its own.
  const { toConfirm } = (await restoredState(pools).catch(() => undefined)) ?? {}
  return toConfirm ? `nothing is dialed before \`switchboard restore confirm\`: ${toConfirm}` : undefined
}

async function clockBehind(pools: Pools): Promise<string | undefined> {
  const behindMs = await clockBehindMs(pools).catch(() => 0)
  if (behindMs <= CLOCK_BEHIND_MS) return undefined
  const remedy = 'if the clock is right, run `switchboard clock reset`'
  return `nothing is dialed: the clock is ${Math.floor(behindMs / 1_000)} s behind the latest instant; ${remedy}`
}

function partsMissing(work: RunningWork): string | undefined {
  const missing = work.notRunning()
  return missing.length === 0 ? undefined : `parts of the service do not run: ${missing.join(', ')}`
}

/** Before it is there for the first time, its part does not run. */
function switchAway(pbx: Pick<Pbx, 'onEvent'>, clock: Clock): ReadyCheck {
  let sinceMs: number | undefined
  pbx.onEvent(({ type }) => {
    if (type === 'pbx.up') sinceMs = undefined
    if (type === 'pbx.down') sinceMs = clock.nowMs()
  })
  return () => {
    const awayMs = sinceMs === undefined ? 0 : clock.nowMs() - sinceMs
    if (awayMs <= SWITCH_AWAY_MS) return undefined
    const remedy = 'its log says why; if it hangs, `kill -9` its process: the service starts its own again'
    return `Asterisk has not answered for ${Math.floor(awayMs / 1_000)} s; ${remedy}`
  }
}

async function diskFull({ dataDir, diskFreeBytesMin }: ReadinessOptions['settings']): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  if (freeBytes >= diskFreeBytesMin) return undefined
  const [free, needed] = [freeBytes, diskFreeBytesMin].map((bytes) => Math.floor(bytes / MEGABYTE))
  return `the disk of DATA_DIR has ${free} MB left, and DISK_FREE_MIN_MB is ${needed}; make room`
}
