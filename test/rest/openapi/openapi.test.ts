import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../../asterisk/ports.ts'
import { callSearchRoutes } from '../../../src/rest/calls/calls-search.ts'
import { dialerControlRoutes, dialerRoutes } from '../../../src/rest/dialer/dialer-routes.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await openRestWorld({
    rest: { sso: { host: '127.0.0.1', port: await freePort('tcp', '127.0.0.1') } },
    routes: (dependencies) => [
      ...dialerRoutes(dependencies),
      ...callSearchRoutes(dependencies),
      ...dialerControlRoutes(dependencies),
    ],
  })
})
afterAll(() => world.close())

interface Operation {
  readonly summary: string
  readonly operationId: string
  readonly security: unknown
  readonly servers?: readonly { url: string; variables: { signOn: { default: string } } }[]
  readonly responses: Record<string, unknown>
  readonly parameters: { name: string; in: string; required: boolean }[]
  readonly 'x-aliases': string[]
}

const document = async () => (await world.call('GET', '/openapi.json', undefined, { as: null })).body
const operations = async () =>
  Object.entries((await document()).paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the OpenAPI document', () => {
  test('is public, as JSON and as YAML, and both are the same', async () => {
    const json = await document()
    expect(json.openapi).toBe('3.1.0')
    const ask = (path: string) => world.call('GET', path, undefined, { as: null })
    expect((await ask('/docs/yaml')).headers['location']).toBe('/openapi.yaml')
    const yaml = ask('/openapi.yaml')
    // It is written now, and a node that writes it goes on with its work.
    const others = Promise.all(Array.from({ length: 10 }, () => ask('/healthz'))).then(() => 'others')
    expect(await Promise.race([yaml, others])).toBe('others')
    expect(parse((await yaml).text)).toEqual(json)
  })

  test('lists each operation once, in the spelling of the contract', async () => {
    const all = await operations()
    expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length)
    const paths = all.map(({ method, path }) => `${method} ${path}`)
    for (const path of [
      'get /rest/api/state',
      'get /rest/core/activeuser',
      'get /rest/core/users',
      'post /svcdialer/calltaskimport',
      'post /dialer/calltaskget',
      'put /v1/calltasks/{itcaId}/end',
      'post /svcems/calls/search',
      'get /rest/svcpbx/queue',
    ]) {
      expect(paths).toContain(path)
    }
  })

  test('names the sign-on address for state and login, and the node itself for all other operations', async () => {
    expect((await document()).servers).toEqual([{ url: '/', description: expect.any(String) }])
    for (const { path, operation } of await operations()) {
      const address = operation.servers?.map(({ url, variables }) => [url, variables.signOn.default])
      expect([path, address]).toEqual([
        path,
        path.startsWith('/rest/api/') ? [['{signOn}', world.rest.ssoUrl]] : undefined,
      ])
    }
  })

  test('requires the three headers together, as one requirement', async () => {
    for (const { path, method, operation } of await operations()) {
      const isOpen = ['post /rest/api/login', 'post /rest/core/session'].includes(`${method} ${path}`)
      expect([path, operation.security]).toEqual([path, isOpen ? [] : [{ tokenv2: [], rcntrl: [], ccntrl: [] }]])
    }
  })

  test('names every parameter of a path, every alias, and how a problem looks', async () => {
    for (const { path, operation } of await operations()) {
      const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)])
      expect(operation['x-aliases'].length).toBeGreaterThan(0)
      expect(operation['x-aliases']).not.toContain(path)
      expect(operation.summary.length).toBeGreaterThan(3)
      expect(operation.responses['default']).toBeDefined()
    }
  })

  test('every reference in it has a target', async () => {
    const whole = await document()
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!)
    expect(references.length).toBeGreaterThan(5)
    for (const path of references) {
      const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], whole)
      expect([path, typeof found]).toEqual([path, 'object'])
    }
  })

  test('describes the events', async () => {
    expect(Object.keys((await document()).webhooks)).toEqual([
      'phone-call.ended',
      'phone-call-summary.creation',
      'phone-call-summary.update',
      'phone-call-outcome.creation',
    ])
  })
})

describe('the reference page', () => {
  test('is served by us only: no foreign script, style or picture', async () => {
    const page = await world.call('GET', '/docs/', undefined, { as: null })
    expect(page.status).toBe(200)
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      expect(file).toMatch(/^(\/|\.\/)/)
      const path = new URL(file, 'http://node/docs/').pathname
      expect([file, (await world.call('GET', path, undefined, { as: null })).status]).toEqual([file, 200])
    }
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).not.toMatch(/https?:|unsafe-eval|upgrade-insecure/)
  })
})
