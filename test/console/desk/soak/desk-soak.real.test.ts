/** The long proof of the desks, in short: two desks, and calls that both sides end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../../support/browser.ts'
import { type DeskSoak, runDeskSoak } from './desk-soak-run.ts'
import { deskSoakFigures, isSound } from './desk-soak-table.ts'

const CALLS = 6
let soak: DeskSoak
const lines: string[] = []

beforeAll(async () => {
  soak = await runDeskSoak({ desks: 2, calls: CALLS, talkSeconds: 2, seed: 1 }, (line) => lines.push(line))
}, BROWSER_PATIENCE_MS)
afterAll(() => void process.stdout.write(`${lines.join('\n')}\n`))

test('every outcome that was saved by the keyboard is at the node, once, with its note', () => {
  expect(soak.faults).toEqual([])
  expect(Object.values(soak.counts).flat()).toEqual([])
  expect(isSound(soak)).toBe(true)
  expect(deskSoakFigures(soak)).toMatchObject({ saved: CALLS, outcomesLost: 0, popupsDoubled: 0 })
})

test('each change of the agents was told, and painted after it had arrived', () => {
  const states = new Set(soak.news.map(({ state }) => state))
  for (const state of ['ready', 'talking']) expect(states).toContain(state)
  for (const { arrivedMs, paintedMs } of soak.news) expect(paintedMs).toBeGreaterThanOrEqual(arrivedMs)
})

test('too few calls say nothing of growth', () => {
  expect([...soak.growths.values()]).toEqual([undefined, undefined])
})
