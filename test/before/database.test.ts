/** A service of this tree starts on the database of ec485bb and reads it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  BEFORE,
  type Credential,
  type FixtureService,
  type Installation,
  newCredential,
  PASSWORD,
  restore,
  start,
  switchboard,
} from './fixture-service.ts'

/** The file type of an email's content. */
const EMAIL_CONTENT = 17
let installation: Installation
let service: FixtureService
let credential: Credential
let verified: Awaited<ReturnType<typeof switchboard>>
const SCHEMA = `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
  where table_schema = 'public' order by 1, 2`
const MIGRATIONS = 'select name, timestamp from kysely_migration order by name'
let before: readonly (readonly object[])[]

beforeAll(async () => {
  installation = await restore(['files', 'recordings', 'audit'])
  before = [await installation.rows(MIGRATIONS), await installation.rows(SCHEMA)]
  // Its call tasks have come due since: paused, they stay as they were.
  await installation.rows('update campaigns set active = false')
  verified = await switchboard(['audit', 'verify'], installation.env)
  credential = await newCredential(installation.env)
  service = await start(installation.env)
})
afterAll(async () => {
  await service?.stop()
  await installation?.remove()
})

const get = (path: string) => ask(service.rest, credential, 'GET', path)
const post = (path: string, body: unknown) => ask(service.rest, credential, 'POST', path, body)

test('no migration of before runs again, and every column of before is as it was', async () => {
  expect(before[0]).toHaveLength(20)
  expect((await installation.rows(MIGRATIONS)).slice(0, 20)).toEqual(before[0])
  expect(await installation.rows(SCHEMA)).toEqual(expect.arrayContaining([...before[1]!]))
})

test('the audit chain holds', () => {
  expect(verified).toMatchObject({ status: 0 })
})

/** Operations whose answers depend neither on the start of a service nor on the hour of the day. */
const GETS = [
  '/rest/core/externalsystems',
  '/rest/svcems/infofields',
  '/rest/svcems/categories',
  '/rest/svcems/statuses',
  '/rest/svcems/priorities',
  '/rest/svcems/entity?getExtensions=true',
  '/rest/core/webhooks/1',
  '/rest/core/webhooks/2',
  '/rest/core/webhooks/3',
  '/rest/core/webhooks/2/deliveries?status=dead',
  '/rest/core/legalholds',
  '/rest/core/deadletters',
  ...[8, 10, 11, 13].map((eactId) => `/rest/svcems/emailcontent?eactId=${eactId}`),
  '/dialer/stoplist/numbers',
  '/dialer/stoplist/persons',
  '/dialer/killswitch',
  '/svcdialer/calltaskimport',
  '/rest/core/audit?size=40&untilTs=UNTIL',
] as const

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const POSTS: readonly (readonly [string, object])[] = [
  ['/dialer/calltaskget', { itcaIds: range(1, 44), limit: 100 }],
  ['/svcdialer/calltaskcallattempts/search', { iccaIds: range(1, 48), limit: 100 }],
  ['/svcems/calls/search', { eactIds: range(1, 68) }],
  ['/rest/svcems/cases/search', { statuses: range(1, 8), limitTo: 100 }],
  ['/rest/svcems/activities/search', { eactIds: range(1, 68), getMembers: true, getFiles: true, getEmsTags: true }],
  ['/rest/svcems/activity-summary/search', { activities: range(1, 68).map((eactId) => ({ eactId })) }],
  ['/rest/core/transcript/search', { referenceIds: range(1, 68), getParts: true }],
]

/** Fields that answers have had since; without them each answer is that of before, to the byte. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  '/rest/core/legalholds': ['activities'],
  '/rest/svcems/emailcontent': ['authentication'],
  ...Object.fromEntries([1, 2, 3].map((id) => [`/rest/core/webhooks/${id}`, ['lastEventTs', 'warning']])),
  '/dialer/stoplist/numbers': ['callId', 'eactId'],
  '/dialer/stoplist/persons': ['callId', 'eactId'],
  '/svcdialer/calltaskcallattempts/search': ['feedback'],
  '/svcems/calls/search': ['feedback', 'voicemail', 'transfers'],
  '/rest/svcems/activities/search': ['voicemail'],
  '/rest/svcems/entity?getExtensions=true': ['language', 'updateTs'],
}

/** Open call tasks of paused campaigns answer `paused`; before, their status followed the clock (D-10). */
const PAUSED = 8
const OPEN_STATUSES = [1, 2, 6, 7]

