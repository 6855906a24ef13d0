import { expect, test } from 'vitest'
import { faultsOf } from './faults-of.ts'

test('a lookup asks the system of the call, and is named by the path of a case', () => {
  const steps = `steps:
  first:
    http: { lookup: "\${task.systemLookupCode | default '4711'}" }
    as: found
    next: said
    on: { unavailable: away }
  said: { play: "\${found.name}", next: bye }
  away: { play: away, next: bye }
  bye: { hangup: { say: Goodbye. } }
`
  const tests = `  - test: of a task
    given: { task: { systemLookupCode: "20/26" }, http: { GET /CaseInfo/20%2F26: { body: { name: Carla } } } }
    call: [{ expect: { http: GET /CaseInfo/20%2F26 } }, { hear: Carla }]
  - test: of anybody else
    given: { http: { GET /CaseInfo/4711: { fails: unavailable } } }
    call: [{ hear: away }]
`
  expect(faultsOf(steps, tests)).toEqual([])
})
