import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { checkShape, lastKey, mostUrgent, type NameOf, wholePath } from '../../src/kernel/check-shape.ts'
import { formatProblem, type Problem } from '../../src/kernel/file-problem.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

const exactly = { additionalProperties: false }
const isEven = (text: string) => Number(text) % 2 === 0

/** One of everything that our schemas use. */
const schema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 20, hint: 'a name' }),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9, hint: 'a size, 1 to 9' })),
    isOpen: Type.Optional(Type.Boolean({ hint: 'true or false' })),
    even: Type.Optional(Type.String({ hint: 'an even number in quotes', isRight: isEven })),
    secret: Type.Optional(Type.String({ pattern: '^[A-Z]+$', hint: 'the name of a variable', quiet: true })),
    words: Type.Optional(
      Type.Union([Type.String({ pattern: '^\\w+$' }), Type.Array(Type.String())], { hint: 'a word or a list' }),
    ),
    list: Type.Optional(Type.Array(Type.Integer(), { minItems: 1, maxItems: 3 })),
    phones: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z]+$' }),
        Type.Object(
          { host: Type.String({ hint: 'a host' }), port: Type.Optional(Type.Integer({ hint: 'a port' })) },
          { ...exactly, instead: { password: 'write no passwords here' } },
        ),
        { ...exactly, keys: 'a name in small letters' },
      ),
    ),
    anything: Type.Optional(Type.Unknown()),
  },
  { ...exactly, hint: 'a map with a name' },
)

function check(text: string, nameOf: NameOf = wholePath) {
  const source = new YamlSource('a.yaml', text, 'file')
  expect(source.problems).toEqual([])
  const { problems, ...rest } = checkShape(schema, source, nameOf)
  return { ...rest, problems: problems.map((problem) => formatProblem(problem).slice('a.yaml:'.length)) }
}

describe('a file of the right shape', () => {
  test('is returned unchanged', () => {
    const text = 'name: x\nsize: 1\nisOpen: no way\nlist: [1]'.replace('no way', 'false')
    const { value, problems, cuts } = check(`${text}\nwords: [a]\nphones: { a: { host: h } }\nanything: [{ b: null }]`)
    expect({ problems, cuts }).toEqual({ problems: [], cuts: [] })
    expect(value).toEqual({
      name: 'x',
      size: 1,
      isOpen: false,
      list: [1],
      words: ['a'],
      phones: { a: { host: 'h' } },
      anything: [{ b: null }],
    })
  })
})

describe('one mistake gives one message, given', () => {
  test.each([
    ['- 1', '1:1 error the file must be a map with a name, not a list'],
    ['size: 1', '1:1 error the file has no name; add it: a name'],
    ['name:', '1:6 error name is empty; write a name'],
    ['name: ""', '1:7 error name is empty; write a name'],
    ['name: x\nsize:', '2:6 error size is empty; write a size, 1 to 9, or remove it'],
    ['name: x\nsize: 10', '2:7 error size must be a size, 1 to 9, not 10 (a number)'],
    ['name: x\nsize: 1.5', '2:7 error size must be a size, 1 to 9, not 1.5 (a number)'],
    ['name: x\nsize: "1"', '2:7 error size must be a size, 1 to 9, not "1"; remove the quotes'],
    ['name: x\nisOpen: no', '2:9 error isOpen must be true or false, not "no"'],
    ['name: true', '1:7 error name must be a name, not true (true or false)'],
    ['name: [x]', '1:7 error name must be a name, not a list'],
    [`name: ${'x'.repeat(21)}`, '1:7 error name is longer than 20 characters; shorten it'],
    ['name: x\nlist: []', '2:7 error list is an empty list; add an entry or remove the key'],
    ['name: x\nlist: [1, 2, 3, 4]', '2:7 error list has more than 3 entries; remove some'],
    ['name: x\nwords: { a: b }', '2:8 error words must be a word or a list, not a map'],
    ['name: x\nnaem: y', '2:1 error unknown key "naem"; did you mean "name"?'],
    ['name: x\nphones: { A: { host: h } }', '2:11 error "A" does not fit here; write a name in small letters'],
    ['name: x\nphones: { a: { host: h, password: p } }', '2:25 error write no passwords here'],
    ['name: x\nphones: { a: { host: h, toString: p } }', '2:25 error unknown key "toString"; known here: host, port'],
    [
      'name: x\nphones: { a: { host: h, well hello there } }',
      '2:25 error unknown key "well hello there"; a text with a comma inside { } must stand in quotes',
    ],
  ])('%s', (text, problem) => {
    expect(check(text).problems).toEqual([problem])
  })
})

