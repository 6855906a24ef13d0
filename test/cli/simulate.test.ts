import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { simulateCommand } from '../../src/cli/simulate.ts'

const folder = mkdtempSync(join(tmpdir(), 'simulate-'))
const scenario = join(folder, 'day.yaml')
writeFileSync(scenario, 'title: a short day\nagents: 5\nday: 1h\ndays: 3\n')
afterAll(() => rmSync(folder, { recursive: true }))

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
