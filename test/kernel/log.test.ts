import { expect, test } from 'vitest'
import { makeLog, maskNumber } from '../../src/kernel/log.ts'

test('numbers are masked and secrets removed, at the top and one level down', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  log.info({ caller: '+4551234578', token: 'geheim', request: { to: '+37255512345', auth: 'Bearer geheim' } }, 'asked')
  const text = lines.join('')
  expect(text).toContain('+45••••••78')
  expect(text).not.toMatch(/geheim|51234578|55512345/)
})

test('short numbers are masked whole', () => {
  expect(maskNumber('112')).toBe('•••')
})

test('foreign texts lose numbers and addresses, anywhere in the text', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  log.warn({ why: 'no route to sip:+4551234578@host', error: 'for jane.doe@example.com' }, 'it failed')
  expect(lines.join('')).toContain('+45••••••78')
  expect(lines.join('')).not.toMatch(/51234578|jane|doe/)
})

test('errors say what and where, and include no data (F-K1)', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const detail = 'Failing row contains (7, Jane Doe).'
  const ofRow = Object.assign(new Error('violates check constraint "c"'), { code: '23514', constraint: 'c', detail })
  const ofValue = Object.assign(new Error('invalid input syntax for type bigint: "Jane Doe"'), { code: '22P02' })
  const ofText = (() => {
    try {
      return JSON.parse('Jane Doe')
    } catch (error) {
      return error
    }
  })()
  for (const err of [ofRow, ofValue, ofText, new Error('outside', { cause: ofRow })]) log.error({ err }, 'our mistake')
  const errors = lines.map((line) => JSON.parse(line).err)
  expect(lines.join('')).not.toMatch(/Jane|Doe/)
  expect(errors[0]).toMatchObject({
    type: 'Error',
    message: 'violates check constraint "c"',
    code: '23514',
    constraint: 'c',
  })
  expect(errors[0].stack).toContain('log.test.ts')
  expect(errors[1].message).toBe('invalid input syntax for type bigint: "…"')
  expect(errors[3].cause.code).toBe('23514')
})
