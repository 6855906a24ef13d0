import { expect, test } from 'vitest'
import type { AttemptId, BridgeId, LegId } from '../../src/kernel/ids.ts'
import type { Greeting, PbxEvent } from '../../src/ports/pbx.ts'
import { framesOf, type Part } from '../listening/sounds.ts'
import { channel, type World, world } from './ari-world.ts'
import type { FakeAri } from './fake-ari.ts'

const CALLEE = 'sb-att-1' as LegId
const EAR = `sb-ear-${CALLEE}`
const MEDIA = `sb-media-${CALLEE}`
const SNOOP = `POST /channels/${CALLEE}/snoop/${EAR}`
const EXTERNAL = 'POST /channels/externalMedia'
const PERSON: readonly Part[] = [
  ['silence', 400],
  ['words', 800],
  ['silence', 1_600],
]
const GONE = [`DELETE /channels/${EAR}`, `DELETE /channels/${MEDIA}`, `DELETE /bridges/${EAR}`]

const isHere = (id: string) => ({ type: 'StasisStart', args: id === EAR ? ['ear'] : [], channel: channel(id) })
const asked = (it: World) => it.fake.requests.all.map(({ what }) => what)
const verdicts = (it: World) => it.events.all.flatMap((event) => (event.type === 'leg.judged' ? [event.verdict] : []))

/** A callee who has answered, and the ear that was asked for. */
async function listening(
  prepare: (fake: FakeAri) => void = () => undefined,
  greetings?: readonly Greeting[],
): Promise<World> {
  const it = await world((fake) => {
    fake.replies.set(EXTERNAL, { status: 200, body: { channelvars: { MEDIA_WEBSOCKET_CONNECTION_ID: 'c-1' } } })
    prepare(fake)
  })
  it.pbx.dial(CALLEE, {
    number: '+4570001000' as never,
    callerId: '+4570000000',
    ringTimeoutMs: 25_000,
    reference: '1',
  })
  await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(CALLEE) })
  it.pbx.detectMachine(CALLEE, greetings)
  await it.settled()
  return it
}

/** The callee says this, in packets that are no whole frames. */
async function says(it: World, ...parts: readonly Part[]): Promise<void> {
  const { socket } = it.fake.media.all[0] ?? (await it.fake.media.next(() => true))
  const sound = Int16Array.from(framesOf(...parts).flatMap((frame) => [...frame]))
  for (let at = 0; at < sound.length; at += 100) socket.send(new Uint8Array(sound.slice(at, at + 100).buffer))
}

test('the sound of the callee comes over a socket of its own, beside whatever the leg does', async () => {
  const it = await listening()
  await it.told(isHere(EAR))
  expect(asked(it)).not.toContain('POST /bridges')
  await it.told(isHere(MEDIA))
  await it.settled()
  expect(it.fake.asked(SNOOP)[0]?.query).toMatchObject({ spy: 'in', app: 'switchboard' })
  expect(it.fake.asked(EXTERNAL)[0]?.query).toMatchObject({ external_host: 'INCOMING', format: 'slin' })
  expect(it.fake.asked(`POST /bridges/${EAR}/addChannel`)[0]?.body).toEqual({ channel: [EAR, MEDIA] })
  const judged = it.events.next(({ type }) => type === 'leg.judged')
  await says(it, ...PERSON)
  expect(await judged).toEqual({ type: 'leg.judged', leg: CALLEE, verdict: 'person' })
  await it.settled()
  expect(it.fake.media.all[0]?.path).toBe('/media/c-1')
  expect(asked(it)).toEqual(expect.arrayContaining(GONE))
  const arrived = it.events.all.flatMap((event) => (event.type === 'leg.arrived' ? [event.leg] : []))
  expect(arrived.filter((leg) => leg === EAR || leg === MEDIA)).toEqual([])
})

test('a machine is listened to until its beep, and told once', async () => {
  const it = await listening()
  const ended = it.events.next(({ type }) => type === 'leg.greetingEnded')
  await says(it, ['silence', 400], ['words', 8_000], ['silence', 400], ['tone', 400, 1_000], ['silence', 400])
  expect(await ended).toEqual({ type: 'leg.greetingEnded', leg: CALLEE, by: 'beep' })
  expect(verdicts(it)).toEqual(['machine'])
  await it.settled()
  expect(asked(it)).toEqual(expect.arrayContaining(GONE))
})

