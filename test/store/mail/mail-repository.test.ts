import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import type { MailToQueue } from '../../../src/ports/mail.ts'
import { file, HELP, type MailWorld, OURS, openMailWorld, PETRA, party, THEIRS } from './mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await openMailWorld()
})
/** An hour passes: nobody has written too often. */
beforeEach(() => world.rows('update activities set created_at_ms = created_at_ms - 3600000 where true returning id'))
afterAll(() => world.drop())

const statusOf = async (id: ActivityId) => {
  const text = `select status, external_updated_at_ms as "externalAtMs", internal_updated_at_ms as "internalAtMs",
    a.updated_at_ms as "updatedAtMs" from cases c join activities a on a.id = c.activity_id where c.activity_id = $1`
  return (await world.rows(text, [id]))[0]
}
const numberOf = async (id: ActivityId): Promise<number> => {
  return Number((await world.rows('select seq_no from cases where activity_id = $1', [id]))[0].seq_no)
}
const mailbox = (change: object = {}) => ({
  corporation: OURS,
  address: HELP,
  name: 'Help',
  team: undefined,
  opensCases: true,
  ...change,
})
const input = (change: Partial<MailToQueue> & Pick<MailToQueue, 'case'>): MailToQueue => ({
  corporations: [OURS],
  mailboxes: [mailbox()],
  to: [party(PETRA)],
  cc: [],
  subject: 'Your case',
  text: 'Hi',
  files: [file()],
  node: null,
  messageName: `m${Math.floor(++names)}`,
  user: null,
  atMs: 50_000,
  ...change,
})
let names = 0

describe('incoming email', () => {
  test('given no case, it is an activity in a conversation, with its files', async () => {
    const first = await world.kept({ messageId: 'a1@x' }, { files: [file(), file({ kind: 'attachment' })] })
    const second = await world.kept({ messageId: 'a2@x', references: ['a1@x'] })
    expect(second).toMatchObject({ conversation: first.conversation, case: undefined, automatic: undefined })
    const links = await world.links(13)
    expect(links).toContainEqual({ from: first.activity, to: first.conversation })
    expect(links).toContainEqual({ from: second.activity, to: first.conversation })
    const found = await world.mails.find(first.activity, [OURS])
    expect(found).toMatchObject({ messageId: 'a1@x', from: party(PETRA), text: 'Hello', outgoing: null })
    expect(found?.files.map(({ kind }) => kind)).toEqual(['email content', 'attachment'])
  })

  test('given that an answer arrived before its original, they are one conversation', async () => {
    const answer = await world.kept({ messageId: 'b2@x', inReplyTo: ['b1@x'] })
    const question = await world.kept({ messageId: 'b1@x' })
    const sibling = await world.kept({ messageId: 'b3@x', references: ['b1@x'] })
    expect([question.conversation, sibling.conversation]).toEqual([answer.conversation, answer.conversation])
  })

  test('given an email that ends after a newer one, the conversation stays as new', async () => {
    const updatedAtMs = async (id: ActivityId) =>
      (await world.rows('select updated_at_ms from activities where id = $1', [id]))[0].updated_at_ms
    const { conversation } = await world.kept({ messageId: 'late1@x' }, { atMs: 900_000 })
    await world.kept({ messageId: 'late2@x', inReplyTo: ['late1@x'] }, { atMs: 800_000 })
    expect(Number(await updatedAtMs(conversation))).toBe(900_000)
  })

  test('the same email is stored once, by any route; a different one under its Message-ID is stored too', async () => {
    const first = await world.kept({ messageId: 'c1@x', text: 'one' })
    expect(await world.keep({ messageId: 'c1@x', text: 'one' })).toMatchObject({ activity: first.activity })
    const forged = await world.kept({ messageId: 'c1@x', text: 'two' })
    expect(forged.activity).not.toBe(first.activity)
    expect(await world.keep({ messageId: 'c1@x', text: 'two' })).toMatchObject({ activity: forged.activity })
    const nameless = await world.kept({ text: 'no id' })
    expect(await world.keep({ text: 'no id' })).toEqual({ outcome: 'here already', activity: nameless.activity })
  })

  test('given ten copies at once, one of them is stored', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => world.keep({ messageId: 'd1@x' })))
    expect(all.filter(({ outcome }) => outcome === 'kept')).toHaveLength(1)
    expect(new Set(all.map(({ activity }) => activity)).size).toBe(1)
  })

  test('the same Message-ID in another corporation is another email, and their thread is not joined', async () => {
    const ours = await world.kept({ messageId: 'e1@x' })
    const theirs = await world.kept({ messageId: 'e1@x' }, { corporation: THEIRS })
    const answer = await world.kept({ messageId: 'e2@x', inReplyTo: ['e1@x'] }, { corporation: THEIRS })
    expect(theirs.conversation).not.toBe(ours.conversation)
    expect(answer.conversation).toBe(theirs.conversation)
    expect(await world.mails.find(ours.activity, [THEIRS])).toBeUndefined()
  })

  test('characters that PostgreSQL cannot store are dropped, and the email is stored', async () => {
    const odd = await world.kept({
      messageId: 'f1@x',
      subject: 'a\u0000b\ud800',
      text: '\u0000',
      from: { address: PETRA, name: 'P\u0000' },
    })
    expect(await world.mails.find(odd.activity, [OURS])).toMatchObject({ subject: 'ab\ufffd', from: { name: 'P' } })
  })
})

