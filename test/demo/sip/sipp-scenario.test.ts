import { describe, expect, test } from 'vitest'
import { readFact } from '../../../demo/sip/sipp-process.ts'
import { calleeScenario, callerScenario } from '../../../demo/sip/sipp-scenario.ts'
import { checkDeaf, hangUpMs } from '../../../src/sim/person.ts'

const media = { host: '127.0.0.11', port: 40_000 }
const call = { called: '+4570001000', caller: '+4551234567', media, hangsUpAfterMs: undefined, waitsMaxMs: 9_000 }

describe('the SIPp scenario', () => {
  test('of a caller has their number, unless it is withheld', () => {
    expect(callerScenario(call)).toContain('From: "+4551234567" <sip:+4551234567@')
    expect(callerScenario({ ...call, caller: undefined })).toContain('<sip:anonymous@anonymous.invalid>')
    expect(callerScenario({ ...call, caller: undefined })).not.toContain('4551234567')
  })

  test('sends sound to the opened port', () => {
    expect(callerScenario(call)).toContain('m=audio 40000 RTP/AVP 0 101')
    expect(calleeScenario({ does: 'answer', afterMs: 0 }, media)).toContain('c=IN IP4 127.0.0.11')
  })

  test.for(['', '1"><x', '1 2', '1\n2', 'a'.repeat(81)])('refuses the number %j', (called) => {
    expect(() => callerScenario({ ...call, called })).toThrow(/cannot be dialed/)
  })

  test('sends a refusal only for a phone that refuses', () => {
    const [busy, reject, answer] = (['busy', 'reject', 'answer'] as const).map((does) =>
      calleeScenario({ does, afterMs: 100 }, media),
    )
    expect(busy).toContain('486 Busy Here')
    expect(reject).toContain('603 Decline')
    expect(answer).not.toMatch(/486|603/)
  })
})

test.for([
  ['switchboard ready', { type: 'ready' }],
  [
    'switchboard answered 1 127.0.0.1 34386',
    { type: 'answered', call: '1', media: { host: '127.0.0.1', port: 34_386 } },
  ],
  ['switchboard refused 2 486', { type: 'refused', call: '2', code: 486 }],
  ['switchboard hungUp 2 them', { type: 'hungUp', call: '2', by: 'them' }],
  ['switchboard gaveUp 1', { type: 'gaveUp', call: '1' }],
  ['something else', undefined],
  ['switchboard sneezes 1', undefined],
] as const)('reads the log line %j', ([line, fact]) => {
  expect(readFact(line)).toEqual(fact)
})

describe('a script for a real phone', () => {
  test('knows when the phone hangs up', () => {
    expect(hangUpMs({})).toBeUndefined()
    expect(hangUpMs({ hangsUpAfterMs: 5_000 })).toBe(5_000)
    expect(hangUpMs({ presses: [{ afterMs: 1_000, keys: '47#' }], hangsUpOn: { afterMs: 500 } })).toBe(2_100)
  })

  test('has no prompts in it', () => {
    expect(() => checkDeaf({ presses: [{ hears: 'number', afterMs: 0, keys: '1' }] })).toThrow(/does not understand/)
  })
})
