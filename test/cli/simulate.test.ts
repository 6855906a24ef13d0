import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { simulateCommand } from '../../src/cli/simulate.ts'
import { policyNamed } from '../../src/pacing-sim/policies.ts'
import type { PolicyFactory } from '../../src/pacing-sim/policy.ts'

const folder = mkdtempSync(join(tmpdir(), 'simulate-'))
const scenario = join(folder, 'day.yaml')
writeFileSync(scenario, 'title: a short day\nagents: 5\nday: 1h\ndays: 3\n')
afterAll(() => rmSync(folder, { recursive: true }))

/** Two lines for each idle agent, whatever the ledger says. */
const double: PolicyFactory = () => ({
  name: 'double',
  everyMs: 1_000,
  decidesOnEvents: true,
  decide: ({ live: { idleAgents, inFlight, waiting } }) => Math.max(0, 2 * idleAgents - inFlight - waiting),
  learn: () => {},
})

test('the days of a file are run under every requested policy, and printed as table, rows and JSON', () => {
  const lines: string[] = []
  const [csv, summary] = [join(folder, 'days.csv'), join(folder, 'summary.json')]
  const status = simulateCommand(
    scenario,
    { policy: 'one-to-one, a', days: 2, csv, summary },
    { write: (line) => void lines.push(line) },
  )
  expect(status).toBe(0)
  expect(lines[0]).toBe('a short day: 5 agents, 2 days of 1 h, seed 1000')
  expect(lines.slice(2).map((line) => line.split(' ')[0])).toEqual(['one-to-one', 'a'])
  expect(readFileSync(csv, 'utf8').trim().split('\n')).toHaveLength(1 + 2 * 2)
  const [plain, steered] = JSON.parse(readFileSync(summary, 'utf8'))
  expect(plain).toMatchObject({ policy: 'one-to-one', agents: 5, days: 2, abandonedPct: 0, timeAboveCapPct: 0 })
  expect(steered.occupancyPct).toBeGreaterThan(50)
})

test('the figures are those of a day that can be counted by hand', () => {
  // Thirty rounds of 80 s: 10 s until the answer, 60 s of talk, 10 s of wrap-up.
  const clockwork = join(folder, 'clockwork.yaml')
  const lengths = 'postDial: 0s, ring: { fixed: 10s }, talk: { fixed: 60s }, wrapUp: { fixed: 10s }'
  const campaign = `{ hitRate: 100%, lossAfter: 2s, ${lengths} }`
  writeFileSync(clockwork, `agents: 1\nday: 40m\ncampaigns: { one: ${campaign} }\n`)
  const summary = join(folder, 'clockwork.json')
  const named = (name: string) => (name === 'double' ? double : policyNamed(name))
  const context = { write: () => {}, policies: { names: [], named } }
  simulateCommand(clockwork, { policy: 'one-to-one,double', days: 2, summary }, context)
  const [plain, reckless] = JSON.parse(readFileSync(summary, 'utf8'))
  for (const { occupancyPct, talkMinPerHour, idleMeanS, conversations } of [plain, reckless]) {
    expect(occupancyPct).toBeCloseTo((100 * 70) / 80, 1)
    expect(talkMinPerHour).toBeCloseTo((60 * 60) / 80, 1)
    expect(idleMeanS).toBeCloseTo(10, 0)
    expect(conversations).toBe(60)
  }
  expect(plain).toMatchObject({ abandonedPct: 0, timeAboveCapPct: 0, dialsPerConversation: 1 })
  // Of two who answer at once the one is lost after 2 s; from then on every second call is.
  expect(reckless).toMatchObject({ abandonedPct: 50, abandonedWorstDayPct: 50, dialsPerConversation: 2 })
  expect(reckless.timeAboveCapPct).toBeCloseTo((100 * (2_400 - 12)) / 2_400, 1)
})

test('an unknown policy is refused with the list of known ones', () => {
  const lines: string[] = []
  expect(simulateCommand(scenario, { policy: 'magic' }, { write: (line) => void lines.push(line) })).toBe(1)
  expect(lines.join('\n')).toMatch(/there is no policy magic; choose from one-to-one, /)
})

test('a missing or invalid file is reported with the place of the mistake', () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  expect(simulateCommand(join(folder, 'no.yaml'), { policy: 'a' }, { write })).toBe(1)
  expect(lines[0]).toMatch(/no\.yaml:1:1 error the file cannot be read/)
})
