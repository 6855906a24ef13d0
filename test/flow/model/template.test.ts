import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillSecrets, fillValue, render, renderUrl } from '../../../src/flow/model/template.ts'
import { parseTemplate } from '../../../src/flow/model/template-parser.ts'

const english = { language: 'en' }
const caseInfo = {
  caseNumber: '4711',
  remainingAmount: 120.5,
  closedDate: null,
  'payment url': 'https://pay.example/x',
}
const scope = { caseInfo, lines: [{ n: 1 }], empty: '', env: { integrator: 'https://integrator.example:8443/api' } }

function parse(text: string) {
  const read = parseTemplate(text)
  if (!read.ok) throw new Error(`${text}: ${read.message}`)
  return read.template
}

const textOf = (text: string, values: Record<string, unknown> = scope) => render(parse(text), values, english)

describe('reading', () => {
  test.each([
    ['${', 0, 'is not closed'],
    ['a ${b', 2, 'is not closed'],
    ['${}', 2, 'write a path'],
    ['${a.}', 4, 'name of one member'],
    ['${a b}', 4, 'is not allowed inside'],
    ['${a[x]}', 3, "['pay url']"],
    ['${a | money}', 4, 'needs a currency'],
    ['${a | money EURO}', 4, 'no currency "EURO"'],
    ['${a | mony EUR}', 4, 'did you mean "money"?'],
    ['${a | default x}', 4, 'in quotes'],
    ["${a | digits | default 'x'}", 13, 'at most one filter'],
    ['${secret}', 2, '${secret.name}'],
    ["${secret.key | default 'x'}", 2, 'has no filter'],
  ])('given %s the mistake is named at its place', (text, offset, message) => {
    expect(parseTemplate(text)).toMatchObject({ ok: false, offset, message: expect.stringContaining(message) })
  })

  test('a template is plain data and knows what it reads', () => {
    const template = parse("A ${caseInfo.caseNumber} ${$.caseInfo['payment url']} ${lines[0].n} ${secret.key}")
    expect(JSON.parse(JSON.stringify(template))).toEqual(template)
    expect(template.paths.map(({ parts }) => parts)).toEqual([
      ['caseInfo', 'caseNumber'],
      ['caseInfo', 'payment url'],
      ['lines', 0, 'n'],
    ])
  })

  test('given any text, parsing ends and never throws', () => {
    const pieces = fc.constantFrom('${', '}', 'a', '.', '[', ']', "'", '|', ' ', 'money', 'EUR', 'secret', '$', '0')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (texts) => {
        const text = texts.join('')
        const read = parseTemplate(text)
        if (!read.ok) expect(read.offset).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

describe('writing', () => {
  test.each([
    ['Case ${caseInfo.caseNumber}', 'Case 4711'],
    ['${caseInfo.remainingAmount | money EUR} to pay', '€120.50 to pay'],
    ["${$.caseInfo['payment url']}", 'https://pay.example/x'],
    ['${lines[0].n}', '1'],
    ['${caseInfo.caseNumber | digits}', '4, 7, 1, 1'],
    ["${caseInfo.closedDate | default 'never'}", 'never'],
    ["${nobody | default ''}", ''],
    ['no values, $5 and {braces}', 'no values, $5 and {braces}'],
  ])('%s becomes %s', (text, expected) => {
    expect(textOf(text)).toEqual({ ok: true, text: expected })
  })

  test.each(['${nobody}', '${caseInfo.closedDate}', '${caseInfo}', '${caseInfo.caseNumber.length}', '${lines.length}'])(
    'given %s, a value that is missing, null or no text, nothing is written',
    (text) => {
      expect(textOf(`A ${text} B`)).toMatchObject({ ok: false, missing: text.slice(2, -1) })
    },
  )

  test.each(['constructor', '__proto__', 'toString', 'caseInfo.constructor', 'caseInfo.__proto__.polluted'])(
    'given the path %s, what every object inherits is missing',
    (path) => {
      expect(textOf(`\${${path}}`)).toMatchObject({ ok: false, missing: path })
    },
  )

  test.each([['x'], [{}], [[]], [true], ['1,5'], [Number.NaN], ['1e999']])(
    'given the amount %j, no NaN is written',
    (amount) => {
      expect(textOf('${amount | money EUR}', { amount })).toMatchObject({ ok: false, missing: 'amount' })
    },
  )

  test('dates are formatted as written, or in the requested zone', () => {
    const at = { at: '2026-03-02T23:30:00+02:00' }
    expect(render(parse('${at | date} ${at | time}'), at, english)).toEqual({ ok: true, text: 'Mar 2, 2026 11:30 PM' })
    const inTokyo = parse('${at | date Asia/Tokyo} ${at | time Asia/Tokyo}')
    expect(render(inTokyo, at, english)).toEqual({ ok: true, text: 'Mar 3, 2026 6:30 AM' })
  })

  test('given an endless value, the text is refused', () => {
    expect(textOf('${long}', { long: 'x'.repeat(60_000) })).toMatchObject({ ok: false })
  })
})

describe('values for bodies and variables', () => {
  test.each([
    ['${caseInfo.remainingAmount}', 120.5],
    ['${lines}', [{ n: 1 }]],
    ['${caseInfo.closedDate}', null],
    ["${caseInfo.closedDate | default 'x'}", 'x'],
    ['${caseInfo.remainingAmount} ', '120.5 '],
    ['${caseInfo.remainingAmount | money EUR}', '€120.50'],
    ['plain', 'plain'],
  ])('%s becomes %j', (text, value) => {
    expect(fillValue(parse(text), scope, english)).toEqual({ ok: true, value })
  })

  test('a missing value is an error', () => {
    expect(fillValue(parse('${nobody}'), scope, english)).toMatchObject({ ok: false, missing: 'nobody' })
  })
})

describe('addresses', () => {
  const url = (caseNumber: unknown, text = '${env.integrator}/CaseInfo/${caseNumber}') =>
    renderUrl(parse(text), { ...scope, caseNumber }, english)

  test('values are percent-encoded, the base is not', () => {
    expect(url('47/11 ?#&õ')).toEqual({
      ok: true,
      text: 'https://integrator.example:8443/api/CaseInfo/47%2F11%20%3F%23%26%C3%B5',
    })
  })

  test('an env value that is not the base is a value like any other', () => {
    const text = 'https://a.example/?to=${env.integrator}'
    expect(url('', text)).toMatchObject({ ok: true, text: expect.stringContaining('?to=https%3A%2F%2F') })
  })

  test.each(['..', '.', '', null, undefined, {}])('given the case number %j, no request is sent', (value) => {
    expect(url(value)).toMatchObject({ ok: false })
  })

  test('given half a character, the address is still well-formed', () => {
    expect(url('a\ud800')).toMatchObject({ ok: true, text: expect.stringMatching(/a%EF%BF%BD$/) })
  })

  test('given any value, it never leaves its path segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        const rendered = url(value)
        if (!rendered.ok) return
        const { host, pathname, search, hash } = new URL(rendered.text)
        expect([host, pathname.split('/').length, search, hash]).toEqual(['integrator.example:8443', 4, '', ''])
      }),
    )
  })
})

describe('secrets', () => {
  const secrets: Record<string, string> = { caseInfo: 'k3y', other: 'private' }
  const lookUpSecret = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined)

  test('a secret stays a placeholder until the request is sent', () => {
    const rendered = textOf('Bearer ${secret.caseInfo} for ${caseInfo.caseNumber}')
    expect(rendered).toEqual({ ok: true, text: 'Bearer ${secret.caseInfo} for 4711' })
    expect(fillSecrets('Bearer ${secret.caseInfo} for 4711', lookUpSecret)).toBe('Bearer k3y for 4711')
  })

  test('given an unknown secret, nothing is filled in', () => {
    expect(fillSecrets('${secret.constructor}', lookUpSecret)).toBeUndefined()
  })

  test('given a secret that looks like a placeholder, it is not expanded again', () => {
    expect(fillSecrets('${secret.a}', (name) => (name === 'a' ? '${secret.other}' : 'private'))).toBe('${secret.other}')
  })

  test.each([
    [{ a: '${secret.other}', b: '' }],
    [{ a: '$', b: '{secret.other}' }],
    [{ a: '${sec', b: 'ret.other}' }],
    [{ a: '${secret.caseInfo} ${secret.other}', b: '' }],
  ])('given call data %j that forms the mark of a secret, the text is refused', (values) => {
    expect(textOf('${secret.caseInfo} ${a}${b}', values)).toMatchObject({ ok: false })
    expect(textOf('${a}${b}', values)).toMatchObject({ ok: false })
  })

  test('given any call data, it never reveals a secret', () => {
    const piece = fc.constantFrom('$', '{', 'secret', '.', 'other', '}', '${secret.', 'x')
    const value = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const rendered = textOf('${a}${b}{secret.other}${secret.caseInfo}${c}', { a, b, c })
        if (rendered.ok) expect(fillSecrets(rendered.text, lookUpSecret)).not.toContain('private')
      }),
    )
  })
})
