import { afterEach, describe, expect, test } from 'vitest'
import { ariAddress } from '../../src/ari/address.ts'
import { AriClient, type Rest, type Settled } from '../../src/ari/ari-client.ts'
import type { AriEvent, AsteriskInfo } from '../../src/ari/ari-types.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { Facts } from './facts.ts'
import { FakeAri, PASSWORD } from './fake-ari.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function fakeAri(port?: number): Promise<FakeAri> {
  const fake = await FakeAri.start(port)
  closing.push(() => fake.stop())
  return fake
}

/** A wire on virtual time, and what it told. */
function openWire(
  fake: Pick<FakeAri, 'access'>,
  onConnected?: (rest: Rest, info: AsteriskInfo) => Promise<Settled>,
  onEvent?: (event: AriEvent) => void,
  mayOvertake: (event: AriEvent) => boolean = () => false,
) {
  const clock = new VirtualClock()
  const events = new Facts<AriEvent>()
  const downs = new Facts<string>()
  const ups = new Facts<'up'>()
  const logged: string[] = []
  const log = makeLog('info', { write: (line: string) => logged.push(line) })
  const told: Settled = { ok: true, onUp: () => ups.add('up') }
  const wire = new AriClient({
    ...fake.access,
    address: ariAddress(fake.access.url),
    clock,
    random: seededRandom(1),
    log,
    onConnected: onConnected ?? (() => Promise.resolve(told)),
    onEvent: onEvent ?? events.add,
    mayOvertake,
    onDown: downs.add,
  })
  closing.push(() => wire.stop())
  return { wire, clock, events, downs, ups, logged, told }
}

/** Every wait that is begun on `clock`, in ms: how a test on virtual time learns that an attempt is over. */
function waitsOf(clock: VirtualClock): Facts<number> {
  const waits = new Facts<number>()
  const schedule = clock.schedule.bind(clock)
  clock.schedule = (atMs, action) => {
    waits.add(atMs - clock.nowMs())
    return schedule(atMs, action)
  }
  return waits
}

/** All other waits of a wire that never opened are those for the opening itself. */
const isBackoff = (waitMs: number) => waitMs !== 3_000

const digit = (digit: string) => ({ type: 'ChannelDtmfReceived', digit, channel: { id: 'leg' } })

describe('requests', () => {
  test('given a server that takes requests over the socket, they use it and status codes are kept', async () => {
    const fake = await fakeAri()
    fake.replies.set('DELETE /channels/gone', { status: 404, body: { message: 'Channel not found' } })
    const { wire } = openWire(fake)
    const info = await wire.start()
    expect(info.system?.version).toBe('22.10.1+x')
    expect(await wire.ask('POST /channels/{channelId}/answer', { channelId: 'a b' })).toMatchObject({ status: 204 })
    const answer = await wire.ask('DELETE /channels/{channelId}', { channelId: 'gone' })
    expect(answer).toEqual({ ok: false, status: 404, why: 'Channel not found' })
    expect(fake.asked('POST /channels/a%20b/answer')).toHaveLength(1)
    const others = fake.requests.all.filter(({ what }) => what !== 'GET /asterisk/modules')
    expect(others.every(({ by }) => by === 'socket')).toBe(true)
  })

  test('given a request without a response, it resolves after 3 s with status 0, perhaps received', async () => {
    const fake = await fakeAri()
    fake.replies.set('DELETE /channels/a', 'silence')
    const { wire, clock } = openWire(fake)
    await wire.start()
    const answer = wire.ask('DELETE /channels/{channelId}', { channelId: 'a' })
    clock.run(3_000)
    expect(await answer).toEqual({ ok: false, status: 0, why: 'no answer within 3 s', heard: 'perhaps' })
  })

  test('given a socket that breaks while a request is out, the request is not sent again', async () => {
    const fake = await fakeAri()
    fake.replies.set('POST /channels', 'silence')
    const { wire, clock, downs, ups } = openWire(fake)
    await wire.start()
    const arrived = fake.requests.next(({ what }) => what === 'POST /channels')
    const answer = wire.ask('POST /channels', { endpoint: 'PJSIP/agent-anna' })
    await arrived
    const down = downs.next()
    fake.cut()
    expect(await answer).toMatchObject({ status: 0, heard: 'perhaps' })
    await down
    expect(await wire.ask('GET /channels', {})).toMatchObject({ status: 0, heard: 'no' })
    const up = ups.next()
    clock.run(200)
    await up
    expect(fake.asked('POST /channels')).toHaveLength(1)
  })

  test('given an Asterisk too old for requests over the socket, they use HTTP', async () => {
    const fake = await fakeAri()
    fake.takesRestOverSocket = false
    fake.replies.set('DELETE /channels/a', { status: 409, body: { message: 'not now' } })
    const { wire, clock, events } = openWire(fake)
    const connected = fake.connections.next()
    const up = wire.start()
    const client = await connected
    await new Promise((asked) => client.once('message', asked))
    clock.run(3_000)
    await up
    expect(wire.stats().restBy).toBe('http')
    const answer = await wire.ask('DELETE /channels/{channelId}', { channelId: 'a', reason: 'busy' })
    expect(answer).toEqual({ ok: false, status: 409, why: 'not now' })
    expect(fake.requests.all.at(-1)).toMatchObject({ by: 'http', query: { reason: 'busy' } })
    const event = events.next()
    fake.tell(digit('1'))
    expect(await event).toMatchObject({ digit: '1' })
  })
})

