/** Who asks, who works here, and the queues they serve (contract.md §4.5, §4.6; D-23, D-24). */
import { Type } from 'typebox'
import type { TeamEntry, User } from '../../ports/directory.ts'
import type { LiveAgent } from '../../ports/live.ts'
import { isAgent } from '../agents/agents.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'

/** What these operations work with. */
export type UserDependencies = Pick<RestDependencies, 'directory' | 'live' | 'environment'>

const Text = Type.Union([Type.String(), Type.Null()])
const Corporation = Type.Object({ corpId: Type.Integer(), name: Type.String() })

const ActiveUser = Type.Object({
  userId: Type.Union([Type.Integer(), Type.Null()], { description: 'null for the credential of a system' }),
  userName: Type.String(),
  name: Type.String(),
  email: Text,
  corporation: Type.Union([Corporation, Type.Null()]),
  corporations: Type.Array(Corporation),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  locale: Type.String(),
  timeZone: Type.String(),
  environment: Type.String(),
  tokenExpiresTs: InstantOut('When this credential ends'),
})

const Presence = Type.Union([Type.Object({ state: Type.String(), sinceTs: InstantOut('Since when') }), Type.Null()])

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
  all: Type.Optional(Type.Boolean({ description: 'Also those who are not active any more' })),
})

const Queue = Type.Object({
  ucquId: Type.Integer(),
  name: Type.String(),
  number: Type.Null({ description: 'Numbers belong to flows here, not to queues' }),
  corporation: Type.Object({ corpId: Type.Integer() }),
  active: Type.Boolean(),
  openNow: Type.Boolean({ description: 'Hours belong to flows here: a queue is open while it is active' }),
  agentsReady: Type.Integer(),
  waitingCalls: Type.Union([Type.Integer(), Type.Null()], { description: 'null: not counted yet' }),
})

/** The active user, the users and the queues. */
export function userRoutes(dependencies: UserDependencies): Route[] {
  return [activeUserRoute(dependencies), usersRoute(dependencies), queueRoute(dependencies)]
}

function activeUserRoute({ directory, environment }: UserDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/activeuser',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Who asks',
    description: 'A 200 confirms that the three values are right.',
    answers: { 200: ActiveUser },
    async handle({ asker }) {
      const user = asker.user ? await directory.userByName(asker.user.userName) : undefined
      // Gone since the credential was looked at.
      if (asker.user && !user?.active) return refuse('unauthorized', 'this person is not active any more')
      const own = (await directory.corporations()).filter(({ id }) => asker.corporations.includes(id))
      const corporations = own.map(({ id, name }) => ({ corpId: id, name }))
      const home = user ? { corpId: user.corporation.id, name: user.corporation.name } : corporations[0]
      return {
        body: {
          userId: user?.id ?? null,
          userName: user?.userName ?? asker.credential,
          name: user?.name ?? asker.credential,
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

function usersRoute({ directory, live }: UserDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/users',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Who works here',
    description: 'email and phone are null without the scope users:read.',
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
    // Somebody of another corporation may have the name of an agent.
    presence: agent && isAgent(user) ? { state: agent.state, sinceTs: instantText(agent.sinceAtMs) } : null,
  }
}

function queueRoute({ directory, live }: UserDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/queue',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'The queues',
    query: Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Also those that are not used any more' })) }),
    answers: { 200: Type.Array(Queue) },
    async handle({ query, asker }) {
      const page = { corporations: asker.corporations, offset: 0, size: Page.sizeMax, withInactive: false }
      const [teams, { users }, agents] = await Promise.all([
        directory.teams(asker.corporations, query.all ?? false),
        directory.users(page),
        live.agents(),
      ])
      const ready = new Set(agents.filter(({ state }) => state === 'ready').map(({ agent }) => String(agent)))
      return { body: teams.map((team) => listedQueue(team, users, ready)), headers: totals(teams.length) }
    },
  })
}

function listedQueue(team: TeamEntry, users: readonly User[], ready: ReadonlySet<string>) {
  const isHere = (user: User) =>
    isAgent(user) && ready.has(user.userName) && user.teams.some(({ id }) => id === team.id)
  return {
    ucquId: team.id,
    name: team.title,
    number: null,
    corporation: { corpId: team.corporation },
    active: team.active,
    openNow: team.active,
    agentsReady: users.filter(isHere).length,
    waitingCalls: null,
  }
}
