import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/sim/person.ts'
import { caseInfo, types, typesCase } from './set-up.ts'
import { openWorld } from './world.ts'

const ASKED = ['welcome', 'known', 'ask-case', 'lookup']
const HELP = 'For help, press 0'

async function centre() {
  const world = await openWorld()
  return world
    .caseIs('4711', { body: caseInfo('4711') })
    .caseIs('4712', { body: caseInfo('4712') })
    .caseIs('4713', { body: caseInfo('4713') })
    .caseIs('999', { status: 404 })
}

test('given an open case, the caller gets one text with amount, reference and address', async () => {
  const served = (await centre()).serve({ presses: typesCase('4711') })
  expect(served.path).toEqual([...ASKED, 'triage', 'pay-text', 'after-text', 'goodbye'])
  expect(served.texts).toEqual([
    'Case 4711: €120.50 to pay. Account EE382200221020145685, reference 904711. Pay here: https://pay.example/4711',
  ])
  expect(served.words).toContain('You entered | 4 7 1 1')
  expect(served.words.endsWith('Goodbye.')).toBe(true)
  expect(served.record).toMatchObject({
    outcome: 'completed',
    marks: ['payment-info-sent'],
    activity: { systemLookupCode: '4711' },
    endedBy: 'us',
  })
})
