/** The call event log against the events of the same calls, on a real Asterisk. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invite } from '../../demo/sip/carrier-log.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import type { LoggedLeg } from '../../src/ports/pbx.ts'
import { asteriskWorld, type RealWorld } from '../contract/asterisk-world.ts'
import { Steps } from '../contract/steps.ts'

let made: RealWorld | undefined
const world = () => made!
const steps = new Steps(world)

beforeAll(async () => {
  made = await asteriskWorld()
})
afterAll(() => made?.close())

async function readEnds(leg: LegId): Promise<LoggedLeg | undefined> {
  return (await world().callEventLog.readEnds([leg]))?.get(leg)
}

describe('the call event log of Asterisk', () => {
  test.for([
    ['busy', '02'],
    ['noAnswer', '03'],
    ['rejected', '05'],
    ['notFound', '07'],
    ['congestion', '08'],
  ] as const)('agrees with its events about a number that is %s', async ([reason, magic]) => {
    const { leg } = steps.dial(magic, { ringTimeoutMs: 1_000 })
    expect((await steps.ended(leg)).reason).toBe(reason)
    await steps.settled()
    expect(await readEnds(leg)).toEqual({ endedAtMs: expect.any(Number), reason })
  })

  test('agrees with the carrier about when a call was answered and when it ended', async () => {
    const { leg, contact } = await steps.reached('09')
    await steps.ended(leg)
    await steps.settled()
    const told = await readEnds(leg)
    expect(told).toMatchObject({ reason: 'hungUp' })
    const { answeredAtMs = 0, endedAtMs = 0 } = told ?? {}
    const carrier = world().invites(contact.invite.number)[0] as Invite
    // What the carrier did comes first; a millisecond for rounding.
    expect(answeredAtMs).toBeGreaterThanOrEqual((carrier.answeredAtMs ?? Number.NaN) - 1)
    expect(answeredAtMs).toBeLessThanOrEqual((carrier.endedAtMs ?? Number.NaN) + 1)
    expect(endedAtMs).toBeGreaterThanOrEqual((carrier.endedAtMs ?? Number.NaN) - 1)
  })

  test('has nothing about a leg that never existed', async () => {
    expect(await readEnds(world().ids.leg())).toBeUndefined()
  })

  test('survives a crash: legs that began were seen, and legs that ended are known', async () => {
    const ended = await steps.reached()
    await steps.hungUp(ended.leg)
    const talks = await steps.reached()
    const rings = steps.dial('03')
    await world().event('leg.ringing', { leg: rings.leg })
    await world().killSwitch()
    expect(existsSync(world().callEvents)).toBe(true)
    expect(await readEnds(ended.leg)).toMatchObject({ reason: 'hungUp' })
    expect(await readEnds(talks.leg)).toEqual({ answeredAtMs: expect.any(Number) })
    expect(await readEnds(rings.leg)).toEqual({})
  })
})
