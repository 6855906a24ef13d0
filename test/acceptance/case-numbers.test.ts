/** §2.7: case numbers when the service is killed in the middle of its work. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { credentialFrom } from './place/doors.ts'
import { type RunningPlace, startPlace } from './place/start-place.ts'

/** Each may write 50 times at once. */
const WRITERS = 4
const AT_ONCE_EACH = 8

let place: RunningPlace
let writers: readonly Client[]

beforeAll(async () => {
  place = await startPlace()
  const { ssoUrl } = place
  const first = connect({ ssoUrl, credential: await credentialFrom(place, 'case-numbers') })
  const body = { name: 'writer', scopes: ['cases:read', 'cases:write'], corpIds: [1] } as const
  const others = Array.from({ length: WRITERS }, async () => {
    return connect({ ssoUrl, credential: await first.ask('POST /rest/core/tokens', { body }) })
  })
  writers = await Promise.all(others)
})

afterAll(async () => {
  await place?.close()
})

const makeCase = (writer: Client) => {
  const body = { description: 'One of many', status: 1, corporation: { corpId: 1 } }
  return writer.ask('POST /rest/svcems/case', { body })
}

test('a case that a crash undoes leaves no gap in the numbers [acc 108 by HTTP]', async () => {
  const first = await makeCase(writers[0]!)
  const made: number[] = [first.seqNo]
  let isKilled = false
  // One after the other until nobody answers any more.
  const write = async (writer: Client) => {
    while (!isKilled) made.push((await makeCase(writer)).seqNo)
  }
  const writing = writers.flatMap((writer) => Array.from({ length: AT_ONCE_EACH }, () => write(writer)))
  const ended = Promise.allSettled(writing)
  await expect.poll(() => made.length, { interval: 5 }).toBeGreaterThan(20)
  await place.kill('SIGKILL')
  isKilled = true
  const cut = (await ended).filter(({ status }) => status === 'rejected').length
  expect(cut).toBeGreaterThan(0)
  await place.start()
  made.push((await makeCase(writers[1]!)).seqNo)
  const all = await writers[2]!.ask('POST /rest/svcems/cases/search', { body: { statuses: [1], limitTo: 1_000 } })
  const found = all.map(({ seqNo }) => seqNo).sort((one, other) => one - other)
  expect(found).toEqual(Array.from({ length: found.length }, (_, place) => first.seqNo + place))
  // Whoever was told a number has it alone, and the last one comes last.
  expect(new Set(made).size).toBe(made.length)
  expect(found).toEqual(expect.arrayContaining(made))
  expect(found.at(-1)).toBe(made.at(-1))
})
