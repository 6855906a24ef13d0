/** Email of strangers, of lists and of machines: in by SMTP, seen over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { bring } from '../../adapters/mail/mail-intake-world.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email, multipart } from '../../adapters/mail/ugly-mails.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'

const HELP = 'help1@us.example'
/** Two mailboxes that open cases; the server of the first says what it found about senders. */
const MAILBOXES = [HELP, 'sales@us.example'].map((address, place) => {
  const authenticatedBy = place === 0 ? 'mx.us.example' : undefined
  return { corporation: OURS, address, name: '', team: undefined, opensCases: true, authenticatedBy }
})

let world: WholeWorld
let smtp: SmtpIntake

beforeAll(async () => {
  world = await openWholeWorld()
  const { clock, mails, fileStore } = world.parts
  const parts = { clock, log: silentLog, reader: readerHere(clock), mails, fileStore, mailboxes: MAILBOXES }
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  smtp = await startSmtpIntake(new MailIntake(parts), place)
})
afterAll(async () => {
  await smtp.close()
  await world.close()
})

let count = 0
interface Letter {
  readonly from?: string
  readonly subject?: string
  readonly headers?: readonly string[]
  readonly body?: readonly string[]
  readonly to?: string
}
/** Sends it, and returns its Message-ID. */
async function send({
  from = 'petra@debtor.example',
  subject = 'My invoice',
  headers = [],
  body = ['', 'Hello'],
  to = HELP,
}: Letter) {
  const id = `letter${++count}@debtor.example`
  const head = [
    ...headers,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'MIME-Version: 1.0',
  ]
  expect(await bring(smtp.port, email(...head, ...body), { to: [to] })).toMatchObject({ code: 250 })
  return id
}
const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { headers: { accept: 'application/json' } })
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}
// biome-ignore lint/suspicious/noExplicitAny: tests check what an answer holds
const cases = (): Promise<any[]> => ask('POST', '/svcems/cases/search', { statuses: [1, 2, 3, 4, 6, 7, 8] })
const newest = async () => (await cases())[0]
/** The emails of a case, as its readers find them: conversations, and what is in them. */
async function thread(eactId: number) {
  const near = async (id: number, type: number): Promise<number[]> => {
    const filter = { eactIds: [id], linkTypes: [type], linkDirection: 'FROM' }
    const found = await ask('POST', '/rest/svcems/activities/search', { activityLinkFilters: [filter] })
    return found.map((each: { eactId: number }) => each.eactId)
  }
  const conversations = await near(eactId, 14)
  const emails = (await Promise.all(conversations.map((id) => near(id, 13)))).flat()
  return Promise.all(emails.map((id) => ask('GET', `/svcems/emailcontent?eactId=${id}`)))
}
/** Every email there is, the newest first. */
async function last() {
  const { rows } = await world.pools.jobs.query('select max(activity_id) as id from emails')
  return ask('GET', `/svcems/emailcontent?eactId=${rows[0].id}`)
}
const textsOf = async (eactId: number) => (await thread(eactId)).map(({ text }) => text.trim())

test('whoever writes in our name gets into no case, by its number or by a Message-ID', async () => {
  const id = await send({ body: ['', 'My question'] })
  const { eactId, seqNo } = await newest()
  await send({ from: HELP, subject: `[#${seqNo}] Pay now`, body: ['', 'pay to account 1234'] })
  await send({ from: 'sales@us.example', headers: [`In-Reply-To: <${id}>`], body: ['', 'pay to account 1234'] })
  await send({ from: HELP, headers: [`In-Reply-To: <${id}>`, 'Authentication-Results: mx.us.example; dmarc=fail'] })
  expect(await textsOf(eactId)).toEqual(['My question'])
  // The check of another sender beside us says nothing about us, in a header of its own or in ours.
  const passed = [`In-Reply-To: <${id}>`, 'Authentication-Results: mx.us.example; dmarc=pass']
  await send({ from: HELP, headers: [...passed, 'From: a@evil.example'], body: ['', 'pay to account 1234'] })
  await send({ from: `${HELP}, a@evil.example`, headers: passed, body: ['', 'pay to account 1234'] })
  expect(await textsOf(eactId)).toEqual(['My question'])
  // What our own server vouches for is ours: a colleague wrote from the shared mailbox.
  const headers = [`In-Reply-To: <${id}>`, 'Authentication-Results: mx.us.example; dmarc=pass']
  await send({ from: HELP, headers, body: ['', 'Your answer'] })
  expect(await textsOf(eactId)).toEqual(expect.arrayContaining(['My question', 'Your answer']))
})