function asOfBefore(answer: {
  readonly get?: string
  readonly post?: string
  readonly [field: string]: unknown
}): string {
  const path = answer.get ?? answer.post ?? ''
  const added = ADDED[path] ?? ADDED[path.split('?')[0]!] ?? []
  return JSON.stringify(answer, (name, value: unknown) => {
    // The receivers are gone: whether a delivery has failed by now follows the clock.
    if (name === 'failingSinceTs') return null
    return added.includes(name) ? undefined : value
  })
}

function ofPausedCampaigns(line: string): string {
  if (!line.startsWith('{"post":"/dialer/calltaskget"')) return line
  const paused = (name: string, value: unknown) =>
    name === 'statusId' && OPEN_STATUSES.includes(Number(value)) ? PAUSED : value
  return JSON.stringify(JSON.parse(line), paused)
}

test('every answer equals that of ec485bb, but for fields that were added', async () => {
  const until = (JSON.parse(readFileSync(join(BEFORE, 'redis.jsonl'), 'utf8').split('\n')[0]!) as { readAtMs: number })
    .readAtMs
  const answers: string[] = []
  for (const path of GETS) {
    const { status, body } = await get(path.replace('UNTIL', String(until)))
    answers.push(asOfBefore({ get: path, status, body }))
  }
  for (const [path, asked] of POSTS) {
    const { status, body } = await post(path, asked)
    answers.push(asOfBefore({ post: path, asked, status, body }))
  }
  const held = readFileSync(join(BEFORE, 'answers.jsonl'), 'utf8').trim().split('\n')
  expect(answers).toEqual(held.map(ofPausedCampaigns))
})

test('every campaign exists, and lacks nothing but the caller id that the restored trunk must not have', async () => {
  const { body } = await get('/dialer/callcode')
  const { callCodes } = body as { callCodes: readonly { name: string; missing: readonly string[] }[] }
  expect(callCodes.map(({ name }) => name)).toEqual([
    'Reminders',
    'Looked at first',
    'Old numbers',
    'The last one',
    'Predictive, asleep',
  ])
  const lacks = ['callerId (+4570000000 is not one of the callerIds of the trunk carrier)']
  expect(callCodes.map(({ missing }) => missing)).toEqual(callCodes.map(() => lacks))
})

test('files and email contents have the same bytes', async () => {
  const files = await installation.rows(
    `select id, activity_id as activity, kind, encode(sha256, 'hex') as sha256 from files order by id`,
  )
  expect(files).toHaveLength(6)
  for (const { id, activity, kind, sha256 } of files) {
    const path = kind === EMAIL_CONTENT ? `svcems/emailcontent?eactId=${activity}` : `core/corefile?cfreId=${id}`
    const answer = await fetch(`${service.rest}/rest/${path}`, { headers: credential })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([path, createHash('sha256').update(bytes).digest('hex')]).toEqual([path, sha256])
  }
})

test('people sign on with their old password', async () => {
  const { status, body } = await ask(service.signOn, {}, 'POST', '/rest/api/login', {
    userName: 'sue',
    password: PASSWORD,
  })
  expect(status).toBe(200)
  const mine = await ask(service.rest, body as Credential, 'GET', '/rest/core/activeuser')
  expect(mine.body).toMatchObject({ userName: 'sue', roles: ['supervisor', 'admin'] })
})

test('attempts in progress are settled, and reserved call tasks are free again', async () => {
  const open = () => installation.rows('select id from attempts where ended_at_ms is null')
  await expect.poll(open).toEqual([])
})

test('the event feed continues at its cursor', async () => {
  const feed = async () => {
    const { body } = await get('/rest/core/events?limit=1000')
    return (body as { events: readonly { type: string; id: string }[] }).events
  }
  // The feed shows an event once no older transaction runs, in any database of the server: other tests count.
  await expect.poll(async () => (await feed()).map(({ type }) => type)).toContain('phone-call.ended')
  const events = await feed()
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
})
