/** Transfers in tests of flows: what a test may say of them, and what is found out without one. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { compileFlow } from '../../src/flow/run/compile.ts'
import { proposeTests } from '../../src/flow-test/propose-tests.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import { recordedCall } from '../../src/flow-test/recorded-call.ts'
import { replayRecorded } from '../../src/flow-test/replay-recorded.ts'
import { testFlow } from '../../src/flow-test/test-flow.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

const FLOW = `flow: toy
start: doctor
steps:
  doctor:
    transfer: { to: "+4533123456", callerId: "+4570001000" }
    mark: reached
    next: bye
    on: { busy: second, noAnswer: second, refused: sorry, failed: sorry }
  second: { transfer: { to: "sip:reception@office", mode: blind }, on: { failed: sorry } }
  sorry: { play: Nobody is here., next: bye }
  bye: { hangup: { say: Goodbye. } }
`
const SOURCE = new YamlSource('toy.yaml', FLOW, 'flow')

function played(call: string, given = '{}', then = '{}', text = FLOW) {
  const { flow, problems } = readFlow('toy.yaml', text)
  const tests = `flow: toy\ntests:\n  - test: a\n    given: ${given}\n    call: ${call}\n    then: ${then}\n`
  const file = readTestFile('toy.test.yaml', tests)
  const { scripts, problems: wrong } = file.readScripts(flow!)
  expect([...problems, ...file.problems, ...wrong].filter(({ severity }) => severity === 'error')).toEqual([])
  return testFlow(flow!, SOURCE, scripts, { seed: 1, mutates: false })
}

function faultsOf(...parts: Parameters<typeof played>): readonly string[] {
  const report = played(...parts)
  return [
    ...report.played.flatMap(({ failure }) => failure?.message ?? []),
    ...report.properties.faults.map(({ where, message }) => `${where}: ${message}`),
  ]
}

const BOTH = '{ transfer: { "+4533123456": busy } }'

describe('in a test', () => {
  test.each([
    [
      'the other side answers, talks, and leaves',
      '[{ expect: { transfer: "+4533123456", callerId: "+4570001000", mode: attended } }, { hear: goodbye }]',
      '{}',
      '{ path: [doctor, bye], marks: [reached], outcome: transferred }',
    ],
    [
      'the caller hangs up in the talk',
      '[{ wait: 10s }, hangup]',
      '{}',
      '{ path: [doctor], marks: [reached], outcome: transferred }',
    ],
    ['the caller hangs up while it rings', '[{ wait: 2s }, hangup]', '{}', '{ marks: [], outcome: abandoned }'],
    [
      'a busy line leads to the next one, and a blind transfer ends the call',
      '[{ expect: { transfer: "+4533123456" } }, { expect: { transfer: "sip:reception@office", mode: blind } }]',
      BOTH,
      '{ path: [doctor, second], outcome: transferred }',
    ],
    [
      'a network that does not take over the caller',
      '[{ hear: nobody is here }]',
      '{ transfer: { "+4533123456": noAnswer, "sip:reception@office": failed } }',
      '{ path: [doctor, second, sorry, bye] }',
    ],
    ['a target that is refused', '[{ hear: nobody }]', '{ transfer: { "+4533123456": refused } }', '{ marks: [] }'],
    [
      'a crash in the talk: nobody is called again',
      '[{ wait: 10s }, crash, { hear: goodbye }]',
      '{}',
      '{ path: [doctor, bye], marks: [reached] }',
    ],
    ['a crash while it rings', '[{ wait: 1s }, crash, { hear: goodbye }]', '{}', '{ path: [doctor, bye] }'],
  ])('%s', (_, call, given, then) => expect(faultsOf(call, given, then)).toEqual([]))

  test.each([
    ['[{ expect: { transfer: "+4533999999" } }]', 'the caller is brought to +4533123456, not to +4533999999'],
    ['[{ expect: { transfer: "+4533123456", mode: blind } }]', 'mode of the transfer is "attended", not "blind"'],
    [
      '[{ expect: { transfer: "+4533123456", callerId: "+4570009999" } }]',
      'callerId of the transfer is "+4570001000", not "+4570009999"',
    ],
    ['[{ wait: 20s }, hangup, { expect: { transfer: "+4533123456" } }, { expect: { transfer: x } }]', 'never brought'],
  ])('%s fails', (call, message) => {
    expect(faultsOf(call)).toEqual([expect.stringContaining(message)])
  })
})

test('digits that are typed in the talk answer no later question', () => {
  const asking = FLOW.replace('next: bye\n    on', 'next: ask\n    on').replace(
    '  bye:',
    '  ask: { menu: { prompt: Press 1., keys: { "1": sorry }, tries: 1 }, on: { failed: bye } }\n  bye:',
  )
  const then = '{ path: [doctor, ask, bye] }'
  expect(faultsOf('[{ wait: 10s }, { press: "1" }, { hear: press 1 }, { hear: goodbye }]', '{}', then, asking)).toEqual(
    [],
  )
})

test('tests are proposed for every way out', () => {
  const { flow } = readFlow('toy.yaml', FLOW)
  const { tests, unreached } = proposeTests(flow!, SOURCE, new Set())
  expect(unreached).toEqual([])
  expect(JSON.stringify(tests)).toContain('{"transfer":"+4533123456","callerId":"+4570001000"}')
})

test('a recorded call is replayed with what came of its transfers, and a new target is told', () => {
  const [one] = played('[{ expect: { transfer: "sip:reception@office" } }]', BOTH).played
  const recorded = recordedCall(one!.call.lines)!
  expect(recorded.course).toMatchObject({
    transfers: ['+4533123456', 'sip:reception@office'],
    outcome: 'transferred',
    failures: ['doctor busy'],
  })
  const other = readFlow('toy.yaml', FLOW.replace('reception@office', 'desk@office')).flow!
  expect(replayRecorded(compileFlow(other), recorded)).toMatchObject({
    isComparable: true,
    course: { transfers: ['+4533123456', 'sip:desk@office'], path: ['doctor', 'second'] },
  })
})
