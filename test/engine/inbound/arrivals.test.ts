/** Callers whose number goes out of the configuration in the moment in which they call (calls-and-flows-110). */
import { expect, test } from 'vitest'
import { CampaignWorld, INBOUND, numberOf } from '../../worlds/campaign-world.ts'
import { staffOf } from '../../worlds/set-up.ts'

test('a call that is refused during the lookup of its caller is recorded', async () => {
  const world = new CampaignWorld()
  await world.start()
  const { dialerRepository, engine } = world
  const { matchCaller } = dialerRepository
  Object.assign(dialerRepository, {
    matchCaller: async (...asked: Parameters<typeof matchCaller>) => {
      engine.follow({ numbers: new Map(), staff: staffOf({ collections: ['anna'] }) })
      return matchCaller.apply(dialerRepository, asked)
    },
  })
  const caller = world.pbx.callIn({ called: INBOUND, caller: numberOf(0), person: {} })
  await world.run(5_000)
  expect(caller.result).toMatchObject({ outcome: 'refused', code: 404 })
  const { calls, openCalls, events } = dialerRepository.view
  expect([...calls.values()]).toMatchObject([{ direction: 'in', caller: numberOf(0), hungUpBy: 'us' }])
  expect([openCalls.size, events.length]).toEqual([0, 1])
})
