import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson, readJsonInTurns } from '../../../src/rest/http/parse-json.ts'

const read = (text: string) => readJson(Buffer.from(text))
const refusal = (text: string) => {
  const reading = read(text)
  return reading.ok ? undefined : reading.why
}

describe('the JSON of a request', () => {
  test('is read as Node reads it, for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        // Input that is refused on purpose has tests of its own below.
        fc.pre(!/__proto__|\\u0000|\d{16}/.test(text))
        expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('given a repeated key, has the last value', () => {
    expect(read('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } })
  })

  test('may be 32 levels deep, and not 33', () => {
    expect(read('['.repeat(32) + ']'.repeat(32)).ok).toBe(true)
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toContain('deeper than 32')
    expect(refusal('{"a":'.repeat(200_000))).toContain('deeper than 32')
  })

  test('brackets and colons inside texts do not count', () => {
    expect(read(JSON.stringify({ a: `${'[{:'.repeat(2_000)}\\"` })).ok).toBe(true)
  })

  test('may have a thousand keys in one object, and not more', () => {
    const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i])))
    expect(read(keys(1_000)).ok).toBe(true)
    expect(refusal(keys(1_001))).toContain('1000 keys')
    expect(read(`[${Array(50).fill(keys(900)).join(',')}]`).ok).toBe(true)
  })

  test('cannot change the prototype of an object, in any spelling of the key', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__prot\\u006f__']) {
      expect(refusal(`{"${key}": {"isAdmin": true}}`)).toContain('__proto__')
    }
    expect(read('{"name": "__proto__"}').ok).toBe(true)
  })

  test('whole numbers that would be rounded are refused; fractions are kept', () => {
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

  test('input that is not UTF-8 or not JSON is refused without repeating it', () => {
    expect(readJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toEqual({ ok: false, why: 'is not UTF-8' })
    for (const text of ['{', '{"secret":tv2_abc}', '[1,]', '"', '{"a":"', 'nul', '\u{feff}{', '-', '1-']) {
      expect(refusal(text), text).toMatch(/^is not /)
    }
  })

  test('mutilated texts are refused or read, without side effects', () => {
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

describe('a large body, read in turns', () => {
  const inTurns = (text: string | Buffer, turnBytes: number) => {
    let pauses = 0
    const pause = async () => void pauses++
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return readJsonInTurns(bytes, pause, turnBytes).then((reading) => ({ reading, pauses }))
  }

  test('gives the same result as when it is read at once', async () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 12 })
    const object = fc.dictionary(fc.string(), fc.oneof(list, fc.jsonValue({ maxDepth: 4 })))
    const body = fc.oneof(object, list, fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(body, fc.nat(40), fc.nat(3), async (value, turnBytes, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect((await inTurns(text, turnBytes + 1)).reading).toEqual(read(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is refused if it would be at once, however it is damaged', async () => {
    const callTasks = [{ n: [1, -2.5e3], s: 'Åse "x" \\, ]' }, 'a,b', [], {}, null, 7]
    const bytes = Buffer.from(JSON.stringify({ a: [1, 2], callTasks, b: { c: [3, 4] }, d: [[1, 2], [3]] }))
    const signs = [...'[]{},:"\\0 n'].map((sign) => sign.charCodeAt(0))
    const to = fc.oneof(fc.constantFrom(...signs), fc.nat(255))
    const changes = fc.array(fc.record({ at: fc.nat(bytes.length - 1), to }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(30), async (changes, turnBytes) => {
        const copy = Buffer.from(bytes)
        for (const { at, to } of changes) copy[at] = to
        const [{ reading }, whole] = [await inTurns(copy, turnBytes + 1), readJson(copy)]
        expect(reading.ok).toBe(whole.ok)
        if (whole.ok) expect(reading).toEqual(whole)
      }),
      { numRuns: 10_000 },
    )
  })

  test.each([
    '{"a":[1,,2]}',
    '{"a":[1,2,]}',
    '{"a":[,1,2]}',
    '{"a":[1,2},"b":[3,4]]',
    '{"a":[1,\u{feff}2]}',
    '{"a":[1,2]}}',
    '{"a":[1,2]"b":3}',
    '{"a":[1,2] [3,4]}',
    '{"a":["\\u00001","\\u0000"]}',
    '{"a":[1,2],"__proto__":[3,4]}',
    '{"a":[1,{"__proto__":1},2]}',
  ])('is refused: %s', async (text) => {
    expect(read(text).ok).toBe(false)
    expect((await inTurns(text, 1)).reading.ok).toBe(false)
  })

  test('with a repeated key has the last list, and no list replaces another', async () => {
    const { reading } = await inTurns('{"a":[1,2],"b":"[]","a":[3,4],"c":[[5,6],[7]]}', 1)
    expect(reading).toEqual({ ok: true, value: { a: [3, 4], b: '[]', c: [[5, 6], [7]] } })
  })

  test('yields to others after every 128 KiB or so', async () => {
    const callTasks = Array.from({ length: 20_000 }, (_, place) => ({ callReceiverName: `Debtor ${place}` }))
    const text = JSON.stringify({ callTasks })
    const pauses: number[] = []
    const reading = await readJsonInTurns(Buffer.from(text), async () => void pauses.push(1))
    expect(reading).toEqual({ ok: true, value: { callTasks } })
    expect(pauses.length).toBeGreaterThanOrEqual(2 * Math.floor(text.length / (128 * 1024)))
  })
})
