/** Email over REST: read in the contract's form, and sent from a case. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { sendNext } from '../../../src/core/workers/mail-sender.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { FileStore } from '../../../src/ports/files.ts'
import { activityLinkRoutes } from '../../../src/rest/cases/activity-links.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { emailContentRoutes } from '../../../src/rest/mail/email-content.ts'
import { emailRoutes } from '../../../src/rest/mail/emails.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { openCaseOf } from '../../../src/store/mail/mail-case.ts'
import { postgresMails } from '../../../src/store/mail/mail-repository.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email, HEAD, multipart } from '../../adapters/mail/ugly-mails.ts'
import { SimMail } from '../../sim/sim-mail.ts'
import { deafToCommit } from '../../store/db/plant-fault.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-emails-'))
const clock = new RealClock()
const HELP = { corporation: OURS, address: 'help@us.example', name: 'Help', team: undefined, opensCases: true }
const PETRA = { address: 'petra@debtor.example', name: 'Petra' }
const mail = new SimMail()
let world: RestWorld
let intake: MailIntake

beforeAll(async () => {
  const fileStore = await openFileStore({ directory, clock, secretBytes: randomBytes, log: silentLog })
  world = await openRestWorld({
    routes: (dependencies) => [
      ...emailContentRoutes(dependencies),
      ...emailRoutes(dependencies),
      ...coreFileRoutes(dependencies),
      ...activityLinkRoutes(dependencies),
    ],
    parts: (pools) => ({
      mails: postgresMails(pools),
      files: postgresFiles(pools),
      activities: postgresActivities(pools),
      fileStore,
      mailboxes: [HELP],
      log: silentLog,
    }),
  })
  intake = intakeOf(fileStore)
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true, force: true })
})

const intakeOf = (fileStore: FileStore) =>
  new MailIntake({
    clock,
    log: silentLog,
    reader: readerHere(clock),
    mails: world.parts.mails,
    fileStore,
    mailboxes: [HELP],
  })
let count = 0
const message = (...lines: readonly string[]) => {
  const head = HEAD.filter((line) => !line.startsWith('Message-ID'))
  return email(...head, `Message-ID: <rest${++count}@x>`, ...lines)
}
const take = async (raw: Buffer) => {
  const kept = await intake.take(raw, HELP, 'petra@debtor.example')
  if (kept.outcome !== 'kept') throw new Error(kept.outcome)
  return kept
}
const newCase = (corporation = OURS) => {
  const input = { corporation, team: undefined, title: 'A case', extension: null, atMs: 0 }
  return inTransaction(world.pools.jobs, (transaction) => openCaseOf(transaction, input))
}
const content = (id: number, accept?: string) => {
  return world.call('GET', `/rest/svcems/emailcontent?eactId=${id}`, undefined, accept ? { headers: { accept } } : {})
}
const picture = [
  ...['Content-Type: image/png; name="logo.png"', 'Content-ID: <logo@x>', 'Content-Disposition: inline'],
  ...['Content-Transfer-Encoding: base64', '', 'iVBORw0KGgo='],
]
const HTML = '<p>Hi<script>alert(1)</script><img src="cid:logo@x"><img src="https://spy.example/p.gif"></p>'
const file = ['Content-Type: text/csv; name="../../list.csv"', 'Content-Disposition: attachment', '', 'a,b']

describe('the content of an email', () => {
  test('is its safe HTML, on a page of its own with its pictures', async () => {
    const { activity } = await take(message(...multipart('m', ['Content-Type: text/html', '', HTML], picture, file)))
    const { status, text, headers } = await content(activity)
    expect(status).toBe(200)
    expect(text.trim()).toBe('<p>Hi<img src="data:image/png;base64,iVBORw0KGgo="></p>')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; img-src data:",
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
    })
    // The Accept header of browsers and most libraries that take anything.
    for (const accept of ['text/html,application/json;q=0.9', 'application/json, text/plain, */*']) {
      expect((await content(activity, accept)).headers['content-type']).toMatch(/^text\/html/)
    }
  })

  test('is complete as JSON, and each of its files of types 1 and 2 can be fetched', async () => {
    const { activity } = await take(message(...multipart('m', ['Content-Type: text/html', '', HTML], picture, file)))
    const { body } = await content(activity, 'application/json')
    expect(body).toMatchObject({
      eactId: activity,
      subject: 'My invoice',
      from: PETRA,
      to: [{ address: HELP.address }],
      cc: [],
      date: '2026-11-22T09:00:00.000Z',
      contentType: 'text/html',
      automatic: null,
      outgoing: null,
    })
    expect(body.html).toContain('<img src="cid:logo@x">')
    expect(body.text.trim()).toBe('Hi')
    const files: { type: number; fileName: string; cfreId: number; contentId: string | null }[] =
      body.coreFileReferences
    expect(files.map(({ type, fileName, contentId }) => [type, fileName, contentId])).toEqual([
      [17, 'content.html', null],
      [1, 'logo.png', 'logo@x'],
      [2, 'list.csv', null],
    ])
    const fetched = await Promise.all(files.map(({ cfreId }) => world.call('GET', `/core/corefile?cfreId=${cfreId}`)))
    expect(fetched.map(({ status }) => status)).toEqual([404, 200, 200])
    expect(fetched[2]?.text.trim()).toBe('a,b')
  })

  test('of plain text is plain text, whatever it looks like', async () => {
    const { activity } = await take(message('Content-Type: text/plain; charset=utf-8', '', '<script>alert(1)</script>'))
    const { text, headers } = await content(activity)
    expect(text.trim()).toBe('<script>alert(1)</script>')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await content(activity, 'application/json')).body).toMatchObject({ html: null, contentType: 'text/plain' })
  })

  test('of anything but an email of ours is not found, and a request without an id is refused', async () => {
    const found = await newCase()
    for (const id of [found, 999_999]) expect((await content(id)).status).toBe(404)
    const { activity } = await take(message('', 'Hello'))
    const theirs = await world.credential(['cases:read'], [THEIRS])
    const path = `/svcems/emailcontent?eactId=${activity}`
    expect((await world.call('GET', path, undefined, { as: theirs })).status).toBe(404)
    expect((await world.call('GET', '/svcems/emailcontent')).status).toBe(400)
    expect((await world.call('GET', '/svcems/emailcontent?eactId=x')).status).toBe(400)
  })
})

