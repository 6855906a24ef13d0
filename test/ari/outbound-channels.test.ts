import { describe, expect, test } from 'vitest'
import type { LegId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { DialOptions } from '../../src/ports/pbx.ts'
import { about, asked, channel, gap, ofLeg, type World, world } from './ari-world.ts'

const LEG = 'sb-leg-7' as LegId
const CREATE = 'POST /channels/create'
const DIALED = `POST /channels/${LEG}/dial`
const HUNG_UP = `DELETE /channels/${LEG}`
const DIAL: DialOptions = {
  trunk: 'main',
  number: '+4551234567' as PhoneNumber,
  callerId: '+4570001000',
  ringTimeoutMs: 30_000,
  reference: 'attempt-42',
}
const made = { type: 'StasisStart', args: ['dialed'], channel: channel(LEG, 'Down') }
const rings = { type: 'ChannelStateChange', channel: channel(LEG, 'Ringing') }
const answers = { type: 'ChannelStateChange', channel: channel(LEG) }
const ends = { type: 'ChannelDestroyed', cause: 16, channel: channel(LEG) }
const NEVER_SENT = { type: 'leg.ended', leg: LEG, reason: 'failed', neverSent: true }

/** A dial command whose request Asterisk has received. */
async function requested(prepare: Parameters<typeof world>[0] = () => undefined): Promise<World> {
  const it = await world(prepare)
  it.pbx.dial(LEG, DIAL)
  await it.settled()
  return it
}

/** The same, and the number was dialed. */
async function dialed(prepare: Parameters<typeof world>[0] = () => undefined): Promise<World> {
  const it = await requested(prepare)
  await it.told(made)
  await it.settled()
  return it
}

describe('a number', () => {
  test('is dialed by two requests: a channel with trunk, id, caller id and reference, and the call', async () => {
    const it = await world()
    const before = asked(it).length
    it.pbx.dial(LEG, DIAL)
    await it.told(made, made)
    await it.settled()
    expect(asked(it).slice(before)).toEqual([CREATE, DIALED])
    const endpoint = 'PJSIP/+4551234567@trunk-main'
    expect(it.fake.asked(CREATE)[0]).toMatchObject({
      query: { endpoint, app: 'switchboard', appArgs: 'dialed', channelId: LEG },
      body: {
        variables: { 'PJSIP_HEADER(add,X-Switchboard-Attempt)': 'attempt-42', 'CONNECTEDLINE(num,i)': '+4570001000' },
      },
    })
    expect(it.fake.asked(DIALED)[0]?.query).toEqual({ timeout: '30' })
  })

  test('given no trunk in the command, uses the first trunk', async () => {
    const it = await world()
    const { trunk: _, ...rest } = DIAL
    it.pbx.dial(LEG, rest)
    await it.settled()
    expect(it.fake.asked(CREATE)[0]?.query['endpoint']).toBe('PJSIP/+4551234567@trunk-first')
  })

  test('rings, is answered and ends, each reported once', async () => {
    const it = await dialed()
    await it.told({ type: 'Dial', dialstatus: 'RINGING', peer: channel(LEG) }, rings, answers, answers, ends, ends)
    expect(ofLeg(it, LEG)).toEqual([
      { type: 'leg.ringing', leg: LEG },
      { type: 'leg.answered', leg: LEG },
      { type: 'leg.ended', leg: LEG, reason: 'hungUp' },
    ])
  })

  const VARS = { 'CHANNEL(audionativeformat)': '(alaw)', RTPAUDIOQOS: '' }
  const QOS = 'ssrc=7;themssrc=9;lp=3;rxjitter=0.004200;rxcount=97;txjitter=0.000000;txcount=110;rlp=1;rtt=0.000000'
  const withVars = (event: object, channelvars: object) => ({ ...event, channel: { ...channel(LEG), channelvars } })

  test('that is answered tells its codec, and its packets at its end', async () => {
    const it = await dialed()
    await it.told(withVars(answers, VARS), withVars(ends, { ...VARS, RTPAUDIOQOS: QOS }))
    const packets = { received: 97, receivedLost: 3, receivedJitterMs: 4, sent: 110, sentLost: 1 }
    expect(ofLeg(it, LEG)).toEqual([
      { type: 'leg.answered', leg: LEG, codec: 'alaw' },
      { type: 'leg.ended', leg: LEG, reason: 'hungUp', packets },
    ])
  })

  test.for(['', 'ssrc=7', 'lp=x;rxjitter=0;rxcount=1;txcount=1;rlp=0', 7])(
    'that ends with counters nobody understands (%s) tells none',
    async (RTPAUDIOQOS) => {
      const it = await dialed()
      await it.told(withVars(answers, VARS), withVars(ends, { ...VARS, RTPAUDIOQOS }))
      expect(ofLeg(it, LEG).at(-1)).toEqual({ type: 'leg.ended', leg: LEG, reason: 'hungUp' })
    },
  )

  const DOUBTFUL = { 'CHANNEL(audionativeformat)': '(ulaw|alaw)' }
  const COUNTED = `GET /channels/${LEG}/rtp_statistics`

  test('that is answered without any codec of ours is hung up, and ends as answered and unheard', async () => {
    const it = await dialed((fake) =>
      fake.replies.set(COUNTED, { status: 404, body: { message: 'RTP info not found' } }),
    )
    await it.told(withVars(answers, DOUBTFUL), withVars(answers, DOUBTFUL))
    await it.settled()
    await it.settled()
    expect(it.fake.asked(COUNTED)).toHaveLength(1)
    expect(asked(it).at(-1)).toBe(HUNG_UP)
    await it.told(withVars(ends, DOUBTFUL))
    const answeredAtMs = expect.any(Number)
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'failed', code: 488, answeredAtMs }])
  })

  test('that is answered while Asterisk names several codecs, and has sound, is reported as answered', async () => {
    const it = await dialed((fake) => fake.replies.set(COUNTED, { status: 200, body: { rxcount: 0 } }))
    await it.told(withVars(answers, DOUBTFUL))
    await it.settled()
    await it.told(ends)
    expect(ofLeg(it, LEG)).toEqual([
      { type: 'leg.answered', leg: LEG },
      { type: 'leg.ended', leg: LEG, reason: 'hungUp' },
    ])
  })

  test('that rings with early media (183) rings too', async () => {
    const it = await dialed()
    await it.told({ type: 'Dial', dialstatus: '', peer: channel(LEG) })
    expect(ofLeg(it, LEG)).toEqual([])
    await it.told({ type: 'Dial', dialstatus: 'PROGRESS', peer: channel(LEG) })
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.ringing', leg: LEG }])
  })

  test('under an id in use is not dialed again', async () => {
    const it = await dialed()
    it.pbx.dial(LEG, DIAL)
    await it.settled()
    expect([it.fake.asked(CREATE), it.fake.asked(DIALED)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('that was cancelled before its channel existed is not dialed, and was never sent', async () => {
    const it = await requested()
    it.pbx.hangUp(LEG)
    await it.told(made, ends)
    await it.settled()
    expect(it.fake.asked(DIALED)).toEqual([])
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'hungUp', neverSent: true }])
  })
})

