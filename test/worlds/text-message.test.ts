/** Texts that do not arrive. The caller hears the details instead, and is never promised what may not come. */
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Sms, SmsResult } from '../../src/ports/sms.ts'
import { caseInfo, types, typesCase } from './set-up.ts'
import { soundWorlds } from './sound.ts'
import type { Served, World, WorldOptions } from './world.ts'

const SPOKEN = [
  'welcome',
  'known',
  'ask-case',
  'lookup',
  'triage',
  'whose',
  'pay-text',
  'say-payment',
  'after-text',
  'goodbye',
]

const worlds = soundWorlds()

const centre = async (options: WorldOptions = {}) => (await worlds.open(options)).caseIs('4711', { body: caseInfo() })

const serve = (world: World, how: { caller?: string | null } = {}) => world.serve({ presses: typesCase('4711') }, how)

function hearsDetails(served: Served): void {
  expect(served.path).toEqual(SPOKEN)
  expect(served.words).toContain('The reference number is | 9, | 0, | 4, | 7, | 1, | 1')
  expect(served.words).not.toMatch(/sent|message|text/i)
  expect(served.record.marks).toEqual([])
}

/** How the step of the text ended, as the journal tells it. */
const endOf = ({ lines }: Served) =>
  lines.find(({ what }) => what.type === 'step.left' && what['step'] === 'pay-text')?.what['end']

describe('given a text that', () => {
  test.each<[outcome: SmsResult['outcome'], end: string]>([
    ['refused', 'undelivered'],
    ['uncertain', 'undelivered'],
    ['noMobile', 'noMobile'],
    ['failed', 'failed'],
  ])('is %s, the caller hears the details, and it is asked for once', async (outcome, end) => {
    const world = await centre()
    world.sms.outcome = outcome
    const served = serve(world)
    hearsDetails(served)
    expect(endOf(served)).toBe(end)
    expect(served.texts).toHaveLength(1)
  })

  test.each([3_100, 60_000])('is accepted only after %i ms, the caller does not wait for it', async (lateMs) => {
    const served = serve(await centre({ parts: ({ clock }) => ({ sms: lateSms(clock, lateMs) }) }))
    hearsDetails(served)
    expect(endOf(served)).toBe('timeout')
  })

  test('is accepted just in time, the caller gets only the text', async () => {
    const served = serve(await centre({ parts: ({ clock }) => ({ sms: lateSms(clock, 2_900) }) }))
    expect(served.words).not.toContain('You have')
    expect(served.record.marks).toEqual(['payment-info-sent'])
  })
})

/** A gateway that takes its time. */
function lateSms(clock: Clock, lateMs: number): Sms {
  return {
    send: (_, done) => {
      clock.schedule(clock.nowMs() + lateMs, () => done({ outcome: 'sent', messageId: 'late' }))
    },
  }
}

test('given a withheld number, no text is sent and the caller hears the details', async () => {
  const served = serve(await centre(), { caller: null })
  hearsDetails(served)
  expect(endOf(served)).toBe('noMobile')
  expect(served.texts).toEqual([])
  expect(served.record.caller).toBeUndefined()
})

/** Steps may be called like anything that JavaScript knows already. */
test.each(['text', 'constructor'])('given three visits to the step "%s", each asks for one text', async (step) => {
  const flow = `
flow: texts
start: ${step}
steps:
  ${step}: { sms: { text: Hello }, limit: 3, next: again, on: { failed: again, limit: bye } }
  again: { menu: { prompt: Again, keys: { "1": ${step} }, tries: 1 }, limit: 9, on: { failed: bye, limit: bye } }
  bye: { hangup: { say: Goodbye. } }
`
  const world = await worlds.open({ flow })
  const served = world.serve({ presses: Array.from({ length: 5 }, () => types('1', 'Again')) })
  const keys = world.sms.messages.map(({ key }) => key.replace(served.call, ''))
  expect(keys).toEqual([`/${step}/1`, `/${step}/2`, `/${step}/3`])
})

test('the time of the call is told by the clock of the time zone that the text names, summer and winter', async () => {
  const flow = `
flow: times
start: text
steps:
  text:
    sms: { text: "You called at \${call.startedAt | time Europe/Copenhagen}." }
    next: bye
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`
  const world = await worlds.open({ flow })
  for (const [at, time] of [
    ['2026-03-28T09:30:00Z', '10:30 AM'],
    ['2026-03-29T09:30:00Z', '11:30 AM'],
  ] as const) {
    world.clock.run(Date.parse(at) - world.clock.nowMs())
    expect(world.serve({}).texts).toEqual([expect.stringContaining(`You called at ${time}.`)])
  }
})
