/** The list of calls, newest first, with its filters (files-and-activities-09). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentName, TeamName, UserId } from '../../../src/kernel/ids.ts'
import type { Audit } from '../../../src/ports/audit.ts'
import { DatabaseUnavailable, type FinishedCall } from '../../../src/ports/dialer-repository.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import {
  ANNA,
  CAMPAIGN,
  callOf,
  type DialerWorld,
  debtor,
  endOf,
  numberOf,
  openDialerWorld,
} from '../dialer/dialer-world.ts'
import { OURS, THEIRS } from '../rest-world.ts'

const BO = 'bo' as AgentName
const DAY_MS = 86_400_000
const BEGAN_AT_MS = Date.UTC(2026, 2, 2, 9)
const RECORDING = { file: 'a.wav', startedAtMs: 0, endedAtMs: 1, state: 'ready' as const }

let world: DialerWorld
/** Name of a call → id of its activity. */
const ids = new Map<string, number>()

beforeAll(async () => {
  world = await openDialerWorld()
  await world.pools.jobs.query(`
    insert into users (id, corporation_id, user_name, name, created_at_ms) values
      (42, 1, 'bo', 'Bo', 0), (43, 1, 'cy', 'Cy', 0);
    insert into teams (id, corporation_id, name, title) values (14, 1, 'help', 'H');
    insert into team_members (team_id, user_id) values (14, 42)`)
  await dialed('campaign')
  await add('inbound', 1, {
    direction: 'in',
    caller: numberOf(50),
    called: '+4570002000',
    agent: ANNA,
    talkMs: 61_400,
    recordings: [RECORDING],
  })
  await add('help', 2, { direction: 'in', caller: '4526000051', called: '112', team: 'help' as TeamName, talkMs: 600 })
  await add('bo', 3, { agent: BO, called: numberOf(52), recordings: [{ ...RECORDING, state: 'failed', why: 'disk' }] })
  const to = { to: '+4512345678', mode: 'blind', beganAtMs: 0 } as const
  await add('moved', 4, {
    direction: 'in',
    caller: numberOf(53),
    called: '+4570002000',
    transfers: [to],
    talkMs: 3_600_000,
  })
  await add('theirs', 5, { corporation: THEIRS, agent: ANNA, called: numberOf(50), recordings: [RECORDING] })
})
afterAll(() => world.close())

async function add(name: string, day: number, change: Partial<FinishedCall>) {
  const result = await world.dialerRepository.finishCall(callOf(name, BEGAN_AT_MS + 60_000 + day * DAY_MS, change))
  if (result.outcome === 'refused') throw new Error(result.why)
  ids.set(name, result.activity)
}

/** A call of a campaign, as the engine writes it. */
async function dialed(name: string) {
  await world.importTasks([debtor(1)])
  const lease = await world.lease()
  const [attempt] = await world.claim(lease)
  const end = endOf(attempt!, lease, BEGAN_AT_MS + 60_000, { result: 'busy' })
  const about = { activity: attempt!.activity, called: attempt!.number, team: 'collectors' as TeamName }
  await add(name, 0, { ...about, result: 'busy', attempt: end })
}

async function list(query: Readonly<Record<string, unknown>>, as?: CredentialValues) {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const { status, body } = await world.call('GET', `/rest/svcems/calls?${text.join('&')}`, undefined, as ? { as } : {})
  return { status, body }
}

const nameOf = (eactId: number) => [...ids].find(([, id]) => id === eactId)?.[0]

async function names(query: Readonly<Record<string, unknown>>, as?: CredentialValues) {
  const { status, body } = await list(query, as)
  expect(status).toBe(200)
  return body.calls.map(({ eactId }: { eactId: number }) => nameOf(eactId))
}

const agent = (id: number, userName: string) =>
  world.credential(['calls:read'], [OURS], { user: { id: id as UserId, userName } } as never)

