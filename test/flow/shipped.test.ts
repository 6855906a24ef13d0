/** The flows we ship: right, complete, and a good start for damaging them. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editorSchemaText, testSchemaText } from '../../scripts/editor-schema.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'

const folder = new URL('../../flows/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')

test.each(files)('%s has no error or warning, and has the name of its file', (name) => {
  const { flow, problems } = readFlow(name, textOf(name))
  expect(problems).toEqual([])
  expect(`${flow?.name}.yaml`).toBe(name)
})

test('the debtor flow requires every response member that its conditions read', () => {
  const { flow } = readFlow('x', textOf('debtor-self-service.yaml'), {
    teams: ['collections', 'collections-consumer', 'collections-business'],
    env: ['integrator'],
    secrets: ['caseInfo'],
  })
  expect(flow?.steps.get('lookup' as never)?.spec).toMatchObject({
    method: 'GET',
    timeoutMs: 4_000,
    retry: 1,
    required: ['caseNumber', 'closedDate', 'remainingAmount', 'paymentUrl'],
    match: { caseNumber: { source: '${caseNumber}' } },
  })
  expect(flow?.steps.size).toBe(23)
})

test('the schemas for editors are those of the parsers (npm run generate:flow-schema)', () => {
  expect(textOf('flow.schema.json')).toBe(editorSchemaText())
  expect(textOf('flow-test.schema.json')).toBe(testSchemaText())
})

describe('damaged flows', () => {
  const everything = readFileSync(new URL('./fixtures/everything.yaml', import.meta.url), 'utf8')
  const lines = [...files.map(textOf), everything].map((text) => text.split('\n'))

  test('the flow that uses every key has no problem', () => {
    expect(readFlow('everything.yaml', everything).problems).toEqual([])
  })
  const scraps = [
    '',
    '{',
    '}',
    '[',
    ']',
    ':',
    '- ',
    '"',
    "'",
    '${',
    '}',
    '&a ',
    '*a',
    '!!x ',
    '0047',
    'null',
    '  ',
    '\t',
    '#',
    '|',
    '>',
    '$..a',
    'constructor',
    '__proto__',
    '\u0000',
    '💥',
  ]
  const damage = fc.record({
    kind: fc.constantFrom('delete', 'double', 'swap', 'replace', 'indent', 'cut'),
    at: fc.nat(),
    to: fc.nat(),
    scrap: fc.constantFrom(...scraps),
  })

  function damaged(
    original: readonly string[],
    { kind, at, to, scrap }: { kind: string; at: number; to: number; scrap: string },
  ) {
    const text = [...original]
    const place = at % text.length
    const line = text[place]!
    switch (kind) {
      case 'delete':
        return text.toSpliced(place, 1)
      case 'double':
        return text.toSpliced(place, 0, line)
      case 'swap':
        return text.with(place, text[to % text.length]!).with(to % text.length, line)
      case 'indent':
        return text.with(place, `  ${line}`)
      case 'cut':
        return text.with(place, line.slice(0, to % (line.length + 1)))
      default: {
        const words = line.split(/\b/)
        return words.length === 0 ? text : text.with(place, words.with(to % words.length, scrap).join(''))
      }
    }
  }

  test('given any damage, reading never throws and every problem has its place in the file', () => {
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.array(damage, { minLength: 1, maxLength: 4 }), (original, damages) => {
        const text = damages.reduce<readonly string[]>(
          (now, one) => (now.length === 0 ? now : damaged(now, one)),
          original,
        )
        const { flow, problems } = readFlow('damaged.yaml', text.join('\n'))
        expect(flow !== undefined || problems.some(({ severity }) => severity === 'error')).toBe(true)
        for (const { file, line, column, message } of problems) {
          expect(file).toBe('damaged.yaml')
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(text.length)
          expect(column).toBeGreaterThanOrEqual(1)
          expect(column).toBeLessThanOrEqual((text[line - 1]?.length ?? 0) + 1)
          expect(message).not.toMatch(/undefined|\[object|NaN/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
