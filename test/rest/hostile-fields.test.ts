/** Texts and telephone numbers that mean harm, at every place of every operation of the OpenAPI document (U20). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPhoneNumber } from '../../src/dialer/phone-number.ts'
import { cleanText } from '../../src/kernel/clean-text.ts'
import type { UserId } from '../../src/kernel/ids.ts'
import { safeHtml } from '../../src/mail-format/safe-html.ts'
import { SCOPES } from '../../src/rest/http/route.ts'
import { HOSTILE_NUMBERS } from '../support/hostile-numbers.ts'
import { SETTINGS } from './dialer/dialer-world.ts'
import { type BodyAround, type Operation, operationsOf, type Place } from './hostile-requests.ts'
import { OURS, type Reply } from './rest-world.ts'
import { type Ids, openWholeWorld, settle, type WholeWorld } from './whole-world.ts'

/** Each begins with a number of its own, by which it is found where it was stored. */
const TEXTS: Readonly<Record<string, (mark: string) => string>> = {
  plain: (mark) => mark,
  'a high surrogate alone': (mark) => `${mark}a\ud800b`,
  'a low surrogate alone, at the end': (mark) => `${mark}a\udfff`,
  'a pair the wrong way round': (mark) => `${mark}\udc00\ud83d`,
  NUL: (mark) => `${mark}a\u0000b`,
  'NUL alone': () => '\u0000',
  'controls, marks of direction, separators of lines': (mark) => `${mark}a\u202eb\u2066\u0007\u001b[31m\u2028\ufeffc`,
  'what reads as NUL': (mark) => `${mark}\\u0000`,
  '64 KB': (mark) => mark.padEnd(65_536, 'w'),
  '64 KB of emoji': (mark) => mark + '\u{1f468}\u200d\u{1f469}'.repeat(13_000),
  '64 KB of accents': (mark) => mark + '\u0301'.repeat(65_000),
}
const NUMBER_PLACE = /(^|\.)(callNumberList|callNumbers|numbers|number|callerId)(\.0)?$/i

let world: WholeWorld
let operations: readonly Operation[]
let ids: Ids

beforeAll(async () => {
  world = await openWholeWorld(false)
  ids = (await settle(world, OURS, 'ours', 1)).ids
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  const all = operationsOf(body, Object.assign({ flow: 'hello' }, ids), bodiesOf(ids))
  // What these change would be missed by the others.
  const isLast = ({ name }: Operation) =>
    /^DELETE|rotate|second-factor|PATCH .*(externalsystems|webhooks)|end$|erase/.test(name)
  const last = all.filter(isLast).sort((one, other) => one.method.localeCompare(other.method))
  operations = [...all.filter((one) => !isLast(one)), ...last]
  await watchRows()
})
afterAll(() => world?.close())