describe('an email from a case', () => {
  const send = async (more: object = {}) => {
    const eactId = await newCase()
    const body = { activity: { eactId }, to: [PETRA], subject: 'Your invoice', text: 'Thank you', ...more }
    return { eactId, ...(await world.call('POST', '/svcems/emails', body)) }
  }
  const sendAll = async () => {
    while (await sendNext({ ...world.parts, log: silentLog, mail }));
  }

  test('is stored, sent once with the case number, and its answer finds the case', async () => {
    const upload = await take(message(...multipart('m', ['Content-Type: text/plain', '', 'x'], file)))
    const [, attached] = (await content(upload.activity, 'application/json')).body.coreFileReferences
    const made = await send({ html: '<p>Thank <b>you</b></p>', files: [{ cfreId: attached.cfreId }] })
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe(`/rest/svcems/emailcontent?eactId=${made.body.eactId}`)
    expect(made.body).toMatchObject({ activity: { eactId: made.eactId }, state: 'queued' })
    expect(made.body.subject).toMatch(/^\[#\d+\] Your invoice$/)
    await sendAll()
    await sendAll()
    const arrived = mail.arrived.filter(({ messageId }) => messageId === made.body.messageId)
    expect(arrived).toMatchObject([
      { from: { address: HELP.address }, to: [PETRA], subject: made.body.subject, html: '<p>Thank <b>you</b></p>' },
    ])
    expect(arrived[0]?.files).toMatchObject([{ fileName: 'list.csv' }])
    const stored = await content(made.body.eactId, 'application/json')
    expect(stored.body.outgoing).toMatchObject({ state: 'sent', tries: 1, why: null })
    const answer = await take(message(`In-Reply-To: <${made.body.messageId}>`, '', 'I paid'))
    expect(answer).toMatchObject({ case: made.eactId, conversation: made.body.conversation.eactId })
  })

  test('given an unknown, busy or silent recipient, shows that, and is not sent twice', async () => {
    const [gone, later, silent] = await Promise.all(
      ['nobody', 'later', 'silence'].map((name) => send({ to: [{ address: `${name}@debtor.example` }] })),
    )
    const before = mail.arrived.length
    await sendAll()
    await sendAll()
    const outgoing = async (made: typeof gone) => (await content(made?.body.eactId, 'application/json')).body.outgoing
    expect(await outgoing(gone)).toMatchObject({ state: 'failed', why: '550 no such person', nextTryTs: null })
    expect(await outgoing(later)).toMatchObject({ state: 'queued', tries: 1, nextTryTs: expect.any(String) })
    expect(await outgoing(silent)).toMatchObject({ state: 'unknown', tries: 1 })
    expect(mail.arrived.length).toBe(before + 1)
  })

  test('given that no server accepts it, is given up after two days, and shows that', async () => {
    const made = await send({ to: [{ address: 'later@debtor.example' }] })
    const update = `update outgoing_emails set next_at_ms = 0 where activity_id = $1 and state = 'queued' returning 1`
    for (let round = 0; round < 12; round++) {
      await sendAll()
      await world.pools.jobs.query(update, [made.body.eactId])
    }
    const { outgoing } = (await content(made.body.eactId, 'application/json')).body
    expect(outgoing).toMatchObject({ state: 'failed', tries: 9, why: 'given up after 9 tries: 450 not now' })
  })

  test('that a busy recipient could not get goes on to them alone, and to nobody twice', async () => {
    const cc = ['later', 'nobody'].map((name) => ({ address: `${name}@debtor.example` }))
    const [first, second] = [await send({ cc }), await send({ cc })]
    const outgoing = async ({ body }: typeof first) => (await content(body.eactId, 'application/json')).body.outgoing
    await sendAll()
    const why = 'not to nobody@debtor.example: refused'
    const waiting = `${why}; not yet to later@debtor.example: refused for now`
    expect(await outgoing(first)).toMatchObject({ state: 'queued', tries: 1, why: waiting })
    const due = (id: number) =>
      world.pools.jobs.query(
        `update outgoing_emails set next_at_ms = 0 where activity_id = $1 and state = 'queued' returning 1`,
        [id],
      )
    for (let round = 0; round < 12; round++) {
      await due(first.body.eactId)
      await sendAll()
    }
    const lost = `${why}; not to later@debtor.example: given up after 9 tries: 450 not now`
    expect(await outgoing(first)).toMatchObject({ state: 'sent', tries: 9, why: lost })
    expect(mail.arrived.filter(({ messageId }) => messageId === first.body.messageId)).toHaveLength(1)
    const sent = vi.spyOn(mail, 'send').mockResolvedValueOnce({ outcome: 'sent', refused: [] })
    await due(second.body.eactId)
    await sendAll()
    expect(sent.mock.calls.map(([{ recipients }]) => recipients)).toEqual([['later@debtor.example']])
    sent.mockRestore()
    expect(await outgoing(second)).toMatchObject({ state: 'sent', tries: 2, why })
  })

  test('whose commit got no answer is sent with its content', async () => {
    const deaf = postgresMails(deafToCommit(world.pools, 'api'))
    vi.spyOn(world.parts.mails, 'queue').mockImplementationOnce((asked) => deaf.queue(asked))
    expect((await send({ subject: 'Without an answer', html: '<p>words</p>' })).status).toBe(503)
    await sendAll()
    const arrived = mail.arrived.filter(({ subject }) => subject.includes('Without an answer'))
    expect(arrived.map(({ html }) => html)).toEqual(['<p>words</p>'])
  })

  test('of one of two nodes is sent by the node that has its bytes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-emails-2-'))
    const fileStore = await openFileStore({ directory: folder, clock, secretBytes: randomBytes, log: silentLog })
    const [plain, html] = [await send(), await send({ html: '<p>words</p>' })]
    const upload = await take(message(...multipart('m', ['Content-Type: text/plain', '', 'x'], file)))
    const [, attached] = (await content(upload.activity, 'application/json')).body.coreFileReferences
    const made = [plain, html, await send({ files: [{ cfreId: attached.cfreId }] })]
    const fates = () =>
      Promise.all(made.map(async ({ body }) => (await content(body.eactId, 'application/json')).body.outgoing))
    const there = { ...world.parts, node: 'node2', fileStore, log: silentLog, mail }
    while (await sendNext(there));
    const waits = { state: 'queued', tries: 0, why: null }
    expect(await fates()).toMatchObject([{ state: 'sent', tries: 1 }, waits, waits])
    await sendAll()
    expect(await fates()).toMatchObject(made.map(() => ({ state: 'sent', tries: 1 })))

    // A node that lets it wait may have another name by now, or be gone: then others count their tries.
    const left = await send({ html: '<p>left</p>' })
    made.splice(0, made.length, left)
    const wait = (minutes: number) => {
      const text = 'update outgoing_emails set next_at_ms = $2 where activity_id = $1'
      return world.pools.jobs.query(text, [left.body.eactId, clock.nowMs() - minutes * 60_000])
    }
    await wait(14)
    expect(await sendNext(there)).toBe(false)
    await wait(15)
    expect(await sendNext(there)).toBe(true)
    expect(await fates()).toMatchObject([{ state: 'queued', tries: 1, why: 'it could not be made ready' }])
    await wait(15)
    while (await sendNext({ ...there, fileStore: world.parts.fileStore }));
    expect(await fates()).toMatchObject([{ state: 'sent', tries: 2 }])
    rmSync(folder, { recursive: true, force: true })
  })

  test('with a file of another node is refused in words, and nothing is queued', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-emails-3-'))
    const there = await openFileStore({ directory: folder, clock, secretBytes: randomBytes, log: silentLog })
    const upload = await intakeOf(there).take(message(...multipart('m', file)), HELP, 'petra@debtor.example')
    if (upload.outcome !== 'kept') throw new Error(upload.outcome)
    const [, attached] = (await content(upload.activity, 'application/json')).body.coreFileReferences
    const sending = await world.pools.jobs.query('select count(*)::int as count from outgoing_emails')
    const answer = await send({ files: [{ cfreId: attached.cfreId }] })
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('are not on this node')])
    expect((await world.pools.jobs.query('select count(*)::int as count from outgoing_emails')).rows).toEqual(
      sending.rows,
    )
    rmSync(folder, { recursive: true, force: true })
  })

  test('with harmful content, or a forged header, is not sent', async () => {
    const made = await send({ text: undefined, html: '<p onclick="x()">Hi</p><script>x</script>' })
    await sendAll()
    expect(mail.arrived.at(-1)).toMatchObject({ messageId: made.body.messageId, html: '<p>Hi</p>', text: 'Hi' })
    const theirs = await intake.take(message(...multipart('m', file)), { ...HELP, corporation: THEIRS }, undefined)
    const rows = await world.pools.jobs.query('select id from files where activity_id = $1 and kind = 2', [
      theirs.activity,
    ])
    const foreign = rows.rows[0].id
    for (const more of [
      { subject: 'a\r\nBcc: all@x.example' },
      { to: [{ address: 'a@b.example\r\nBcc: c@d.example' }] },
      { to: [{ address: 'petra@debtor.example', name: 'P\nX: y' }] },
      { cc: [{ address: 'not an address' }] },
      { to: [] },
      { text: ' ', html: '<script>x</script>' },
      { files: [{ cfreId: 999_999 }] },
      { files: [{ cfreId: foreign }] },
    ]) {
      expect((await send(more)).status, JSON.stringify(more)).toBe(400)
    }
  })

  describe('into which an email was put without its conversation', () => {
    const answer = async (mailbox: typeof HELP) => {
      const kept = await intake.take(message('', 'When shall I pay?'), mailbox, PETRA.address)
      if (kept.outcome !== 'kept') throw new Error(kept.outcome)
      const eactId = await newCase()
      const link = { type: 14, from: { eactId: kept.activity }, to: { eactId } }
      expect((await world.call('PUT', '/svcems/activitylinks', link)).status).toBe(200)
      const body = { activity: { eactId }, to: [PETRA], subject: 'Your question', text: 'Tomorrow' }
      const made = (await world.call('POST', '/svcems/emails', body)).body
      await sendAll()
      const asked = `rest${count}@x`
      expect(mail.arrived.at(-1)).toMatchObject({ inReplyTo: asked, references: expect.arrayContaining([asked]) })
      const further = await take(message(`In-Reply-To: <${made.messageId}>`, '', 'Thank you'))
      expect(further.case).toBe(eactId)
      return { kept, conversation: made.conversation.eactId as number, eactId }
    }
    const caseOf = async (conversation: number) => {
      const text = 'select to_id as id from activity_links where type = 14 and from_id = $1'
      return (await world.pools.jobs.query(text, [conversation])).rows[0]?.id
    }

    test('continues its conversation, which is in no case yet', async () => {
      const { kept, conversation, eactId } = await answer({ ...HELP, opensCases: false })
      expect(conversation).toBe(kept.conversation)
      expect(await caseOf(conversation)).toBe(eactId)
    })

    test('answers it, and leaves its conversation in the other case', async () => {
      const { kept, conversation, eactId } = await answer(HELP)
      expect(await caseOf(kept.conversation)).toBe(kept.case)
      expect(await caseOf(conversation)).toBe(eactId)
    })
  })

  test('of a case that is deleted at this moment is refused', async () => {
    const of = await newCase()
    const deleting = await world.pools.jobs.connect()
    try {
      await deleting.query('begin')
      await deleting.query('update cases set status = 4 where activity_id = $1', [of])
      const body = { activity: { eactId: of }, to: [PETRA], subject: 'x', text: 'x' }
      const answer = world.call('POST', '/svcems/emails', body)
      const waiting = `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`
      await expect.poll(async () => (await world.pools.jobs.query(waiting)).rows[0].count).toBe(1)
      await deleting.query('commit')
      expect((await answer).status).toBe(409)
    } finally {
      deleting.release(true)
    }
    const { rows } = await world.pools.jobs.query('select from activity_links where to_id = $1', [of])
    expect(rows).toEqual([])
  })

  test('of another corporation, an unknown or a deleted case, or without a mailbox, is refused', async () => {
    const body = { to: [PETRA], subject: 'x', text: 'x' }
    const post = (eactId: number) => world.call('POST', '/svcems/emails', { ...body, activity: { eactId } })
    expect((await post(await newCase(THEIRS))).status).toBe(404)
    expect((await post(999_999)).status).toBe(404)
    const deleted = await newCase()
    await world.pools.jobs.query('update cases set status = 4 where activity_id = $1', [deleted])
    expect((await post(deleted)).status).toBe(409)
    const as = await world.credential(['cases:write'], [THEIRS])
    const theirs = { ...body, activity: { eactId: await newCase(THEIRS) } }
    expect((await world.call('POST', '/svcems/emails', theirs, { as })).status).toBe(409)
  })
})
