/** The dialer's section while the database is away, and its scopes in the reference. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { callSearchRoutes } from '../../../src/rest/calls/calls-search.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { dialerControlRoutes, dialerRoutes } from '../../../src/rest/dialer/dialer-routes.ts'
import type { RestDependencies } from '../../../src/rest/http/dependencies.ts'
import type { Route } from '../../../src/rest/http/route.ts'
import { contractPath } from '../../../src/rest/openapi/openapi.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { openPools } from '../../../src/store/db/pools.ts'
import { postgresDialerAdmin } from '../../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'
import { importOf, openDialerWorld } from './dialer-world.ts'

function routesOf(dependencies: RestDependencies): Route[] {
  return [...dialerRoutes(dependencies), ...callSearchRoutes(dependencies), ...dialerControlRoutes(dependencies)]
}

/** Nothing listens there. */
const nowhere = openPools({ host: '127.0.0.1', port: 1 }, { clock: new RealClock(), log: silentLog })
let world: RestWorld

beforeAll(async () => {
  world = await openRestWorld({
    parts: (pools) => {
      // Notifications come from the database that is there: the server's own credentials are in it.
      const { onNotification } = postgresDialerRepository(pools)
      const records = { ...postgresDialerRepository(nowhere), onNotification }
      return {
        dialerAdmin: postgresDialerAdmin(nowhere),
        files: postgresFiles(nowhere),
        dialerRepository: records,
        log: silentLog,
      }
    },
    routes: (dependencies) => [...routesOf(dependencies), ...coreFileRoutes(dependencies)],
  })
})
afterAll(async () => {
  await world.close()
  await nowhere.close()
})

describe('given that the database is away', () => {
  test.each([
    ['POST', '/dialer/calltaskget', {}],
    ['POST', '/svcdialer/calltaskcallattempts/search', { iccaIds: [1] }],
    ['POST', '/svcems/calls/search', { eactIds: ['1'] }],
    ['PUT', '/v1/calltasks/1/end', {}],
    ['GET', '/dialer/callcode', undefined],
    ['POST', '/dialer/callcode', { name: 'X', corporation: { corpId: 1 } }],
    ['GET', '/dialer/stoplist/numbers', undefined],
    ['GET', '/dialer/killswitch', undefined],
    ['GET', '/core/corefile?cfreId=1', undefined],
    ['GET', '/svcdialer/calltaskimport/imp_1', undefined],
  ])('%s %s returns 503 with Retry-After', async (method, path, body) => {
    const answer = await world.call(method, path, body)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
  })

  test('an import returns 503 in the contract’s form; a mistake of the client is still one', async () => {
    const refused = await world.call('POST', '/svcdialer/calltaskimport', importOf([{}]))
    expect([refused.status, refused.body.statusCode]).toEqual([503, 1])
    expect((await world.call('POST', '/svcdialer/calltaskimport', undefined, { text: '{' })).status).toBe(400)
    expect((await world.call('POST', '/dialer/calltaskget', { colour: 'red' })).status).toBe(400)
  })
})

test('given that it fails in the middle of a page, the answer breaks off and never looks complete', async () => {
  const broken = await openRestWorld({
    parts: (pools) => ({
      log: silentLog,
      dialerAdmin: {
        ...postgresDialerAdmin(pools),
        streamCallTasks: async () => ({
          rows: (async function* () {
            yield ['{"itcaId":1}']
            throw new Error('planted')
          })(),
          count: async () => 1,
        }),
      },
    }),
    routes: (dependencies) => [...routesOf(dependencies), ...coreFileRoutes(dependencies)],
  })
  const asked = fetch(`${broken.rest.url}/dialer/calltaskget`, {
    method: 'POST',
    headers: { ...broken.values, 'content-type': 'application/json' },
    body: '{}',
  })
  await expect(asked.then((answer) => answer.json())).rejects.toThrow()
  await broken.close()
})

test('every operation is in the reference, and none is open without a credential', async () => {
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  for (const { path, method } of routesOf(world.parts)) {
    expect(body.paths[contractPath(path)]).toHaveProperty(method.toLowerCase())
    const answer = await world.call(method, path.replaceAll(/\{\w+\}/g, '1'), undefined, { as: null })
    expect([path, answer.status]).toEqual([path, 401])
  }
})

test('a reader may read and not write', async () => {
  const other = await openDialerWorld()
  const as = await other.credential(['dialer:read'])
  const status = async (method: string, path: string, body?: object) =>
    (await other.call(method, path, body, { as })).status
  expect(await status('POST', '/dialer/calltaskget', {})).toBe(200)
  expect(await status('GET', '/dialer/callcode')).toBe(200)
  expect(await status('POST', '/dialer/callcode', { name: 'X' })).toBe(403)
  expect(await status('PUT', '/v1/calltasks/1/end')).toBe(403)
  expect(await status('POST', '/dialer/stoplist/numbers', { numbers: ['+4526000001'] })).toBe(403)
  expect(await status('POST', '/svcems/calls/search', { eactIds: ['1'] })).toBe(403)
  expect(await status('GET', '/core/corefile?cfreId=1')).toBe(403)
  await other.close()
})