describe('events', () => {
  test('unused event types are filtered at Asterisk, responses to requests are not', async () => {
    const fake = await fakeAri()
    const { wire } = openWire(fake)
    await wire.start()
    const [filter] = fake.asked('PUT /applications/switchboard/eventFilter')
    const off = (filter!.body as { disallowed: { type: string }[] }).disallowed.map(({ type }) => type)
    expect(Object.keys(filter!.body as object)).toEqual(['disallowed'])
    expect(off).toContain('ChannelVarset')
    for (const type of ['StasisStart', 'RESTResponse', 'ChannelDestroyed']) expect(off).not.toContain(type)
  })

  test('given broken frames and unknown types, each is counted, logged once per type, and does no harm', async () => {
    const fake = await fakeAri()
    const { wire, events, logged } = openWire(fake)
    await wire.start()
    const last = events.next()
    for (const frame of ['{', '[]', 'null', '{"type":7}', '"StasisStart"']) fake.tell(frame)
    for (const type of ['NoSuchEvent', 'NoSuchEvent', 'constructor', '__proto__']) fake.tell({ type })
    fake.tell({ type: 'ChannelVarset' })
    fake.tell(digit('9'))
    await last
    const { passedOver } = wire.stats()
    expect(passedOver).toMatchObject({ '(broken frame)': 5, NoSuchEvent: 2, constructor: 1, ChannelVarset: 1 })
    expect(logged.filter((line) => line.includes('"NoSuchEvent"'))).toHaveLength(1)
    expect(logged.filter((line) => line.includes('"ChannelVarset"'))).toHaveLength(0)
    expect(wire.isUp).toBe(true)
  })

  test('given an event that lacks required fields, it is skipped and the next event is handled', async () => {
    const fake = await fakeAri()
    const heard = new Facts<string>()
    const { wire } = openWire(fake, undefined, (event) => heard.add((event as { channel: { id: string } }).channel.id))
    await wire.start()
    const next = heard.next()
    fake.tell({ type: 'StasisEnd' })
    fake.tell(digit('1'))
    expect(await next).toBe('leg')
    expect(wire.stats().passedOver).toEqual({ 'StasisEnd (broken)': 1 })
  })

  test('given events during the reconciliation, they are delivered after it, in order', async () => {
    const fake = await fakeAri()
    const looked = Promise.withResolvers<Settled>()
    const looking = new Facts<string>()
    const { wire, events, told } = openWire(fake, async ({ ask }) => {
      fake.tell(digit('1'))
      fake.tell(digit('2'))
      await ask('GET /playbacks/{playbackId}', { playbackId: 'x' })
      looking.add('looked')
      return looked.promise
    })
    const atLook = looking.next()
    const up = wire.start()
    await atLook
    expect(events.all).toEqual([])
    looked.resolve(told)
    await up
    expect(events.all).toMatchObject([{ digit: '1' }, { digit: '2' }])
  })

  test('given an event that may overtake another socket, all behind it wait, in their order', async () => {
    const fake = await fakeAri()
    const isKey = ({ type }: AriEvent) => type === 'ChannelDtmfReceived'
    const { wire, clock, events } = openWire(fake, undefined, undefined, isKey)
    const waits = waitsOf(clock)
    const begins = () => waits.next((waitMs) => waitMs === 0)
    await wire.start()
    const waiting = begins()
    fake.tell(digit('1'))
    await waiting
    for (const event of [digit('2'), { type: 'StasisEnd', channel: { id: 'leg' } }]) fake.tell(event)
    await wire.ask('POST /channels/{channelId}/answer', { channelId: 'behind' })
    expect(events.all).toEqual([])
    clock.run(1)
    expect(events.all).toMatchObject([{ digit: '1' }, { digit: '2' }, { type: 'StasisEnd' }])
    expect(waits.all.filter((waitMs) => waitMs === 0)).toHaveLength(2)
    const waitingAgain = begins()
    fake.tell(digit('3'))
    await waitingAgain
    const down = events.next()
    fake.cut()
    expect(await down).toMatchObject({ digit: '3' })
  })
})

