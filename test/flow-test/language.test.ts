/** The language of a call in tests of flows. */
import { expect, test } from 'vitest'
import { faultsOf } from './faults-of.ts'

const BYE = 'bye: { hangup: { say: Goodbye. } }'

test('a text message has the words of the language of the call', () => {
  const steps = `languages: [en, da]
steps:
  first:
    sms: { text: { en: "Your number is \${call.called}.", da: "Dit nummer er \${call.called}." } }
    next: bye
    on: { failed: bye }
  ${BYE}
`
  const sends = (language: string, words: string) =>
    `  - test: ${language}\n    given: { language: ${language} }\n    call: [{ expect: { sms: ${words} } }]\n`
  expect(faultsOf(steps, sends('da', 'Dit nummer er') + sends('en', 'Your number is'))).toEqual([])
  expect(faultsOf(steps, sends('da', 'Your number is'))).toHaveLength(1)
})