describe('email and cases', () => {
  test('given a mailbox that opens cases, a person opens one in its queue, a machine does not', async () => {
    const more = { mailbox: mailbox({ team: 'support' }) }
    const opened = await world.kept({ messageId: 'g1@x' }, more)
    expect(await world.links(14)).toContainEqual({ from: opened.conversation, to: opened.case })
    const [row] = await world.rows(
      `select a.subject, t.name from cases c join activities a on a.id = c.activity_id
         left join teams t on t.id = c.team_id where c.activity_id = $1`,
      [opened.case],
    )
    expect(row).toEqual({ subject: 'My invoice', name: 'support' })
    const machine = await world.kept(
      { messageId: 'g2@x', headers: new Map([['auto-submitted', 'auto-replied']]) },
      more,
    )
    expect(machine).toMatchObject({ case: undefined, automatic: 'Auto-Submitted says so' })
    const later = await world.kept({ messageId: 'g3@x', inReplyTo: ['g1@x'] }, more)
    expect(later.case).toBe(opened.case)
  })

  test('given a closed case, a person reopens it, and an out-of-office reply does not', async () => {
    const opened = await world.kept({ messageId: 'h1@x' }, { mailbox: mailbox() })
    await world.rows(
      `update cases c set status = 2, ems_status_id = s.id from ems_statuses s
        where c.activity_id = $1 and s.corporation_id = 1 and s.status = 2 and s.is_default`,
      [opened.case],
    )
    const before = await statusOf(opened.case!)
    const headers = new Map([['precedence', 'auto_reply']])
    const note = await world.kept({ messageId: 'h2@x', inReplyTo: ['h1@x'], headers })
    expect(note).toMatchObject({ conversation: opened.conversation, case: undefined })
    expect(await statusOf(opened.case!)).toEqual(before)
    await world.kept({ messageId: 'h3@x', inReplyTo: ['h1@x'] })
    const after = await statusOf(opened.case!)
    expect(after.status).toBe(1)
    expect(Number(after.externalAtMs)).toBeGreaterThan(Number(before.externalAtMs))
  })

  test('given a case number, the people of the case join it and a stranger does not', async () => {
    const opened = await world.kept({ messageId: 'i1@x' }, { mailbox: mailbox() })
    const subject = `A question [#${await numberOf(opened.case!)}]`
    expect(await world.kept({ messageId: 'i2@x', subject })).toMatchObject({ conversation: opened.conversation })
    const mallory = await world.kept({ messageId: 'i3@x', subject, from: party('mallory@elsewhere.example') })
    expect(mallory).toMatchObject({ case: undefined, why: expect.stringContaining('its sender is not') })
    const foreign = await world.kept({ messageId: 'i4@x', subject }, { corporation: THEIRS })
    expect(foreign.case).toBeUndefined()
  })

  test('given that its sender is an assigned user, an email with the number starts a conversation in it', async () => {
    const found = await world.newCase()
    await world.rows(
      `with anna as (insert into users (corporation_id, user_name, name, email, roles, created_at_ms)
         values (1, 'anna', 'Anna', 'Anna@us.example', '{agent}', 0) returning id)
       insert into activity_members (activity_id, role, user_id, started_at_ms) select $1, 1, id, 0 from anna`,
      [found],
    )
    const subject = `[#${await numberOf(found)}] from my telephone`
    const mail = await world.kept({ messageId: 'j1@x', subject, from: party('anna@us.example') })
    expect(mail.case).toBe(found)
    expect(await world.links(14)).toContainEqual({ from: mail.conversation, to: found })
  })

  test('given a merged case, email of its thread goes to the end of the chain', async () => {
    const opened = await world.kept({ messageId: 'k1@x' }, { mailbox: mailbox() })
    const target = await world.newCase()
    await world.rows(
      `update cases c set status = 5, ems_status_id = s.id, merged_into_id = $2, merged_at_ms = 1 from ems_statuses s
        where c.activity_id = $1 and s.corporation_id = 1 and s.status = 5 and s.is_default`,
      [opened.case, target],
    )
    expect((await world.kept({ messageId: 'k2@x', inReplyTo: ['k1@x'] })).case).toBe(target)
    const subject = `[#${await numberOf(target)}]`
    expect((await world.kept({ messageId: 'k3@x', subject })).case).toBe(target)
  })

  test('given more than a person writes in an hour, the rest reopens no case', async () => {
    const opened = await world.kept({ messageId: 'l0@x' }, { mailbox: mailbox() })
    const results = []
    for (let count = 1; count <= 21; count++) {
      results.push(await world.kept({ messageId: `l${count}@x`, inReplyTo: ['l0@x'] }))
    }
    expect(results.map(({ automatic }) => automatic !== undefined).lastIndexOf(false)).toBe(18)
    expect(results.at(-1)).toMatchObject({ conversation: opened.conversation, case: undefined })
  })

  test('a sender whose cases were all about one contact suggests that contact, and no more', async () => {
    const sender = party('hinted@x.example')
    const opened = await world.kept({ messageId: 'm1@x', from: sender }, { mailbox: mailbox() })
    const [{ id }] = await world.rows(
      `with e as (insert into entities (corporation_id, kind, name, second_name, created_at_ms, updated_at_ms)
         values (1, 'private', 'Petra', '', 0, 0) returning id)
       insert into entity_extensions (corporation_id, entity_id, kind, sequence_number)
       select 1, id, 'customer', 1 from e returning id`,
    )
    await world.rows('update activities set extension_id = $2 where id = $1', [opened.case, id])
    const next = await world.kept({ messageId: 'm2@x', from: sender })
    const [row] = await world.rows('select extension_id from activities where id = $1', [next.activity])
    expect(Number(row.extension_id)).toBe(Number(id))
    expect(next.case).toBeUndefined()
  })
})

