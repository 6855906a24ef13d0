/** One call for a screen: why it was dialed, where it went, its legs and its ladder (files-and-activities-10). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileJournal, journalFiles } from '../../../src/adapters/files/journal-files.ts'
import type { CallId, LegId, TeamName, UserId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { inProcessLive } from '../../../src/live/in-process-live.ts'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { BEGAN_AT_MS, CALL, servedCall } from '../../cli/served-call.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { ANNA, callOf, type DialerWorld, debtor, endOf, numberOf, openDialerWorld } from '../dialer/dialer-world.ts'
import { OURS, THEIRS } from '../rest-world.ts'

const DAY_MS = 86_400_000
const directory = mkdtempSync(join(tmpdir(), 'switchboard-journal-'))
const journalClock = new VirtualClock(BEGAN_AT_MS - DAY_MS)
let world: DialerWorld
let journal: FileJournal
let served: number
/** Another node than the one that answers, which is `node1`. */
const NORTH = { node: 'north', endpoint: 'https://north.example.com' }
const live = inProcessLive(journalClock, silentLog)

beforeAll(async () => {
  const limits = { fileBytesMax: 100, filesMax: 100, daysMax: 1_000 }
  journal = journalFiles({ directory, ...limits, clock: journalClock, log: silentLog })
  for (const line of servedCall()) {
    journalClock.run(line.atMs - journalClock.nowMs())
    journal.append(line)
    await journal.flush()
  }
  world = await openDialerWorld({ parts: { journal, live } })
  served = await add(CALL, {
    direction: 'in',
    caller: '+4551234578',
    called: '+4570001000',
    createdAtMs: BEGAN_AT_MS,
    ringingAtMs: BEGAN_AT_MS,
    answeredAtMs: BEGAN_AT_MS,
    endedAtMs: BEGAN_AT_MS + 61_000,
    agent: ANNA,
    hungUpBy: 'caller',
    transfers: [{ to: 'sip:desk@pbx', mode: 'attended', beganAtMs: BEGAN_AT_MS + 9_000, end: 'busy' }],
  })
})
afterAll(async () => {
  await world.close()
  await journal.close()
  rmSync(directory, { recursive: true })
})

async function add(name: string, change: Partial<FinishedCall> = {}): Promise<number> {
  const result = await world.dialerRepository.finishCall(callOf(name, BEGAN_AT_MS + 61_000, change))
  if (result.outcome === 'refused') throw new Error(result.why)
  return result.activity
}

const show = (eactId: number | string, as?: CredentialValues) =>
  world.call('GET', `/rest/svcems/calls/${eactId}`, undefined, as ? { as } : {})

describe('a call with a flow', () => {
  test('has its ladder in the words of `call show`, in order and with times', async () => {
    const { status, body } = await show(served)
    expect(status).toBe(200)
    const { state, note, cut, rows } = body.ladder
    expect({ state, note, cut }).toEqual({ state: 'here', note: null, cut: false })
    expect(rows).toHaveLength(servedCall().length)
    expect(rows[0]).toEqual({ ts: '2026-03-02T09:00:00.000Z', lane: 'caller', way: 'in', text: 'calls +4570001000' })
    expect(rows).toContainEqual({
      ts: '2026-03-02T09:00:01.204Z',
      lane: 'caller',
      way: 'in',
      text: 'presses 1 (120 ms)',
    })
    expect(rows.map(({ text }: { text: string }) => text)).toContain(
      'isOpen else → toTeam (no: closedDate is "2026-01-01")',
    )
  })

  test('says where it went, and has the legs of all sides with their times', async () => {
    const { body } = await show(served)
    expect(body.call).toMatchObject({ eactId: served, agent: { userId: 41, name: 'Anna Berg' } })
    expect(body.dialed).toBeNull()
    expect(body.flow).toMatchObject({ name: 'debtor-self-service', outcome: 'served' })
    expect(body.flow.path).toEqual(['askCase', 'lookup', 'isOpen', 'toTeam'])
    expect(body.legs).toMatchObject([
      { kind: 'caller', who: '+4551234578', startTs: '2026-03-02T09:00:00.000Z', end: 'by caller' },
      {
        kind: 'agent',
        who: 'anna',
        creationTs: '2026-03-02T09:00:04.531Z',
        ringTs: null,
        startTs: '2026-03-02T09:00:07.210Z',
        endTs: '2026-03-02T09:01:01.200Z',
        end: 'hungUp',
      },
      { kind: 'transfer', who: 'sip:desk@pbx', creationTs: '2026-03-02T09:00:09.000Z', end: 'busy' },
    ])
  })

  test('is in the audit trail before it is answered', async () => {
    await show(served)
    const { rows } = await world.pools.api.query(
      `select action, operation from audit_records where object = 'call' and ids = $1`,
      [[String(served)]],
    )
    expect(rows[0]).toEqual({ action: 'read', operation: 'GET /svcems/calls/{eactId}' })
  })
})

