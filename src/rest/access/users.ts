/** The active user, users and queues (contract.md §4.5, §4.6; D-23, D-24). */
import { Type } from 'typebox'
import type { TeamEntry, User } from '../../ports/directory.ts'
import type { LiveAgent } from '../../ports/live.ts'
import { isAgent } from '../agents/agents.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'

const Text = Type.Union([Type.String(), Type.Null()])
const Corporation = Type.Object({ corpId: Type.Integer(), name: Type.String() })

const ActiveUser = Type.Object({
  userId: Type.Union([Type.Integer(), Type.Null()], { description: 'User id; null for the credential of a system' }),
  userName: Type.String({ description: 'Without a user: the public id of the credential, its rcntrl.' }),
  name: Type.String({ description: 'Without a user: what the credential was named.' }),
  email: Text,
  corporation: Type.Union([Corporation, Type.Null()]),
  corporations: Type.Array(Corporation),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  locale: Type.String(),
  timeZone: Type.String(),
  environment: Type.String(),
  tokenExpiresTs: InstantOut('Expiry of this credential'),
})

const Presence = Type.Union([
  Type.Object({ state: Type.String(), sinceTs: InstantOut('Start of the current state') }),
  Type.Null(),
])

const ListedUser = Type.Object({
  userId: Type.Integer(),
  userName: Type.String(),
  name: Type.String(),
  email: Text,
  phone: Text,
  active: Type.Boolean(),
  corporation: Corporation,
  queues: Type.Array(Type.Object({ ucquId: Type.Integer(), name: Type.String() })),
  presence: Presence,
})

const UsersQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax })),
  all: Type.Optional(Type.Boolean({ description: 'Include inactive users' })),
})

const Queue = Type.Object({
  ucquId: Type.Integer(),
  name: Type.String(),
  code: Type.String({ description: 'Its name in the configuration' }),
  number: Type.Null({ description: 'Always null: phone numbers belong to flows' }),
  corporation: Type.Object({ corpId: Type.Integer() }),
  active: Type.Boolean(),
  openNow: Type.Boolean({ description: 'Same as active: opening hours belong to flows' }),
  agentsReady: Type.Integer(),
  waitingCalls: Type.Union([Type.Integer(), Type.Null()], { description: 'Always null: not counted yet' }),
})

/** The active user, the users and the queues. */
export function userRoutes(dependencies: RestDependencies): Route[] {
  return [activeUserRoute(dependencies), usersRoute(dependencies), queueRoute(dependencies)]
}

function activeUserRoute({ directory, environment }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/activeuser',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Get the active user',
    description: 'Status 200 confirms that the credential is valid.',
    answers: { 200: ActiveUser },
    async handle({ asker }) {
      const user = asker.user ? await directory.userByName(asker.user.userName) : undefined
      // Deactivated after the credential was cached.
      if (asker.user && !user?.active) return refuse('unauthorized', 'the user of this credential is inactive')
      const own = (await directory.corporations()).filter(({ id }) => asker.corporations.includes(id))
      const corporations = own.map(({ id, name }) => ({ corpId: id, name }))
      const home = user ? { corpId: user.corporation.id, name: user.corporation.name } : corporations[0]
      return {
        body: {
          userId: user?.id ?? null,
          userName: user?.userName ?? asker.credential,
          name: user?.name ?? asker.name,
          email: user?.email ?? null,
          corporation: home ?? null,
          corporations,
          roles: user?.roles ?? [],
          scopes: [...asker.scopes],
          locale: 'en',
          timeZone: 'UTC',
          environment,
          tokenExpiresTs: instantText(asker.expiresAtMs),
        },
      }
    },
  })
}

function usersRoute({ directory, live }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/users',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'List users',
    description: 'Without the scope users:read, email and phone are null.',
    query: UsersQuery,
    answers: { 200: Type.Array(ListedUser) },
    async handle({ query, asker }) {
      const { offset = 0, size = Page.size, all = false } = query
      const page = { corporations: asker.corporations, offset, size, withInactive: all }
      const [{ found, users }, agents] = await Promise.all([directory.users(page), live.agents()])
      const presence = new Map(agents.map((agent) => [String(agent.agent), agent]))
      return { body: users.map((user) => listedUser(user, presence.get(user.userName), asker)), headers: totals(found) }
    },
  })
}

function listedUser(user: User, agent: LiveAgent | undefined, asker: Asker) {
  const isSeen = asker.scopes.has('users:read')
  const { id, userName, name, active, corporation, teams } = user
  return {
    userId: id,
    userName,
    name,
    email: isSeen ? user.email : null,
    phone: isSeen ? user.phone : null,
    active,
    corporation: { corpId: corporation.id, name: corporation.name },
    queues: teams.map((team) => ({ ucquId: team.id, name: team.name })),
    // A user of another corporation may have the same name as an agent.
    presence:
      agent && isAgent(user) && isOfTeams(asker, user)
        ? { state: agent.state, sinceTs: instantText(agent.sinceAtMs) }
        : null,
  }
}

/** A supervisor of teams sees what their agents do, at whichever node; another team's do nothing for them (rest-37). */
function isOfTeams({ teams }: Pick<Asker, 'teams'>, user: User): boolean {
  return teams === undefined || user.teams.some(({ name }) => teams.includes(name))
}

function queueRoute({ directory, live }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/queue',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'List queues',
    query: Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Include inactive queues' })) }),
    answers: { 200: Type.Array(Queue) },
    async handle({ query, asker }) {
      const { corporations } = asker
      const [all, agents] = await Promise.all([directory.teams(corporations, query.all ?? false), live.agents()])
      const teams = asker.teams ? all.filter(({ name }) => asker.teams?.includes(name)) : all
      const userNames = agents.filter(({ state }) => state === 'ready').map(({ agent }) => String(agent))
      const page = { corporations, offset: 0, size: userNames.length, withInactive: false, userNames }
      const { users } = await directory.users(page)
      return { body: teams.map((team) => listedQueue(team, users)), headers: totals(teams.length) }
    },
  })
}

function listedQueue(team: TeamEntry, ready: readonly User[]) {
  const isHere = (user: User) => isAgent(user) && user.teams.some(({ id }) => id === team.id)
  return {
    ucquId: team.id,
    name: team.title,
    code: team.name,
    number: null,
    corporation: { corpId: team.corporation },
    active: team.active,
    openNow: team.active,
    agentsReady: ready.filter(isHere).length,
    waitingCalls: null,
  }
}
