import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installAsterisk } from '../../asterisk/install.ts'
import { detectionRates } from '../../bench/detection/detection.ts'
import { madeCorpus } from '../../bench/detection/greeting-corpus.ts'
import { printDistances } from '../../bench/detection/greeting-prints.ts'
import { espeakProgram } from '../../src/adapters/speech/espeak-program.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { PATIENT } from '../../src/listening/greeting-listener.ts'

const TREE = process.env['SWITCHBOARD_TEST_TREE'] ?? fileURLToPath(new URL('../../.data/asterisk', import.meta.url))
/** Asterisk's own detection with its shipped settings says `machine` after so much speech. */
const HASTY = { ...PATIENT, speechMaxMs: 1_500 }

test('on the corpus nobody is taken for a machine, no message begins early, and no print is that of two', async () => {
  const installed = await installAsterisk(TREE, () => undefined)
  if (!installed.ok) throw new Error(installed.why)
  const { espeakNg: program, espeakData: dataPath } = installed.tree
  const clips = await madeCorpus(espeakProgram({ program, dataPath, log: silentLog }), 1)
  const rates = detectionRates(clips, PATIENT)
  expect([rates.persons, rates.machines]).toEqual([72, 72])
  expect(rates.personsTaken.map(({ name }) => name)).toEqual([])
  expect(rates.messagesTooEarly.map(({ name }) => name)).toEqual([])
  expect(rates.machinesMissed.length).toBeLessThan(72 / 4)
  const prints = printDistances(clips, 1)
  expect(prints.taken).toBe(0)
  expect(prints.recognised).toBeGreaterThan(0.85 * prints.ofOne.length)
  expect([prints.ofOne.length > 60, prints.personsWithPrint > 20]).toEqual([true, true])
  // The corpus can tell: hasty settings lose people on it.
  expect(detectionRates(clips, HASTY).personsTaken.length).toBeGreaterThan(16)
})
