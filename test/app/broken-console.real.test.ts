/** A checkout whose console does not build: its pages say so, and the service takes calls all the same (console-01). */
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, tokenOf } from './service-process.ts'

const SETUP = `
trunks: { carrier: { host: 127.0.0.81, callerIds: ["${CALLER_ID}"] } }
teams: { ${TEAM}: { title: Campaign, agents: [anna] } }
agents: { anna: { phone: { host: 127.0.0.101 } } }
`
const OURS = resolve(import.meta.dirname, '../..')
const checkout = mkdtempSync(join(tmpdir(), 'switchboard-checkout-'))
let place: Awaited<ReturnType<typeof openServicePlace>>
let service: ReturnType<typeof startServiceProcess>
let url: string
let client: Client
let anna: SteadyAgent

beforeAll(async () => {
  for (const name of readdirSync(OURS)) {
    if (name !== 'src' && !name.startsWith('.')) symlinkSync(join(OURS, name), join(checkout, name))
  }
  cpSync(join(OURS, 'src'), join(checkout, 'src'), { recursive: true })
  writeFileSync(join(checkout, 'src/console/main.tsx'), 'this is no program')
  place = await openServicePlace(SETUP)
  const { url: databaseUrl } = await place.database()
  const env = await place.env({ DATABASE_URL: databaseUrl })
  url = `http://127.0.0.1:${env['HTTP_PORT']}`
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  service = startServiceProcess(env, checkout)
  await service.ready
  client = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  anna = await steadyAgent('anna', ssoUrl, await tokenOf(env, '--name', 'desk', '--user', 'anna'), new RealClock())
  await anna.is('ready')
})
afterAll(async () => {
  await anna?.leave()
  await service?.stop()
  await place?.close()
  rmSync(checkout, { recursive: true, force: true })
})

test('its pages answer 503 with the reason and the remedy', async () => {
  for (const path of ['/', '/desk', '/board']) {
    const answer = await fetch(`${url}${path}`)
    const { detail } = (await answer.json()) as { detail: string }
    expect([path, answer.status]).toEqual([path, 503])
    expect(detail).toMatch(/^the console could not be built \(.*\); run npm ci, and start again$/)
  }
})

test('it is ready, and a call of a campaign reaches its agent and is on record', async () => {
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const callCode = await makeCampaign(client, await makeSystem(client, undefined))
  const [itcaId] = await importTasks(client, callCode, [{ numbers: ['+4520123409'], caseNumber: 'C-1' }])
  await anna.hears(({ type, itcaId: of }) => type === 'popup' && of === itcaId)
  const calls = async () => (await client.ask('GET /svcems/calls', {})).calls.length
  await expect.poll(calls).toBe(1)
})
