import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Id } from '../../../src/rest/http/list-params.ts'
import { inputReader } from '../../../src/rest/http/validate-input.ts'

const errorsOf = (reading: ReturnType<ReturnType<typeof inputReader>>) => (reading.ok ? [] : reading.errors)

describe('a body', () => {
  const read = inputReader(
    Type.Object({
      id: Id('An id'),
      name: Type.Optional(Type.String({ maxLength: 5 })),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      flag: Type.Optional(Type.Boolean()),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      codes: Type.Optional(Type.Array(Type.Union([Type.Object({ callCode: Type.Integer() }), Type.Integer()]))),
    }),
    'body',
  )
  const readValue = (value: unknown) => {
    const reading = read(value)
    return reading.ok ? reading.value : 'refused'
  }

  test.each([
    [7, 7],
    ['7', 7],
    [7.0, 7],
    [1e3, 1000],
    [-0, 'refused'],
    [7.5, 'refused'],
    ['7.0', 'refused'],
    ['1e3', 'refused'],
    [' 7', 'refused'],
    ['٧', 'refused'],
    ['９', 'refused'],
    ['9007199254740993', 'refused'],
    [2 ** 53, 'refused'],
    [true, 'refused'],
    [null, 'refused'],
    [[7], 'refused'],
  ])('the id %j counts as %j', (given, counts) => {
    const reading = read({ id: given })
    expect(reading.ok ? (reading.value as { id: number }).id : 'refused').toBe(counts)
  })

  test('a text may come as a whole number, a boolean may not come as a text', () => {
    expect(readValue({ id: 1, name: 42 })).toEqual({ id: 1, name: '42' })
    expect(readValue({ id: 1, flag: 'true' })).toBe('refused')
  })

  test('null counts as absent, except where it clears a field', () => {
    expect(readValue({ id: 1, name: null, note: null })).toEqual({ id: 1, note: null })
  })

  test('lists of objects and of plain numbers are both read', () => {
    expect(readValue({ id: 1, codes: [{ callCode: '7', extra: 1 }, 8, '9'] })).toEqual({
      id: 1,
      codes: [{ callCode: 7 }, 8, 9],
    })
  })

  test('unknown fields are omitted and named', () => {
    expect(read({ id: 1, colour: 'red', codes: [{ callCode: 7, x: 1 }] })).toEqual({
      ok: true,
      value: { id: 1, codes: [{ callCode: 7 }] },
      ignored: ['colour', 'codes[].x'],
    })
  })

  test('every mistake is reported with its place', () => {
    expect(errorsOf(read({ name: 'too long', kind: 'c', codes: [1, 'x'] }))).toEqual([
      { path: 'id', code: 'required', message: 'is missing' },
      { path: 'name', code: 'maxLength', message: 'must not have more than 5 characters' },
      { path: 'kind', code: 'anyOf', message: 'must be one of a, b' },
      { path: 'codes[1]', code: 'anyOf', message: 'must be object or integer' },
    ])
  })

  test.each([undefined, null, 'text', 5, []])(
    'given %j in place of an object, there is one error about the whole',
    (value) => {
      expect(errorsOf(read(value))).toEqual([{ path: '', code: 'type', message: 'must be object' }])
    },
  )

  test('names of every object, such as constructor, are ordinary fields', () => {
    expect(read({ id: 1, constructor: 1, toString: 2, hasOwnProperty: 3 })).toMatchObject({
      ok: true,
      value: { id: 1 },
      ignored: ['constructor', 'toString', 'hasOwnProperty'],
    })
  })

  test('a list of a thousand mistakes has a short answer', () => {
    const reading = read({ id: 1, codes: Array.from({ length: 1_000 }, () => 'x') })
    expect(errorsOf(reading).length).toBeLessThanOrEqual(20)
  })
})

describe('a body of several kinds, distinguished by its type', () => {
  const read = inputReader(
    Type.Union([
      Type.Object({ type: Type.Literal('logIn') }),
      Type.Object({ type: Type.Literal('pause'), reason: Type.String({ minLength: 1 }) }),
      Type.Object({ type: Type.Literal('dial'), itcaId: Type.Optional(Type.Integer()) }),
    ]),
    'body',
  )

  test('keeps the fields of its own kind', () => {
    expect(read({ type: 'pause', reason: 'lunch' })).toMatchObject({ value: { type: 'pause', reason: 'lunch' } })
    expect(read({ type: 'dial', itcaId: '7', reason: 'x' })).toMatchObject({
      value: { type: 'dial', itcaId: 7 },
      ignored: ['reason'],
    })
  })

  test('gets the mistakes of its own kind', () => {
    expect(errorsOf(read({ type: 'pause' }))).toEqual([{ path: 'reason', code: 'required', message: 'is missing' }])
    expect(read({ type: 'jump' }).ok).toBe(false)
    expect(read({}).ok).toBe(false)
  })
})

describe('a closed body', () => {
  const read = inputReader(
    Type.Object({ finishedList: Type.Optional(Type.Array(Type.Boolean())) }, { additionalProperties: false }),
    'body',
  )

  test('a misspelt filter is refused, and the right name is suggested', () => {
    const [error] = errorsOf(read({ finishdList: [false] }))
    expect(error).toMatchObject({ path: 'finishdList', code: 'unknown' })
    expect(error?.message).toContain('did you mean "finishedList"?')
  })
})

describe('a query', () => {
  const read = inputReader(
    Type.Object({
      all: Type.Optional(Type.Boolean()),
      size: Type.Optional(Type.Integer({ minimum: 1 })),
      ids: Type.Optional(Type.Array(Type.Integer())),
    }),
    'text',
  )

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('the boolean %s is %s', (given, counts) => {
    expect(read({ all: given })).toMatchObject({ ok: true, value: { all: counts } })
  })

  test.each(['yes', '', 'on', '2'])('the boolean "%s" is refused', (given) => {
    expect(read({ all: given }).ok).toBe(false)
  })

  test('lists are separated by commas: blanks trimmed, empty ones ignored, repeated ones once', () => {
    expect(read({ ids: ' 1, 2,,2 ,3' })).toMatchObject({ ok: true, value: { ids: [1, 2, 3] } })
    expect(read({ ids: ['1', '2,3'] })).toMatchObject({ ok: true, value: { ids: [1, 2, 3] } })
    expect(read({ ids: '' })).toMatchObject({ ok: true, value: { ids: [] } })
  })

  test('a repeated number is refused', () => {
    expect(errorsOf(read({ size: ['1', '2'] }))).toEqual([{ path: 'size', code: 'type', message: 'must be integer' }])
  })
})
