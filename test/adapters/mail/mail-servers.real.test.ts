/** Email with real servers: Dovecot's IMAP, Postfix's smtp-sink and smtp-source. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitMailbox } from '../../../src/adapters/mail/imap-poll.ts'
import { readMail } from '../../../src/adapters/mail/parse-mail.ts'
import { startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { smtpMail } from '../../../src/adapters/mail/smtp-mail.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { outgoing } from '../../contract/office/mail.contract.ts'
import { HELP } from '../../store/mail/mail-world.ts'
import { imapServer, installMailServers, smtpSink, smtpSource } from '../../support/mail-servers.ts'
import { bring, MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { tornMails } from './torn-words.ts'
import { email, HEAD, withFile } from './ugly-mails.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-real-mail-'))
// Started by root, Dovecot reads as another user.
chmodSync(directory, 0o755)
let world: Awaited<ReturnType<typeof openIntakeWorld>>
beforeAll(async () => {
  await installMailServers()
  world = await openIntakeWorld()
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true, force: true })
})

const message = (id: string, text = 'Hello') => {
  return email(...HEAD.filter((line) => !line.startsWith('Message-ID')), `Message-ID: <${id}>`, '', text)
}
const ids = async (): Promise<string[]> => (await world.emails()).map(({ messageId }) => messageId)

describe('a mailbox of a real Dovecot', () => {
  let server: Awaited<ReturnType<typeof imapServer>>
  beforeAll(async () => {
    server = await imapServer(join(directory, 'imap'))
  })
  afterAll(() => server.close())

  const clientOf = () => {
    const auth = { user: 'help', pass: 'secret' }
    return new ImapFlow({ host: '127.0.0.1', port: server.port, secure: false, logger: false, auth })
  }
  const put = async (...messages: readonly Buffer[]) => {
    const client = clientOf()
    await client.connect()
    for (const raw of messages) await client.append('INBOX', raw)
    await client.logout()
  }
  const visit = () => {
    const account = { host: '127.0.0.1', port: server.port, tls: 'none', username: 'help', password: 'secret' } as const
    const imap = { ...account, folder: 'INBOX', everyMs: 1_000 }
    return visitMailbox({ ...world, log: silentLog, mailbox: MAILBOXES[0]!, imap })
  }

  test('new email is fetched once, oldest first', async () => {
    expect(await visit()).toBe(0)
    await put(message('i1@x'), message('i2@x'))
    expect(await visit()).toBe(2)
    expect(await visit()).toBe(0)
    await put(message('i3@x'))
    expect(await visit()).toBe(1)
    expect(await ids()).toEqual(['i1@x', 'i2@x', 'i3@x'])
  })

  test('given that the connection is cut, the next visit resumes where it stopped', async () => {
    await put(message('j1@x'), message('j2@x'), message('j3@x'))
    server.cutAt(/UID FETCH 5 /i)
    await expect(visit()).rejects.toThrow()
    expect((await ids()).slice(3)).toEqual(['j1@x'])
    expect(await visit()).toBe(2)
    expect((await ids()).slice(3)).toEqual(['j1@x', 'j2@x', 'j3@x'])
  })

  test('given new UIDs for the same emails, no email is stored twice', async () => {
    server.renumber()
    expect(await visit()).toBe(6)
    expect(await ids()).toHaveLength(6)
    expect(await visit()).toBe(0)
  })

  test('given more than 25 MiB, the head is stored and says where the rest is', async () => {
    await put(withFile(20 * 1024 * 1024))
    expect(await visit()).toBe(1)
    const { id } = (await world.emails()).at(-1)
    const found = await world.mails.find(id, [MAILBOXES[0]!.corporation])
    expect(found).toMatchObject({ messageId: 'one@debtor.example', subject: 'My invoice' })
    expect(found?.text).toMatch(/^This email has \d+ bytes/)
  })

  test('given more than a visit takes, the oldest come first, and the others with the next visit', async () => {
    const before = (await ids()).length
    const names = Array.from({ length: 102 }, (_, place) => `k${place}@x`)
    await put(...names.map((name) => message(name)))
    expect(await visit()).toBe(100)
    expect((await ids()).slice(before)).toEqual(names.slice(0, 100))
    expect(await visit()).toBe(2)
    expect((await ids()).slice(before)).toEqual(names)
  })
})

test('an email that we send arrives whole at a real SMTP server', async () => {
  const sink = await smtpSink(join(directory, 'sink'))
  const mail = smtpMail({ host: '127.0.0.1', port: sink.port, username: undefined, password: undefined, tls: 'none' })
  const picture = { kind: 'inline image', fileName: 'logo.png', mimeType: 'image/png', contentId: 'logo@us' } as const
  const message = outgoing('petra@debtor.example', {
    subject: '[#12] Teie võlg',
    html: '<p>Tere</p><img src="cid:logo@us">',
    text: '.\r\n.. Tere',
    inReplyTo: 'a@b',
    references: ['z@b', 'a@b'],
    files: [{ ...picture, bytes: Buffer.from('picture') }],
  })
  expect(await mail.send(message)).toEqual({ outcome: 'sent', refused: [] })
  await sink.close()
  const all = await Promise.all(sink.mails().map((raw) => readMail(raw, new RealClock())))
  const arrived = all.find(({ messageId }) => messageId === message.messageId)
  const { subject, html, references } = message
  expect(arrived).toMatchObject({ subject, references, inReplyTo: ['a@b'], from: { address: HELP, name: 'Help' } })
  expect(arrived?.html?.trim()).toBe(html)
  expect(arrived?.text.trim()).toBe('.\n.. Tere')
  expect(arrived?.files).toMatchObject([{ kind: 'inline image', contentId: 'logo@us', fileName: 'logo.png' }])
})

test('several concurrent emails of a real SMTP client are stored', async () => {
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  const server = await startSmtpIntake(world.intake, place)
  const before = (await ids()).length
  await smtpSource(server.port, HELP, 20)
  await server.close()
  expect((await ids()).length).toBe(before + 20)
})

describe('a mailbox of emails that broken programs wrote', () => {
  let server: Awaited<ReturnType<typeof imapServer>>
  beforeAll(async () => {
    server = await imapServer(join(directory, 'torn'))
  })
  afterAll(() => server.close())

  test('one whose addresses cannot be read is kept, and those after it are taken', async () => {
    const account = { host: '127.0.0.1', port: server.port, tls: 'none', username: 'help', password: 'secret' } as const
    const before = (await ids()).length
    const { host, port } = account
    const client = new ImapFlow({ host, port, secure: false, logger: false, auth: { user: 'help', pass: 'secret' } })
    await client.connect()
    const first = email(...HEAD.slice(0, 4), 'Message-ID: <cc@x>', 'Cc: =?utf-16le?B?cABlAHIAQAAA2A==?=', '', 'x')
    for (const raw of [first, ...tornMails(60, 1), message('after@x')]) await client.append('INBOX', raw)
    await client.logout()
    const imap = { ...account, folder: 'INBOX', everyMs: 1_000 }
    expect(await visitMailbox({ ...world, log: silentLog, mailbox: MAILBOXES[1]!, imap })).toBe(62)
    expect((await ids()).slice(before)).toEqual(expect.arrayContaining(['cc@x', 'after@x']))
    const kept = await world.rows(`select f.size_bytes as bytes from files f join emails e using (activity_id)
      where e.message_id = 'cc@x' and f.file_name = 'email.eml'`)
    expect(kept).toEqual([{ bytes: first.length }])
  })
})

test('SMTP takes them as well', async () => {
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  const server = await startSmtpIntake(world.intake, place)
  for (const raw of tornMails(60, 2)) expect((await bring(server.port, raw)).code).toBe(250)
  await server.close()
})
