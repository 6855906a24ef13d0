/** Mailboxes of servers that do not hand out one of their emails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitMailbox } from '../../../src/adapters/mail/imap-poll.ts'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { MailReaderProcess } from '../../../src/adapters/mail/mail-reader.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { scriptedImap } from './scripted-imap.ts'
import { email, HEAD } from './ugly-mails.ts'

let world: Awaited<ReturnType<typeof openIntakeWorld>>
beforeAll(async () => {
  world = await openIntakeWorld()
})
afterAll(() => world.close())

const message = (id: string) => email(...HEAD.slice(0, 4), `Message-ID: <${id}>`, '', 'Hello')

const visitor = (address: string, port: number, intake = world.intake) => {
  const account = { host: '127.0.0.1', port, tls: 'none', username: 'help', password: 'x' } as const
  const imap = { ...account, folder: 'INBOX', everyMs: 1_000 }
  const mailbox = { ...MAILBOXES[0]!, address }
  return (stuck = { uid: 0, visits: 0 }) =>
    visitMailbox({ ...world, intake, log: silentLog, mailbox, imap }, () => false, stuck)
}

test('given a connection that ends while an email is stored, those after it come with the next visit', async () => {
  let hasEnded = false
  const server = await scriptedImap([message('e1@x'), message('e2@x'), message('e3@x')], (command) => {
    if (hasEnded || !/^UID FETCH 1 \(BODY.PEEK\[\]/.test(command)) return undefined
    hasEnded = true
    return 'last'
  })
  const visited = visitor('ends@us.example', server.port)
  await expect(visited()).rejects.toThrow()
  expect(await visited()).toBe(2)
  await server.close()
  expect((await world.emails()).map(({ messageId }) => messageId)).toEqual(['e1@x', 'e2@x', 'e3@x'])
})

test('given a node that can start no process for a while, all emails are taken as they are afterwards', async () => {
  const server = await scriptedImap([message('p1@x'), message('p2@x')], () => undefined)
  const reader = new MailReaderProcess(world.clock)
  const intake = new MailIntake({ ...world, log: silentLog, reader, mailboxes: MAILBOXES })
  const visited = visitor('starved@us.example', server.port, intake)
  const before = (await world.emails()).length
  const { execPath } = process
  process.execPath = '/nowhere/node'
  const stuck = { uid: 0, visits: 0 }
  try {
    for (let visit = 0; visit < 5; visit++) await visited(stuck).catch(() => {})
  } finally {
    process.execPath = execPath
  }
  expect(await visited(stuck)).toBe(2)
  reader.close()
  await server.close()
  expect((await world.emails()).slice(before).map(({ messageId }) => messageId)).toEqual(['p1@x', 'p2@x'])
})

test.each([
  ['refuses an email', (command: string) => (/^UID FETCH 2 \(BODY.PEEK\[\]/.test(command) ? 'NO cannot' : undefined)],
  ['refuses all of it', (command: string) => (/^UID FETCH 2 /.test(command) ? 'NO cannot' : undefined)],
  ['ends the connection', (command: string) => (/^UID FETCH 2 /.test(command) ? 'cut' : undefined)],
])('given a server that %s, a notice opens a case, and those after it are taken', async (name, answer) => {
  const id = name.replaceAll(' ', '-')
  const server = await scriptedImap([message(`${id}1@x`), message(`${id}2@x`), message(`${id}3@x`)], answer)
  const visited = visitor(`${id}@us.example`, server.port)
  const before = (await world.emails()).length
  const stuck = { uid: 0, visits: 0 }
  for (let visit = 0; visit < 5; visit++) {
    await visited(stuck).catch(() => {})
  }
  await server.close()
  const kept = await world.rows(`select message_id as id, body_text as text, exists (select from activity_links l
      join activity_links k on k.type = 14 and k.from_id = l.to_id where l.from_id = e.activity_id) as "isOfCase"
    from emails e order by activity_id offset ${before}`)
  const isNamed = name === 'refuses an email'
  expect(kept.map(({ id: messageId, isOfCase }) => [messageId, isOfCase])).toEqual([
    [`${id}1@x`, true],
    [isNamed ? `${id}2@x` : expect.stringMatching(/@no-id\.invalid$/), true],
    [`${id}3@x`, true],
  ])
  expect(kept[1].text.trim()).toBe(`Email 2 in INBOX of ${id}@us.example could not be fetched. It is in its mailbox.`)
})
