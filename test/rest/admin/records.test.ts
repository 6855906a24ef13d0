/**
 * Random operations on cases, holds, links, merges, emails and people, over HTTP and SMTP, while days pass: nothing
 * under hold disappears, nothing erased is found again, nothing open is erased, and every change has its log with a
 * name.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../../../src/adapters/mail/smtp-intake.ts'
import { eraseExpired } from '../../../src/core/workers/retention-worker.ts'
import { type Clock, RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { randomInt, randomOf, seededRandom } from '../../../src/kernel/random.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { bring } from '../../adapters/mail/mail-intake-world.ts'
import { readerHere } from '../../adapters/mail/reader-here.ts'
import { email } from '../../adapters/mail/ugly-mails.ts'
import { urlOf } from '../../app/service-place.ts'
import { switchboard } from '../../app/service-process.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'

/** `npm run records` has ten thousand. */
const OPERATIONS = Number(process.env['RECORDS_OPERATIONS'] ?? 600)
const SEED = Number(process.env['RECORDS_SEED'] ?? 17)
const CHECK_EVERY = 250
const DAY_MS = 24 * 3_600_000
const DAYS = { recordings: 20, transcripts: 20, tasks: 20, calls: 20, contacts: 730, audit: 9_000, activities: 20 }
const HELP = 'help1@us.example'
/** Cases that operations are about: the latest. */
const RECENT = 40
const HOLDS_MAX = 4
/** The statuses in which somebody still works on a case. */
const OPEN = [1, 3, 7, 8]

interface Person {
  readonly eeexId: number
  readonly address: string
}
/** The texts of an activity: its title or subject first. */
type Texts = readonly string[]

const random = seededRandom(SEED)
const clock = new VirtualClock(Date.now() - 3_000 * DAY_MS)
/** The time of the virtual days, in which connections wait as they do in reality. */
const real = new RealClock()
const passing: Clock = {
  nowMs: () => clock.nowMs(),
  schedule: (atMs, action) => real.schedule(real.nowMs() + atMs - clock.nowMs(), action),
}
let world: WholeWorld
let smtp: SmtpIntake
let mia: { readonly id: number; as: Awaited<ReturnType<WholeWorld['credential']>> }

beforeAll(async () => {
  world = await openWholeWorld(true, { clock: passing })
  const { mails, fileStore, directory } = world.parts
  const mailboxes = [{ corporation: OURS, address: HELP, name: '', team: undefined, opensCases: true }]
  const parts = { clock: passing, log: silentLog, reader: readerHere(real), mails, fileStore, mailboxes }
  const place = { host: '127.0.0.1', port: 0, protocol: 'smtp', tls: undefined, log: silentLog } as const
  smtp = await startSmtpIntake(new MailIntake(parts), place)
  const user = { userName: 'mia', name: 'Mia', email: 'mia@us.example', phone: '', corporation: OURS }
  const id = Number(await directory.addUser({ ...user, roles: ['agent'] }, 0))
  mia = { id, as: await credential(id) }
})
afterAll(async () => {
  await smtp.close()
  await world.close()
})

