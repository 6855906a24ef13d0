/** Two hundred people through HTTP, SMTP and imports; a hundred are erased, and looked for by the command line. */
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tracePlaces } from '../../../src/adapters/files/erase-files.ts'
import { journalFiles } from '../../../src/adapters/files/journal-files.ts'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { CallId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { bring } from '../../adapters/mail/mail-intake-world.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email, multipart } from '../../adapters/mail/ugly-mails.ts'
import { urlOf } from '../../app/service-place.ts'
import { switchboard } from '../../app/service-process.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

const PEOPLE = 200
/** Of every so many, one also writes email and is written to. */
const WRITERS = 5
const HELP = 'help1@us.example'

let world: WholeWorld
let us: Tenant
let smtp: SmtpIntake

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
  const { clock, mails, fileStore } = world.parts
  const mailboxes = [{ corporation: OURS, address: HELP, name: '', team: undefined, opensCases: true }]
  const parts = { clock, log: silentLog, reader: readerHere(clock), mails, fileStore, mailboxes }
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  smtp = await startSmtpIntake(new MailIntake(parts), place)
})
afterAll(async () => {
  await smtp.close()
  await world.close()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { as: us.as })
  if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
  return reply.body
}

const FIRST = ['Søren', 'Åse', 'Zoë', 'Łukasz', 'Jürgen', 'Mette', 'Ödön', 'Ragnhild', 'Çelik', 'Ingeborg']
const LAST = [
  'Kjærgård',
  'Møller',
  'Strauß',
  'Brännström',
  'Dvořák',
  'Ærøskøbing',
  'Ibáñez',
  'Nuñez',
  'Göktürk',
  'Holt',
]

interface Person {
  readonly place: number
  readonly name: string
  readonly number: string
  /** As a colleague types it into a text. */
  readonly typed: string
  readonly customer: string
  readonly address: string
  readonly writes: boolean
}

function personOf(place: number): Person {
  // The letter behind it: no name is a part of another one.
  const name = `${FIRST[place % 10]}${place}q ${LAST[Math.floor(place / 10) % 10]}${place}q`
  const digits = `27${String(place).padStart(3, '0')}${String((place * 37) % 1_000).padStart(3, '0')}`
  return {
    place,
    name,
    number: `+45${digits}`,
    typed: `+45 ${digits.match(/../g)!.join(' ')}`,
    customer: `customer-${place}x`,
    address: `person${place}@debtor.example`,
    writes: place % WRITERS === 0,
  }
}

const importOf = (callTasks: readonly object[], query = '') => {
  const { systemCode, callCode } = us.ids
  const order = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks }
  return ask('POST', `/svcdialer/calltaskimport${query}`, order)
}
const taskOf = ({ name, number, customer, place }: Person) => ({
  callReceiverName: name,
  callNumberList: [number],
  extCustId: customer,
  systemLookupCode: `lookup-${place}`,
  properties: [{ emprId: us.ids['emprId'], value: `owed by ${name}` }],
})

/** Its lines, from the person to our mailbox. */
const letter = ({ name, address, typed, place }: Person) =>
  email(
    `From: =?utf-8?B?${Buffer.from(name).toString('base64')}?= <${address}>`,
    `To: ${HELP}`,
    `Subject: A question of ${address}`,
    `Message-ID: <question${place}@debtor.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Call me: ${typed}`,
  )

/** Of a mail server that names the email by its Message-ID, in a thread of its own, with the email in it. */
const notice = ({ address, place }: Person, messageId: string) => {
  const [type = '', ...body] = multipart(
    'b',
    ['Content-Type: text/plain', '', `<${address}>: no such user`],
    [
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx',
      '',
      `Final-Recipient: rfc822; ${address}`,
      'Action: failed',
      'Status: 5.1.1',
    ],
    ['Content-Type: text/rfc822-headers', '', `Message-ID: <${messageId}>`, `To: ${address}`],
  )
  return email(
    ...['From: MAILER-DAEMON@mx.example', `To: ${HELP}`, `Subject: Undelivered to ${address}`],
    ...[`Message-ID: <notice${place}@mx.example>`, 'MIME-Version: 1.0'],
    type.replace('mixed', 'report; report-type=delivery-status'),
    ...body,
  )
}

