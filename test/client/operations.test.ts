/** The client's operations equal those of the server. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientDocument, clientTypes } from '../../scripts/client-types.ts'
import { PAGED } from '../../src/client/operations.ts'
import { openWholeWorld, type WholeWorld } from '../rest/whole-world.ts'

let world: WholeWorld
let document: ClientDocument
beforeAll(async () => {
  world = await openWholeWorld()
  document = (await world.call('GET', '/openapi.json', undefined, { as: null })).body
})
afterAll(() => world.close())

test('src/client/operations.ts matches the document of the server: npm run generate:client', () => {
  const file = readFileSync(new URL('../../src/client/operations.ts', import.meta.url), 'utf8')
  expect(clientTypes(document)).toBe(file)
})

test('it knows pages of both families, windows and the feed', () => {
  const ways = new Set(Object.values(PAGED).map(({ by }) => by))
  expect(ways).toEqual(new Set(['pageNumber', 'offset', 'limitFrom', 'after']))
  // Its parts are no pages of rows, and a number of rows cannot be asked for.
  expect(PAGED).not.toHaveProperty(['POST /rest/core/persons/export'])
})
