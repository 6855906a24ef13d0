/** A backup during load and the loss of everything but the journal: nobody is called again, and no file is lost. */
import { expect, test } from 'vitest'
import { runRestore } from './restore-run.ts'

const treeDirectory = process.env['SWITCHBOARD_TEST_TREE']!

test('a database restored by whatever means calls nobody again, and our archive has every file', async () => {
  const lines: string[] = []
  const plan = { tasks: 40, before: 8, lost: 10, after: 40, seed: 1, isForeign: true }
  const result = await runRestore(plan, { treeDirectory, onLine: (line) => void lines.push(line) }).catch((error) => {
    throw new Error(`${String(error)}\n${lines.join('\n')}`)
  })
  const { imported, talked, keptFiles, dialed, ...faults } = result
  expect(faults).toEqual({ tooOften: [], tooEarly: 0, openAfterTalk: 0, lostFiles: 0 })
  // The drill did what it is for.
  expect(imported).toBeGreaterThanOrEqual(10)
  expect(talked).toBeGreaterThan(0)
  expect(keptFiles).toBeGreaterThan(0)
  expect(dialed).toBeGreaterThanOrEqual(38)
})