/** Valid bodies where the example of the document is not, in this world. */
function bodiesOf(ids: Ids): Readonly<Record<string, BodyAround>> {
  const { caseId, itsyId, ucquId, emprId, callCode, systemCode, outcomeId } = ids
  const campaign = { corporation: { corpId: 1 }, externalSystem: { itsyId }, queue: { ucquId } }
  const named: BodyAround = (_, count) => ({ name: `name ${count}` })
  const person: BodyAround = (place) => {
    if (place === 'number') return { number: '+4526100777', reason: 'x' }
    if (place === 'email') return { email: 'a@b.example', reason: 'x' }
    return { systemCode, extCustId: 'c-1', reason: 'x' }
  }
  const outcome: BodyAround = (place, count) =>
    Object.assign(
      { name: `outcome ${count}` },
      place.startsWith('fields') ? { fields: [{ name: 'f', kind: 'choice', choices: ['a'] }] } : {},
    )
  const orders: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    reason: { type: 'pause' },
    digits: { type: 'digits' },
    number: { type: 'transfer' },
    userName: { type: 'transfer' },
    callId: { type: 'hangUp' },
    feedbackType: { type: 'feedback' },
  }
  return {
    'POST /rest/core/externalsystems': (_, count) => ({ systemCode: `S-${count}`, name: 'x' }),
    'POST /svcdialer/calltaskimport': (_, count) => ({
      systemCode,
      callCode,
      maxCallAttempts: 3,
      minCallIntervalHours: 4,
      callTasks: [
        {
          callReceiverName: 'x',
          callNumberList: ['+4526100777'],
          extCustId: `hostile-${count}`,
          systemLookupCode: `hostile-${count}`,
          properties: [{ emprId, value: 'x' }],
        },
      ],
    }),
    'POST /dialer/callcode': (place, count) => {
      const one = Object.assign({ name: `campaign ${count}` }, campaign, SETTINGS)
      return place.startsWith('callCodes') ? { callCodes: [one] } : one
    },
    'POST /dialer/callcode/{callCode}/outcomes': outcome,
    'POST /rest/svcpbx/queue/{ucquId}/outcomes': outcome,
    'POST /rest/svcpbx/flows/{flow}/publish': () => ({
      text: 'flow: hello\nstart: bye\nsteps:\n  bye: { hangup: { say: Goodbye. } }\n',
    }),
    'PATCH /dialer/callcode/{callCode}/outcomes/{outcomeId}': (place) =>
      place.startsWith('fields') ? { fields: [{ name: 'f', kind: 'choice', choices: ['a'] }] } : {},
    'POST /dialer/calltaskget': () => ({}),
    'PATCH /dialer/calltask/{itcaId}': () => ({}),
    'PUT /rest/svcems/activity-summary/{eactId}': (_, count) => ({ text: 'x', version: count }),
    'POST /rest/svcems/activitytexts': () => ({ text: 'x', activity: { eactId: caseId } }),
    'POST /rest/svcems/emails': () => ({
      activity: { eactId: caseId },
      to: [{ address: 'a@debtor.example' }],
      subject: 'x',
      text: 'x',
    }),
    'POST /rest/svcems/case': (place) =>
      Object.assign(
        { corporation: { corpId: 1 }, description: 'x', status: 1 },
        place === 'onHoldComment' ? { status: 8, onHoldToTs: '2100-01-01T00:00:00Z' } : {},
      ),
    'POST /rest/svcems/categories': named,
    'POST /rest/svcems/statuses': (_, count) => ({ name: `name ${count}`, internalStatus: 1 }),
    'POST /rest/svcems/priorities': (_, count) => ({ name: `name ${count}`, level: 1 }),
    'POST /svcpbx/agents/me/orders': (place) =>
      orders[place] ?? { type: 'outcome', outcomeId, fields: [{ name: 'a', value: 1 }] },
    'POST /rest/core/persons/export': person,
    'POST /rest/core/persons/erase': person,
    'POST /rest/core/legalholds': person,
  }
}

