/** A started service refuses a database that does not belong to its files, until an operator joins the two. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard } from './service-process.ts'

let place: Awaited<ReturnType<typeof openServicePlace>>

beforeAll(async () => {
  place = await openServicePlace('agents: { anna: { phone: { host: 127.0.0.101 } } }\n')
})
afterAll(() => place.close())

const served = async (env: Record<string, string>) => {
  const service = startServiceProcess(env)
  await service.ready
  await service.stop()
}

test('files never meet the database of another installation, unless an operator says so', async () => {
  const [first, second] = [await place.database(), await place.database()]
  // Copies of one template of this run: what a migration makes, it makes once.
  await second.pools.jobs.query('update dial_state set installation = gen_random_uuid()::text')
  const env = await place.env({ DATABASE_URL: first.url })
  await served(env)
  const ours = readFileSync(join(env['DATA_DIR']!, 'installation'), 'utf8').trim()
  const other = { ...env, DATABASE_URL: second.url }
  await expect(served(other)).rejects.toThrow(`belongs to installation ${ours}, and the database to installation`)
  await expect(switchboard(['adopt'], other)).rejects.toThrow('nothing was changed; --confirm')
  await expect(served(other)).rejects.toThrow('switchboard adopt')
  expect(await switchboard(['adopt', '--confirm'], other)).toContain('0 call tasks, 0 calls, 0 files')
  await served(other)
  await expect(served(env)).rejects.toThrow(ours)
})