describe('a number in place of text', () => {
  test('that would be right as text is to be quoted as it was written', () => {
    expect(check('name: 0047').problems).toEqual([
      '1:7 error name must be a name, not 0047 (a number); put it in quotes: "0047"',
    ])
    expect(check('name: x\nwords: 7').problems).toEqual([
      '2:8 error words must be a word or a list, not 7 (a number); put it in quotes: "7"',
    ])
  })

  test('that would be wrong as text too is not', () => {
    expect(check('name: x\neven: 7').problems).toEqual([
      '2:7 error even must be an even number in quotes, not 7 (a number)',
    ])
  })
})

test('a possible secret is never repeated', () => {
  for (const secret of ['hunter2', '12345', 'true', '[hunter2]']) {
    expect(check(`name: x\nsecret: ${secret}`).problems).toEqual(['2:9 error secret must be the name of a variable'])
  }
})

describe('the remaining value', () => {
  test('given an invalid part, lacks that part alone', () => {
    const { value, cuts } = check('name: x\nsize: big\nphones: { a: { host: h, port: p }, b: { host: h } }')
    expect(value).toEqual({ name: 'x', phones: { a: { host: 'h' }, b: { host: 'h' } } })
    expect(cuts).toEqual([
      { path: ['size'], isExtra: false },
      { path: ['phones', 'a', 'port'], isExtra: false },
    ])
  })

  test('given a misspelt key, lacks nothing', () => {
    expect(check('name: x\nsiez: 1').cuts).toEqual([{ path: ['siez'], isExtra: true }])
  })

  test('given a map without a required key, lacks the whole map', () => {
    const { value, problems } = check('name: x\nphones: { a: { port: 1 }, b: { host: 7 }, c: { host: h } }')
    expect(value).toEqual({ name: 'x', phones: { c: { host: 'h' } } })
    expect(problems).toHaveLength(2)
  })

  test('given the file without a required key, is the rest of the file', () => {
    expect(check('size: 1').value).toEqual({ size: 1 })
  })

  test('given an invalid entry of a list, keeps the places of the others', () => {
    expect(check('name: x\nlist: [1, two, 3]').value).toMatchObject({ list: [1, null, 3] })
  })
})

test("messages use the caller's name for each thing", () => {
  const text = 'name: x\nlist: [1, two]\nphones: { a: { host: h, port: p } }'
  const names = (nameOf: NameOf) => check(text, nameOf).problems.map((problem) => problem.split(' ')[2])
  expect(names(wholePath)).toEqual(['list.1', 'phones.a.port'])
  expect(names(lastKey)).toEqual(['list[1]', 'port'])
})

describe('given more problems than are shown', () => {
  const many = (severity: Problem['severity'], from: number) =>
    Array.from({ length: 150 }, (_, place) => ({ file: 'a', line: from + place, column: 1, severity, message: '' }))

  test('all are counted, and the first are described', () => {
    const keys = Array.from({ length: 300 }, (_, place) => `key${place}: 1`)
    const { problems, cuts } = check(['name: x', ...keys].join('\n'))
    expect([problems.length, cuts.length]).toEqual([200, 300])
  })

  test('no error is dropped for an earlier warning', () => {
    const shown = mostUrgent([...many('warn', 1), ...many('error', 151)])
    expect(shown.map(({ severity }) => severity)).toEqual([
      ...Array.from({ length: 50 }, () => 'warn'),
      ...Array.from({ length: 150 }, () => 'error'),
    ])
    expect(shown[0]).toMatchObject({ line: 1 })
  })
})
