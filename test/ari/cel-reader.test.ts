import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { celReader } from '../../src/ari/cel/cel-reader.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const [ONE, TWO, THREE] = ['sb-leg-1', 'sb-leg-2', 'sb-leg-3'] as LegId[] as [LegId, LegId, LegId]

/** A line as Asterisk writes it. `seconds` counts from an instant of our own. */
function line(type: string, leg: string, seconds: number, cause?: number): string {
  const eventextra = cause === undefined ? '' : JSON.stringify({ hangupcause: cause, hangupsource: '', dialstatus: '' })
  const eventtime = `${1_795_300_000 + Math.floor(seconds)}.${String(Math.round((seconds % 1) * 1e6)).padStart(6, '0')}`
  return `${JSON.stringify({ eventtype: type, eventtime, uniqueid: leg, eventextra })}\n`
}
const at = (seconds: number) => 1_795_300_000_000 + seconds * 1_000

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'call-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'call-events.json')
  const clock = new VirtualClock()
  const ask = async (...legs: LegId[]) => {
    const records = celReader(file, { clock, log: silentLog, daysMax: 30 })
    const loggedEnd = await records.readEnds(legs)
    records.close()
    return loggedEnd && Object.fromEntries(loggedEnd)
  }
  return { file, clock, ask }
}

const talked = (leg: string, from = 0) =>
  line('CHAN_START', leg, from) +
  line('ANSWER', leg, from + 4.25) +
  line('HANGUP', leg, from + 9, 16) +
  line('CHAN_END', leg, from + 9.001)

describe('the call event log', () => {
  test('knows when a leg was answered and ended, and why', async () => {
    const { file, ask } = place()
    writeFileSync(
      file,
      talked(ONE) + line('CHAN_START', TWO, 1) + line('HANGUP', TWO, 3, 17) + line('CHAN_END', TWO, 3),
    )
    expect(await ask(ONE, TWO)).toEqual({
      [ONE]: { answeredAtMs: at(4.25), endedAtMs: at(9.001), reason: 'hungUp' },
      [TWO]: { endedAtMs: at(3), reason: 'busy' },
    })
  })

  test('has seen a leg without a logged end, and has nothing about a leg that never existed', async () => {
    const { file, ask } = place()
    writeFileSync(file, line('CHAN_START', ONE, 0) + line('ANSWER', ONE, 4))
    expect(await ask(ONE, THREE)).toEqual({ [ONE]: { answeredAtMs: at(4) } })
  })

  test.each([
    [1, 'notFound'],
    [18, 'unreachable'],
    [19, 'noAnswer'],
    [21, 'rejected'],
    [34, 'congestion'],
    [38, 'failed'],
  ])('given cause %d of a leg that was not answered, the reason is %s', async (cause, reason) => {
    const { file, ask } = place()
    writeFileSync(file, line('CHAN_START', ONE, 0) + line('HANGUP', ONE, 3, cause) + line('CHAN_END', ONE, 3))
    expect(await ask(ONE)).toMatchObject({ [ONE]: { reason } })
  })

  test('given a truncated line followed by a new one, all other lines count', async () => {
    const { file, ask } = place()
    writeFileSync(file, talked(ONE) + line('CHAN_START', TWO, 1))
    truncateSync(file, talked(ONE).length + 30)
    expect(await ask(ONE, TWO)).toMatchObject({ [ONE]: { reason: 'hungUp' } })
    appendFileSync(file, talked(THREE))
    expect(Object.keys((await ask(ONE, TWO, THREE)) ?? {}).toSorted()).toEqual([ONE, THREE])
  })

  test('finds a leg that began long ago among many others, also in the rotated file', async () => {
    const { file, ask } = place()
    const others = Array.from({ length: 2_000 }, (_, n) => talked(`sb-leg-other-${n}`, n)).join('')
    writeFileSync(`${file}.1`, talked(ONE) + line('CHAN_START', TWO, 1) + others)
    writeFileSync(file, others + line('ANSWER', TWO, 2) + line('HANGUP', TWO, 30, 16) + line('CHAN_END', TWO, 30))
    expect(await ask(ONE, TWO)).toEqual({
      [ONE]: { answeredAtMs: at(4.25), endedAtMs: at(9.001), reason: 'hungUp' },
      [TWO]: { answeredAtMs: at(2), endedAtMs: at(30), reason: 'hungUp' },
    })
  })

  test('has seen nothing without a file, and is unavailable when the file cannot be read', async () => {
    const { file, ask } = place()
    expect(await ask(ONE)).toEqual({})
    mkdirSync(file)
    expect(await ask(ONE)).toBeUndefined()
  })

  test('keeps the numbers of callers no longer than the call journal does', async () => {
    const { file, clock } = place()
    const nowMs = clock.nowMs()
    const daysAgo = (days: number) => talked(ONE, (nowMs - at(0)) / 1_000 - days * 24 * 3_600)
    writeFileSync(`${file}.1`, daysAgo(31))
    writeFileSync(file, daysAgo(14))
    const records = celReader(file, { clock, log: silentLog, daysMax: 30 })
    await expect.poll(() => existsSync(`${file}.1`)).toBe(false)
    expect(existsSync(file)).toBe(true)
    clock.run(2 * 24 * 3_600_000)
    await expect.poll(() => existsSync(`${file}.1`)).toBe(true)
    records.close()
    expect(existsSync(file)).toBe(false)
  })

  test('rotates a file that has grown too large, and still knows its contents', async () => {
    const { file, clock, ask } = place()
    writeFileSync(file, talked(ONE) + `${' '.repeat(1_000)}\n`.repeat(34_000))
    const records = celReader(file, { clock, log: silentLog, daysMax: 30 })
    await expect.poll(() => existsSync(`${file}.1`)).toBe(true)
    records.close()
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, talked(TWO))
    expect(Object.keys((await ask(ONE, TWO)) ?? {}).toSorted()).toEqual([ONE, TWO])
  })
})