describe('outgoing email of a case', () => {
  test('is stored with its order, its links and the time of the case', async () => {
    const opened = await world.kept({ messageId: 'n1@x', references: ['n0@x'] }, { mailbox: mailbox() })
    const number = await numberOf(opened.case!)
    const queued = await world.mails.queue(input({ case: opened.case! }))
    if (queued.outcome !== 'queued') throw new Error(queued.outcome)
    expect(queued).toMatchObject({
      conversation: opened.conversation,
      case: opened.case,
      subject: `[#${number}] Your case`,
    })
    expect(queued.messageId).toMatch(/^m\d+@us\.example$/)
    const after = await statusOf(opened.case!)
    expect(Number(after.internalAtMs)).toBe(50_000)
    const job = await world.mails.claim('node1', 50_000, 60_000)
    expect(job).toMatchObject({ activity: queued.activity, tries: 1 })
    expect(job?.message).toMatchObject({ inReplyTo: 'n1@x', references: ['n0@x', 'n1@x'], from: { address: HELP } })
    expect(await world.mails.claim('node1', 50_000, 60_000)).toBeUndefined()
    await world.mails.settle(queued.activity, 1, { state: 'sent', why: null }, 51_000)
    expect((await world.mails.find(queued.activity, [OURS]))?.outgoing).toMatchObject({
      state: 'sent',
      sentAtMs: 51_000,
    })
    const answer = await world.kept({ messageId: 'n2@x', inReplyTo: [queued.messageId] })
    expect(answer.case).toBe(opened.case)
    await world.mails.queue(input({ case: opened.case!, atMs: 52_000 }))
    expect((await world.mails.claim('node1', 52_000, 60_000))?.message, 'the newest email is answered').toMatchObject({
      inReplyTo: 'n2@x',
    })
  })

  test('whose outcome is unknown has failed once a report says that nobody got it', async () => {
    const queued = await world.mails.queue(input({ case: await world.newCase() }))
    if (queued.outcome !== 'queued') throw new Error(queued.outcome)
    await world.mails.claim('node1', 50_000, 60_000)
    await world.mails.claim('node1', 60_000, 70_000)
    const outgoing = async () => (await world.mails.find(queued.activity, [OURS]))?.outgoing
    expect(await outgoing()).toMatchObject({ state: 'unknown' })
    const undelivered = [{ addresses: [PETRA], why: 'no such mailbox' }]
    await world.kept({ report: { about: [queued.messageId], undelivered } })
    expect(await outgoing()).toMatchObject({ state: 'failed', why: expect.stringContaining('no such mailbox') })
  })

  test('given a foreign or deleted case, or no mailbox, nothing is stored', async () => {
    const [ours, theirs] = [await world.newCase(), await world.newCase(THEIRS)]
    const before = await world.rows('select count(*) from activities')
    expect(await world.mails.queue(input({ case: theirs }))).toEqual({ outcome: 'no such case' })
    expect(await world.mails.queue(input({ case: ours, mailboxes: [] }))).toEqual({ outcome: 'no mailbox' })
    await world.rows('update cases set status = 4 where activity_id = $1', [ours])
    expect(await world.mails.queue(input({ case: ours }))).toEqual({ outcome: 'case is deleted' })
    expect(await world.rows('select count(*) from activities')).toEqual(before)
  })

  test('given that its sender dies, it is not sent again: its outcome is unknown', async () => {
    const queued = await world.mails.queue(input({ case: await world.newCase() }))
    if (queued.outcome !== 'queued') throw new Error(queued.outcome)
    expect((await world.mails.claim('node1', 50_000, 60_000))?.activity).toBe(queued.activity)
    expect(await world.mails.claim('node1', 60_000, 70_000)).toBeUndefined()
    expect((await world.mails.find(queued.activity, [OURS]))?.outgoing).toMatchObject({ state: 'unknown' })
    await world.mails.settle(queued.activity, 1, { state: 'sent', why: null }, 61_000)
    expect((await world.mails.find(queued.activity, [OURS]))?.outgoing).toMatchObject({ state: 'sent' })
  })

  test('our own email that comes back is not stored twice, and a stranger with its id reopens no case', async () => {
    const queued = await world.mails.queue(input({ case: await world.newCase(), cc: [party(HELP)] }))
    if (queued.outcome !== 'queued') throw new Error(queued.outcome)
    const { messageId, activity } = queued
    expect(await world.keep({ messageId, from: party(HELP) })).toEqual({ outcome: 'here already', activity })
    const forged = await world.kept({ messageId, text: 'forged' }, { mailbox: mailbox() })
    expect(forged).toMatchObject({ automatic: 'it is our own email that came back', case: undefined })
  })
})

describe('mailboxes elsewhere', () => {
  test('one reader at a time, which continues where the last one ended', async () => {
    const { mails } = world
    expect(await mails.claimMailbox(OURS, HELP, 1_000, 2_000)).toEqual({ uidValidity: 0, lastUid: 0 })
    expect(await mails.claimMailbox(OURS, HELP, 1_500, 2_500)).toBeUndefined()
    await mails.keepMailbox(OURS, HELP, { uidValidity: 7, lastUid: 12 }, 0)
    expect(await mails.claimMailbox(OURS, HELP, 1_500, 2_500)).toEqual({ uidValidity: 7, lastUid: 12 })
  })
})