/** Lets the database note every row that a request wrote and kept; what is rolled back is not noted. */
async function watchRows(): Promise<void> {
  const { jobs } = world.pools
  await jobs.query('create table noted (in_table text not null, content jsonb not null)')
  await jobs.query(`create function note() returns trigger language plpgsql as $$
    begin insert into noted values (tg_table_name, to_jsonb(new)); return null; end $$`)
  const { rows } = await jobs.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'noted'`,
  )
  for (const { name } of rows) {
    await jobs.query(`create trigger noting after insert or update on "${name}" for each row execute function note()`)
  }
}

interface Noted {
  readonly in_table: string
  readonly content: Readonly<Record<string, unknown>>
}

async function notedRows(): Promise<Noted[]> {
  return (await world.pools.jobs.query<Noted>('delete from noted returning in_table, content')).rows
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What becomes of a text: nothing, or what the reference says of names, comments and email. */
const formsOf = (text: string) => {
  const whole = text.toWellFormed()
  return [whole, cleanText(text), safeHtml(whole), whole.replaceAll(/\s+/gu, ' ').trim()]
}
/** What a refusal writes: who asked, and how often. */
const MAY_BE_NOTED = /^(audit|idempotency|credentials|failed)/
/** A number as the client wrote it, keys within the database, and what a search reads. */
const AS_WRITTEN = /given|duplicate|folded/
/** By their marks: what an operation took. */
const accepted = new Map<string, string>()
let count = 0
const seen = new Map<string, number>()

/** What is wrong with one request and its answer. */
async function faultsOf(operation: Operation, place: Place, text: string, as: object): Promise<string[]> {
  const sso = operation.path.startsWith('/rest/api/')
  const address = `10.${++count >> 16}.${(count >> 8) & 255}.${count & 255}`
  const { url, body } = operation.with(place, text)
  const reply = await world.call(operation.method, url, body, { as: as as never, sso, address })
  seen.set(`${operation.name} ${reply.status}`, (seen.get(`${operation.name} ${reply.status}`) ?? 0) + 1)
  const noted = operation.method === 'GET' ? [] : await notedRows()
  if (reply.status >= 500) return [`${reply.status} ${reply.text.slice(0, 200)}`]
  if (reply.status >= 400) return refusalFaults(reply, place, noted)
  const mark = text.slice(0, text.indexOf(';') + 1)
  if (mark !== '') accepted.set(mark, text)
  const stored = noted.flatMap(({ in_table, content }) =>
    Object.entries(content).flatMap(([column, value]) => {
      const name = `${in_table}.${column}`
      return AS_WRITTEN.test(name) ? [] : textsIn(value).map((one) => [name, one] as const)
    }),
  )
  if (NUMBER_PLACE.test(place.join('.'))) {
    return stored.flatMap(([table, one]) =>
      one.includes('26100777') && !isPhoneNumber(one) ? [`${table}: ${one}`] : [],
    )
  }
  if (mark === '') return []
  const forms = formsOf(text)
  return stored.flatMap(([table, one]) =>
    one.includes(mark) && !forms.some((form) => one.includes(form))
      ? [`${table} has ${JSON.stringify(one.slice(0, 150))}`]
      : [],
  )
}

function refusalFaults({ status, body, text }: Reply, place: Place, noted: readonly Noted[]): string[] {
  const faults = noted
    .filter(({ in_table }) => !MAY_BE_NOTED.test(in_table))
    .map(({ in_table }) => `refused with ${status}, and wrote ${in_table}`)
  const said = String(body?.detail ?? body?.statusText ?? '')
  if (said.length < 10) faults.push(`${status} says nothing: ${text.slice(0, 200)}`)
  const name = String(place.findLast((part) => typeof part === 'string'))
  const isNamed = JSON.stringify(body).includes(name)
  const isAddress = place[0] !== 'body' && /the URL|not well-formed HTTP/.test(said)
  if (status === 400 && !isNamed && !isAddress) faults.push(`400 does not name ${name}: ${said.slice(0, 200)}`)
  return faults
}

test('every text of every operation: refused with the place and the reason, or stored and read as it was', async () => {
  const found: string[] = []
  for (const operation of operations) {
    for (const place of operation.texts) {
      const user = { id: ids['userId'] as UserId, userName: 'user-ours', active: true, teams: [] }
      const as = await world.credential(SCOPES, [OURS], { user })
      await notedRows()
      for (const [kind, make] of Object.entries(TEXTS)) {
        const faults = await faultsOf(operation, place, make(`m${++count};`), as)
        found.push(...faults.map((fault) => `${operation.name} ${place.join('.')}, ${kind}: ${fault}`))
      }
      if (!NUMBER_PLACE.test(place.join('.'))) continue
      for (const number of HOSTILE_NUMBERS) {
        const faults = await faultsOf(operation, place, number, as)
        const shown = JSON.stringify(number.slice(0, 40))
        found.push(...faults.map((fault) => `${operation.name} ${place.join('.')}, ${shown}: ${fault}`))
      }
    }
  }
  expect(found).toEqual([])
  // They would prove little if all were refused.
  expect(accepted.size).toBeGreaterThan(300)
})

test('what was taken is read as it was, and nothing that reads it fails', async () => {
  const { body: document } = await world.call('GET', '/openapi.json', undefined, { as: null })
  const reads = operationsOf(document, ids, bodiesOf(ids)).filter(
    ({ method, path }) => method === 'GET' || /search$|calltaskget$/.test(path),
  )
  const [found, read]: [string[], Set<string>] = [[], new Set()]
  for (const operation of reads) {
    const { url, body } = operation.with([], '')
    const reply = await world.call(operation.method, url, operation.method === 'GET' ? undefined : body)
    if (reply.status >= 500) found.push(`${operation.name} ${reply.text.slice(0, 200)}`)
    for (const text of textsIn(reply.body)) {
      const mark = /m\d+;/.exec(text)?.[0] ?? ''
      const sent = accepted.get(mark)
      if (sent === undefined) continue
      read.add(mark)
      const isSame = formsOf(sent).some((form) => text.includes(form))
      if (!isSame) found.push(`${operation.name} shows ${JSON.stringify(text.slice(0, 150))}`)
    }
  }
  expect(found).toEqual([])
  expect(read.size).toBeGreaterThan(60)
})
