/** SIPp as the load: many short calls, from a process of its own. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Calls to be made, all alike but for the caller's number. */
interface Load {
  /** Path of SIPp. */
  readonly sipp: string
  readonly target: { readonly host: string; readonly port: number }
  /** Our own address, by which the switch knows the carrier. */
  readonly from: string
  readonly called: string
  /** The callers' numbers are this and a count. */
  readonly callerPrefix: string
  readonly rate: number
  readonly calls: number
}

/** What SIPp counted. A call that was not answered, or got no BYE, has failed. */
export interface LoadResult {
  readonly successfulCalls: number
  readonly failedCalls: number
  readonly retransmissions: number
}

/** A call takes about one second; one that takes this much longer is lost. */
const SPARE_S = 30

/** Makes the calls and waits for the last of them. Rejects when SIPp itself cannot run. */
export async function runLoad({ sipp, target, from, called, callerPrefix, rate, calls }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-load-'))
  const scenario = fileURLToPath(new URL('load-call.xml', import.meta.url))
  const seconds = Math.ceil(calls / rate) + SPARE_S
  const identity = ['-i', from, '-mi', from, '-s', called, '-key', 'prefix', callerPrefix]
  const amount = ['-r', `${rate}`, '-m', `${calls}`, '-l', `${calls}`, '-timeout', `${seconds}s`, '-timeout_error']
  const statistics = ['-trace_stat', '-stf', 'statistics.csv', '-fd', '600']
  const args = ['-sf', scenario, '-nostdin', ...identity, ...amount, ...statistics, `${target.host}:${target.port}`]
  try {
    const complaint = await finished(sipp, args, folder)
    return readStatistics(join(folder, 'statistics.csv'), complaint)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves with what SIPp complained about. Its exit status says no more than its statistics. */
function finished(sipp: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(sipp, args, { cwd, maxBuffer: 2 ** 26 }, (error, _screen, complaint) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve(complaint.trim())
    })
  })
}

/** The last line holds the sums, columns that end in `(C)`. */
function readStatistics(file: string, complaint: string): LoadResult {
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n')
  const columns = head!.split(';')
  const last = rows.at(-1)?.split(';') ?? []
  const sum = (name: string) => {
    const value = last[columns.indexOf(`${name}(C)`)]
    if (value === undefined) throw new Error(`SIPp counted no ${name}: ${complaint}`)
    return Number(value)
  }
  return {
    successfulCalls: sum('SuccessfulCall'),
    failedCalls: sum('FailedCall'),
    retransmissions: sum('Retransmissions'),
  }
}