describe('losing the connection', () => {
  test('given a cut, it is reported once and the client reconnects with its filter', async () => {
    const fake = await fakeAri()
    const { wire, clock, downs, ups } = openWire(fake)
    await wire.start()
    for (let cut = 1; cut <= 3; cut++) {
      const down = downs.next()
      fake.cut()
      expect(await down).toContain('1006')
      expect(wire.isUp).toBe(false)
      const up = ups.next()
      clock.run(200)
      await up
    }
    expect(downs.all).toHaveLength(3)
    expect(fake.asked('PUT /applications/switchboard/eventFilter')).toHaveLength(4)
  })

  test('given no server at the address, the client retries for ever and logs it once', async () => {
    const gone = await FakeAri.start()
    const { port, access } = gone
    await gone.stop()
    const { wire, clock, logged } = openWire({ access })
    const waits = waitsOf(clock)
    let lost = waits.next(isBackoff)
    const up = wire.start()
    for (let attempt = 0; attempt < 30; attempt++) {
      const waitMs = await lost
      lost = waits.next(isBackoff)
      clock.run(waitMs)
    }
    const waitMs = await lost
    expect(logged.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(1)
    const fake = await fakeAri(port)
    clock.run(waitMs)
    await up
    expect(fake.connections.all).toHaveLength(1)
  })

  test('given a peer that falls silent without closing, the connection is down 6 s later', async () => {
    const fake = await fakeAri()
    const { wire, clock, downs, events } = openWire(fake)
    await wire.start()
    // A peer that answers pings is alive, however long it has nothing to tell.
    for (let beat = 0; beat < 5; beat++) {
      const pinged = fake.pings.next()
      clock.run(2_000)
      await pinged
      const behindThePong = events.next()
      fake.tell(digit('0'))
      await behindThePong
    }
    fake.goSilent()
    clock.run(5_999)
    expect(wire.isUp).toBe(true)
    clock.run(1)
    expect(wire.isUp).toBe(false)
    expect(downs.all).toEqual(['no sign of life from the socket'])
  })

  test('given a frame of more than 1 MiB, the client drops the connection and reconnects', async () => {
    const fake = await fakeAri()
    const { wire, clock, downs, ups } = openWire(fake)
    await wire.start()
    const down = downs.next()
    fake.tell(JSON.stringify({ type: 'StasisStart', args: ['x'.repeat(1024 * 1024)] }))
    await down
    const up = ups.next()
    clock.run(200)
    await up
    expect(wire.isUp).toBe(true)
  })

  test('given another engine under our name, the client leaves it the calls for half a minute', async () => {
    const fake = await fakeAri()
    const { wire, clock, downs, ups, logged } = openWire(fake)
    await wire.start()
    const down = downs.next()
    fake.tell({ type: 'ApplicationReplaced', application: 'switchboard' })
    expect(await down).toContain('"switchboard"')
    clock.run(29_999)
    expect(fake.connections.all).toHaveLength(1)
    const up = ups.next()
    clock.run(1)
    await up
    expect(logged.filter((line) => line.includes('"level":50'))).toHaveLength(1)
  })
})

describe('a refused connection', () => {
  test('given a wrong password at the start, it rejects and names the settings, never the password', async () => {
    const fake = await fakeAri()
    fake.password = 'another'
    const { wire, logged } = openWire(fake)
    const error = await wire.start().catch((reason: Error) => reason.message)
    expect(error).toContain('ARI_USER and ARI_PASSWORD')
    expect(error).toContain('"switchboard"')
    expect([error, ...logged].join()).not.toContain(PASSWORD)
  })

  test('given a read-only user, the client rejects and says so', async () => {
    const fake = await fakeAri()
    fake.replies.set('PUT /applications/switchboard/eventFilter', { status: 403, body: { message: 'read-only' } })
    const { wire } = openWire(fake)
    await expect(wire.start()).rejects.toThrow('read_only')
  })

  test('given a password that is changed later, the client retries every 5 s and logs it once', async () => {
    const fake = await fakeAri()
    const { wire, clock, ups, downs, logged } = openWire(fake)
    await wire.start()
    fake.password = 'changed'
    const waits = waitsOf(clock)
    const down = downs.next()
    fake.cut()
    await down
    for (let attempt = 0; attempt < 4; attempt++) {
      const refused = waits.next((waitMs) => waitMs === 5_000)
      clock.run(5_000)
      await refused
    }
    fake.password = PASSWORD
    const up = ups.next()
    clock.run(5_000)
    await up
    expect(logged.filter((line) => line.includes('ARI_PASSWORD'))).toHaveLength(1)
    expect(downs.all).toHaveLength(1)
  })
})
