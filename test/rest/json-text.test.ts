import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/rest/json-text.ts'

const read = (text: string) => readJson(Buffer.from(text))
const refusal = (text: string) => {
  const reading = read(text)
  return reading.ok ? undefined : reading.why
}

describe('the JSON of a request', () => {
  test('is read as Node reads it, whatever it is [acc 154]', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        // What is refused on purpose has tests of its own below.
        fc.pre(!/__proto__|\\u0000|\d{16}/.test(text))
        expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('given twice the same key, the last one stands', () => {
    expect(read('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } })
  })

  test('may be 32 levels deep, and not 33', () => {
    expect(read('['.repeat(32) + ']'.repeat(32)).ok).toBe(true)
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toContain('deeper than 32')
    expect(refusal('{"a":'.repeat(200_000))).toContain('deeper than 32')
  })

  test('brackets and colons inside of texts count for nothing', () => {
    expect(read(JSON.stringify({ a: `${'[{:'.repeat(2_000)}\\"` })).ok).toBe(true)
  })

  test('may have a thousand keys in one object, and not more', () => {
    const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i])))
    expect(read(keys(1_000)).ok).toBe(true)
    expect(refusal(keys(1_001))).toContain('1000 keys')
    expect(read(`[${Array(50).fill(keys(900)).join(',')}]`).ok).toBe(true)
  })

  test('cannot change the nature of an object, however the key is spelled', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__prot\\u006f__']) {
      expect(refusal(`{"${key}": {"isAdmin": true}}`)).toContain('__proto__')
    }
    expect(read('{"name": "__proto__"}').ok).toBe(true)
  })

  test('whole numbers that would be rounded are refused; fractions are what they are', () => {
    expect(refusal('{"itcaId": 9007199254740993}')).toContain('exactly')
    expect(refusal('[123456789012345678901234567890]')).toContain('exactly')
    expect(refusal('[1e999]')).toContain('too large')
    expect(refusal(`[${'9'.repeat(400)}]`)).toContain('exactly')
    expect(read('[9007199254740991, -9007199254740991, 0.12345678901234567890, 1e3, -0]').ok).toBe(true)
  })

  test('NUL is refused, and an escaped backslash before u0000 is not NUL', () => {
    expect(refusal('{"a":"x\\u0000y"}')).toContain('U+0000')
    expect(refusal('{"a":"x\\\\\\u0000y"}')).toContain('U+0000')
    expect(read('{"a":"x\\\\u0000y"}').ok).toBe(true)
  })

  test('half a surrogate pair becomes the replacement character, a whole one stays', () => {
    expect(read('{"a":"\\ud83d\\ude00","b":["\\ud83d"]}')).toEqual({ ok: true, value: { a: '😀', b: ['\ufffd'] } })
  })

  test('what is not UTF-8 or not JSON is refused without repeating it', () => {
    expect(readJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toEqual({ ok: false, why: 'is not UTF-8' })
    for (const text of ['{', '{"secret":tv2_abc}', '[1,]', '"', '{"a":"', 'nul', '\u{feff}{', '-', '1-']) {
      expect(refusal(text), text).toMatch(/^is not /)
    }
  })

  test('mutilated texts are refused or read, and nothing else happens', () => {
    const whole = JSON.stringify({
      systemCode: 'DEBT',
      callTasks: [{ callReceiverName: 'Åse "x" \\', n: [1, -2.5e3] }],
    })
    const bytes = Buffer.from(whole)
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const copy = Buffer.from(bytes)
          for (const { at, to } of changes) copy[at] = to
          const reading = readJson(copy)
          expect(typeof reading.ok).toBe('boolean')
        },
      ),
      { numRuns: 5_000 },
    )
  })
})
