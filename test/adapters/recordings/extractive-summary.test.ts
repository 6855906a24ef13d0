import { describe, expect, test } from 'vitest'
import { extractiveSummary } from '../../../src/adapters/recordings/extractive-summary.ts'
import { languageCode } from '../../../src/adapters/recordings/language-code.ts'
import { plainText } from '../../../src/adapters/recordings/plain-text.ts'
import type { Transcription } from '../../../src/ports/recordings/transcripts.ts'
import { CALL, heard } from '../../contract/office/summarise.contract.ts'

const sum = async (...calls: readonly Transcription[]) => {
  const done = await extractiveSummary.summarise(calls, new AbortController().signal)
  return done.outcome === 'done' ? done.text : done.why
}

describe('a summary without a service', () => {
  test('keeps the sentences with the matter and its numbers, in order, and omits greetings', async () => {
    const text = await sum(...CALL)
    expect(text.split('\n')).toEqual([
      'Agent: Goddag, du taler med Anna.',
      'Customer: Jeg ringer om regningen på 450 kroner i sagen 4711.',
      'Agent: Jeg kan se at regningen ikke er betalt endnu.',
      'Customer: Så betaler jeg regningen den 3. maj.',
    ])
  })

  test('is the same for the same call', async () => {
    expect(await sum(...CALL)).toBe(await sum(...CALL))
  })

  test('repeats no sentence', async () => {
    const again = ['customer', 'I want to talk about invoice 4711 today.'] as const
    const text = await sum(heard(again, ['agent', 'One moment, I am looking for it.'], again, again, again))
    expect(text.match(/invoice/g)).toHaveLength(1)
  })

  test('is short and consists of whole sentences', async () => {
    const lines = Array.from({ length: 200 }, (_, place) => {
      return [null, `Matter ${place} concerns invoice number ${place} and the payment of it.`] as const
    })
    const text = await sum(heard(...lines))
    expect(text.split('\n').length).toBeLessThanOrEqual(5)
    for (const line of text.split('\n')) expect(line).toMatch(/^Matter \d+ concerns .* of it\.$/)
  })

  test('of words of assent alone consists of these words', async () => {
    expect(await sum(heard(['agent', 'Ja.'], ['customer', 'Nej.']))).toBe('Agent: Ja.\nCustomer: Nej.')
  })
})

test.each([
  ['danish', 'da'],
  ['English', 'en'],
  ['da', 'da'],
  ['pt-br', 'pt-BR'],
  ['haitian creole', 'ht'],
  ['estonian', 'et'],
  ['zz top!', null],
  ['klingonese', null],
  ['', null],
  [7, null],
  [undefined, null],
])('the language %s is %s', (said, code) => {
  expect(languageCode(said)).toBe(code)
})

test('plain text has no broken surrogate pairs and no terminal control characters', () => {
  expect(plainText('  a\tb\r\nc\u0007\u0085\ufeff  ', 100)).toBe('a b\nc')
  expect(plainText(`aa${'😀'.repeat(100)}`, 10)).toBe('aa😀😀😀…')
  expect(plainText('\ud800', 10)).toBe('\ufffd')
  expect(plainText('One two three four', 10)).toBe('One two…')
})
