/** Emails by real SMTP and real IMAP (Dovecot): no letter is lost, and none is read in a stranger's case. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitMailbox } from '../../../src/adapters/mail/imap-poll.ts'
import { startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { OURS } from '../../store/mail/mail-world.ts'
import { imapServer, installMailServers } from '../../support/mail-servers.ts'
import { uglyMails } from './mail-corpus.ts'
import { bring, MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { writtenMails } from './written-letters.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-letters-'))
// Started by root, Dovecot reads as another user.
chmodSync(directory, 0o755)
const written = writtenMails()
const ugly = uglyMails()
const all = [...written, ...ugly]

beforeAll(() => installMailServers())
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type World = Awaited<ReturnType<typeof openIntakeWorld>>

/** What is wrong with what was stored. */
async function faultsOf(world: World): Promise<string[]> {
  const faults: string[] = []
  const rows = await world.rows('select activity_id as id, sender from emails')
  const mails = await Promise.all(rows.map(({ id }) => world.mails.find(id, [OURS])))
  const bySender = new Map(mails.map((mail) => [mail?.from?.address, mail!]))
  for (const [place, { name, words }] of written.entries()) {
    const mail = bySender.get(`written${place}@debtor.example`)
    const isKeptWhole = mail?.files.some(({ fileName }) => fileName === 'email.eml')
    if (!mail) faults.push(`${name}: it is not there`)
    else if (isKeptWhole || !mail.text.includes(words)) faults.push(`${name}: ${JSON.stringify(mail.text)}`)
  }
  if (mails.length !== all.length) faults.push(`${mails.length} of ${all.length} emails are there`)
  const mixed = await world.rows(`
    select k.to_id as id from emails e join activity_links l on l.type = 13 and l.from_id = e.activity_id
      join activity_links k on k.type = 14 and k.from_id = l.to_id
     group by k.to_id having count(distinct e.sender) > 1`)
  return [...faults, ...mixed.map(({ id }) => `case ${id} has emails of two senders`)]
}

test('by SMTP', async () => {
  expect(all.length).toBeGreaterThan(400)
  const world = await openIntakeWorld()
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  const smtp = await startSmtpIntake(world.intake, place)
  for (const { name, raw } of all) expect(await bring(smtp.port, raw), name).toMatchObject({ code: 250 })
  expect(await faultsOf(world)).toEqual([])
  await smtp.close()
  await world.close()
})

test('by IMAP', async () => {
  const world = await openIntakeWorld()
  const server = await imapServer(join(directory, 'imap'))
  const auth = { user: 'help', pass: 'secret' }
  const client = new ImapFlow({ host: '127.0.0.1', port: server.port, secure: false, logger: false, auth })
  await client.connect()
  for (const { raw } of all) await client.append('INBOX', raw)
  await client.logout()
  const account = { host: '127.0.0.1', port: server.port, tls: 'none', username: 'help', password: 'secret' } as const
  const imap = { ...account, folder: 'INBOX', everyMs: 1_000 }
  let taken = 0
  while (taken < all.length) {
    const more = await visitMailbox({ ...world, log: silentLog, mailbox: MAILBOXES[0]!, imap })
    expect(more, 'the mailbox is stopped').toBeGreaterThan(0)
    taken += more
  }
  expect(await faultsOf(world)).toEqual([])
  await server.close()
  await world.close()
})
