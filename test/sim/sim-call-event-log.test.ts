import { expect, test } from 'vitest'
import type { LegId } from '../../src/kernel/ids.ts'
import { simCallEventLog } from '../../src/sim/sim-call-event-log.ts'
import { ANSWERS, LEG, OPTIONS, world } from './dial-world.ts'

const [BUSY, NEVER, OPEN] = ['sb-leg-2', 'sb-leg-3', 'sb-leg-4'] as LegId[] as [LegId, LegId, LegId]

async function unseenCalls(isAway = () => false) {
  const { clock, pbx } = await world()
  pbx.carrier.contactOf = (_, { leg }) =>
    leg === BUSY ? { does: 'busy', afterMs: 100 } : { ...ANSWERS, hangsUpAfterMs: leg === OPEN ? 90_000 : 1_000 }
  for (const leg of [LEG, BUSY, OPEN]) pbx.dial(leg, OPTIONS)
  clock.run(50)
  pbx.cut(60_000)
  clock.run(10_000)
  const ask = simCallEventLog({ clock, callEvents: pbx.switch.callEvents, isAway }).readEnds([LEG, BUSY, NEVER, OPEN])
  clock.run(100)
  return { told: await ask, pbx, clock }
}

test('the call event log has the unseen ends of legs, and the legs without a seen end', async () => {
  const { told } = await unseenCalls()
  expect(told).toEqual(
    new Map<LegId, unknown>([
      [LEG, { answeredAtMs: 3_005, endedAtMs: 4_005, reason: 'hungUp' }],
      [BUSY, { endedAtMs: 105, reason: 'busy', code: 486 }],
      [OPEN, { answeredAtMs: 3_005 }],
    ]),
  )
})

test('legs that are lost with the switch have no end in its call event log', async () => {
  const { pbx } = await unseenCalls()
  pbx.restart(1_000)
  expect(pbx.switch.callEvents.readEnds(OPEN)).toEqual({ answeredAtMs: 3_005 })
})

test('an unreadable call event log reports an error', async () => {
  expect((await unseenCalls(() => true)).told).toBeUndefined()
})