describe('a number that must not be dialed', () => {
  test.each<[string, Partial<DialOptions>]>([
    ['another endpoint in the number', { number: '500&PJSIP/itsp/1416' as PhoneNumber }],
    ['a number that is not E.164', { number: '51234567' as PhoneNumber }],
    ['digits of another script', { number: '+٤٥٥١٢٣٤٥٦٧' as PhoneNumber }],
    ['another endpoint in the trunk', { trunk: 'main&PJSIP/evil' }],
    ['a name in the caller id', { callerId: '"Bank" <+4570001000>' }],
    ['no caller id', { callerId: '' }],
    ['another header in the reference', { reference: 'a\r\nX-Evil: 1' }],
  ])('given %s ends as never sent, and nothing is asked', async (_what, part) => {
    const it = await world()
    it.pbx.dial(LEG, { ...DIAL, ...part })
    expect(ofLeg(it, LEG)).toEqual([])
    await it.settled()
    expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
    expect(it.fake.asked(CREATE)).toEqual([])
  })

  test.each([400, 500, 503])('given that Asterisk creates no channel (%d) ends as never sent', async (status) => {
    const it = await requested((fake) => fake.replies.set(CREATE, { status, body: { error: 'no' } }))
    expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
  })

  test.each([404, 409, 500])(
    'given that Asterisk refuses to dial the channel (%d) ends as never sent',
    async (status) => {
      const it = await dialed((fake) => fake.replies.set(DIALED, { status }))
      expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
      await it.settled()
      expect(it.fake.asked(HUNG_UP)).toHaveLength(1)
    },
  )

  test('given no connection ends as never sent, and is not dialed later', async () => {
    const it = await world()
    await gap(it, () => it.pbx.dial(LEG, DIAL))
    await it.settled()
    expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
    expect(it.fake.asked(CREATE)).toEqual([])
  })
})

