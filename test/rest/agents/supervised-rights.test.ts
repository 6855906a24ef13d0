/** Whoever listens by a right that ends hears nothing more: over HTTP, with an engine on a simulated switch. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgentName, TeamName } from '../../../src/kernel/ids.ts'
import type { AgentDesktop } from '../../../src/ports/agent-desktop.ts'
import type { CredentialRepository } from '../../../src/ports/credentials.ts'
import type { CallSupervision } from '../../../src/ports/supervision.ts'
import { superviseRoutes } from '../../../src/rest/agents/supervise.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { postgresAccess } from '../../../src/store/access/credentials.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'
import { staffOf } from '../../worlds/set-up.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const TALKS = { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 600_000 } as const
const LOOK_MS = 4_000
/** Of REST; it is run together with that of the engine. */
const clock = new VirtualClock()

let world: CampaignWorld
let door: RestWorld
let sam: CredentialValues
let isDatabaseAway = false
/** How often a credential was read. */
let reads = 0

beforeAll(async () => {
  const supervision: Partial<CallSupervision> = {
    talks: () => world.engine.supervisions!.talks(),
    begin: (...asked) => world.engine.supervisions!.begin(...asked),
    end: (...asked) => world.engine.supervisions!.end(...asked),
  }
  const agentDesktop: Partial<AgentDesktop> = { teamsOf: (agent) => world.engine.agentDesktop!.teamsOf(agent) }
  door = await openRestWorld({
    clock,
    parts: (pools) => ({
      supervision: supervision as CallSupervision,
      agentDesktop: agentDesktop as AgentDesktop,
      credentials: counted(postgresAccess(pools)),
    }),
    routes: superviseRoutes,
  })
})
beforeEach(async () => {
  isDatabaseAway = false
  await belongs('collections')
  sam = await credentialOf()
  world = new CampaignWorld({
    teams: { collections: ['anna'], others: ['ben'], floor: ['sam'] },
    contactOf: () => TALKS,
    parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised: async () => {} } }),
  })
  await world.campaign()
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  expect(await world.until(() => talks().length === 1)).toBe(true)
  expect((await supervise('listen')).status).toBe(200)
  await world.run(3_000)
  expect(hears()).toBe(2)
})
afterEach(async () => {
  await world.during(world.engine.stop())
  clock.run(LOOK_MS)
})
afterAll(() => door.close())

function counted(credentials: CredentialRepository): CredentialRepository {
  return Object.assign({}, credentials, {
    async credential(realmControl: string) {
      const found = await credentials.credential(realmControl)
      reads++
      if (isDatabaseAway) throw new Error('the database is away')
      return found
    },
  })
}

const talks = () => world.engine.supervisions!.talks()
const supervise = (mode: string, as = sam) =>
  door.call('POST', `/svcpbx/calls/${talks()[0]!.call}/supervise`, { mode }, { as })
const hears = () =>
  world.pbx
    .agentPhone('sam' as AgentName, STAYS)
    .heard.filter(({ what, untilMs }) => what === 'person' && untilMs === undefined).length

/** Sam's team in the database. */
async function belongs(team: string): Promise<void> {
  const agents = ['anna', 'sam'].map((name) => ({ name, title: name }))
  const teams = ['collections', 'others'].map((name) => ({
    name: name as TeamName,
    title: name,
    agents: name === team ? ['sam'] : [],
  }))
  await door.parts.directory.syncStaff({ agents, teams }, OURS, 0)
}

async function credentialOf(more: object = {}): Promise<CredentialValues> {
  const { id } = (await door.parts.directory.userByName('sam'))!
  const user = { id, userName: 'sam', active: true, teams: [] }
  return door.credential(['dialer:write', 'users:read'], [OURS], { user, ...more })
}

/** Four seconds later the rights have been read, and what follows from them has happened. */
async function looked(): Promise<void> {
  const before = reads
  clock.run(LOOK_MS)
  await expect.poll(() => reads).toBeGreaterThan(before)
  await world.run(1_000)
}

const ENDINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'her team is another one now': () => belongs('others'),
  'the team of the agent is another one now': async () => {
    const staff = staffOf({ collections: ['ben'], others: ['anna'], floor: ['sam'] })
    world.engine.follow({ numbers: new Map(), staff })
  },
  'her credential is revoked': () => door.parts.credentials.revokeCredential(sam.rcntrl, clock.nowMs()),
  'her credential has no right to it any more': () =>
    door.pools.jobs.query(`update credentials set scopes = '{users:read}' where realm_control = $1`, [sam.rcntrl]),
  'her credential expires': () =>
    door.pools.jobs.query('update credentials set expires_at_ms = $2 where realm_control = $1', [
      sam.rcntrl,
      clock.nowMs() + LOOK_MS,
    ]),
}

test.for(Object.entries(ENDINGS))('listening ends within 5 s when %s', async ([, end]) => {
  await looked()
  expect([hears(), talks()]).toMatchObject([2, [{ supervision: { mode: 'listen' } }]])
  await end()
  await looked()
  expect([hears(), talks()[0]?.supervision]).toEqual([0, undefined])
})

test('listening goes on while the database is away', async () => {
  isDatabaseAway = true
  await looked()
  await looked()
  expect(hears()).toBe(2)
})

test('the credential that ordered last is the one that counts', async () => {
  const other = await credentialOf()
  expect((await supervise('whisper', other)).status).toBe(200)
  await door.parts.credentials.revokeCredential(sam.rcntrl, clock.nowMs())
  await looked()
  expect([hears(), talks()]).toMatchObject([2, [{ supervision: { mode: 'whisper' } }]])
  await door.parts.credentials.revokeCredential(other.rcntrl, clock.nowMs())
  await looked()
  expect([hears(), talks()[0]?.supervision]).toEqual([0, undefined])
})
