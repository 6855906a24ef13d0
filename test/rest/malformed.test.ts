/** Requests made from the declarations and then damaged: no answer is a mistake of ours, and each is as declared. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameOf, type SpoiledRequest, spoiledRequest } from './malformed-requests.ts'
import { type MalformedWorld, openMalformedWorld } from './malformed-verdict.ts'

/** F-I3, G17: so many with every change, more with `npm run malformed`. */
const REQUESTS = 10_000
const SEED = 1

let world: MalformedWorld
beforeAll(async () => {
  world = await openMalformedWorld()
})
afterAll(() => world.close())

const NAME = `${REQUESTS} spoiled requests: nothing breaks, every answer is as the reference says (F-I3, F-I7, F-I8)`

test(NAME, async () => {
  const { routes, ids } = world
  const seen = new Set<string>()
  const isHeld = async (request: SpoiledRequest) => {
    const { status, fault } = await world.judge(request)
    seen.add(`${request.name} ${Math.floor(status / 100)}`)
    expect(fault, JSON.stringify(request)).toBeUndefined()
  }
  const all = fc.asyncProperty(spoiledRequest(routes, ids), isHeld)
  await fc.assert(all, { numRuns: REQUESTS, seed: SEED, endOnFailure: true })
  // The requests would prove little if all were refused, or all accepted.
  const good = routes.filter((route) => seen.has(`${nameOf(route)} 2`))
  const refused = routes.filter((route) => seen.has(`${nameOf(route)} 4`))
  expect(good.length).toBeGreaterThan(routes.length * 0.65)
  expect(refused.length).toBeGreaterThan(routes.length * 0.8)
  expect(seen.size).toBeGreaterThan(routes.length)
})