describe('a doubt', () => {
  test('whether the channel was created is harmless: no phone rang, and none will ring', async () => {
    const it = await requested((fake) => fake.replies.set(CREATE, 'silence'))
    await it.pass(3_000)
    await it.settled()
    expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
    await it.told(made)
    await it.settled()
    expect(it.fake.asked(DIALED)).toEqual([])
    expect(it.fake.asked(HUNG_UP).length).toBeGreaterThan(0)
    expect(it.fake.asked(CREATE)).toHaveLength(1)
  })

  test('given that the channel was created and dialed before its response was lost, the leg continues', async () => {
    const it = await requested((fake) => fake.replies.set(CREATE, 'silence'))
    await it.told(made)
    await it.pass(3_000)
    await it.settled()
    expect(it.fake.asked(DIALED)).toHaveLength(1)
    expect([ofLeg(it, LEG), it.fake.asked(HUNG_UP)]).toEqual([[], []])
  })

  test('given a channel that does not exist within 5 s, the wait ends', async () => {
    const it = await requested()
    await it.pass(4_999)
    expect(ofLeg(it, LEG)).toEqual([])
    await it.pass(1)
    await it.settled()
    expect(ofLeg(it, LEG)).toEqual([NEVER_SENT])
    await it.settled()
    expect(it.fake.asked(HUNG_UP)).toHaveLength(1)
  })

  test('given a process that was suspended meanwhile, is not dialed when it wakes', async () => {
    const it = await requested()
    const wakesAtMs = it.clock.nowMs() + 15_000
    it.clock.nowMs = () => wakesAtMs
    await it.told(made)
    await it.settled()
    expect([ofLeg(it, LEG), it.fake.asked(DIALED)]).toEqual([[NEVER_SENT], []])
  })

  test('whether it was dialed is resolved by events, never by dialing again', async () => {
    const it = await dialed((fake) => fake.replies.set(DIALED, 'silence'))
    await it.pass(3_000)
    await it.told(rings, answers, ends)
    expect(ofLeg(it, LEG).map(({ type }) => type)).toEqual(['leg.ringing', 'leg.answered', 'leg.ended'])
    expect(ofLeg(it, LEG).at(-1)).toEqual({ type: 'leg.ended', leg: LEG, reason: 'hungUp' })
    expect(it.fake.asked(DIALED)).toHaveLength(1)
  })

  test('given no events, it is hung up at the end of its ring timeout', async () => {
    const it = await dialed((fake) => fake.replies.set(DIALED, 'silence'))
    await it.pass(35_000)
    await it.settled()
    expect(it.fake.asked(HUNG_UP)).toHaveLength(1)
    await it.told(ends)
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'hungUp' }])
  })

  test('given that the id is in use, the command had arrived before and continues', async () => {
    const it = await requested((fake) => fake.replies.set(CREATE, { status: 409 }))
    await it.told(answers)
    await it.settled()
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.answered', leg: LEG }])
    expect(it.fake.asked(DIALED)).toEqual([])
  })
})

describe('a gap', () => {
  test('before the number was dialed: it was never sent, and is not dialed afterwards', async () => {
    const it = await requested()
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(LEG, 'Down')] })
    await gap(it)
    expect(about(it).slice(-2)).toEqual([NEVER_SENT, { type: 'pbx.up', restarted: false }])
    await it.told(made)
    await it.settled()
    expect(it.fake.asked(DIALED)).toEqual([])
    expect(it.fake.asked(HUNG_UP).length).toBeGreaterThan(0)
  })

  test('after it was dialed: a leg that is gone is lost; whether it was sent is unknown', async () => {
    const it = await dialed((fake) => fake.replies.set(DIALED, 'silence'))
    await gap(it)
    expect(about(it).slice(-2)).toEqual([
      { type: 'leg.ended', leg: LEG, reason: 'lost' },
      { type: 'pbx.up', restarted: false },
    ])
  })

  test('in which it was answered: the answer is reported', async () => {
    const it = await dialed()
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(LEG)] })
    await gap(it)
    expect(ofLeg(it, LEG)).toEqual([{ type: 'leg.answered', leg: LEG }])
  })
})

test.each([
  ['rings', rings],
  ['is made', made],
  ['is answered', answers],
])('a leg that was given up and %s all the same is hung up, and nothing more is told', async (_what, sign) => {
  const it = await requested()
  await it.pass(5_000)
  await it.settled()
  const before = it.fake.asked(HUNG_UP).length
  await it.told(sign)
  await it.settled()
  expect(it.fake.asked(HUNG_UP).length).toBe(before + 1)
  expect(ofLeg(it, LEG)).toHaveLength(1)
})
