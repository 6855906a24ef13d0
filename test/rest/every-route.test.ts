/** Rules for every operation: generated from the declarations, which makes them complete. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionRoutes } from '../../src/rest/access/session.ts'
import { tokenRoutes } from '../../src/rest/access/tokens.ts'
import { userRoutes } from '../../src/rest/access/users.ts'
import { AgentTickets } from '../../src/rest/agents/agent-tickets.ts'
import { systemRoutes } from '../../src/rest/dialer/external-systems.ts'
import { aliasesOf } from '../../src/rest/http/canonical-path.ts'
import type { RestDependencies } from '../../src/rest/http/dependencies.ts'
import { PLAIN_READ, type Route, SCOPES } from '../../src/rest/http/route.ts'
import { sectionRoutes } from '../../src/rest/routes.ts'
import { StreamTickets } from '../../src/rest/stream/stream-ticket.ts'
import { openRestWorld, type RestWorld } from './rest-world.ts'

/** Every section, in addition to the server's own operations. */
const sections = (dependencies: RestDependencies): Route[] =>
  sectionRoutes({
    ...dependencies,
    tickets: new AgentTickets(dependencies.secretBytes),
    streamTickets: new StreamTickets(dependencies.secretBytes),
  })

let world: RestWorld
let routes: readonly Route[] = []
beforeAll(async () => {
  world = await openRestWorld({ routes: sections })
  const parts = { ...world.parts, authenticator: world.rest.authenticator }
  routes = [
    ...sessionRoutes(parts),
    ...tokenRoutes(parts),
    ...userRoutes(parts),
    ...systemRoutes(parts),
    ...sections(parts),
  ]
})
afterAll(() => world.close())

/** An address of the operation, with a value in place of each parameter. */
const filled = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '7')

/** Every accepted spelling of an operation. */
const spellings = ({ path }: Route) => [path, ...aliasesOf(path, path)].map(filled)

describe('every operation, at every spelling of its path', () => {
  test('refuses a request without a credential', async () => {
    expect(routes.length).toBeGreaterThan(20)
    // Signing in, and requests that are signed instead.
    const isOpen = ({ scope }: Route) => scope === undefined
    expect(routes.filter(isOpen).map(({ path }) => path)).toEqual(['/core/session', '/svcpbx/smsreports'])
    for (const route of routes.filter((one) => !isOpen(one))) {
      for (const path of spellings(route)) {
        const { status } = await world.call(route.method, path, {}, { as: null })
        expect(`${route.method} ${path} ${status}`).toBe(`${route.method} ${path} 401`)
      }
    }
  })

  test('refuses a credential without its scope, even with all others', async () => {
    for (const scope of SCOPES) {
      const guarded = routes.filter((route) => route.scope === scope)
      const as = await world.credential(SCOPES.filter((other) => other !== scope))
      for (const route of guarded) {
        for (const path of spellings(route)) {
          const { status } = await world.call(route.method, path, {}, { as })
          expect(`${route.method} ${path} ${status}`).toBe(`${route.method} ${path} 403`)
        }
      }
    }
  })

  test('refuses other methods, and names its own', async () => {
    for (const route of routes) {
      const { status, headers } = await world.call('OPTIONS', filled(route.path))
      expect(`${route.path} ${status}`).toBe(`${route.path} 405`)
      expect(headers['allow']?.split(', ')).toContain(route.method)
    }
  })

  test('is unknown with the prefix twice', async () => {
    for (const { method, path } of routes) {
      expect((await world.call(method, `/rest/rest${filled(path)}`, {})).status).toBe(404)
    }
  })
})

test('only the end of a call task carries a version in its path', () => {
  const versioned = routes.filter(({ path }) => /\/v\d+\//.test(path)).map(({ method, path }) => `${method} ${path}`)
  expect(versioned.map((text) => text.replace(/:(\w+)/, '{$1}'))).toEqual(['PUT /v1/calltasks/{itcaId}/end'])
})

test('paths are in the neutral spelling of the contract', () => {
  const sections = new Set(routes.map(({ path }) => path.split('/')[1]))
  expect([...sections].sort()).toEqual(['core', 'dialer', 'svcdialer', 'svcems', 'svcpbx', 'v1'])
})

test('every change is audited, or gives a reason; only operations without personal data are plain reads (F-K5)', () => {
  for (const { method, path, audit, scope } of routes) {
    const isRead = method === 'GET' || path.endsWith('/search') || scope?.endsWith(':read') === true
    if (audit === PLAIN_READ) expect(`${method} ${path} ${isRead}`).toBe(`${method} ${path} true`)
    if ('none' in audit) expect(audit.none.length, `${method} ${path}`).toBeGreaterThan(20)
    else expect(audit.object, `${method} ${path}`).toMatch(/^\S.*\S$/)
  }
})