test('results of SPF, DKIM and DMARC stand at the message, of the server that the mailbox names alone', async () => {
  const authenticationOf = async (headers: readonly string[], to = HELP) => {
    await send({ headers, to })
    return (await last()).authentication
  }
  const ours =
    'Authentication-Results: mx.us.example (a; comment) 1;\r\n dkim=fail header.d=x.example; dkim=pass; spf=softfail'
  expect(await authenticationOf([ours, 'Authentication-Results: mx.us.example; dmarc=fail; spf=pass'])).toEqual({
    spf: 'softfail',
    dkim: 'pass',
    dmarc: 'fail',
  })
  expect(await authenticationOf(['Authentication-Results: evil.example; spf=pass; dmarc=pass'])).toBeNull()
  expect(await authenticationOf(['Authentication-Results: "x;mx.us.example"; spf=pass'])).toBeNull()
  expect(await authenticationOf([ours], 'sales@us.example')).toBeNull()
})

test('a list or group that people write to opens cases; a newsletter does not', async () => {
  const before = (await cases()).length
  await send({
    headers: ['List-Id: <debtors.example>', 'List-Post: <mailto:all@x>', 'Precedence: list'],
    from: 'a@group',
  })
  await send({ headers: ['List-Id: <team.example>', 'List-Unsubscribe: <mailto:no@x>'], from: 'b@group' })
  expect((await cases()).length).toBe(before + 2)
  await send({ headers: ['List-Id: <news>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'], from: 'news@x' })
  await send({ headers: ['Precedence: bulk'], from: 'more@x' })
  expect((await cases()).length).toBe(before + 2)
})

test('thirty alerts of one sender in an hour open twenty cases, in whichever mailbox and thread', async () => {
  const before = (await cases()).length
  for (let alert = 0; alert < 30; alert++) {
    await send({ from: 'alerts@machine.example', subject: `disk ${alert}`, to: MAILBOXES[alert % 2]!.address })
  }
  expect((await cases()).length).toBe(before + 20)
})

test.each([
  ['deleted', 4],
  ['spam', 6],
])('email to a %s case is seen: one case says so until it is closed', async (name, status) => {
  const from = `dead${status}@debtor.example`
  const id = await send({ from, subject: `to ${name}` })
  const { eactId, seqNo } = await newest()
  await ask('POST', '/rest/svcems/case', { eactId, status })
  const answer = (subject: string) => send({ from, subject, headers: [`In-Reply-To: <${id}>`] })
  const told = async () => {
    const [dead] = await ask('POST', '/svcems/cases/search', { eactIds: [eactId] })
    const parts = dead.links.filter(({ type }: { type: number }) => type === 16)
    return parts.map((link: { from: { eactId: number } }) => link.from.eactId)
  }
  await answer('where is my money?')
  await answer('again')
  const [notice, ...others] = await told()
  expect(others).toEqual([])
  expect(await newest()).toMatchObject({
    eactId: notice,
    description: `Email to case ${seqNo}, which is deleted or spam: where is my money?`,
  })
  await ask('POST', '/rest/svcems/case', { eactId: notice, status: 2 })
  await answer('and again')
  expect(await told()).toEqual([notice, (await newest()).eactId])
  expect((await ask('POST', '/svcems/cases/search', { eactIds: [eactId] }))[0].status).toBe(status)
})

