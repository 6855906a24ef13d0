/** The first seconds of a call: what if the news of the answer, or the wish to answer, is lost. */
import { expect, test } from 'vitest'
import { caseInfo, typesCase } from '../../worlds/set-up.ts'
import { soundWorlds } from '../../worlds/sound.ts'

const worlds = soundWorlds()

test('given an answer that is never confirmed, the caller is served after three seconds all the same', async () => {
  const world = (await worlds.open({ pbx: { loseEvents: 1 } })).caseIs('4711', { body: caseInfo() })
  const served = world.serve({ presses: typesCase('4711') })
  expect(served.texts).toHaveLength(1)
  expect(served.record.answeredAtMs! - served.record.arrivedAtMs).toBe(3_000)
})

test('given everything told twice, the caller is served once', async () => {
  const world = (await worlds.open({ pbx: { doubleEvents: 1 } })).caseIs('4711', { body: caseInfo() })
  const served = world.serve({ presses: typesCase('4711') })
  expect(served.texts).toHaveLength(1)
  expect(served.record.outcome).toBe('completed')
})

test('given a cut in which the wish to answer is lost, it is wished again and the caller is served', async () => {
  const world = (await worlds.open({ pbx: { latencyMs: [50, 50] }, silenceSlackMs: 300 })).caseIs('4711', {
    body: caseInfo(),
  })
  const caller = world.callIn({ presses: typesCase('4711') })
  world.clock.run(60)
  world.pbx.cut(200)
  expect(world.served(caller).texts).toHaveLength(1)
})
