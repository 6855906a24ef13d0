/** A short piece of `npm run chaos`: engine and switch die and the line is cut during a real campaign. */
import { expect, test } from 'vitest'
import { runChaos } from './chaos-run.ts'

test('given kills of engine and switch and cut lines, every INVITE has its attempt, every call its event', async () => {
  const others = { clock: 1, database: 1, flood: 1 }
  const plan = { calls: 60, engineKills: 2, asteriskKills: 1, cuts: 3, others, seed: 3 }
  const story: string[] = []
  const treeDirectory = process.env['SWITCHBOARD_TEST_TREE']!
  const { counts, violations } = await runChaos(plan, { treeDirectory, onLine: (line) => story.push(line) })
  expect(violations, story.join('\n')).toEqual([])
  expect(counts).toMatchObject({ 'fault: engine': 2, 'fault: asterisk': 1 })
  expect(counts['invites']).toBeGreaterThan(40)
  expect(counts['delivered']).toBe(counts['events'])
})