/** It lasts for days alone. */
const credential = (id: number) => world.credential(SCOPES, [OURS], { user: { id } as never })
const call = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { as: mia.as })
  // A refusal is an answer, a fault is none.
  if (reply.status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)} ${reply.text}`)
  return reply
}
const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await call(method, path, body)
  if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
  return reply.body
}
// biome-ignore lint/suspicious/noExplicitAny: tests check what an answer holds
const caseOf = async (eactId: number): Promise<any> =>
  (await ask('POST', '/svcems/cases/search', { eactIds: [eactId] }))[0]

let words = 0
/** A text that is nowhere else. */
const word = () => `zq${++words}qz`
const cases: number[] = []
const people: Person[] = []
/** Hold → activity → its texts when the hold reached it. */
const held = new Map<number, Map<number, Texts>>()
/** What a hold is about. */
const holdOf = new Map<number, { readonly eactId?: number; readonly eeexId?: number }>()
const erased = new Set<string>()
/** Subjects of emails are titles of cases too, and each may go without the other. */
const subjects = new Set<string>()
const forget = (text: string) => subjects.has(text) || erased.add(text)
const sent: { readonly messageId: string; readonly person: Person }[] = []
const done: Record<string, number> = {}

async function addPerson(): Promise<Person> {
  const address = `${word()}@debtor.example`
  const contact = { corporation: { corpId: OURS }, name1: word(), name2: word(), numbers: [], extensions: [{}] }
  const saved = await ask('POST', '/svcems/entity', contact)
  const person = { eeexId: saved.extensions[0].eeexId, address }
  people.push(person)
  return person
}

/** Texts of a case and of what hangs on it, and the same of its parts and merges, as a reader finds them. */
async function reached(roots: readonly number[]): Promise<Map<number, Texts>> {
  const found = new Map<number, Texts>()
  const queue = [...roots]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    const one = await caseOf(id)
    if (!one) continue
    found.set(id, [one.description, ...one.texts.map(({ text }: { text: string }) => text)])
    for (const { type, from, to } of one.links) {
      if (to.eactId !== id) continue
      if (type === 16) queue.push(from.eactId)
      else for (const [mail, texts] of await mailsOf(from.eactId)) found.set(mail, texts)
    }
    if (one.mergedTo) queue.push(one.mergedTo.eactId)
    const merged = one.logs.filter(({ what }: { what: string }) => what === 'merged from')
    for (const { newValue } of merged) {
      const other = newValue && (await caseOf(newValue.eactId))
      if (other?.mergedTo?.eactId === id) queue.push(newValue.eactId)
    }
  }
  return found
}

async function mailsOf(conversation: number): Promise<[number, Texts][]> {
  const filter = { eactIds: [conversation], linkTypes: [13], linkDirection: 'FROM' }
  const mails = await ask('POST', '/svcems/activities/search', { activityLinkFilters: [filter] })
  return mails.map(({ eactId, subject }: { eactId: number; subject: string }) => [eactId, [subject]])
}

async function rootsOf(holdId: number): Promise<number[]> {
  const { eactId, eeexId } = holdOf.get(holdId)!
  if (eactId !== undefined) return [eactId]
  const found = await ask('POST', '/svcems/cases/search', { eeexIds: [eeexId], limitTo: 1_000 })
  return found.map((one: { eactId: number }) => one.eactId)
}

/** What a hold keeps must be there, and be reached still; merges move texts from one case to another. */
async function checkHolds(): Promise<void> {
  for (const [holdId, before] of held) {
    const now = await reached(await rootsOf(holdId))
    const [had, has] = [before, now].map((each) => new Set([...each.values()].flat())) as [Set<string>, Set<string>]
    expect(
      [...had].filter((text) => !has.has(text)),
      `hold ${holdId} of ${JSON.stringify(holdOf.get(holdId))}`,
    ).toEqual([])
    for (const id of before.keys()) expect(now.has(id), `hold ${holdId} reaches ${id}`).toBe(true)
    held.set(holdId, now)
  }
}

async function checkErased(): Promise<void> {
  const all = [...erased]
  for (const text of all.slice(-3).concat(all.length === 0 ? [] : randomOf(random, all))) {
    expect(await ask('POST', '/svcems/cases/search', { text }), text).toEqual([])
  }
}

/** The last entry of the case's log is of Mia, and says what. */
async function checkLog(eactId: number, what: string): Promise<void> {
  const { logs } = await caseOf(eactId)
  const names = logs.filter((log: { what: string }) => log.what === what).at(-1)?.user?.userName
  expect([what, names]).toEqual([what, 'mia'])
}

async function checkAudit(action: string, object: string): Promise<void> {
  const [entry] = await ask('GET', `/core/audit?action=${action}&object=${object}&size=1`)
  expect([action, object, entry?.userId]).toEqual([action, object, mia.id])
}

const recent = () => randomOf(random, cases.slice(-RECENT))
const texts = (one: { description: string; texts: { text: string }[] }) => [
  one.description,
  ...one.texts.map(({ text }) => text),
]

/** Each answers whether anything was changed. Refusals are answers too; faults are not. */
const OPERATIONS_OF: Readonly<Record<string, () => Promise<boolean>>> = {
  async create() {
    const owner = randomInt(random, 0, 3) === 0 ? {} : { entityExtension: { eeexId: randomOf(random, people).eeexId } }
    const body = { description: word(), status: 1, corporation: { corpId: OURS }, emsTags: [word()], ...owner }
    const { eactId } = await ask('POST', '/svcems/case', body)
    cases.push(eactId)
    await checkLog(eactId, 'created')
    return true
  },
  async comment() {
    const { status } = await call('POST', '/svcems/activitytexts', { text: word(), activity: { eactId: recent() } })
    return status === 200
  },
  async status() {
    const eactId = recent()
    const status = randomOf(random, [1, 2, 2, 2, 3, 4, 6, 7])
    const before = await caseOf(eactId)
    const { status: answer, body } = await call('POST', '/svcems/case', { eactId, status })
    const isChanged = answer === 200 && body.eactId === eactId && body.status !== before.status
    if (isChanged) await checkLog(eactId, 'status')
    return isChanged
  },
  async part() {
    const [from, to] = [recent(), recent()]
    const link = { type: 16, from: { eactId: from }, to: { eactId: to } }
    const { status } = await call('PUT', '/svcems/activitylinks', link)
    if (status === 200) await checkLog(from, 'part of')
    return status === 200
  },
  async apart() {
    const from = recent()
    const one = await caseOf(from)
    const link = one?.links.find((each: { type: number; from: { eactId: number } }) => {
      return each.type === 16 && each.from.eactId === from
    })
    if (!link) return false
    const path = `/svcems/activitylinks?type=16&from=${from}&to=${link.to.eactId}`
    return (await call('DELETE', path)).status < 300
  },
  async merge() {
    const [eactId, into] = [recent(), recent()]
    const { status } = await call('POST', '/svcems/case', { eactId, mergedTo: { eactId: into } })
    if (status === 200) await checkLog(eactId, 'merged into')
    return status === 200
  },
  async unmerge() {
    const { status } = await call('POST', '/svcems/case', { eactId: recent(), mergedTo: null })
    return status === 200
  },
  async move() {
    const [from, to] = [await caseOf(recent()), recent()]
    const link = from?.links.find(({ type }: { type: number }) => type === 14)
    if (!link) return false
    const body = { type: 14, from: link.from, to: { eactId: to } }
    return (await call('PUT', '/svcems/activitylinks', body)).status === 200
  },
  async write() {
    const [eactId, person] = [recent(), randomOf(random, people)]
    const mail = { activity: { eactId }, to: [{ address: person.address }], subject: word(), text: word() }
    const { status, body } = await call('POST', '/svcems/emails', mail)
    if (status === 201) sent.push({ messageId: body.messageId, person })
    return status === 201
  },
  async receive() {
    const answers = sent.length > 0 && randomInt(random, 0, 2) > 0 ? randomOf(random, sent.slice(-RECENT)) : undefined
    const from = (answers?.person ?? randomOf(random, people)).address
    const subject = word()
    subjects.add(subject)
    const head = [`From: ${from}`, `To: ${HELP}`, `Subject: ${subject}`, `Message-ID: <${word()}@debtor.example>`]
    if (answers) head.push(`In-Reply-To: <${answers.messageId}>`)
    const { code } = await bring(smtp.port, email(...head, 'MIME-Version: 1.0', '', word()), { from, to: [HELP] })
    expect(code).toBe(250)
    const [newest] = await ask('POST', '/svcems/cases/search', { statuses: [1], limitTo: 1 })
    if (newest && !cases.includes(newest.eactId)) cases.push(newest.eactId)
    return true
  },
  async hold() {
    if (held.size >= HOLDS_MAX) return false
    const about = randomInt(random, 0, 1) === 0 ? { eactId: recent() } : { eeexId: randomOf(random, people).eeexId }
    const { status, body } = await call('POST', '/core/legalholds', { ...about, reason: 'suit' })
    if (status >= 300) return false
    await checkAudit('create', 'legalHold')
    holdOf.set(body.holdId, about)
    held.set(body.holdId, await reached(await rootsOf(body.holdId)))
    return true
  },
  async lift() {
    if (held.size < HOLDS_MAX) return false
    await checkHolds()
    const holdId = randomOf(random, [...held.keys()])
    await ask('DELETE', `/core/legalholds/${holdId}`)
    held.delete(holdId)
    return true
  },
  async erase() {
    const person = randomOf(random, people)
    const named = { eeexId: person.eeexId, reason: 'request' }
    const document = await call('POST', '/core/persons/export', named)
    if (document.status !== 200) return false
    const { status } = await call('POST', '/core/persons/erase', named)
    if (status !== 200) return false
    await checkAudit('erase', 'person')
    // Addresses stay where emails are of others: a contact has none.
    const theirs = JSON.stringify([document.body.activities, document.body.contacts])
    for (const [text] of theirs.matchAll(/zq[0-9]+qz(?!@)/g)) forget(text)
    people.splice(people.indexOf(person), 1)
    await addPerson()
    return true
  },
  async days() {
    const open = await ask('POST', '/svcems/cases/search', { statuses: OPEN, getTexts: true, limitTo: 1_000 })
    const over = await ask('POST', '/svcems/cases/search', { statuses: [2, 4, 5, 6], getTexts: true, limitTo: 1_000 })
    clock.run(randomInt(random, 1, 6) * DAY_MS)
    mia.as = await credential(mia.id)
    const { privacy, audit, flowEvents, keptBytes } = world.parts
    const anchors = { keep: () => 0, read: () => [] }
    const parts = { privacy, audit, flowEvents, anchors, bytes: keptBytes, days: DAYS, log: silentLog, clock }
    await eraseExpired(parts)
    const after = await ask('POST', '/svcems/cases/search', { statuses: OPEN, getTexts: true, limitTo: 1_000 })
    expect(after.map(texts)).toEqual(open.map(texts))
    const left = await ask('POST', '/svcems/cases/search', { statuses: [2, 4, 5, 6], getTexts: true, limitTo: 1_000 })
    for (const [place, one] of over.entries()) {
      if (left[place]?.description !== '' || one.description === '') continue
      for (const text of texts(one)) forget(text.replaceAll(/<[^>]*>/g, ''))
    }
    await checkHolds()
    return true
  },
}

/** How often each is tried. */
const WEIGHTS: Readonly<Record<string, number>> = {
  create: 14,
  comment: 18,
  status: 18,
  part: 8,
  apart: 5,
  merge: 5,
  unmerge: 3,
  move: 4,
  write: 8,
  receive: 8,
  hold: 3,
  lift: 1,
  erase: 2,
  days: 1,
}
const CHOICES = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array<string>(weight).fill(name))

test(`${OPERATIONS} operations, seed ${SEED}`, async () => {
  for (let count = 0; count < 8; count++) await addPerson()
  for (let count = 0; count < 8; count++) await OPERATIONS_OF['create']!()
  for (let count = 1; count <= OPERATIONS; count++) {
    const name = randomOf(random, CHOICES)
    if (await OPERATIONS_OF[name]!()) done[name] = (done[name] ?? 0) + 1
    if (count % CHECK_EVERY > 0) continue
    await checkHolds()
    await checkErased()
  }
  // Nothing of it was tried in vain.
  for (const name of Object.keys(WEIGHTS)) expect(done[name], name).toBeGreaterThan(0)
  expect(erased.size).toBeGreaterThan(OPERATIONS / 100)
  const env = {
    DATABASE_URL: urlOf(world.pools.connection('find') as never),
    DATA_DIR: world.parts.recordingsDirectory,
  }
  const said = await switchboard(['find-person', ...erased], env)
  expect(said).toContain('all files have nothing else')
})
