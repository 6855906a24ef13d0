/** The phone of an agent is a browser and is lost in a conversation: what the agent orders until it is back. */
import { expect, test } from 'vitest'
import { ANNA, EXPERT, Talk, TOGETHER, WITH_EXPERT } from './one-talk.ts'

const GONE = { does: 'ignore', afterMs: 0 } as const
const ALONE = ['callee hears default']

async function away(): Promise<Talk> {
  const talk = await new Talk().open(['anna'], false, { phoneGraceMs: 15_000 })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  talk.phone('anna').vanish()
  expect(await talk.hearing(ALONE)).toEqual(ALONE)
  return talk
}

/** As a page that was loaded again does. */
async function back(talk: Talk): Promise<void> {
  talk.phone('anna').returns()
  expect(await talk.order({ type: 'renewLeg' })).toEqual({ ok: true })
}

test('whoever is taken back meanwhile has the music until the phone is there', async () => {
  const talk = await away()
  expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
  await talk.world.run(100)
  expect(talk.line(0)!.heard.filter(({ untilMs }) => untilMs === undefined)).toMatchObject([{ text: 'default' }])
  await back(talk)
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

test('whoever is put on hold meanwhile waits until the agent takes them back', async () => {
  const talk = await away()
  expect(await talk.order({ type: 'hold' })).toEqual({ ok: true })
  await back(talk)
  await talk.world.run(3_000)
  expect(await talk.hearing(ALONE)).toEqual(ALONE)
  expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

test('the other side does not hear whom the agent asks meanwhile', async () => {
  const talk = await away()
  expect(await talk.order({ type: 'consult', to: { number: EXPERT as never } })).toEqual({ ok: true })
  await back(talk)
  await talk.world.run(3_000)
  expect(await talk.hearing(WITH_EXPERT)).toEqual(WITH_EXPERT)
  expect(await talk.order({ type: 'back' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

test.each([
  ['a phone', {}],
  ['a browser', { phoneGraceMs: 15_000 }],
])('%s stays away while the other side is on hold: not a second of silence until the end', async (_, grace) => {
  const talk = await new Talk().open(['anna'], false, grace)
  expect(await talk.order({ type: 'hold' })).toEqual({ ok: true })
  expect(await talk.hearing(ALONE)).toEqual(ALONE)
  const lostAtMs = talk.world.clock.nowMs()
  talk.world.pbx.agentPhone(ANNA, GONE).hangUp()
  const callee = talk.line(0)!
  expect(await talk.world.until(() => callee.endedAtMs !== undefined, 90_000)).toBe(true)
  const after = callee.heard.filter(({ untilMs = lostAtMs }) => untilMs > lostAtMs)
  for (const [at, { fromMs }] of after.entries()) {
    expect(fromMs - (at === 0 ? fromMs : after[at - 1]!.untilMs!)).toBeLessThan(1_000)
  }
  expect(callee.endedAtMs! - after.at(-1)!.untilMs!).toBeLessThan(1_000)
})
