import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { postgresMails } from '../../../src/store/mail/mail-repository.ts'
import { deafToCommit } from '../../store/db/plant-fault.ts'
import { HELP, OURS } from '../../store/mail/mail-world.ts'
import { bring, MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { readerHere } from './reader-here.ts'
import { email, HEAD, multipart, withFile } from './ugly-mails.ts'

let world: Awaited<ReturnType<typeof openIntakeWorld>>
const servers: SmtpIntake[] = []
const start = async (intake: MailIntake, protocol: 'smtp' | 'lmtp' = 'smtp') => {
  const server = await startSmtpIntake(intake, {
    host: '127.0.0.1',
    port: 0,
    protocol,
    tls: undefined,
    log: silentLog,
  })
  servers.push(server)
  return server.port
}
beforeAll(async () => {
  world = await openIntakeWorld()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await world.close()
})
const message = (id: string, ...lines: readonly string[]) => {
  const head = HEAD.filter((line) => !line.startsWith('Message-ID'))
  return email(...head, `Message-ID: <${id}>`, ...(lines.length > 0 ? lines : ['', 'Hello']))
}

describe.each(['smtp', 'lmtp'] as const)('email by %s', (protocol) => {
  const lmtp = protocol === 'lmtp'

  test('to one of our mailboxes is stored before the reply, with its files', async () => {
    const port = await start(world.intake, protocol)
    const file = ['Content-Type: text/plain; name="../a.txt"', 'Content-Disposition: attachment', '', 'file']
    const raw = message(`${protocol}1@x`, ...multipart('m', ['Content-Type: text/html', '', '<b>Hi</b>'], file))
    expect(await bring(port, raw, { lmtp })).toMatchObject({ code: 250 })
    const { id } = (await world.emails()).find(({ messageId }) => messageId === `${protocol}1@x`)
    const found = await world.mails.find(id, [OURS])
    expect(found?.files.map(({ kind, fileName, mimeType }) => [kind, fileName, mimeType])).toEqual([
      ['email content', 'content.html', 'text/html'],
      ['attachment', 'a.txt', 'text/plain'],
    ])
    const bytes = await world.fileStore.read(found!.files[0]!.storage)
    expect(Buffer.concat(await bytes!.toArray()).toString()).toMatch(/^<b>Hi<\/b>/)
  })

  test('to any other address is refused: there is no relay', async () => {
    const port = await start(world.intake, protocol)
    const before = await world.emails()
    expect(await bring(port, message('r@x'), { to: ['victim@elsewhere.example'], lmtp })).toMatchObject({ code: 550 })
    expect(await world.emails()).toEqual(before)
  })
})

describe('the mail intake', () => {
  test('brought twice, or to two mailboxes, an email is stored once and leaves no spare bytes behind', async () => {
    const port = await start(world.intake)
    const raw = message('twice@x')
    expect(await bring(port, raw, { to: [HELP, 'INFO@us.example'] })).toMatchObject({ code: 250 })
    const files = world.filesOnDisk()
    expect(await bring(port, raw)).toMatchObject({ code: 250 })
    expect((await world.emails()).filter(({ messageId }) => messageId === 'twice@x')).toHaveLength(1)
    expect(world.filesOnDisk()).toBe(files)
  })

  test('brought twice, an email with a date that nobody can read is stored once, as of its arrival', async () => {
    const port = await start(world.intake)
    const lines = HEAD.filter((line) => !/^(Date|Message-ID)/.test(line))
    const raw = email(...lines, 'Date: Do, 1 Okt 2026 10:00:00 MEZ', 'Message-ID: <okt@x>', '', 'Hello')
    const [before, cases] = [await world.emails(), 'select count(*) from cases']
    for (let times = 0; times < 2; times++) expect(await bring(port, raw)).toMatchObject({ code: 250 })
    const [opened] = await world.rows(cases)
    expect((await world.emails()).slice(before.length).map(({ messageId }) => messageId)).toEqual(['okt@x'])
    const [{ at, arrived }] = await world.rows(`select sent_at_ms as at, created_at_ms as arrived from emails e
      join activities a on a.id = e.activity_id where message_id = 'okt@x'`)
    expect([at, await world.rows(cases)]).toEqual([arrived, [opened]])
  })

  test.each([
    ['CR CR LF', '\r\r\n'],
    ['CR alone', '\r'],
  ])('fetched from a mailbox, lines that end with %s are read, and lose no word', async (name, end) => {
    const raw = Buffer.from(
      [...HEAD.slice(0, 4), `Message-ID: <${name.replaceAll(' ', '')}@x>`, '', 'one', 'two'].join(end),
    )
    await world.intake.take(raw, MAILBOXES[0]!, undefined)
    const [kept] = await world.rows('select sender, body_text as text from emails order by activity_id desc limit 1')
    expect([kept.sender, kept.text.trim().split(/\s+/)]).toEqual(['petra@debtor.example', ['one', 'two']])
  })

  test.each([
    ['none', []],
    ['a blank in it', ['From: Petra <petra @debtor.example>']],
    ['a broken charset', ['From: =?utf-16le?B?cABlAHIAQAAA2A==?=']],
  ])('given a sender with %s, the email opens a case', async (_, from) => {
    const port = await start(world.intake)
    const cases = async () => (await world.rows('select count(*) as count from cases'))[0].count
    const before = await cases()
    const raw = email(...from, ...HEAD.slice(1, 4), '', `I paid ${from.length} ${from[0]}`)
    expect(await bring(port, raw)).toMatchObject({ code: 250 })
    expect(await cases()).toBe(before + 1)
  })

  test('given 25 MiB, the email is stored; a larger one is refused and leaves nothing', async () => {
    const port = await start(world.intake)
    const large = withFile(18 * 1024 * 1024)
    expect(large.length).toBeLessThan(25 * 1024 * 1024)
    expect(await bring(port, large)).toMatchObject({ code: 250 })
    const files = world.filesOnDisk()
    expect(await bring(port, withFile(20 * 1024 * 1024))).toMatchObject({ code: 552 })
    expect(world.filesOnDisk()).toBe(files)
  })

  test('given that the database is away, the email is deferred to its sender, and no bytes remain', async () => {
    const files = world.filesOnDisk()
    const keep = () => Promise.reject(new DatabaseUnavailable('the database is away'))
    const { clock, fileStore } = world
    const mails = { ...world.mails, keep }
    const port = await start(
      new MailIntake({ clock, log: silentLog, reader: readerHere(clock), mails, fileStore, mailboxes: MAILBOXES }),
    )
    expect(await bring(port, message('away@x'))).toMatchObject({ code: 451 })
    expect(world.filesOnDisk()).toBe(files)
  })

  test('given that the answer to the commit is lost, the repeated email has its content and files', async () => {
    const { clock, fileStore, pools } = world
    const mails = postgresMails(deafToCommit(pools))
    const intake = new MailIntake({
      clock,
      log: silentLog,
      reader: readerHere(clock),
      mails,
      fileStore,
      mailboxes: MAILBOXES,
    })
    const file = ['Content-Type: text/plain', 'Content-Disposition: attachment; filename=a.txt', '', 'file']
    const raw = message('deaf@x', ...multipart('m', ['Content-Type: text/plain', '', 'words'], file))
    const port = await start(intake)
    expect(await bring(port, raw)).toMatchObject({ code: 451 })
    expect(await bring(port, raw)).toMatchObject({ code: 250 })
    const { id } = (await world.emails()).find(({ messageId }) => messageId === 'deaf@x')
    const { files = [] } = (await world.mails.find(id, [OURS])) ?? {}
    const bytes = await Promise.all(files.map(async ({ storage }) => (await fileStore.read(storage))?.toArray()))
    expect(bytes.map((some) => some && Buffer.concat(some).toString().trim())).toEqual(['words', 'file'])
  })

  test('given two autoresponders, no email is sent and no case reopens (F-E15)', async () => {
    const port = await start(world.intake)
    const before = await world.rows('select count(*) from outgoing_emails')
    await bring(port, message('person@x'))
    const [opened] = await world.rows('select max(activity_id) as id from cases')
    for (let round = 0; round < 5; round++) {
      const note = message(`note${round}@x`, 'In-Reply-To: <person@x>', 'Auto-Submitted: auto-replied', '', 'I am away')
      expect(await bring(port, note)).toMatchObject({ code: 250 })
    }
    const bounce = message('bounce@x', '', 'your email was not delivered')
    expect(await bring(port, bounce, { from: '' })).toMatchObject({ code: 250 })
    expect(await world.rows('select count(*) from outgoing_emails')).toEqual(before)
    expect((await world.rows('select max(activity_id) as id from cases'))[0]).toEqual(opened)
    expect(await world.rows('select count(*) from emails where automatic is not null')).toEqual([{ count: 6 }])
  })
})
