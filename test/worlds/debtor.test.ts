/** The stories of the debtor flow, each as a caller lives it. */
import { describe, expect, test } from 'vitest'
import { commandsOf } from './checkers.ts'
import { caseInfo, types, typesCase } from './set-up.ts'
import { soundWorlds } from './sound.ts'
import type { WorldOptions } from './world.ts'

const ASKED = ['welcome', 'known', 'ask-case', 'lookup']
const PAID_BY_TEXT = [...ASKED, 'triage', 'whose', 'pay-text', 'after-text']

const worlds = soundWorlds()

async function centre(options: WorldOptions = {}) {
  const world = await worlds.open(options)
  for (const number of ['4711', '4712', '4713']) world.caseIs(number, { body: caseInfo(number) })
  return world.caseIs('999', { status: 404 })
}

test('given an open case, the caller gets one text with what to pay', async () => {
  const served = (await centre()).serve({ presses: typesCase('4711') })
  expect(served.path).toEqual([...PAID_BY_TEXT, 'goodbye'])
  expect(served.texts).toEqual([
    'Case 4711: €120.50 to pay. Account EE382200221020145685, reference 904711. Pay here: https://pay.example/4711',
  ])
  expect(served.words).toContain('You entered | 4, | 7, | 1, | 1 | If this is right')
  expect(served.words).toMatch(/Goodbye\.$/)
  expect(served.record).toMatchObject({
    outcome: 'completed',
    marks: ['payment-info-sent'],
    activity: { systemLookupCode: '4711' },
    endedBy: 'us',
  })
})

test('given a closed case, the caller hears when it was closed and gets no text', async () => {
  const served = (await centre()).serve({ presses: typesCase('4712') })
  expect(served.path).toEqual([...ASKED, 'triage', 'closed', 'more-help', 'goodbye'])
  expect(served.words).toContain('was closed on | February 14th, 2026')
  expect(served.texts).toEqual([])
  expect(served.record).toMatchObject({ outcome: 'completed', marks: ['closed-case-told'] })
})

test('given an unknown number first and then the right one, the caller is served', async () => {
  const presses = [...typesCase('999'), ...typesCase('4711')]
  const served = (await centre()).serve({ presses })
  expect(served.words).toContain('We could not find that case.')
  expect(served.path).toEqual([...ASKED, 'unknown-case', 'ask-case', ...PAID_BY_TEXT.slice(3), 'goodbye'])
  expect(served.texts).toHaveLength(1)
})

test('given a number that is unknown twice, the caller is not asked a third time and reaches an agent', async () => {
  const world = await centre()
  const served = world.serve({ presses: [...typesCase('999'), ...typesCase('999')] })
  expect(served.path).toEqual([
    ...ASKED,
    'unknown-case',
    ...ASKED.slice(2),
    'unknown-case',
    'ask-case',
    'team',
    'goodbye',
  ])
  expect(served.record).toMatchObject({ outcome: 'talked', agent: 'cleo' })
})

test('given three silent tries, the caller hears the reason each time and reaches an agent', async () => {
  const served = (await centre()).serve({})
  expect(served.words.match(/I did not hear any keys/g)).toHaveLength(2)
  expect(served.words.match(/Please enter your case number/g)).toHaveLength(3)
  expect(served.path).toEqual(['welcome', 'known', 'ask-case', 'team', 'goodbye'])
  expect(served.record).toMatchObject({ outcome: 'talked', agent: 'cleo', marks: ['reached-a-person'], activity: {} })
})

test('given a help request in a consumer case, Anna gets the caller and hears the case number first', async () => {
  const world = await centre()
  const served = world.serve({ presses: [...typesCase('4711'), types('0', 'For help, press 0', { into: true })] })
  expect(served.record).toMatchObject({ outcome: 'talked', agent: 'anna' })
  expect(world.heardBy('anna')).toBe('Case | 4, | 7, | 1, | 1')
  expect(served.words).not.toContain('Case | 4, | 7, | 1, | 1')
  expect(commandsOf(served.lines, 'joinQueue')).toMatchObject([{ team: 'collections-consumer', popup: '4711' }])
})

test('given a help request in a business case, Ben gets the caller', async () => {
  const served = (await centre()).serve({ presses: [...typesCase('4713'), types('0', 'For help, press 0')] })
  expect(served.record).toMatchObject({ outcome: 'talked', agent: 'ben' })
  expect(served.record.marks).toEqual(['payment-info-sent', 'reached-a-person'])
})

test('given a help request after a closed case, the caller reaches an agent', async () => {
  const served = (await centre()).serve({ presses: [...typesCase('4712'), types('0', 'press 0')] })
  expect(served.path.slice(-4)).toEqual(['closed', 'more-help', 'team', 'goodbye'])
  expect(served.record.agent).toBe('anna')
})

test('given a caller who wants the details by voice, they hear amount and reference, at most five times', async () => {
  const again = Array.from({ length: 9 }, () => types('2', 'To hear the payment details', { into: true }))
  const served = (await centre()).serve({ presses: [...typesCase('4711'), ...again] })
  expect(served.words.match(/You have \|/g)).toHaveLength(5)
  expect(served.words).toContain('The reference number is | 9, | 0, | 4, | 7, | 1, | 1')
  expect(served.path.at(-1)).toBe('goodbye')
  expect(served.texts).toHaveLength(1)
})

