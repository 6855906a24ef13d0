/** Callers who say their digits, in tests of flows. */
import { describe, expect, test } from 'vitest'
import { faultsOf } from './faults-of.ts'

const BYE = 'bye: { hangup: { say: Goodbye. } }'

describe('a caller who speaks to a gather', () => {
  const STEPS = `steps:
  first:
    gather: { prompt: Which number?, digits: 4, by: [keys, speech], tries: 2 }
    as: number
    next: tell
    on: { failed: bye }
  tell: { play: ["You have", { digits: "\${number}" }], next: bye }
  ${BYE}
`
  const passes = (call: string, then = '{}', given = '{}') =>
    faultsOf(STEPS, `  - test: a\n    given: ${given}\n    call: ${call}\n    then: ${then}\n`)

  test.each([
    ['is heard', '[{ speak: "4711" }, { hear: "you have 4 7 1 1" }]', '{ path: [first, tell, bye] }'],
    [
      'hears again what was not heard well',
      '[{ speak: { says: four seven one one, confidence: 0.5 } }, { hear: "I heard 4, 7, 1, 1" }, { press: "1" }, ' +
        '{ hear: "you have 4 7 1 1" }]',
      '{ path: [first, tell, bye] }',
    ],
    ['may use keys', '[{ hear: which number }, { press: "4711" }]', '{ path: [first, tell, bye] }'],
    [
      'says nothing that is a number',
      '[{ speak: hello }, { hear: which number }, { speak: hello }, { hear: goodbye }]',
      '{ path: [first, bye] }',
    ],
    [
      'is asked again after a crash',
      '[{ hear: which number }, crash, { speak: "4711" }]',
      '{ path: [first, tell, bye] }',
    ],
  ])('%s', (_, call, then) => expect(passes(call, then)).toEqual([]))

  test('speaks to nobody where no step listens', () => {
    expect(passes('[{ speak: "4711" }, { speak: "4711" }]')).toEqual([
      expect.stringContaining('nobody listens to the caller'),
    ])
  })
})
