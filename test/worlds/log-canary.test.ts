/** Callers with unmistakable numbers, names and words go through flows and failures; the log knows none of them. */
import { expect, test } from 'vitest'
import { caseInfo, typesCase } from './set-up.ts'
import { soundWorlds } from './sound.ts'

const worlds = soundWorlds()

test('no line of the log holds a number, a case or a word of a caller (F-K1)', async () => {
  const world = await worlds.open()
  const info = JSON.stringify(caseInfo('4711')).replaceAll('EE382200221020145685', 'KANARIE-ACCOUNT')
  world.caseIs('4711', { body: JSON.parse(info) })
  world.caseIs('4712', { status: 500, body: 'KANARIE-FAILURE' as never })
  world.caseIs('4713', { body: '{"KANARIE": broken' as never })
  const callers = Array.from({ length: 60 }, (_, index) => `+45267710${String(index).padStart(2, '0')}`)
  for (const [index, caller] of callers.entries()) {
    const number = ['4711', '4712', '4713', '4799'][index % 4] ?? ''
    world.serve({ presses: typesCase(number) }, { caller })
  }
  expect(world.records).toHaveLength(callers.length)
  const logged = world.logged.join('')
  expect(logged).not.toMatch(/267710\d\d|KANARIE/)
  // The secret of the lookup neither.
  expect(logged).not.toMatch(/Bearer/)
})
