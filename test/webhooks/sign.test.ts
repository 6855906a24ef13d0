import { describe, expect, test } from 'vitest'
import type { WebhookSecret } from '../../src/kernel/ids.ts'
import { readSecret, secretOf, sign, verify } from '../../src/webhooks/sign.ts'

/** Published with the reference libraries of the standard: test "sign function works". */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' as WebhookSecret
const AT_MS = 1_614_265_330_000
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', atMs: AT_MS, body: '{"test": 2432232314}' }
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const OTHER = secretOf(new Uint8Array(32).fill(7))
const HEADERS = {
  'webhook-id': MESSAGE.id,
  'webhook-timestamp': '1614265330',
  'webhook-signature': SIGNATURE,
}

describe('sign', () => {
  test('gives the headers of the published vector', () => {
    expect(sign(MESSAGE, [SECRET])).toEqual(HEADERS)
  })

  test('given two valid secrets, signs with both, the newest first', () => {
    const { 'webhook-signature': signatures } = sign(MESSAGE, [OTHER, SECRET])
    expect(signatures.split(' ')).toEqual([sign(MESSAGE, [OTHER])['webhook-signature'], SIGNATURE])
  })

  test('never sends unsigned, nor with an id that could shift the signed parts', () => {
    expect(() => sign(MESSAGE, [])).toThrow('never sent unsigned')
    expect(() => sign({ ...MESSAGE, id: 'a.1' }, [SECRET])).toThrow('full stop')
  })
})

describe('verify', () => {
  const judge = (changed: Record<string, string | undefined>, body = MESSAGE.body, nowMs = AT_MS) =>
    verify({ ...HEADERS, ...changed }, body, [SECRET], nowMs)

  test('accepts the published vector, to the second at both ends of its five minutes', () => {
    expect(judge({})).toBe('genuine')
    expect(judge({}, MESSAGE.body, AT_MS + 300_999)).toBe('genuine')
    expect(judge({}, MESSAGE.body, AT_MS + 301_000)).toBe('tooOld')
    expect(judge({}, MESSAGE.body, AT_MS - 300_000)).toBe('genuine')
    expect(judge({}, MESSAGE.body, AT_MS - 300_001)).toBe('tooNew')
  })

  test('finds the right one among several signatures, of any version', () => {
    const wrong = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='
    expect(judge({ 'webhook-signature': `v1,${wrong} v2,${wrong} ${SIGNATURE} v1,${wrong}` })).toBe('genuine')
  })

  test('checks sixteen signatures and no more', () => {
    expect(judge({ 'webhook-signature': `${'v1,x '.repeat(15)}${SIGNATURE}` })).toBe('genuine')
    expect(judge({ 'webhook-signature': `${'v1,x '.repeat(16)}${SIGNATURE}` })).toBe('forged')
  })

  test.each([
    ['another body', {}, `${MESSAGE.body} `],
    ['another id', { 'webhook-id': 'msg_other' }, MESSAGE.body],
    ['another instant', { 'webhook-timestamp': '1614265331' }, MESSAGE.body],
    ['half a signature', { 'webhook-signature': SIGNATURE.slice(0, 8) }, MESSAGE.body],
    ['an empty signature', { 'webhook-signature': 'v1,' }, MESSAGE.body],
    ['another version', { 'webhook-signature': SIGNATURE.replace('v1', 'v1a') }, MESSAGE.body],
  ])('given %s, it is forged', (_, changed, body) => {
    expect(judge(changed, body)).toBe('forged')
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('given no %s, it is incomplete', (name) => {
    expect(judge({ [name]: undefined })).toBe('incomplete')
  })

  test.each(['hello', '', '1614265330.5', '-1614265330', '1e9'])(
    'given the timestamp "%s", it is incomplete',
    (text) => {
      expect(judge({ 'webhook-timestamp': text })).toBe('incomplete')
    },
  )

  test('given a rotation, either secret of the receiver works', () => {
    const headers = { ...sign(MESSAGE, [OTHER, SECRET]) }
    expect(verify(headers, MESSAGE.body, [SECRET], AT_MS)).toBe('genuine')
    expect(verify(headers, MESSAGE.body, [OTHER], AT_MS)).toBe('genuine')
    expect(verify(headers, MESSAGE.body, [secretOf(new Uint8Array(32))], AT_MS)).toBe('forged')
  })
})

describe('secrets', () => {
  test('are read as they were written', () => {
    expect(readSecret(OTHER)).toBe(OTHER)
    expect(readSecret(SECRET)).toBe(SECRET)
  })

  test.each([
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_c2hvcnQ=',
    `${SECRET}!`,
    `whsec_${'A'.repeat(88)}`,
  ])('are not read out of "%s"', (text) => {
    expect(readSecret(text)).toBeUndefined()
  })

  test('have 24 to 64 bytes', () => {
    expect(() => secretOf(new Uint8Array(23))).toThrow('24 to 64 bytes')
    expect(() => secretOf(new Uint8Array(65))).toThrow('24 to 64 bytes')
  })
})
