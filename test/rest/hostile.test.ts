/** Any input: never a mistake of ours, and never a word about internals (F-I3, F-I7, F-I8). */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRestWorld, type RestWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await openRestWorld()
})
afterAll(() => world.close())

const TARGETS = [
  ['POST', '/core/tokens'],
  ['GET', '/core/users'],
  ['GET', '/svcpbx/queue'],
  ['POST', '/core/externalsystems'],
  ['PATCH', '/core/externalsystems/1'],
  ['POST', '/svcems/infofields'],
  ['DELETE', '/core/tokens/rc_aaaaaaaaaaaaaaaaaaaa'],
  ['POST', '/core/tokens/rc_aaaaaaaaaaaaaaaaaaaa/rotate'],
] as const

const NAMES = ['name', 'scopes', 'corpIds', 'systemCode', 'lookup', 'allowedHosts', 'overlapHours', '__proto__', 'all']
const nasty = fc.oneof(
  fc.constantFrom<unknown>('', '\u0000', '\ud800', "'; drop table users; --", '%', '_', '\u202e', '1e400', 2 ** 53, -1),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.oneof(nasty, fc.array(nasty, { maxLength: 4 }), fc.dictionary(fc.constantFrom(...NAMES), nasty))
const body = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 })

const isHarmless = ({ status, text }: { status: number; text: string }) => {
  expect(status, text).toBeLessThan(500)
  expect(text).not.toMatch(/\bat \/|node_modules|pg_|syntax error at|SELECT |duplicate key/)
}

test('bodies of the right form and any content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TARGETS), body, async ([method, path], content) => {
      isHarmless(await world.call(method, path, content))
    }),
    { numRuns: 600 },
  )
})

test('bodies of any form', async () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.json().map((json) => json.slice(0, -1)),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TARGETS), text, async ([method, path], content) => {
      isHarmless(await world.call(method, path, undefined, { text: content }))
    }),
    { numRuns: 300 },
  )
})

test('queries and parameters of any content', async () => {
  const query = fc.dictionary(fc.constantFrom('offset', 'size', 'all', 'x', 'toString'), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(query, fc.string({ unit: 'binary', minLength: 1 }), async (parameters, id) => {
      const given = new URLSearchParams(
        Object.entries(parameters).map(([name, text]) => [name, text.toWellFormed()] as [string, string]),
      )
      isHarmless(await world.call('GET', `/core/users?${given}`))
      isHarmless(await world.call('PATCH', `/core/externalsystems/${encodeURIComponent(id.toWellFormed())}`, {}))
      isHarmless(await world.call('DELETE', `/core/tokens/${encodeURIComponent(id.toWellFormed())}`))
    }),
    { numRuns: 200 },
  )
})

test('headers of any content', async () => {
  const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  const names = fc.constantFrom('idempotency-key', 'svc-trace-id', 'content-type', 'accept', 'range', 'x-forwarded-for')
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, printable), async (headers) => {
      isHarmless(await world.call('POST', '/svcems/infofields', { name: 'x' }, { headers }))
    }),
    { numRuns: 200 },
  )
})

test('credentials of any content', async () => {
  const open = await openRestWorld({ rest: { trustedProxies: ['127.0.0.1'] } })
  const text = fc.oneof(fc.constant('tv2_'), fc.string({ unit: fc.constantFrom('a', '_', '-', '7', '=') }))
  let address = 0
  await fc.assert(
    fc.asyncProperty(text, text, text, async (tokenv2, rcntrl, ccntrl) => {
      const headers = { 'x-forwarded-for': `10.${++address >> 16}.${(address >> 8) & 255}.${address & 255}` }
      const given = { tokenv2: tokenv2 || 'x', rcntrl: rcntrl || 'x', ccntrl: ccntrl || 'x' }
      const { status } = await open.call('GET', '/core/activeuser', undefined, { as: given, headers })
      expect(status).toBe(401)
    }),
    { numRuns: 300 },
  )
  await open.close()
})
