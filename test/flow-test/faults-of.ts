import { expect } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import { testFlow } from '../../src/flow-test/test-flow.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

/** What went wrong in each test of a flow that begins with the step `first`; an empty list if nothing did. */
export function faultsOf(steps: string, tests: string): readonly string[] {
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
