/** Search as people type it, through HTTP and SMTP, on a server with the locale C (cases-17). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { bring } from '../../adapters/mail/mail-intake-world.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email } from '../../adapters/mail/ugly-mails.ts'
import { OURS } from '../rest-world.ts'
import { beginIdsAt, openWholeWorld, type WholeWorld } from '../whole-world.ts'

const HELP = 'help1@us.example'
let world: WholeWorld
let smtp: SmtpIntake

beforeAll(async () => {
  world = await openWholeWorld()
  const { clock, mails, fileStore } = world.parts
  const mailbox = { corporation: OURS, address: HELP, name: '', team: undefined, opensCases: true }
  const parts = { clock, log: silentLog, reader: readerHere(clock), mails, fileStore, mailboxes: [mailbox] }
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  smtp = await startSmtpIntake(new MailIntake(parts), place)
})
afterAll(async () => {
  await smtp.close()
  await world.close()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body)
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}
const found = async (text: string): Promise<number[]> => {
  const cases = await ask('POST', '/svcems/cases/search', { text, limitTo: 1_000 })
  return cases.map(({ eactId }: { eactId: number }) => eactId)
}
const titled = async (description: string): Promise<number> => {
  const made = { description, status: 1, corporation: { corpId: OURS } }
  return (await ask('POST', '/rest/svcems/case', made)).eactId
}

/** What was written, what finds it, and what does not. */
const WORDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['Ferie på Ærø', ['ærø', 'ÆRØ', 'aero', 'på æ', 'FERIE PA'], ['aeroe', 'ferieaero']],
  ['Åse Müller', ['åse', 'ase', 'MÜLLER', 'muller', 'ÅSE M'], ['mueller']],
  ['Straße 7, Łódź', ['STRASSE', 'straße', 'lodz', 'ŁÓDŹ'], []],
  ['Ολυμπία ΟΔΟΣ', ['ολυμπια', 'ΟΛΥΜΠΊΑ', 'οδος', 'ΟΔΟΣ'], []],
  ['Йод и ёлка', ['йод', 'ЁЛКА'], []],
  ['R&D at O’Neill’s', ['r&d', "o'neill's", 'O’NEILL'], ['amp', '&amp;', 'neills']],
  ['100 % of_all\\parts', ['100 %', 'OF_ALL\\P'], ['100 x', 'ofxall', 'of%parts']],
  ['ﬁrst – second', ['first', 'FIRST - SECOND'], []],
]

describe.each([
  ['a title', titled],
  [
    'a comment',
    async (text: string) => {
      const eactId = await titled('A case')
      await ask('POST', '/rest/svcems/activitytexts', { text: text.replaceAll('&', '&amp;'), activity: { eactId } })
      return eactId
    },
  ],
])('a part of %s', (_, write) => {
  test.each(WORDS)('%s is found as people type it', async (text, parts, others) => {
    const eactId = await write(text)
    for (const part of parts) expect(await found(part), part).toContain(eactId)
    for (const part of others) expect(await found(part), part).not.toContain(eactId)
  })
})

test('a comment is found by the words that its reader sees, never by its HTML', async () => {
  const eactId = await titled('A case')
  const text =
    '<p>Paid on <b>Fri</b>day, <a href="https://bank.example/x">the bank</a> says.</p><p>Next&nbsp;word</p>' +
    '<ul><li>one</li><li>two</li></ul>1 &lt; 2'
  await ask('POST', '/rest/svcems/activitytexts', { text, activity: { eactId } })
  for (const part of ['on friday', 'the bank says', 'says. next word', 'one two', '1 < 2']) {
    expect(await found(part), part).toContain(eactId)
  }
  for (const part of ['nofollow', 'bank.example', 'b>', 'onetwo', 'lt;', 'says.next']) {
    expect(await found(part), part).not.toContain(eactId)
  }
})

test('a case is found by the words of its emails, and by who wrote them', async () => {
  const mail = email(
    'From: =?utf-8?Q?S=C3=B8ren_Kj=C3=A6r?= <soren.k@debtor.example>',
    `To: ${HELP}`,
    'Subject: =?utf-8?Q?Ratenaftale_for_for=C3=A5ret?=',
    'Message-ID: <words@debtor.example>',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Jeg betaler <b>hver</b> m=C3=A5ned &amp; p=C3=A5 tide</p>'.replaceAll('=C3=A5', 'å'),
  )
  expect(await bring(smtp.port, mail, { from: 'soren.k@debtor.example', to: [HELP] })).toMatchObject({ code: 250 })
  const [eactId] = await found('ratenaftale')
  const other = await titled('Another')
  expect(eactId).toBeGreaterThan(0)
  for (const part of ['FORÅRET', 'hver maned & pa', 'søren kjær', 'Soren.K@Debtor']) {
    expect(await found(part), part).toEqual([eactId])
  }
  expect(await found('anoth')).toEqual([other])
})

test('a case is found by an email that was put into it without its conversation', async () => {
  const put = async (word: string) => {
    const head = ['From: petra@debtor.example', `To: ${HELP}`, `Subject: ${word}`, `Message-ID: <${word}@x.example>`]
    await bring(smtp.port, email(...head, '', `I pay by ${word}weed`), { from: 'petra@debtor.example', to: [HELP] })
    const [landed] = await found(word)
    const text = 'select activity_id as "eactId" from emails where message_id = $1'
    const [from] = (await world.pools.jobs.query(text, [`${word}@x.example`])).rows
    const to = { eactId: await titled('Another case') }
    await ask('PUT', '/rest/svcems/activitylinks', { type: 14, from, to })
    return [to.eactId, landed!]
  }
  const early = await put('sorrel')
  for (const part of ['sorrel', 'by sorrelweed']) expect(await found(part), part).toEqual(early)
  // Among many cases the newest ones are looked at first, and are all there are if they fill the page.
  await beginIdsAt(world, 20_000)
  const late = await put('tansy')
  for (const part of ['tansy', 'by tansyweed', 'I pay by']) {
    const [newest] = await ask('POST', '/svcems/cases/search', { text: part, limitTo: 1 })
    expect(newest.eactId, part).toBe(late[0])
  }
  expect(await found('I pay by')).toEqual([...late, ...early])
})

test('contacts and campaigns are found likewise', async () => {
  const contact = { corporation: { corpId: OURS }, name1: 'Åse', name2: 'Ærø-Müller', numbers: [] }
  const { emenId } = await ask('POST', '/rest/svcems/entity', contact)
  const { callCode } = await ask('POST', '/dialer/callcode', { name: 'Påmindelser Ærø', corporation: { corpId: OURS } })
  for (const part of ['ÅSE ÆRØ', 'ase aero', 'MÜLLER', 'rø-mu']) {
    const entities = await ask('GET', `/rest/svcems/entity?name=${encodeURIComponent(part)}`)
    expect(
      entities.map((one: { emenId: number }) => one.emenId),
      part,
    ).toEqual([emenId])
  }
  for (const part of ['ÆRØ', 'paminde', 'PÅM']) {
    const { callCodes } = await ask('GET', `/dialer/callcode?name=${encodeURIComponent(part)}`)
    expect(
      callCodes.map((one: { callCode: number }) => one.callCode),
      part,
    ).toEqual([callCode])
  }
})

test('what consists of accents alone finds nothing', async () => {
  expect(await found('\u0301')).toEqual([])
})
