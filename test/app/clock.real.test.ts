/** A clock that runs ahead for a moment stops no campaign, once it is right again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from '../acceptance/place/campaigns.ts'
import { type RunningPlace, runCli, startPlace } from '../acceptance/place/start-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'

const systemCode = 'CLOCK'
const DAY_MS = 24 * 3_600_000
let place: RunningPlace
let client: Client
let theo: SteadyAgent
let callCode: number

beforeAll(async () => {
  place = await startPlace({ PBX: 'simulated' })
  client = connect({ ssoUrl: place.ssoUrl, credential: await credentialOf('integrator') })
  callCode = await makeCampaign(client, 'tasks', await makeSystem(client, systemCode))
  const credential = await credentialOf('theo', '--user', 'theo')
  theo = await steadyAgent('theo', place.ssoUrl, credential, new RealClock())
  await theo.is('ready')
})
afterAll(async () => {
  await theo?.leave()
  await place?.close()
})

async function credentialOf(name: string, ...options: string[]): Promise<Credential> {
  const made = await runCli(place, 'token', 'create', '--name', name, ...options)
  const values = [...made.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)].map((found) => found.slice(1))
  return Object.fromEntries(values) as Credential
}

/** Imports a task of this number, and waits for the end of its attempt. */
async function isDialed(number: string): Promise<void> {
  const callTasks = [{ callReceiverName: 'Nobody', callNumberList: [number] }]
  const made = await importTasks(client, { systemCode, callCode, callTasks })
  const { itcaId } = made.callTasks![0]!
  const ended = async () => (await attemptsOf(client, itcaId)).filter(({ endTs }) => endTs !== null).length
  await expect.poll(ended, { interval: 100, timeout: 30_000 }).toBe(1)
}

test('dialing goes on after a day ahead that lasted a moment', async () => {
  await isDialed('+4520100009')
  await place.forward(DAY_MS)
  await isDialed('+4520200009')
  await place.forward(-DAY_MS)
  await isDialed('+4520300009')
  expect((await fetch(`${place.ssoUrl}/readyz`)).status).toBe(200)
})

test('the operator sees a latest instant that is ahead, and forgets it', async () => {
  // It is remembered when it stands for ten minutes.
  await place.forward(DAY_MS)
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      await place.forward(50_000)
      await isDialed(`+4520${5_000 + minute}02`)
    }
  }
  await minutes(14)
  await place.forward(-DAY_MS)
  const readiness = async () => (await fetch(`${place.ssoUrl}/readyz`)).text()
  await expect.poll(readiness, { interval: 100 }).toContain('switchboard clock reset')
  expect(await runCli(place, 'clock', 'reset')).toContain('dialing goes on')
  await isDialed('+4520400009')
  expect(await readiness()).not.toContain('clock')
})
