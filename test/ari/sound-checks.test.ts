import { expect, test } from 'vitest'
import { AGENT, ANNA, channel, gap, ofLeg, RING, type World, world } from './ari-world.ts'

const COUNTED = `GET /channels/${AGENT}/rtp_statistics`
/** An answer is given up after it. */
const UNANSWERED_MS = 3_000
const packets = (rxcount: number) => ({ status: 200, body: { rxcount } })
const verdicts = (it: World) =>
  ofLeg(it, AGENT).flatMap(({ type }) => (type === 'leg.heard' || type === 'leg.silent' ? [type] : []))

/** An agent whose phone is up; Asterisk knows the leg also after a gap. */
async function agent(): Promise<World> {
  const it = await world()
  it.pbx.ringAgent(AGENT, ANNA, RING)
  await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
  it.fake.replies.set('GET /channels', { status: 200, body: [channel(AGENT)] })
  const body = { channel_ids: [AGENT], bridge_ids: [] }
  it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
  return it
}

/** One packet in every time that the switch is asked, or none. */
async function passes(it: World, ms: number, packetsEach: 0 | 1): Promise<void> {
  for (let atMs = 0; atMs < ms; atMs += 50) {
    it.fake.replies.set(COUNTED, packets(1_000 + packetsEach * atMs))
    it.clock.run(50)
    await it.settled()
  }
}

test.each([
  ['leg.heard', 1],
  ['leg.silent', 0],
] as const)('a check that is asked for while the line is cut is answered afterwards: %s', async (verdict, each) => {
  const it = await agent()
  it.fake.replies.set(COUNTED, packets(1_000))
  await gap(it, () => it.pbx.checkSound(AGENT))
  await it.settled()
  expect(verdicts(it)).toEqual([])
  await passes(it, 1_500, each)
  expect(verdicts(it)).toEqual([verdict])
})

test.each([
  ['leg.heard', 1],
  ['leg.silent', 0],
] as const)('a check whose answer is lost with the line is answered afterwards: %s', async (verdict, each) => {
  const it = await agent()
  it.fake.replies.set(COUNTED, 'silence')
  it.pbx.checkSound(AGENT)
  await it.settled()
  it.fake.replies.set(COUNTED, packets(1_000))
  await gap(it)
  await passes(it, 1_500, each)
  expect(verdicts(it)).toEqual([verdict])
})

test('a check that the switch does not answer begins anew, also without a gap', async () => {
  const it = await agent()
  it.fake.replies.set(COUNTED, 'silence')
  it.pbx.checkSound(AGENT)
  await it.settled()
  await it.pass(UNANSWERED_MS)
  await passes(it, 1_500, 0)
  expect(verdicts(it)).toEqual(['leg.silent'])
})

test('a doubt that is had again and again ends', async () => {
  const it = await agent()
  it.fake.replies.set(COUNTED, packets(1_000))
  for (let at = 0; at < 4; at++) {
    it.pbx.checkSound(AGENT, 600)
    await passes(it, 200, 0)
  }
  expect(verdicts(it)).toEqual(['leg.silent'])
})

test('nothing is told of a leg that is gone after a gap, or ends meanwhile', async () => {
  const it = await agent()
  it.fake.replies.set('GET /channels', { status: 200, body: [] })
  await gap(it, () => it.pbx.checkSound(AGENT))
  await passes(it, 1_500, 0)
  expect([verdicts(it), it.fake.asked(COUNTED)]).toEqual([[], []])
})