test('a conversation that is moved is logged in both cases, with who moved it', async () => {
  await send({ from: 'mover@debtor.example', subject: 'move me' })
  const [from, to] = [await newest(), (await cases())[1]]
  const [{ from: conversation }] = from.links
  const user = await world.parts.directory.addUser(
    { userName: 'mia', name: 'Mia', email: 'mia@us.example', phone: '', corporation: OURS, roles: ['agent'] },
    0,
  )
  const as = await world.credential(['cases:read', 'cases:write'], [OURS], { user: { id: user } as never })
  const body = { type: 14, from: conversation, to: { eactId: to.eactId } }
  expect((await world.call('PUT', '/svcems/activitylinks', body, { as })).status).toBe(200)
  const logs = async (eactId: number) => {
    const [{ logs: all }] = await ask('POST', '/svcems/cases/search', { eactIds: [eactId] })
    const { what, oldValue, newValue, user: who } = all.at(-1)
    return { what, oldValue, newValue, who: who?.userName }
  }
  const moved = { eactId: conversation.eactId }
  expect(await logs(from.eactId)).toEqual({ what: 'link', oldValue: moved, newValue: null, who: 'mia' })
  expect(await logs(to.eactId)).toEqual({ what: 'link', oldValue: null, newValue: moved, who: 'mia' })
})

const page = (type: string, ...lines: readonly string[]) => [`Content-Type: ${type}`, '', ...lines]
const two = (one: readonly string[], other: readonly string[]) => multipart('b', one, other)

test.each([
  ['no charset', page('text/plain', 'Sm\xf8rrebr\xf8d'), 'Smørrebrød'],
  ['a charset that is false', page('text/plain; charset=utf-8', 'Sm\xf8rrebr\xf8d'), 'Smørrebrød'],
  ['a charset that nobody has', page('text/html; charset=x-none', '<p>Sm\xf8r'), 'Smør'],
  ['a page that names its charset', page('text/html', '<meta charset="iso-8859-2"><p>\xb1\xb3\xfe'), 'ąłţ'],
  ['utf-8 that is not said', page('text/plain', 'Sm\xc3\xb8r'), 'Smør'],
  ['HTML between texts', two(page('text/plain', 'above'), page('text/html', '<p>below')), 'above\n\nbelow'],
  ['two pages', two(page('text/html', '<html><p>above</html>'), page('text/html', '<p>below')), 'above\n\nbelow'],
])('%s: no letter is lost', async (_, body, words) => {
  await send({ from: 'letters@debtor.example', to: 'sales@us.example', body })
  const { text, coreFileReferences } = await last()
  expect(text.trim()).toBe(words)
  expect(coreFileReferences.some(({ fileName }: { fileName: string }) => fileName === 'email.eml')).toBe(false)
})

test('names and subjects without charset are read, and a letter that is lost has its email beside it', async () => {
  await send({ from: 'S\xf8ren <s@debtor.example>', subject: 'M\xe5ned' })
  expect(await last()).toMatchObject({ subject: 'Måned', from: { name: 'Søren' }, coreFileReferences: [{ type: 17 }] })
  await send({ from: 's@debtor.example', body: page('text/plain; charset=utf-8', 'S\xc3\xb8ren S\xc3\xb8ren \xf8') })
  const { text, coreFileReferences } = await last()
  expect(text.trim()).toBe('Søren Søren \ufffd')
  expect(coreFileReferences.at(-1)).toMatchObject({ fileName: 'email.eml' })
})

test.each(['CID:a%40b', 'cid:a@b', 'cid:a%2540b'])('a picture shown as %s is shown', async (source) => {
  const id = source.endsWith('a%2540b') ? 'a%2540b' : 'a@b'
  const picture = [
    'Content-Type: image/png',
    `Content-ID: <${id}>`,
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
  ]
  await send({ body: two(page('text/html', `<p><img src="${source}">`), picture), from: 'pictures@debtor.example' })
  const { eactId } = await last()
  const { text } = await world.call('GET', `/svcems/emailcontent?eactId=${eactId}`)
  expect(text).toContain('<img src="data:image/png;base64,iVBORw0KGgo=">')
})

test('a picture that is shown ten thousand times makes no page that a node cannot hold', async () => {
  const letters = Buffer.alloc(100_000, 'A').toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const picture = ['Content-Type: image/png', 'Content-ID: <a@b>', 'Content-Transfer-Encoding: base64', '', letters]
  const html = Array.from({ length: 10_000 }, () => '<img src="cid:a@b">').join('\r\n')
  await send({ body: two(page('text/html', html), picture), from: 'pictures@debtor.example' })
  const { eactId } = await last()
  const { status, text } = await world.call('GET', `/svcems/emailcontent?eactId=${eactId}`)
  expect([status, text.length < 20 * 1024 * 1024]).toEqual([200, true])
  expect(text).toContain('<img src="data:image/png;base64,QUFB')
})