test('a known greeting is told 2 s after its first word, and heard to its end whatever its pauses say', async () => {
  const pausing: readonly Part[] = [
    ['silence', 400],
    ['words', 1_600],
    ['silence', 1_000],
    ['words', 3_000],
  ]
  const toldOf = async (greetings: readonly Greeting[]) => {
    const it = await listening(() => undefined, greetings)
    const greeted = it.events.next(({ type }) => type === 'leg.greeted')
    await says(it, ...pausing, ['silence', 300], ['tone', 400, 1_000], ['silence', 400])
    const told = (await greeted) as Extract<PbxEvent, { type: 'leg.greeted' }>
    await it.settled()
    const types = it.events.all.map(({ type }) => type).filter((type) => /judged|greet/.test(type))
    return { ...told, types, verdicts: verdicts(it) }
  }
  const first = await toldOf([])
  expect(first).toMatchObject({ types: ['leg.greeted', 'leg.judged'], verdicts: ['person'] })
  expect(first).not.toHaveProperty('greeting')
  const same = { id: 9 as AttemptId, print: first.print }
  const notKnown = await toldOf([{ ...same, isKnown: false }])
  expect(notKnown).toMatchObject({ greeting: 9, types: ['leg.greeted', 'leg.judged'] })
  const known = await toldOf([{ ...same, isKnown: true }])
  expect(known).toMatchObject({
    greeting: 9,
    types: ['leg.greeted', 'leg.judged', 'leg.greetingEnded'],
    verdicts: ['person'],
  })
})

test.each([
  ['no snooping channel', (fake: FakeAri) => fake.replies.set(SNOOP, { status: 500 })],
  ['no media channel', (fake: FakeAri) => fake.replies.set(EXTERNAL, { status: 400 })],
  ['no id to connect with', (fake: FakeAri) => fake.replies.set(EXTERNAL, { status: 200, body: {} })],
])('given %s, the verdict is unsure at once', async (_, prepare) => {
  const it = await listening(prepare)
  expect(verdicts(it)).toEqual(['unsure'])
})

test('given no sound, or a socket that is lost, the verdict is unsure', async () => {
  const silent = await listening()
  await silent.pass(11_999)
  expect(verdicts(silent)).toEqual([])
  await silent.pass(1)
  expect(verdicts(silent)).toEqual(['unsure'])

  const lost = await listening()
  const judged = lost.events.next(({ type }) => type === 'leg.judged')
  const { socket } = lost.fake.media.all[0] ?? (await lost.fake.media.next(() => true))
  socket.terminate()
  expect(await judged).toMatchObject({ verdict: 'unsure' })
})

test('the ear goes with its leg, without a verdict', async () => {
  const it = await listening()
  await it.told({ type: 'ChannelDestroyed', cause: 16, channel: channel(CALLEE) })
  await it.settled()
  expect(verdicts(it)).toEqual([])
  expect(asked(it)).toEqual(expect.arrayContaining(GONE))
  await it.told(isHere(MEDIA))
  await it.settled()
  expect(it.fake.asked(`DELETE /channels/${MEDIA}`)).toHaveLength(2)
})

test('an ear of an earlier engine is no conversation: it is closed, and its leg stays', async () => {
  const channels = [CALLEE, EAR, MEDIA].map((id) => channel(id))
  const it = await world(
    (fake) => {
      fake.replies.set('GET /channels', { status: 200, body: channels })
      fake.replies.set('GET /bridges', { status: 200, body: [{ id: EAR, channels: [EAR, MEDIA] }] })
    },
    (pbx) => pbx.expect([CALLEE], [] as BridgeId[]),
  )
  await it.settled()
  expect(asked(it)).toEqual(expect.arrayContaining(GONE))
  expect(asked(it)).not.toContain(`DELETE /channels/${CALLEE}`)
  expect(it.events.all.map(({ type }) => type)).not.toContain('bridge.found')
})