test('a call of a campaign says why it was dialed', async () => {
  await world.importTasks([debtor(1)])
  const lease = await world.lease()
  const [attempt] = await world.claim(lease)
  const permit = { trunk: 'carrier', rules: 'dk-3', placing: { lines: 1, why: 'oneToOne' } }
  await world.pools.jobs.query('update attempts set permit = $1', [permit])
  const end = endOf(attempt!, lease, BEGAN_AT_MS + 61_000, {})
  const { body } = await show(
    await add('dialed', { activity: attempt!.activity, called: attempt!.number, attempt: end }),
  )
  expect(body.dialed).toMatchObject({
    campaignName: 'Campaign 7',
    attemptNo: 1,
    trunk: 'carrier',
    rules: 'dk-3',
    reason: 'oneToOne',
    reasonText: 'One line for each idle agent.',
  })
  expect(body.legs).toMatchObject([{ kind: 'callee', who: numberOf(1) }])
})

describe('where the journal does not tell', () => {
  test('because another node served the call, or the file is gone, the answer says so', async () => {
    const { status, body } = await show(await add('elsewhere'))
    expect([status, body.ladder.state, body.ladder.rows]).toEqual([200, 'notHere', []])
    expect(body.ladder.note).toContain('another node served it')
    expect(body.flow).toBeNull()
  })

  test('because the call was erased', async () => {
    const erased = await add('erased')
    await world.pools.jobs.query('update call_activities set erased_at_ms = 1 where id = $1', [erased])
    expect((await show(erased)).body.ladder).toMatchObject({ state: 'erased', rows: [] })
  })

  test('to who may not read what was said', async () => {
    const as = await world.credential(SCOPES.filter((scope) => scope !== 'transcripts:read'))
    const { status, body } = await show(served, as)
    expect([status, body.ladder.state, body.flow]).toEqual([200, 'notAllowed', null])
    expect(JSON.stringify(body)).not.toContain('presses')
    expect(body.call.eactId).toBe(served)
  })
})

test('only the files of the time of the call are read', async () => {
  const far = BEGAN_AT_MS + 20 * DAY_MS
  const within = { fromAtMs: BEGAN_AT_MS, toAtMs: BEGAN_AT_MS + 61_000 }
  const later = journalFiles({
    directory,
    fileBytesMax: 1,
    filesMax: 100,
    daysMax: 1_000,
    clock: new VirtualClock(far),
    log: silentLog,
  })
  later.append({ atMs: far, call: CALL, kind: 'note', by: 'call', what: { type: 'call.broken', why: 'far' } })
  await later.close()
  expect(await journal.read(CALL)).toHaveLength(servedCall().length + 1)
  expect(await journal.read(CALL, within)).toHaveLength(servedCall().length)
})

describe('says which node served it', () => {
  const servedBy = async (eactId: number) => (await show(eactId)).body.servedBy
  const calledIn = async (call: string, node: string) => {
    const leg = `${call}-leg` as LegId
    const open = { call: call as CallId, leg, corporation: OURS, caller: '+4551234578', called: '+4570001000' }
    await world.dialerRepository.callBegan(node, { ...open, createdAtMs: BEGAN_AT_MS })
    return add(call, { leg, direction: 'in' })
  }
  const dialed = async (place: number, node: string) => {
    await world.importTasks([debtor(place)])
    const lease = await world.dialerRepository.takeLease(node, 60_000)
    const attempt = (await world.claim(lease)).find(({ number }) => number === numberOf(place))!
    await world.pools.jobs.query('update attempts set permit = $1 where id = $2', [{ fence: lease.fence }, attempt.id])
    return { attempt, lease }
  }
  const ended = ({ attempt, lease }: Awaited<ReturnType<typeof dialed>>) =>
    add(`dialed-${attempt.id}`, { activity: attempt.activity, attempt: endOf(attempt, lease, BEGAN_AT_MS + 61_000) })

  test('a caller’s node, with the address at which it is reached while it is up', async () => {
    const call = await calledIn('came-in-north', NORTH.node)
    expect(await servedBy(call)).toEqual({ node: 'north', thisNode: false, endpoint: null })
    await live.beat(NORTH, 5_000)
    expect(await servedBy(call)).toEqual({ node: 'north', thisNode: false, endpoint: NORTH.endpoint })
    expect((await show(call)).body.ladder).toMatchObject({ state: 'notHere', rows: [] })
    expect(await servedBy(await calledIn('came-in-here', 'node1'))).toMatchObject({ node: 'node1', thisNode: true })
  })

  test('the node that dialed; none where its lease was another one by then, or nobody knows', async () => {
    expect(await servedBy(await ended(await dialed(11, NORTH.node)))).toMatchObject({ node: 'north' })
    const survivor = await dialed(12, NORTH.node)
    const lease = await world.dialerRepository.takeLease(NORTH.node, 60_000)
    await world.dialerRepository.adoptAttempts(lease)
    expect(await servedBy(await ended({ ...survivor, lease }))).toBeNull()
    expect(await servedBy(await add('nobody-knows'))).toBeNull()
  })
})

describe('is not there', () => {
  test('for another corporation, an unknown id, and a call that an agent does not see', async () => {
    expect((await show(await add('theirs', { corporation: THEIRS }))).status).toBe(404)
    expect((await show(999_999)).status).toBe(404)
    const user = { id: 41 as UserId, userName: 'anna' }
    const anna = await world.credential(['calls:read'], [OURS], { user } as never)
    const others = await add('others' as CallId, { team: 'collectors' as TeamName })
    expect((await show(others, anna)).status).toBe(404)
    expect((await show(served, anna)).status).toBe(200)
  })

  test('without calls:read, or with an id that is none', async () => {
    expect((await show(served, await world.credential(['dialer:read']))).status).toBe(403)
    expect((await show('x')).status).toBe(400)
  })
})
