/** The spool that ec485bb wrote while its database was away is written by this tree. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  ask,
  BEFORE,
  type Credential,
  type FixtureService,
  type Installation,
  newCredential,
  restore,
  start,
} from './fixture-service.ts'

interface Entry {
  readonly what: string
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Tasks {
  readonly callTasks: readonly { readonly callBackTs: string | null }[]
}

interface Campaigns {
  readonly callCodes: readonly object[]
}

interface Events {
  readonly events: readonly { readonly phoneCallId: string }[]
}

interface Attempts {
  readonly callAttempts: readonly {
    readonly iccaId: number
    readonly resultName: string
    readonly agent: { readonly name: string } | null
    readonly endTs: string
  }[]
}

const entries = readFileSync(join(BEFORE, 'data/spool/outcomes.jsonl'), 'utf8')
  .split('\n')
  .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]))
/** Attempts and the instants of their ends: of calls, and of those that were never sent. */
const ended = new Map(
  entries.flatMap(({ what, value }) => {
    const attempt = what === 'callEnded' ? (value['attempt'] as { attempt: number } | undefined) : undefined
    return attempt ? [[attempt.attempt, value['endedAtMs'] as number] as const] : []
  }),
)
const unsent = new Map(
  entries.flatMap(({ what, value }) =>
    what === 'attemptEnded' ? [[value['attempt'] as number, value['atMs'] as number] as const] : [],
  ),
)
let installation: Installation
let service: FixtureService
let credential: Credential

beforeAll(async () => {
  installation = await restore(['spool', 'files', 'recordings', 'audit'])
  credential = await newCredential(installation.env)
  service = await start(installation.env)
  const spool = join(installation.dataDirectory, 'spool/outcomes.jsonl')
  await vi.waitFor(() => expect(existsSync(spool)).toBe(false), 300_000)
})
afterAll(async () => {
  await service?.stop()
  await installation?.remove()
})

const post = async <T>(path: string, body: unknown) =>
  (await ask(service.rest, credential, 'POST', path, body)).body as T

test('the spool has an entry of every kind', () => {
  const kinds = ['attemptEnded', 'callEnded', 'callback', 'connected', 'feedback', 'machine', 'paused', 'released']
  expect([...new Set(entries.map(({ what }) => what))].sort()).toEqual(kinds)
})

test('no entry is refused or set aside', () => {
  expect(existsSync(join(installation.dataDirectory, 'spool/outcomes.jsonl.refused'))).toBe(false)
})

test('every attempt has the outcome and the end of its entry', async () => {
  const { callAttempts } = await post<Attempts>('/svcdialer/calltaskcallattempts/search', {
    iccaIds: [...ended.keys(), ...unsent.keys()],
  })
  expect(callAttempts.map(({ iccaId, resultName, agent }) => [iccaId, resultName, agent?.name])).toEqual([
    [49, 'ANSWERED', 'Agent emil'],
    [50, 'INVALID_NUMBER', undefined],
    [51, 'ANSWERED', 'Agent dora'],
    [52, 'NO_ANSWER', undefined],
    [53, 'BLOCKED', undefined],
  ])
  const instants = new Map([...ended, ...unsent])
  for (const { iccaId, endTs } of callAttempts) expect(Date.parse(endTs)).toBe(instants.get(iccaId))
})

test('the feedback of agents is stored', async () => {
  const { callTasks } = await post<Tasks>('/dialer/calltaskget', { hasCallBackDate: true, limit: 100 })
  expect(callTasks.map(({ callBackTs }) => callBackTs)).toContain('2040-01-03T10:00:00.000Z')
  const feedback = await installation.rows('select note from feedback order by id')
  expect(feedback).toEqual([{ note: 'pays on Friday' }, { note: 'lost the job' }])
  const corrections = await installation.rows('select agent from attempt_corrections order by attempt_id')
  expect(corrections.at(-1)).toEqual({ agent: 'dora' })
})

test('the campaign is paused, and the reserved call task is free', async () => {
  const { body } = await ask(service.rest, credential, 'GET', '/dialer/callcode?callCode=3')
  const [campaign] = (body as Campaigns).callCodes
  const why = entries.find(({ what }) => what === 'paused')?.value['why']
  expect(campaign).toMatchObject({ active: false, pausedReason: why })
  const { callTasks } = await post<Tasks>('/dialer/calltaskget', { itcaIds: [45] })
  expect(callTasks).toMatchObject([{ statusId: 1, finished: false }])
})

test('integrators get the event of the caller’s call', async () => {
  const calls = async () => {
    const { body } = await ask(service.rest, credential, 'GET', '/rest/core/events?types=phone-call.ended&limit=1000')
    const eactIds = (body as Events).events.map(({ phoneCallId }) => Number(phoneCallId))
    return post<readonly { callNumber: string; direction: number }[]>('/svcems/calls/search', { eactIds })
  }
  // The feed shows an event once no older transaction runs, in any database of the server: other tests count.
  await expect.poll(calls).toContainEqual(expect.objectContaining({ callNumber: '+4551000007', direction: 1 }))
})
