/** A short piece of `npm run soak`: callers, callees, agents who come and go, and a webhook that fails. */
import { expect, test } from 'vitest'
import { runSoak } from './soak-run.ts'

test('callers and a campaign on a real switch: each call has one activity and event, nothing is open', async () => {
  const story: string[] = []
  const kit = { treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!, onLine: (line: string) => story.push(line) }
  const { counts, violations } = await runSoak({ lengthMs: 12_000, agents: 3, seed: 4 }, kit)
  expect(violations, story.join('\n')).toEqual([])
  expect(counts['invites']).toBeGreaterThan(0)
  expect(counts['callers']).toBeGreaterThan(0)
})
