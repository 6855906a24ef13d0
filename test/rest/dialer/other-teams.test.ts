/** Imports, presence, queues and missed callers of another team do not exist for a supervisor of teams (rest-37). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { AgentName, TeamName, UserId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { inProcessLive } from '../../../src/live/in-process-live.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { OURS } from '../rest-world.ts'
import { callOf, type DialerWorld, debtor, numberOf, OTHER_CAMPAIGN, openDialerWorld } from './dialer-world.ts'

const AT_MS = Date.UTC(2026, 2, 2, 9)
const live = inProcessLive(new RealClock(), silentLog)

let world: DialerWorld
/** Of anna's team, and of no team. */
let vera: CredentialValues
let otto: CredentialValues
const imports: Record<string, string> = {}

beforeAll(async () => {
  world = await openDialerWorld({ parts: { live } })
  // Each at a node of its own: what a supervisor sees does not depend on where she asks.
  for (const [place, agent] of ['anna', 'bo'].entries()) {
    await live.showAgent({ agent: agent as AgentName, node: `node${place}`, state: 'ready', sinceAtMs: 0 }, 600_000)
  }
  await world.pools.jobs.query(`
    insert into users (id, corporation_id, user_name, name, roles, created_at_ms) values
      (42, 1, 'bo', 'Bo', '{agent}', 0), (43, 1, 'vera', 'Vera', '{supervisor}', 0),
      (44, 1, 'otto', 'Otto', '{supervisor}', 0);
    update users set roles = '{agent}' where id = 41;
    insert into teams (id, corporation_id, name, title) values (14, 1, 'help', 'Help');
    insert into team_members (team_id, user_id) values (12, 41), (12, 43), (14, 42);
    update campaigns set team_name = 'help' where id = ${OTHER_CAMPAIGN}`)
  const supervisor = async (id: number, userName: string) => {
    const user = { id: id as UserId, userName, active: true, teams: [] }
    return world.credential(['dialer:read', 'dialer:write', 'calls:read', 'users:read'], [OURS], { user })
  }
  vera = await supervisor(43, 'vera')
  otto = await supervisor(44, 'otto')
  imports['own'] = (await world.importTasks([debtor(1)])).body.importId
  imports['other'] = (await world.importTasks([debtor(2)], { callCode: OTHER_CAMPAIGN })).body.importId
  for (const [name, team] of Object.entries(TEAM_OF)) {
    const about = { direction: 'in', caller: numberOf(50), called: '+4570002000' } as const
    const call = callOf(name, AT_MS, team === undefined ? about : Object.assign({ team: team as TeamName }, about))
    const kept = await world.dialerRepository.finishCall(call)
    if (kept.outcome === 'refused') throw new Error(kept.why)
    missed.set(kept.activity, name)
  }
})
afterAll(() => world?.close())

const TEAM_OF = { own: 'collectors', other: 'help', 'of no team': undefined }
const missed = new Map<number, string>()
const get = async (path: string, as: CredentialValues) => (await world.call('GET', path, undefined, { as })).body
const importPath = (name: string) => `/svcdialer/calltaskimport/${imports[name]}`

test('imports into the campaigns of her teams are listed and counted, and no other', async () => {
  const listed = async (as: CredentialValues) => {
    const { imports: found, foundRows } = await get('/svcdialer/calltaskimport', as)
    return [found.map(({ importId }: { importId: string }) => importId).sort(), foundRows]
  }
  expect(await listed(vera)).toEqual([[imports['own']], 1])
  expect(await listed(otto)).toEqual([[imports['own'], imports['other']].sort(), 2])
  const status = async (method: string, name: string, as: CredentialValues) =>
    (await world.call(method, importPath(name), undefined, { as })).status
  for (const method of ['GET', 'DELETE']) {
    expect([method, await status(method, 'own', vera), await status(method, 'other', vera)]).toEqual([method, 200, 404])
    expect([method, await status(method, 'other', otto)]).toEqual([method, 200])
  }
  const refused = await world.call('GET', importPath('other'), undefined, { as: vera })
  const unknown = await world.call('GET', '/svcdialer/calltaskimport/imp_x', undefined, { as: vera })
  expect(refused.body.detail).toBe(unknown.body.detail)
})

test('she does not cancel the import of another team: it goes on', async () => {
  await world.pools.jobs.query(
    `update import_jobs set status = 'running', finished_at_ms = null where id = '${imports['other']}'`,
  )
  await world.call('DELETE', importPath('other'), undefined, { as: vera })
  expect((await get(importPath('other'), otto)).importStatus).toBe('running')
  await world.call('DELETE', importPath('other'), undefined, { as: otto })
  expect((await get(importPath('other'), otto)).importStatus).toBe('cancelled')
})

test('users are listed to her, with the presence of her agents alone, at whichever node they are', async () => {
  const present = async (as: CredentialValues) => {
    const users: { userName: string; presence: { state: string } | null }[] = await get('/core/users', as)
    return users.map(({ userName, presence }) => `${userName} ${presence?.state}`)
  }
  expect(await present(vera)).toEqual(['anna ready', 'bo undefined', 'otto undefined', 'vera undefined'])
  expect(await present(otto)).toEqual(['anna ready', 'bo ready', 'otto undefined', 'vera undefined'])
})

test('queues are those of her teams', async () => {
  const queues = async (as: CredentialValues) => {
    const { body, headers } = await world.call('GET', '/svcpbx/queue', undefined, { as })
    return [body.map(({ code, agentsReady }: Record<string, unknown>) => `${code} ${agentsReady}`), headers.totalfound]
  }
  expect(await queues(vera)).toEqual([['collectors 1'], '1'])
  expect(await queues(otto)).toEqual([['collectors 1', 'help 1'], '2'])
})

test('missed callers are those of her queues, in the list, one by one, and as activities', async () => {
  const named = (rows: readonly { eactId: number }[]) => rows.map(({ eactId }) => missed.get(eactId)).sort()
  const listed = async (as: CredentialValues) => named((await get('/svcems/calls', as)).calls)
  expect(await listed(vera)).toEqual(['own'])
  expect(await listed(otto)).toEqual([...missed.values()].sort())
  const byNumber = `/svcems/calls?number=${encodeURIComponent(numberOf(50))}`
  expect(named((await get(byNumber, vera)).calls)).toEqual(['own'])
  for (const [eactId, name] of missed) {
    const search = { eactIds: [eactId] }
    const { body } = await world.call('POST', '/svcems/calls/search', search, { as: vera })
    expect([name, body.length]).toEqual([name, name === 'own' ? 1 : 0])
    expect((await world.call('GET', `/svcems/calls/${eactId}`, undefined, { as: vera })).status).toBe(
      name === 'own' ? 200 : 404,
    )
  }
})