describe('the list', () => {
  test('has the calls of the corporation, the newest first, as a search by id shows them', async () => {
    expect(await names({})).toEqual(['moved', 'bo', 'help', 'inbound', 'campaign'])
    const { body } = await list({})
    const searched = await world.call('POST', '/svcems/calls/search', { eactIds: [ids.get('inbound')] })
    expect(body.calls[3]).toEqual(searched.body[0])
    expect(body.next).toBeNull()
  })

  test.each([
    [{ sinceTs: '2026-03-03T09:00:00Z', untilTs: '2026-03-05T09:00:00Z' }, ['help', 'inbound']],
    [{ userId: 41 }, ['inbound']],
    [{ ucquId: 14 }, ['help']],
    [{ ucquId: 13 }, []],
    [{ callCode: CAMPAIGN }, ['campaign']],
    [{ number: numberOf(50) }, ['inbound']],
    [{ number: ` ${numberOf(50).slice(1)}` }, ['inbound']],
    [{ number: '+4526000051' }, ['help']],
    [{ number: '26000053' }, ['moved']],
    [{ number: '112' }, ['help']],
    [{ number: '+4570002000' }, ['moved', 'inbound']],
    [{ direction: 2 }, ['bo', 'campaign']],
    [{ results: '3,2' }, ['campaign']],
    [{ results: '1' }, []],
    [{ recorded: true }, ['inbound']],
    [{ recorded: false, direction: 1 }, ['moved', 'help']],
    [{ transferred: true }, ['moved']],
    [{ minTalkSeconds: 61 }, ['moved', 'inbound']],
    [{ minTalkSeconds: 62, maxTalkSeconds: 3_600 }, ['moved']],
    [{ direction: 1, maxTalkSeconds: 61 }, ['help', 'inbound']],
  ])('%j finds %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('by what an agent said', async () => {
    await world.pools.jobs.query(
      `insert into feedback (activity_id, agent, feedback_type, is_final, created_at_ms)
        values ($1, 'bo', 'PROMISE', true, 0)`,
      [ids.get('bo')],
    )
    expect(await names({ feedbackType: 'PROMISE' })).toEqual(['bo'])
    expect(await names({ feedbackType: 'OTHER' })).toEqual([])
  })

  test('goes on where a page ended, and calls that come meanwhile move nothing', async () => {
    const first = await list({ limit: 2 })
    await add('late', 6, {})
    const second = await list({ limit: 2, after: first.body.next })
    const third = await list({ limit: 2, after: second.body.next })
    const found = [first, second, third].flatMap(({ body }) => body.calls)
    expect(found.map(({ eactId }: { eactId: number }) => nameOf(eactId))).toEqual([
      'moved',
      'bo',
      'help',
      'inbound',
      'campaign',
    ])
    expect([first, second, third].map(({ body }) => body.more)).toEqual([true, true, false])
    expect(third.body.next).toBeNull()
    await world.pools.jobs.query('delete from call_activities where id = $1', [ids.get('late')])
  })

  test('two calls of one millisecond are both listed across pages', async () => {
    const [one, two] = ['twin', 'twin again']
    await add(one!, -1, {})
    await add(two!, -1, {})
    const untilTs = new Date(BEGAN_AT_MS - DAY_MS / 2).toISOString()
    const first = await list({ untilTs, limit: 1 })
    const second = await list({ untilTs, limit: 1, after: first.body.next })
    expect([first, second].map(({ body }) => nameOf(body.calls[0].eactId)).sort()).toEqual([one, two])
  })

  test('no longer says recorded when the time of the recording is over', async () => {
    await add('kept shortly', -3, { recordings: [{ ...RECORDING, startedAtMs: -10, endedAtMs: -5 }] })
    const untilTs = new Date(BEGAN_AT_MS - 2 * DAY_MS).toISOString()
    expect(await names({ recorded: true, untilTs })).toEqual(['kept shortly'])
    expect(await world.parts.privacy.expire('recordings', 0, 0, 10)).toMatchObject({ count: 1 })
    expect(await names({ recorded: true, untilTs })).toEqual([])
  })
})

describe('an agent', () => {
  test('gets the calls of their teams and their own, and no others', async () => {
    expect(await names({}, await agent(42, 'bo'))).toEqual(['bo', 'help'])
    expect(await names({ direction: 1 }, await agent(42, 'bo'))).toEqual(['help'])
    expect(await names({ number: numberOf(50) }, await agent(42, 'bo'))).toEqual([])
    expect(await names({}, await agent(43, 'cy'))).toEqual([])
  })

  test('gets whole pages, although others have had calls since', async () => {
    const bo = await agent(42, 'bo')
    const first = await list({ limit: 1 }, bo)
    expect([first.body.calls.map(({ eactId }: { eactId: number }) => nameOf(eactId)), first.body.more]).toEqual([
      ['bo'],
      true,
    ])
    expect(first.body.next).toMatch(new RegExp(`[.]${ids.get('bo')}$`))
    expect(await names({ limit: 1, after: first.body.next }, bo)).toEqual(['help'])
    const byNumber = await list({ number: '+4570002000', limit: 1 }, bo)
    expect(byNumber.body).toEqual({ calls: [], next: null, more: false })
  })

  test('gets the calls of the campaigns of their teams, and of call tasks that are theirs', async () => {
    await world.pools.jobs.query('insert into team_members (team_id, user_id) values (12, 43)')
    expect(await names({}, await agent(43, 'cy'))).toEqual(['campaign'])
    await world.pools.jobs.query('delete from team_members where user_id = 43')
    await world.pools.jobs.query('update call_tasks set assigned_user_id = 43')
    expect(await names({}, await agent(43, 'cy'))).toEqual(['campaign'])
  })

  test('gets a hundred calls at most', async () => {
    const many = Array.from({ length: 101 }, (_, at) => add(`many ${at}`, 10, { agent: BO }))
    await Promise.all(many)
    expect((await list({ limit: 1_000 }, await agent(42, 'bo'))).body.calls).toHaveLength(100)
    expect((await list({ limit: 1_000, userId: 42 })).body.calls.length).toBeGreaterThan(100)
  })
})

