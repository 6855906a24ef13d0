/** Emails are read in another process, and one that ends it is kept as it came. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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

test('while no process can be started emails are refused for now, and the next one gets a process', async () => {
  const other = new MailReaderProcess(new RealClock())
  const { execPath } = process
  process.execPath = '/nowhere/node'
  try {
    await expect(other.read(email(...HEAD, '', 'Hello'))).rejects.toThrow('ENOENT')
    await expect(other.read(email(...HEAD, '', 'Hello'))).rejects.toThrow('ENOENT')
  } finally {
    process.execPath = execPath
  }
  expect((await other.read(email(...HEAD, '', 'Again'))).text.trim()).toBe('Again')
  other.close()
})

test('so it is in a process that has no file descriptors left for a while', async () => {
  const script = `
    import { closeSync, openSync } from 'node:fs'
    import { MailReaderProcess } from './src/adapters/mail/mail-reader.ts'
    import { RealClock } from './src/kernel/clock.ts'
    const reader = new MailReaderProcess(new RealClock())
    const read = () => reader.read(Buffer.from('Message-ID: <one@x>\\r\\n\\r\\nHello')).then(
      ({ messageId }) => console.log(messageId), ({ code }) => console.log(code))
    const open = []
    try { for (;;) open.push(openSync('/dev/null')) } catch {}
    await read()
    await read()
    for (const one of open) closeSync(one)
    await read()
    reader.close()`
  const args = ['-c', 'ulimit -n 64; exec "$0" --input-type=module-typescript -e "$1"', process.execPath, script]
  const { stdout } = await promisify(execFile)('sh', args)
  expect(stdout.trim().split('\n')).toEqual(['EMFILE', 'EMFILE', 'one@x'])
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
