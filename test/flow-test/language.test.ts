/** The language of a call in tests of flows. */
import { expect, test } from 'vitest'
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

test('a text message has the words of the language of the call', () => {
  const steps = `languages: [en, da]
steps:
  first:
    sms: { text: { en: "Your number is \${call.called}.", da: "Dit nummer er \${call.called}." } }
    next: bye
    on: { failed: bye }
  ${BYE}
`
  const sends = (language: string, words: string) =>
    `  - test: ${language}\n    given: { language: ${language} }\n    call: [{ expect: { sms: ${words} } }]\n`
  expect(faultsOf(steps, sends('da', 'Dit nummer er') + sends('en', 'Your number is'))).toEqual([])
  expect(faultsOf(steps, sends('da', 'Your number is'))).toHaveLength(1)
})
