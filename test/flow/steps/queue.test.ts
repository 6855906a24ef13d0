import { expect, test } from 'vitest'
import { readFlow } from '../../../src/flow/read/read-flow.ts'
import { beginQueue } from '../../../src/flow/steps/queue.ts'

const FLOW = `
flow: toy
start: team
vars: { answer: { agreed: null } }
steps:
  team: { queue: { team: sales, recordingConsent: "\${answer.agreed}" }, next: bye }
  bye: { hangup: }
`

test.for([
  [{ agreed: true }, true],
  [{ agreed: 'true' }, true],
  [{ agreed: false }, undefined],
  [{ agreed: null }, undefined],
  [{ agreed: 1 }, undefined],
  [{ agreed: 'yes' }, undefined],
  [{ agreed: ['true'] }, undefined],
  [{}, undefined],
] as const)('the caller agrees to be recorded by %j: %s', ([answer, consent]) => {
  const { flow, problems } = readFlow('toy.yaml', FLOW)
  expect(problems).toEqual([])
  const begun = beginQueue(flow?.steps.get('team' as never) as never, { scope: { answer }, language: 'en' } as never)
  expect('errand' in begun && begun.errand.join).toMatchObject({ team: 'sales' })
  expect('errand' in begun && begun.errand.join?.recordingConsent).toBe(consent)
})
