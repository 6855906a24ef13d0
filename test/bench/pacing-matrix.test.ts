import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CELLS, jobsOf, PLOTTED } from '../../bench/pacing-matrix.ts'
import { anyPolicyNamed } from '../../bench/policies.ts'
import { runJob } from '../../bench/processes/pacing-process.ts'
import { chartSvg } from '../../bench/svg.ts'
import type { Summary } from '../../src/pacing-sim/over-days.ts'
import { readScenario } from '../../src/pacing-sim/read-scenario.ts'

const FOLDER = join(import.meta.dirname, '../../bench/pacing')

/** Seeds are fixed and nothing reads a clock: these figures are the same on every machine. */
function figures(file: string, agents: number, policy: string, days = 1): Summary {
  return runJob({ file, agents, policy, days }).summary
}

test('every job of the benchmark names an existing policy and scenario', () => {
  const jobs = CELLS.flatMap((cell) => jobsOf(cell, 1))
  expect(jobs.length).toBeGreaterThan(200)
  const unknown = [...jobs.map(({ policy }) => policy), ...PLOTTED].filter((policy) => !anyPolicyNamed(policy))
  expect(unknown).toEqual([])
  for (const file of new Set(jobs.map(({ file }) => `${file}.yaml`))) {
    expect(readScenario(file, readFileSync(join(FOLDER, file), 'utf8')).problems).toEqual([])
  }
})

test.each([
  ['reference-10', 10, 86.5],
  ['reference-30', 30, 91.5],
  ['timed', 10, 88],
  ['hit-20', 10, 80.5],
  ['cap-1', 10, 83.5],
  ['non-stationary', 10, 85],
  ['detection', 10, 84],
])('in the cell %s, %d agents are busy %d percent of a day, and the cap holds at every moment', (file, agents, pct) => {
  const [plain, ours] = [figures(file, agents, 'one-to-one'), figures(file, agents, 'e')]
  expect(ours.timeAboveCapPct).toBe(0)
  expect(ours.abandonedWorstDayPct).toBeLessThanOrEqual(file === 'cap-1' ? 1 : 3)
  expect(ours.occupancyPct).toBeGreaterThan(pct)
  expect(ours.occupancyPct - plain.occupancyPct).toBeGreaterThan(3)
})

test('dropped phones, a refusing carrier and full trunks do not stop dialing for long', () => {
  const ours = figures('faults', 10, 'e')
  expect(ours.occupancyPct).toBeGreaterThan(85)
  expect(ours.abandonedWorstDayPct).toBeLessThanOrEqual(3)
})

test('two campaigns on one team keep each its own cap', () => {
  const { campaigns } = figures('shared', 10, 'e')
  expect(campaigns.map(({ timeAboveCapPct }) => timeAboveCapPct)).toEqual([0, 0])
  expect(campaigns[1]!.abandonedWorstDayPct).toBeLessThanOrEqual(1)
})

test('a dialer that counts abandoned calls only afterwards is above its cap for most of the day', () => {
  const peer = figures('reference-30', 30, 'vicidial-hard-limit')
  expect(peer.timeAboveCapPct).toBeGreaterThan(90)
  expect(peer.occupancyPct).toBeLessThan(82)
})

test('a chart has a line for each name, and escapes markup in names', () => {
  const svg = chartSvg({
    title: 'a < b',
    xName: 'agents',
    yName: '%',
    isLogX: true,
    level: 3,
    xTicks: [[1, '1'] as const, [10, '10'] as const],
    yTicks: [0, 10],
    lines: [{ name: 'R&D', points: [[1, 0] as const, [10, 5] as const] }],
  })
  expect(svg).toContain('M70 460L660 255')
  expect(svg).toContain('R&amp;D')
  expect(svg).toContain('a &lt; b')
})
