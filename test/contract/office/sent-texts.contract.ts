import { describe, expect, test } from 'vitest'
import type { SentTexts, TextLimits, TextToNote } from '../../../src/ports/calls/sent-texts.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 27, 12)
const LIMITS: TextLimits = { ofNumber: 2, ofCase: 1, ofCountry: 2, ofAll: 5 }

/** The suite of whatever counts the texts of a day. */
export function sentTextsContract(name: string, open: () => Promise<SentTexts>): void {
  describe(`texts of a day: ${name}`, () => {
    const noted = async (...texts: Partial<TextToNote>[]) => {
      const sent = await open()
      const results: string[] = []
      for (const [place, text] of texts.entries()) {
        const whole = { key: `call-${place}/pay/1`, number: `+4520${place}`, atMs: NOW, ...text }
        results.push(await sent.note(whole, LIMITS))
      }
      return { sent, results }
    }

    test('a number gets so many in 24 hours', async () => {
      const number = '+4520123456'
      const later = { number, atMs: NOW + 24 * HOUR_MS }
      const { results } = await noted({ number }, { number }, { number }, {}, later)
      expect(results).toEqual(['noted', 'noted', 'ofNumber', 'noted', 'noted'])
    })

    test('a case gets those of one call in an hour', async () => {
      const caseNumber = 'C-1'
      const first = { caseNumber, key: 'call-0/pay/1' }
      const later = { caseNumber, key: 'other/pay/2', atMs: NOW + HOUR_MS }
      const { results } = await noted(first, { ...first, key: 'call-0/pay/2' }, { caseNumber }, later)
      expect(results).toEqual(['noted', 'noted', 'ofCase', 'noted'])
    })

    test('another country gets so many, and so does the whole world', async () => {
      const abroad = 'SE'
      const { results } = await noted({ abroad }, { abroad }, { abroad }, { abroad: 'NO' }, {}, {}, {})
      expect(results).toEqual(['noted', 'noted', 'ofCountry', 'noted', 'noted', 'noted', 'ofAll'])
    })

    test('what did not leave is not counted', async () => {
      const number = '+4520123456'
      const { sent } = await noted({ number }, { number })
      await sent.forget('call-1/pay/1')
      expect(await sent.note({ key: 'again/pay/1', number, atMs: NOW }, LIMITS)).toBe('noted')
      expect(await sent.note({ key: 'more/pay/1', number, atMs: NOW }, LIMITS)).toBe('ofNumber')
    })

    test('of many at one instant no more pass than one after another', async () => {
      const sent = await open()
      const many = Array.from({ length: 10 }, (_, place) => ({
        key: `c${place}/pay/1`,
        number: '+4520123456',
        atMs: NOW,
      }))
      const results = await Promise.all(many.map((text) => sent.note(text, LIMITS)))
      expect(results.filter((one) => one === 'noted')).toHaveLength(LIMITS.ofNumber)
    })
  })
}
