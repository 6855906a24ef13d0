/** Sign-on to a real Dovecot over TLS, and every failure before the first email. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImapMailbox, imapPoll, visitMailbox } from '../../../src/adapters/mail/imap-poll.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import { type TestDovecot, testDovecot } from '../../support/dovecot.ts'
import { imapServer, installMailServers } from '../../support/mail-servers.ts'
import { MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { email, HEAD } from './ugly-mails.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-dovecot-'))
chmodSync(directory, 0o755)
const trusted = getCACertificates('default')
let world: Awaited<ReturnType<typeof openIntakeWorld>>
let server: TestDovecot
beforeAll(async () => {
  await installMailServers()
  world = await openIntakeWorld()
  server = await testDovecot(directory)
})
afterAll(async () => {
  await server.close()
  await world.close()
  rmSync(directory, { recursive: true, force: true })
})

const lines: string[] = []
const log = makeLog('debug', { write: (line: string) => void lines.push(line) })
const account = (change: Partial<ImapMailbox>): ImapMailbox => {
  const place = { host: 'localhost', port: server.tlsPort, tls: 'implicit' } as const
  return { ...place, username: 'help', password: 'secret', folder: 'INBOX', everyMs: 1_000, ...change }
}
const parts = (change: Partial<ImapMailbox> = {}) => ({
  ...world,
  log,
  mailbox: MAILBOXES[0]!,
  imap: account(change),
})
const visit = (change: Partial<ImapMailbox> = {}) => visitMailbox(parts(change))
const trust = (certificates: readonly string[]) => setDefaultCACertificates([...trusted, ...certificates])

async function put(id: string): Promise<void> {
  const auth = { user: 'help', pass: 'secret' }
  const ca = { tls: { ca: server.certificate } }
  const client = new ImapFlow({ host: 'localhost', port: server.tlsPort, secure: true, logger: false, auth, ...ca })
  await client.connect()
  await client.append(
    'INBOX',
    email(...HEAD.filter((line) => !line.startsWith('Message-ID')), `Message-ID: <${id}>`, '', 'x'),
  )
  await client.logout()
}
const signedOn = () => server.log().match(/Login: user=<help>/g)?.length ?? 0

test('given a trusted certificate, new email is fetched, over TLS and with STARTTLS', async () => {
  trust([server.certificate])
  await put('tls1@x')
  expect(await visit()).toBe(1)
  await put('tls2@x')
  expect(await visit({ tls: 'starttls', port: server.port })).toBe(1)
  expect((await world.emails()).map(({ messageId }) => messageId)).toEqual(['tls1@x', 'tls2@x'])
  expect(server.log()).not.toMatch(/Login: (?!.*\bTLS\b)/)
})

test('given a certificate of an untrusted authority, the password is not sent', async () => {
  trust([])
  const before = signedOn()
  for (const change of [{}, { tls: 'starttls', port: server.port }] as const) {
    await expect(visit(change)).rejects.toThrow(/self-signed certificate/)
  }
  expect(signedOn()).toBe(before)
})

test('given a certificate for another name, the password is not sent', async () => {
  trust([server.certificate])
  const before = signedOn()
  await expect(visit({ host: '127.0.0.1' })).rejects.toThrow(/does not match certificate/)
  await expect(visit({ host: '127.0.0.1', tls: 'starttls', port: server.port })).rejects.toThrow(/does not match/)
  expect(signedOn()).toBe(before)
})

test('given a wrong password, the log says so, and the next visit resumes', async () => {
  trust([server.certificate])
  await put('later@x')
  await expect(visit({ password: 'wrong-canary' })).rejects.toThrow(/AUTHENTICATIONFAILED/)
  expect(await visit()).toBe(1)
})

test('given a server without STARTTLS, no email is fetched', async () => {
  const plain = await imapServer(join(directory, 'plain'))
  await expect(visit({ tls: 'starttls', port: plain.port })).rejects.toThrow(/STARTTLS/)
  await plain.close()
})

test('given a mailbox that cannot be read, the log names the mailbox and the cause, and no password', async () => {
  trust([server.certificate])
  lines.length = 0
  const poll = imapPoll(parts({ password: 'wrong-canary' }))
  poll.start()
  await expect.poll(() => lines.join(''), { interval: 10 }).toContain('a mailbox could not be read')
  await poll.stop()
  expect(lines.join('')).toMatch(/"mailbox":"Help","server":"localhost".*AUTHENTICATIONFAILED/)
  expect(lines.join('')).not.toContain('wrong-canary')
})
