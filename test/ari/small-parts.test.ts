import { describe, expect, test } from 'vitest'
import { ariAddress } from '../../src/ari/address.ts'
import { backoffMs } from '../../src/ari/backoff.ts'
import { callerOf } from '../../src/ari/caller.ts'
import { ChannelRegistry } from '../../src/ari/channel-registry.ts'
import { toAnswer, toRequest } from '../../src/ari/operation.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'

describe('back-off', () => {
  test('the delay doubles from 0.2 s to 5 s and stays there', () => {
    const longest = { next: () => 1 }
    expect([0, 1, 2, 3, 4, 5, 1_000_000].map((attempt) => backoffMs(attempt, longest))).toEqual([
      200, 400, 800, 1_600, 3_200, 5_000, 5_000,
    ])
  })

  test('the wait is between half the delay and all of it', () => {
    const random = seededRandom(7)
    const waits = Array.from({ length: 1_000 }, () => backoffMs(9, random))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_500)
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000)
    expect(new Set(waits).size).toBeGreaterThan(500)
  })
})

describe('the address', () => {
  test.each([
    ['http://127.0.0.1:8088', 'http://127.0.0.1:8088', '/ari'],
    ['http://127.0.0.1:8088/ari/', 'http://127.0.0.1:8088', '/ari'],
    ['ws://pbx/prefix', 'http://pbx', '/prefix/ari'],
    ['wss://user:word@pbx', 'https://pbx', '/ari'],
  ])('%s is read as %s and %s', (url, origin, path) => {
    expect(ariAddress(url)).toEqual({ origin, path, socket: `${origin.replace('http', 'ws')}${path}` })
  })

  test.each(['', 'pbx:8088', 'ftp://pbx', 'http://'])('%j is refused with an example of a good one', (url) => {
    expect(() => ariAddress(url)).toThrow('http://127.0.0.1:8088')
  })
})

describe('a request', () => {
  test('names go into the path, values into the query, lists into the body', () => {
    const args = { channelId: 'a/b', playbackId: '{channelId}', media: ['sound:/a,b', 'sound:/c'], lang: 'en' }
    expect(toRequest('POST /channels/{channelId}/play/{playbackId}', args)).toEqual({
      method: 'POST',
      path: '/channels/a%2Fb/play/%7BchannelId%7D',
      query: [['lang', 'en']],
      body: '{"media":["sound:/a,b","sound:/c"]}',
    })
  })

  test('an object is the body itself', () => {
    const args = { applicationName: 'switchboard', filter: { disallowed: [] } }
    expect(toRequest('PUT /applications/{applicationName}/eventFilter', args)).toEqual({
      method: 'PUT',
      path: '/applications/switchboard/eventFilter',
      query: [],
      body: '{"disallowed":[]}',
    })
  })

  test('a refusal keeps its status and says why, whatever Asterisk calls the reason', () => {
    expect(toAnswer(500, '{"error":"Allocation failed"}')).toEqual({ ok: false, status: 500, why: 'Allocation failed' })
    expect(toAnswer(404, '{"message":"gone"}')).toEqual({ ok: false, status: 404, why: 'gone' })
    expect(toAnswer(502, '<html>')).toEqual({ ok: false, status: 502, why: 'no reason given' })
    expect(toAnswer(204, undefined)).toEqual({ ok: true, status: 204, body: undefined })
  })
})

describe('the caller', () => {
  test.each(['', ' ', 'anonymous', 'Anonymous', 'unknown', 'restricted'])('%j is no caller number', (number) => {
    expect(callerOf({ name: 'PJSIP/phone-00000001', caller: { number } })).toEqual({})
  })

  test('a number is taken as it is', () => {
    const name = 'PJSIP/phone-00000001'
    expect(callerOf({ name, caller: { number: '+3725551234' } })).toEqual({ caller: '+3725551234' })
    expect(callerOf({ name })).toEqual({})
  })

  test('comes with the trunk of the channel', () => {
    expect(callerOf({ name: 'PJSIP/trunk-north-2-0000001f' })).toEqual({ trunk: 'north-2' })
    expect(callerOf({ name: 'PJSIP/trunk-north-2' })).toEqual({})
  })
})

describe('the ledger', () => {
  test('given many legs that come and go, it stays as large as the number of active calls', () => {
    const registry = new ChannelRegistry()
    for (let n = 0; n < 6_000; n++) {
      const id = `leg-${n}` as LegId
      const leg = registry.addLeg(id, 'arrived')
      const unplayed = {
        leg: id,
        sounds: [],
        hearsVoice: false,
        part: `p-${n}` as never,
        volume: 'full' as const,
        at: { sound: 0, offsetMs: 0 },
        durationMs: 0,
        endsAtMs: 0,
        sent: true,
        started: false,
        stopAsked: false,
        watch: undefined,
      }
      registry.addPlayback({ id: `p-${n}` as never, ...unplayed }, leg)
      registry.putInto(registry.openBridge(`b-${n}` as never), leg)
      registry.endLeg(id)
      registry.closeBridge(`b-${n}` as never)
    }
    expect([registry.legs.size, registry.playbacks.size, registry.bridges.size]).toEqual([0, 0, 0])
    expect(registry.hasEnded('leg-5999' as LegId)).toBe(true)
    expect(registry.hasEnded('leg-0' as LegId)).toBe(false)
  })
})
