/** Emails are read in another process, and one that ends it is kept as it came. */
import { afterAll, expect, test } from 'vitest'
import { MailReaderProcess } from '../../../src/adapters/mail/mail-reader.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { email, HEAD, withFile } from './ugly-mails.ts'

const reader = new MailReaderProcess(new RealClock())
afterAll(() => reader.close())

test('one process reads all emails, and it is not ours', async () => {
  const first = await reader.read(email(...HEAD, '', 'Hello'))
  const { pid } = reader
  const second = await reader.read(withFile(1_000))
  expect([first.text.trim(), first.messageId, reader.pid === pid, pid === process.pid]).toEqual([
    'Hello',
    'one@debtor.example',
    true,
    false,
  ])
  expect(Buffer.from(second.files[0]!.bytes).toString()).toBe('A'.repeat(1_000))
  expect(second.headers.get('subject')).toBe(first.headers.get('subject'))
})

test('an email that ends the process is kept whole, and the next one is read', async () => {
  await reader.read(email(...HEAD, '', 'Hello'))
  const raw = email(...HEAD, '', 'x'.repeat(20_000_000))
  const reading = reader.read(raw)
  process.kill(reader.pid!, 'SIGKILL')
  const { text, files, from } = await reading
  expect(text).toContain('could not be read')
  expect([files.map(({ fileName, bytes }) => [fileName, bytes.length]), from]).toEqual([
    [['email.eml', raw.length]],
    undefined,
  ])
  expect((await reader.read(email(...HEAD, '', 'Again'))).text.trim()).toBe('Again')
})

test('while an email of 24 MiB of HTML is read, this process goes on with other work', async () => {
  const raw = email(...HEAD, 'Content-Type: text/html', '', '<div class="x">a</div>'.repeat(1_100_000))
  let [turns, isRead] = [0, false]
  const reading = reader.read(raw).finally(() => {
    isRead = true
  })
  for (; !isRead; turns++) await new Promise(setImmediate)
  expect((await reading).trouble).toBe('its HTML is too long')
  // Read here, it gives others about a hundred turns: one for each piece.
  expect(turns).toBeGreaterThan(1_000)
})
