/** Callers who say their digits, in tests of flows. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import { testFlow } from '../../src/flow-test/test-flow.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

/** What went wrong in each test; an empty list if nothing did. */
function faultsOf(steps: string, tests: string): readonly string[] {
  const text = `flow: toy\nstart: first\n${steps}`
  const { flow, problems } = readFlow('toy.yaml', text)
  const file = readTestFile('toy.test.yaml', `flow: toy\ntests:\n${tests}`)
  const { scripts, problems: wrong } = file.readScripts(flow!)
  expect([...problems, ...file.problems, ...wrong].filter(({ severity }) => severity === 'error')).toEqual([])
  const source = new YamlSource('toy.yaml', text, 'flow')
  const { played, properties } = testFlow(flow!, source, scripts, { seed: 1, mutates: false })
  return [
    ...played.flatMap(({ failure }) => failure?.message ?? []),
    ...properties.faults.map(({ where, message }) => `${where}: ${message}`),
  ]
}

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