/** The case of the person, with everything that colleagues write. */
async function happen(person: Person, journal: ReturnType<typeof journalFiles>) {
  const { name, number, typed, customer, address, place, writes } = person
  const { systemCode } = us.ids
  const [{ extensions }] = await ask('GET', `/svcems/entity?getExtensions=true&number=${encodeURIComponent(number)}`)
  const eeexId: number = extensions[0].eeexId
  const made = { status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const tags = [`${name}, ${typed}`, 'reminder']
  const { eactId } = await ask('POST', '/svcems/case', { ...made, description: `Rent of ${name}`, emsTags: tags })
  const text = `<p>${name.split(' ')[0]} <b>${name.split(' ')[1]}</b> asked to be called at ${typed}</p>`
  await ask('POST', '/svcems/activitytexts', { text, activity: { eactId } })
  const reason = `${name} shouted`
  await ask('POST', '/dialer/stoplist/persons', { persons: [{ systemCode, extCustId: customer }], reason })
  await ask('POST', '/dialer/stoplist/numbers', { numbers: [number], reason })
  const call = `in-${place}` as CallId
  await world.parts.dialerRepository.finishCall(
    callOf(call, 60_000, { direction: 'in', caller: number, called: '+45' }),
  )
  journal.append({ atMs: 0, call, kind: 'fact', by: 'call', what: { type: 'began', caller: number } })
  journal.append({ atMs: 0, call, kind: 'fact', by: 'call', what: { type: 'told', say: `Hello ${name}` } })
  if (!writes) return
  const mail = { activity: { eactId }, to: [{ address, name }], subject: `For ${name}`, text: `Dear ${name}` }
  const { messageId } = await ask('POST', '/svcems/emails', mail)
  expect(await bring(smtp.port, letter(person), { from: address, to: [HELP] })).toMatchObject({ code: 250 })
  const [{ eactId: ofLetter }] = await ask('POST', '/svcems/cases/search', { text: `question of ${address}` })
  await ask('POST', '/svcems/case', { eactId: ofLetter, entityExtension: { eeexId } })
  expect(await bring(smtp.port, notice(person, messageId), { from: '', to: [HELP] })).toMatchObject({ code: 250 })
}

/** Colleagues work beside one another. */
async function eightAtOnce(people: readonly Person[], work: (person: Person) => Promise<void>) {
  const rest = people.values()
  const colleague = async () => {
    for (const person of rest) await work(person)
  }
  await Promise.all(Array.from({ length: 8 }, colleague))
}

const wordsOf = ({ name, number, customer, address }: Person) => [...name.split(' '), number, customer, address]

interface Found {
  readonly rows: readonly { readonly table: string; readonly column: string }[]
  readonly files: readonly { readonly path: string }[]
}

/** What `switchboard find-person` finds of them: columns, and files. */
async function found(people: readonly Person[]): Promise<readonly string[]> {
  const env = {
    DATABASE_URL: urlOf(world.pools.connection('find') as never),
    DATA_DIR: world.parts.recordingsDirectory,
    RECORDINGS_DIR: world.parts.recordingsDirectory,
  }
  const said = await switchboard(['find-person', '--json', ...people.flatMap(wordsOf)], env).catch(
    (error: Error) => error.message,
  )
  const { rows, files } = JSON.parse(said.slice(said.indexOf('{'))) as Found
  return [...new Set([...rows.map(({ table, column }) => `${table}.${column}`), ...files.map(({ path }) => path)])]
}

test('a case that was merged and then erased stays merged', async () => {
  const open = async (more: object) =>
    (await ask('POST', '/svcems/case', { description: 'x', status: 1, corporation: { corpId: OURS }, ...more })).eactId
  const contact = { corporation: { corpId: OURS }, name1: 'Mo', numbers: [], extensions: [{}] }
  const { extensions } = await ask('POST', '/svcems/entity', contact)
  const { eeexId } = extensions[0]
  const [theirs, other] = [await open({ entityExtension: { eeexId } }), await open({})]
  await ask('POST', '/svcems/activitytexts', { text: 'words', activity: { eactId: theirs } })
  await ask('POST', '/svcems/case', { eactId: theirs, mergedTo: { eactId: other } })
  await ask('POST', '/core/persons/erase', { eeexId, reason: 'request' })
  const { status, text } = await world.call('POST', '/svcems/case', { eactId: theirs, mergedTo: null }, { as: us.as })
  expect([status, text]).toEqual([409, expect.stringContaining('the case was erased since; it stays merged')])
})

test('a conversation that goes on with another person loses the subject of the email that is erased', async () => {
  const contact = { corporation: { corpId: OURS }, name1: 'Bo', numbers: [], extensions: [{}] }
  const [theirs, other] = await Promise.all(
    [1, 2].map(async () => (await ask('POST', '/svcems/entity', contact)).extensions[0].eeexId as number),
  )
  const open = async (eeexId: unknown) => {
    const made = { description: 'x', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
    return (await ask('POST', '/svcems/case', made)).eactId
  }
  const [from, to] = [await open(theirs), await open(other)]
  const mail = { activity: { eactId: from }, to: [{ address: 'bo@debtor.example' }], subject: 'rowanberry', text: 'x' }
  const { messageId } = await ask('POST', '/svcems/emails', mail)
  const [{ links }] = await ask('POST', '/svcems/cases/search', { eactIds: [from] })
  const link = links.find(({ type }: { type: number }) => type === 14)
  await ask('PUT', '/svcems/activitylinks', { type: 14, from: link.from, to: { eactId: to } })
  const answer = email(
    ...['From: eve@debtor.example', `To: ${HELP}`, 'Subject: mine', 'Message-ID: <mine@debtor.example>'],
    ...[`In-Reply-To: <${messageId}>`, '', 'hello'],
  )
  await bring(smtp.port, answer, { from: 'eve@debtor.example', to: [HELP] })
  await ask('POST', '/core/persons/erase', { eeexId: theirs, reason: 'request' })
  const [conversation] = await ask('POST', '/svcems/activities/search', { eactIds: [link.from.eactId] })
  expect(conversation.subject).toBe('')
})

/** An email to our mailbox, from a person or a machine, and what became of it. */
async function arrives(from: string, subject: string, text: string, lines: readonly string[] = []) {
  const messageId = `${subject}@mx.example`
  const head = [`From: ${from}`, `To: ${HELP}`, `Subject: ${subject}`, `Message-ID: <${messageId}>`, ...lines]
  const mime = ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', '']
  const envelope = { from: from.startsWith('MAILER-DAEMON') ? '' : from, to: [HELP] }
  expect(await bring(smtp.port, email(...head, ...mime, text), envelope)).toMatchObject({ code: 250 })
  const where = `
    select e.activity_id as email, k.to_id as case from emails e
      join activity_links l on l.type = 13 and l.from_id = e.activity_id
      left join activity_links k on k.type = 14 and k.from_id = l.to_id where e.message_id = $1`
  const { rows } = await world.pools.jobs.query<{ email: number; case: number }>(where, [messageId])
  return { ...rows[0]!, messageId }
}
const openCase = async (description: string) =>
  (await ask('POST', '/svcems/case', { description, status: 1, corporation: { corpId: OURS } })).eactId as number
const link = (type: number, from: number, to: number) =>
  ask('PUT', '/svcems/activitylinks', { type, from: { eactId: from }, to: { eactId: to } })
const eraseAddress = (address: string) => ask('POST', '/core/persons/erase', { email: address, reason: 'request' })
/** The cases with all that they say. */
const said = async (...eactIds: number[]) => JSON.stringify(await ask('POST', '/svcems/cases/search', { eactIds }))

test('the notice of an email to a dead case goes with it, and so do parts of nobody else', async () => {
  const dead = await arrives('ada@debtor.example', 'aconite', 'x')
  await ask('POST', '/svcems/case', { eactId: dead.case, status: 6 })
  await arrives('ada@debtor.example', 'bryony', 'x', [`In-Reply-To: <${dead.messageId}>`])
  const [{ eactId: notice, description }] = await ask('POST', '/svcems/cases/search', { text: 'spam: bryony' })
  expect(description).toMatch(/^Email to case \d+, which is deleted or spam: bryony$/)
  const below = await openCase('comfrey')
  await link(16, below, notice)
  const [ofOther, underOther] = [
    (await arrives('eve@debtor.example', 'dittany', 'x')).case,
    await openCase('elecampane'),
  ]
  await link(16, ofOther, dead.case)
  await link(16, underOther, ofOther)
  const exported = JSON.stringify(
    await ask('POST', '/core/persons/export', { email: 'ada@debtor.example', reason: 'r' }),
  )
  await eraseAddress('ada@debtor.example')
  const left = await said(dead.case, notice, below, ofOther, underOther)
  for (const word of ['aconite', 'bryony', 'comfrey']) {
    expect(exported, word).toContain(word)
    expect(left, word).not.toContain(word)
  }
  for (const word of ['dittany', 'elecampane']) expect(left, word).toContain(word)
})

test('notices about longer addresses, and about others but for an accent, stay', async () => {
  const own = [
    '<ann@x.dk>: no such user',
    'rfc822;ann@x.dk',
    'Not to ANN@X.DK.',
    "'ann@x.dk', ann@x.dk: full",
    'ann@x.dk',
  ]
  const other = ['joann@x.dk', 'jo.ann@x.dk', 'jo+ann@x.dk', 'jo-ann@x.dk', 'ann@x.dk.example', 'ann@x.dk-a.example']
  const others = [...other, 'ånn@x.dk', 'a\u030ann@x.dk', 'þann@x.dk', 'ann@x.dké.example', 'ann@xxdk', 'ann@x.dkk']
  const ids: number[] = []
  for (const [place, text] of [...own, ...others].entries()) {
    ids.push((await arrives(`MAILER-DAEMON@mx${place}.example`, `notice-${place}`, text)).email)
  }
  await eraseAddress('ann@x.dk')
  const text = 'select activity_id as id from emails where activity_id = any($1) and body_text = $2'
  const { rows } = await world.pools.jobs.query<{ id: number }>(text, [ids, ''])
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.slice(0, own.length).sort())
})

test('a case with nothing but an email that was put into it goes with the address of the email', async () => {
  const [gone, left] = [await openCase('feverfew'), await openCase('gentian')]
  const emails = await Promise.all(['one', 'two'].map((word) => arrives('gus@debtor.example', `henbane-${word}`, 'x')))
  await link(14, emails[0]!.email, gone)
  await link(14, emails[1]!.email, left)
  await link(14, (await arrives('eve@debtor.example', 'hyssop', 'x')).email, left)
  await ask('POST', '/svcems/activitytexts', { text: 'juniper', activity: { eactId: gone } })
  await eraseAddress('gus@debtor.example')
  const words = await said(gone, left)
  expect(words).toContain('gentian')
  for (const word of ['feverfew', 'juniper', 'henbane']) expect(words, word).not.toContain(word)
})

test('of 200 people 100 are erased: only the stop lists have them, and nothing of the others is lost', async () => {
  const people = Array.from({ length: PEOPLE }, (_, place) => personOf(place))
  await importOf(people.map(taskOf))
  const places = tracePlaces(world.parts.recordingsDirectory)
  const limits = { fileBytesMax: 1e8, filesMax: 9, daysMax: 30, clock: new RealClock(), log: silentLog }
  const journal = journalFiles({ directory: places.journalDirectory, ...limits })
  await eightAtOnce(people, (person) => happen(person, journal))
  await journal.close()
  await mkdir(dirname(places.callEventsFile), { recursive: true })
  for (const { number } of people) {
    await appendFile(places.callEventsFile, `${JSON.stringify({ eventtype: 'CHAN_START', num: number })}\n`)
    await appendFile(places.callEventsFile.replace('call-events.json', 'security'), `AccountID="${number.slice(1)}"\n`)
  }
  // A list that is cancelled before anybody was imported: nobody else knows the people in it.
  const { importId } = await importOf(
    people.map((one) => ({ ...taskOf(one), systemLookupCode: `more-${one.place}` })),
    '?importAsync=true',
  )
  await ask('DELETE', `/svcdialer/calltaskimport/${importId}`)

  const [erased, others] = [0, 1].map((odd) => people.filter(({ place }) => place % 2 === odd)) as [Person[], Person[]]
  const before = await found(others)
  for (const column of ['tags.name', 'case_texts.text', 'emails.body_text', 'stopped_persons.reason']) {
    expect(before).toContain(column)
  }
  expect(before).not.toContain('import_pieces.call_tasks')
  await eightAtOnce(erased, async ({ customer }) => {
    const person = { systemCode: us.ids['systemCode'], extCustId: customer, reason: 'request' }
    const document = await ask('POST', '/core/persons/export', person)
    expect(document.stopLists).toMatchObject({ stopped_numbers: [{}], stopped_persons: [{}] })
    expect(document.journal).toHaveLength(2)
    await ask('POST', '/core/persons/erase', person)
  })
  const stopLists = ['stopped_numbers.number', 'stopped_persons.person_key']
  expect(await found(erased)).toEqual(stopLists)
  expect(await found(others)).toEqual(before)

  // The mail server delivers again what it has: after a crash, from a backup, or under a new UIDVALIDITY.
  for (const person of erased.filter(({ writes }) => writes)) {
    expect(await bring(smtp.port, letter(person), { from: person.address, to: [HELP] })).toMatchObject({ code: 250 })
  }
  expect(await found(erased)).toEqual(stopLists)
})