describe('a walk through the list', () => {
  const DAYS_AGO = -40
  const exports = async ({ rcntrl }: CredentialValues) => {
    const asked = { corporations: [OURS], action: 'export', credential: rcntrl, offset: 0, rowsMax: 10 }
    const { records } = await world.parts.audit.search(asked)
    return records.map(({ object, count, operation }) => [object, count, operation])
  }
  const walker = (user?: { id: number; userName: string }) =>
    world.credential(['calls:read', 'dialer:write'], [OURS], user ? ({ user } as never) : {})

  beforeAll(async () => {
    await world.pools.jobs.query(
      `insert into call_activities
         (call, corporation_id, direction, caller, called, created_at_ms, ended_at_ms, talk_ms, wait_ms)
       select 'walked-' || n, 1, 'in', '+4526000099', '+4570002000', $1::bigint + n, $1::bigint + n + 1, 0, 0
         from generate_series(1, 2100) n`,
      [BEGAN_AT_MS + DAYS_AGO * DAY_MS],
    )
  })

  test('of more than a thousand calls is in the audit trail as an export, before the page is sent', async () => {
    const as = await walker()
    const untilTs = new Date(BEGAN_AT_MS + (DAYS_AGO + 1) * DAY_MS).toISOString()
    const first = await list({ untilTs, limit: 1_000 }, as)
    // The same page again shows nothing new.
    await list({ untilTs, limit: 1_000 }, as)
    expect(await exports(as)).toEqual([])
    const second = await list({ untilTs, limit: 100, after: first.body.next }, as)
    expect(await exports(as)).toEqual([['call', 1_100, 'GET /svcems/calls']])
    const third = await list({ untilTs, limit: 1_000, after: second.body.next }, as)
    expect(third.body.calls).toHaveLength(1_000)
    expect(await exports(as)).toHaveLength(1)
    const eactIds = first.body.calls.slice(0, 1).map(({ eactId }: { eactId: number }) => eactId)
    await world.call('POST', '/svcems/calls/search', { eactIds }, { as })
    expect(await exports(as)).toEqual([
      ['call', 1_001, 'POST /svcems/calls/search'],
      ['call', 1_100, 'GET /svcems/calls'],
    ])
  })

  test('of a person counts through all of their sign-ins, and fails while the trail cannot be written', async () => {
    const vera = { id: 41, userName: 'anna' }
    const [one, other] = [await walker(vera), await walker(vera)]
    const untilTs = new Date(BEGAN_AT_MS + (DAYS_AGO + 1) * DAY_MS).toISOString()
    const first = await list({ untilTs, limit: 1_000 }, one)
    const audit = world.parts.audit as { append: Audit['append'] }
    const { append } = audit
    audit.append = () => Promise.reject(new DatabaseUnavailable('away'))
    const refused = await list({ untilTs, limit: 1, after: first.body.next }, other).finally(() => {
      audit.append = append
    })
    expect([refused.status, refused.body.calls]).toEqual([503, undefined])
    expect((await list({ untilTs, limit: 1, after: first.body.next }, other)).status).toBe(200)
    expect(await exports(other)).toEqual([['call', 1_001, 'GET /svcems/calls']])
  })
})

describe('is refused', () => {
  test.each([
    [{ after: 'x' }, 'after'],
    [{ after: '1.2.3' }, 'after'],
    [{ sinceTs: '2026-03-03' }, 'sinceTs'],
    [{ untilTs: 'soon' }, 'untilTs'],
    [{ direction: 3 }, 'direction'],
    [{ results: '13' }, 'results[0]'],
    [{ limit: 1_001 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ colour: 'red' }, 'colour'],
  ])('%j', async (query, path) => {
    const { status, body } = await list(query)
    expect([status, body.errors[0].path]).toEqual([400, path])
  })

  test('without calls:read', async () => {
    expect((await list({}, await world.credential(['dialer:read']))).status).toBe(403)
  })
})
