import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import { readScenario } from '../../src/pacing-sim/read-scenario.ts'
import { referenceScenario } from '../../src/pacing-sim/reference.ts'
import { hitRateAt } from '../../src/pacing-sim/scenario.ts'

const FOLDER = join(import.meta.dirname, '../../bench/pacing')
const HOUR_MS = 3_600_000

function fileOf(name: string) {
  return readScenario(name, readFileSync(join(FOLDER, name), 'utf8'))
}

function complaints(text: string): string[] {
  return readScenario('day.yaml', text).problems.map(formatProblem)
}

test.each([5, 10, 30, 100, 300])(
  'the reference cell of %d agents is the base of tests and benchmark bars',
  (agents) => {
    expect(fileOf(`reference-${agents}.yaml`).scenario).toEqual(referenceScenario(agents))
  },
)

test('every scenario of the benchmark can be read', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))
  expect(files.length).toBeGreaterThan(15)
  expect(files.flatMap((name) => fileOf(name).problems)).toEqual([])
})

test('omitted keys are as in the reference cell; the command line overrides the file', () => {
  const text = 'agents: 30\ndays: 7\ncampaigns:\n  main:\n    hitRate: 20%\n'
  const { scenario } = readScenario('day.yaml', text, { agents: 5, seed: 3 })
  const [main] = scenario!.campaigns
  expect(scenario).toMatchObject({ agents: 5, days: 7, seed: 3, dayMs: 8 * HOUR_MS })
  expect(main!.hit.levels).toEqual([{ fromMs: 0, rate: 0.2 }])
  expect(main!.talk).toEqual(referenceScenario(5).campaigns[0]!.talk)
})

test('the hit rate follows the lists, the sine and the spells of the file', () => {
  const { scenario } = fileOf('non-stationary.yaml')
  const rateAt = (hours: number) => hitRateAt(scenario!.campaigns[0]!.hit, hours * HOUR_MS, scenario!.dayMs)
  expect(rateAt(0)).toBeCloseTo(0.4, 10)
  expect(rateAt(2)).toBeCloseTo(0.4 * 1.25 * 0.5, 10)
  expect(rateAt(4)).toBeCloseTo(0.41, 10)
  expect(rateAt(6)).toBeCloseTo(0.41 * 0.75 * 1.5, 10)
})

test.each([
  ['agents: many', 'day.yaml:1:9 error agents must be a whole number from 1 to 1000, not "many"'],
  ['days: 3', 'day.yaml:1:1 error the file has no agents; add it: a whole number from 1 to 1000'],
  ['agents: 3\nseeds: 4', 'day.yaml:2:1 error unknown key "seeds"; did you mean "seed"?'],
  [
    'agents: 3\ncampaigns:\n  main:\n    cap: 3',
    'day.yaml:4:10 error campaigns.main.cap must be a share such as 40% or 2.5%, at most 99%, not 3 (a number)',
  ],
  [
    'agents: 3\ncampaigns:\n  main:\n    talk: { lognormal: { mean: 9s, sd: 3s }, fixed: 4s }',
    'day.yaml:4:11 error a distribution has one kind; write one of fixed, uniform, lognormal, exponential',
  ],
  [
    'agents: 3\nfaults:\n  - linesBusy: { at: "07:00", for: 5m }',
    'day.yaml:3:22 error 07:00 is outside the day; change it, or change begins and day',
  ],
  [
    'agents: 3\nfaults:\n  - {}',
    'day.yaml:3:5 error an entry has one fault; write one of phonesDrop, carrierRefuses, linesBusy',
  ],
  ['', 'day.yaml:1:1 error the file is empty; begin with agents: 30'],
])('%j is refused with its place, reason and remedy', (text, message) => {
  expect(complaints(text)).toEqual([message])
})
