import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { RealClock } from '../../src/kernel/clock.ts'
import { JobProcesses } from '../../src/kernel/job-process.ts'

/** However busy the machine is. */
const TIMEOUT_MS = 300_000
const kernel = new URL('../../src/kernel/job-process.ts', import.meta.url)

function processesThat(work: string): JobProcesses<object, unknown> {
  const script = join(mkdtempSync(join(tmpdir(), 'job-')), 'job.ts')
  writeFileSync(script, `import { serveJob } from '${kernel}'\nserveJob(${work})\n`)
  const limits = { timeoutMs: TIMEOUT_MS, memoryMb: 64, processesMax: 1 }
  return new JobProcesses({ script: pathToFileURL(script), clock: new RealClock(), ...limits })
}

test('a job gets its order and no secrets, and gives its result back whole', async () => {
  process.env['A_SECRET'] = 'word'
  const jobs = processesThat('(order) => ({ ...order, secret: process.env.A_SECRET })')
  const order = { text: 'æøå', many: new Map([[1, undefined]]) }
  expect(await jobs.run('us', order)).toEqual({ ok: true, result: { ...order, secret: undefined } })
  delete process.env['A_SECRET']
})

test('what gives way has less right to the processor than what has started it, also where that has little', () => {
  const script = join(mkdtempSync(join(tmpdir(), 'job-')), 'way.ts')
  const words = `import { getPriority } from 'node:os'\nimport { giveWay } from '${kernel}'\ngiveWay()\n`
  writeFileSync(script, `${words}console.log(getPriority())\n`)
  const printed = execFileSync('nice', ['-n', '3', process.execPath, script], { encoding: 'utf8' })
  expect(Number(printed)).toBe(Math.min(19, getPriority() + 3 + 10))
})

test('a job that throws is an error with its place; one that needs too much is given up', async () => {
  const jobs = processesThat(`({ what }) => {
    if (what === 'throw') throw new Error('no such step')
    const kept = []
    while (what === 'fill') kept.push(new Array(100_000).fill(kept.length))
    return what
  }`)
  await expect(jobs.run('us', { what: 'throw' })).rejects.toThrow(/no such step\s+at .*job\.ts:/)
  expect(await jobs.run('us', { what: 'fill' })).toEqual({ ok: false, why: 'tooLong' })
  expect(await jobs.run('us', { what: 'work' })).toEqual({ ok: true, result: 'work' })
})
