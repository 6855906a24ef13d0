import { expect, test } from 'vitest'
import { makeLog, maskNumber } from '../../src/kernel/log.ts'

test('numbers are covered and secrets removed, at the top and one level down', () => {
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  log.info({ caller: '+4551234578', token: 'geheim', request: { to: '+37255512345', auth: 'Bearer geheim' } }, 'asked')
  const text = lines.join('')
  expect(text).toContain('+45••••••78')
  expect(text).not.toMatch(/geheim|51234578|55512345/)
})

test('short numbers are covered whole', () => {
  expect(maskNumber('112')).toBe('•••')
})
