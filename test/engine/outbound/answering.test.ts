/** The first seconds of a call: the event of the answer, or the answer command, may be lost. */
import { expect, test } from 'vitest'
import { caseInfo, typesCase } from '../../worlds/set-up.ts'
import { soundWorlds } from '../../worlds/sound.ts'

const worlds = soundWorlds()

test('given an answer that is never confirmed, the caller is still served after three seconds', async () => {
  const world = (await worlds.open({ pbx: { loseEvents: 1 } })).caseIs('4711', { body: caseInfo() })
  const served = world.serve({ presses: typesCase('4711') })
  expect(served.texts).toHaveLength(1)
  expect(served.record.answeredAtMs! - served.record.arrivedAtMs).toBe(3_000)
})

test('given every fact reported twice, the caller is served once', async () => {
  const world = (await worlds.open({ pbx: { doubleEvents: 1 } })).caseIs('4711', { body: caseInfo() })
  const served = world.serve({ presses: typesCase('4711') })
  expect(served.texts).toHaveLength(1)
  expect(served.record.outcome).toBe('completed')
})

test('given a connection gap that loses the answer command, the engine repeats it and serves the caller', async () => {
  const world = (await worlds.open({ pbx: { latencyMs: [50, 50] }, silenceSlackMs: 300 })).caseIs('4711', {
    body: caseInfo(),
  })
  const caller = world.callIn({ presses: typesCase('4711') })
  world.clock.run(60)
  world.pbx.cut(200)
  expect(world.served(caller).texts).toHaveLength(1)
})