describe('keys', () => {
  test('given a 2 at the confirmation, the caller is asked again and the first number is forgotten', async () => {
    const presses = [types('999#', 'then press hash'), types('2', 'try again, press 2'), ...typesCase('4711')]
    const served = (await centre()).serve({ presses })
    expect(served.words).not.toContain('could not find')
    expect(served.words).not.toContain('That is not a case number')
    expect(served.path).toEqual([...PAID_BY_TEXT, 'goodbye'])
  })

  test('given no answer to the confirmation, the caller is asked again', async () => {
    const presses = [
      types('4711#', 'then press hash'),
      types('4711#', 'did not hear any keys'),
      types('1', 'try again, press 2'),
    ]
    const served = (await centre()).serve({ presses })
    expect(served.words.match(/You entered/g)).toHaveLength(2)
    expect(served.texts).toHaveLength(1)
  })

  test('given all keys typed over the welcome, no question is played and the text is sent', async () => {
    const served = (await centre()).serve({ presses: [types('4711#1', 'Welcome', { into: true, afterMs: 0 })] })
    expect(served.words).not.toContain('Please enter')
    expect(served.words).not.toContain('You entered')
    expect(served.path).toEqual([...PAID_BY_TEXT, 'goodbye'])
    expect(served.texts).toHaveLength(1)
  })

  test('given a key over the question, the question stops and the key counts', async () => {
    const presses = [types('4711#', 'Please enter', { into: true }), types('1', 'You entered', { into: true })]
    const served = (await centre()).serve({ presses })
    const question = served.caller.heard.find(({ text }) => text.startsWith('Please enter'))!
    expect(question.untilMs! - question.fromMs).toBeLessThan(700)
    expect(served.words).toContain('You entered')
    expect(served.texts).toHaveLength(1)
  })

  test('given a number without hash, the entry ends by itself', async () => {
    const served = (await centre()).serve({
      presses: [types('4711', 'then press hash'), types('1', 'try again, press 2')],
    })
    expect(served.texts).toHaveLength(1)
  })

  test.each([
    ['only the hash', '#'],
    ['too short', '47#'],
  ])('given an entry that is %s, the caller hears that it is none', async (_, keys) => {
    const served = (await centre()).serve({ presses: [types(keys, 'then press hash'), ...typesCase('4711')] })
    expect(served.words).toContain('That is not a case number.')
    expect(served.texts).toHaveLength(1)
  })

  test('given a star in the number, the caller hears that it is no case number and tries again', async () => {
    const presses = [
      types('47*1#', 'then press hash'),
      types('4711#', 'That is not a case number'),
      types('1', 'press 1'),
    ]
    const served = (await centre()).serve({ presses })
    expect(served.words).not.toContain('star')
    expect(served.texts).toHaveLength(1)
  })

  test('given random keys without end, the call ends normally and no request is sent', async () => {
    const world = await centre()
    const served = world.serve({ presses: [types('*'.repeat(300), 'Welcome', { into: true })] })
    expect(served.record.endedBy).toBe('us')
    expect(world.web.requests).toEqual([])
  })
})

describe('a caller who hangs up', () => {
  const words = ['Welcome', 'Please enter', 'You entered', 'press 1', 'To hear the payment', 'For help']
  test.each(words)('at "%s" leaves nothing behind', async (hears) => {
    const world = await centre()
    const served = world.serve({ presses: [], hangsUpOn: { hears, until: 'started', afterMs: 300 }, ...typing(hears) })
    expect(served.record).toMatchObject({ outcome: 'abandoned', endedBy: 'hungUp' })
    expect(served.caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  })

  test('while the case is looked up, has the request cancelled', async () => {
    const world = await centre()
    world.caseIs('4711', { body: caseInfo('4711'), afterMs: 3_500 })
    const served = world.serve({
      presses: typesCase('4711'),
      hangsUpOn: { hears: 'One moment', until: 'started', afterMs: 100 },
    })
    expect(commandsOf(served.lines, 'cancelRequest')).toHaveLength(1)
    expect(served.path).toEqual(ASKED)
  })

  test('while it still rings, leaves a call without steps', async () => {
    const world = await centre({ pbx: { latencyMs: [200, 200] } })
    const served = world.serve({ waitsMaxMs: 100 })
    expect(served.record).toMatchObject({ outcome: 'abandoned', path: [], answeredAtMs: undefined })
  })

  function typing(until: string) {
    return words.indexOf(until) > 1 ? { presses: typesCase('4711').slice(0, words.indexOf(until) > 3 ? 2 : 1) } : {}
  }
})

describe('at every tenth of a second of a whole call', () => {
  test('a hang-up ends it once, with one record and at most one text', async () => {
    for (let hangsUpAfterMs = 0; hangsUpAfterMs < 24_000; hangsUpAfterMs += 100) {
      const presses = [...typesCase('4711'), types('0', 'For help, press 0')]
      const served = (await centre()).serve({ presses, hangsUpAfterMs })
      expect(served.texts.length).toBeLessThanOrEqual(1)
      expect(served.record.endedBy).toBe('hungUp')
    }
  })
})
