/** §2.7: case numbers when the service is killed in the middle of its work. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { credentialFrom } from './place/doors.ts'
import { type RunningPlace, startPlace } from './place/start-place.ts'

const AT_ONCE = 40
let place: RunningPlace
let client: Client

beforeAll(async () => {
  place = await startPlace()
  client = connect({ ssoUrl: place.ssoUrl, credential: await credentialFrom(place, 'case-numbers') })
})

afterAll(async () => {
  await place?.close()
})

const makeCase = () => {
  const body = { description: 'One of many', status: 1, corporation: { corpId: 1 } }
  return client.ask('POST /rest/svcems/case', { body })
}

test('a case that a crash undoes leaves no gap in the numbers [acc 108 by HTTP]', async () => {
  const first = await makeCase()
  const many = Array.from({ length: AT_ONCE }, () => makeCase())
  // The first is answered: the others are on their way.
  await Promise.race(many)
  await place.kill('SIGKILL')
  const made = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled').length
  expect(made).toBeLessThan(AT_ONCE)
  await place.start()
  const last = await makeCase()
  const body = { statuses: [1], limitTo: 1_000 }
  const all = await client.ask('POST /rest/svcems/cases/search', { body })
  expect(all.length).toBeGreaterThanOrEqual(made + 2)
  const numbers = Array.from({ length: all.length }, (_, place) => first.seqNo + place)
  expect(all.map(({ seqNo }) => seqNo).sort((one, other) => one - other)).toEqual(numbers)
  expect(last.seqNo).toBe(numbers.at(-1))
})
