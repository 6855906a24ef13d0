import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPopupTemplate, POPUP_VARIABLES, popupUrl } from '../../src/acd/screen-pop.ts'

const TEMPLATE = 'https://debt.example.com/popup?caseNumber={$CODE}&caller={$CALLER}'

describe('the template of a page', () => {
  test.each([
    TEMPLATE,
    'http://127.0.0.1:8080/cases/{$CODE}',
    'https://debt.example.com/',
    'HTTPS://debt.example.com/{$ITCAID}/{$EACTID}#{$EXTCUSTID}',
    'https://[::1]:8443/{$CALLED}',
  ])('%s is right', (template) => {
    expect(checkPopupTemplate(template)).toBeUndefined()
  })

  test.each([
    ['', 'must begin with https'],
    ['javascript:alert({$CODE})', 'must begin with https'],
    ['data:text/html,{$CODE}', 'must begin with https'],
    ['//debt.example.com/{$CODE}', 'must begin with https'],
    ['https://{$CODE}.example.com/', 'before the first variable'],
    ['https://debt.example.com{$CODE}/', 'before the first variable'],
    ['https://debt.example.com:{$CODE}/', 'before the first variable'],
    ['https://debt.example.com?x={$CODE}', 'before the first variable'],
    ['https://debt.example.com', 'before the first variable'],
    ['https:///{$CODE}', 'before the first variable'],
    ['https://debt.example.com\\@evil.example/{$CODE}', 'before the first variable'],
    ['https://user:pass@debt.example.com/{$CODE}', 'user name'],
    ['https://debt.example.com/{$CASE}', 'variable that does not exist'],
    ['https://debt.example.com/{CODE}', 'brace'],
    ['https://debt.example.com/{$CODE', 'brace'],
    ['https://debt.example.com/a b', 'blank'],
    ['https://debt.example.com/\n{$CODE}', 'blank'],
    [`https://debt.example.com/${'x'.repeat(1_000)}`, 'longer than 1000'],
  ])('%j is refused', (template, why) => {
    expect(checkPopupTemplate(template)).toContain(why)
    expect(popupUrl(template, { CODE: '1' })).toBeUndefined()
  })
})

describe('the address of a page', () => {
  test('carries the case number and the caller’s number', () => {
    expect(popupUrl(TEMPLATE, { CODE: '4711', CALLER: '+4512345678' })).toBe(
      'https://debt.example.com/popup?caseNumber=4711&caller=%2B4512345678',
    )
  })

  test('unknown values are empty', () => {
    expect(popupUrl(TEMPLATE, {})).toBe('https://debt.example.com/popup?caseNumber=&caller=')
  })

  test('given any values, leads to the same host and path, and gives them back unchanged', () => {
    const template = `https://debt.example.com/popup?${POPUP_VARIABLES.map((name) => `${name}={$${name}}`).join('&')}`
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('../..', '&x=1', '#', '\'"><script>', '%2e'))
    fc.assert(
      fc.property(fc.record({ CODE: value, CALLER: value }), (values) => {
        const url = new URL(popupUrl(template, values) ?? '')
        expect(url.origin + url.pathname + url.hash).toBe('https://debt.example.com/popup')
        expect([...url.searchParams.keys()]).toEqual([...POPUP_VARIABLES])
        const isDots = /^\.+$/.test(values.CODE)
        expect(url.searchParams.get('CODE')).toBe(isDots ? '' : values.CODE.toWellFormed())
      }),
    )
  })

  test('a value cannot escape its path', () => {
    expect(popupUrl('https://debt.example.com/a/{$CODE}/b', { CODE: '..' })).toBe('https://debt.example.com/a//b')
    expect(popupUrl('https://debt.example.com/a/{$CODE}/b', { CODE: '../x' })).toBe(
      'https://debt.example.com/a/..%2Fx/b',
    )
  })
})
