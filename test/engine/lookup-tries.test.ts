/** Somebody types case numbers, one after the other, to find out whose debts there are (F-J25). */
import { expect, test } from 'vitest'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { SimWeb } from '../sim/sim-web.ts'
import { CampaignWorld, INBOUND } from '../worlds/campaign-world.ts'

const FLOW = `flow: line
start: ask
activity: { systemLookupCode: "\${caseNumber}" }
onError: person
steps:
  ask:
    gather: { prompt: "Your case number, please.", digits: 4, tries: 1 }
    as: caseNumber
    next: lookup
  lookup:
    http: { get: "\${env.integrator}/CaseInfo/\${caseNumber}", timeout: 1s, retry: 0 }
    as: caseInfo
    next: told
    on: { notFound: unknown }
  told: { hangup: { say: That case is open. } }
  unknown: { hangup: { say: We do not know that case. } }
  person: { hangup: { say: A person will help you. } }
`

/** Nobody but 1000 to 1019 has a case. */
async function openLine(before?: (world: CampaignWorld) => Promise<unknown>) {
  let web: SimWeb
  const parts = ({ clock }: { clock: ConstructorParameters<typeof SimWeb>[0] }) => {
    web = new SimWeb(clock)
    for (let code = 1_000; code < 1_200; code++)
      web.on(`GET /CaseInfo/${code}`, code < 1_020 ? { body: {} } : { status: 404 })
    return { web }
  }
  const world = new CampaignWorld({ flow: FLOW, parts })
  await before?.(world)
  await world.start()
  async function told(caller: string | undefined, code: number): Promise<string> {
    const person = { presses: [{ keys: String(code), afterMs: 3_000 }], hangsUpAfterMs: 30_000 }
    const phone = world.pbx.callIn({ called: INBOUND, ...(caller !== undefined && { caller }), person })
    await world.run(35_000)
    return /That case is open|We do not know|A person will help/.exec(phone.ear.words)?.[0] ?? phone.ear.words
  }
  return { world, told, asked: () => web.requests.length }
}

const callerOf = (place: number) => `+4551${String(place).padStart(6, '0')}`

test('after ten cases within an hour, a caller hears of no other one until the hour is over', async () => {
  const { world, told, asked } = await openLine()
  for (let code = 1_000; code < 1_010; code++) expect(await told(callerOf(1), code)).toBe('That case is open')
  expect(await told(callerOf(1), 1_010)).toBe('A person will help')
  expect(asked()).toBe(10)
  expect(await told(callerOf(1), 1_003)).toBe('That case is open')
  expect(await told(callerOf(2), 1_010)).toBe('That case is open')
  expect(await told(undefined, 1_011)).toBe('That case is open')
  await world.run(3_600_000)
  expect(await told(callerOf(1), 1_010)).toBe('That case is open')
})

test('after a hundred unknown cases on a line, each of its callers has one try', async () => {
  const { told, asked } = await openLine()
  for (let code = 1_020; code < 1_100; code++) await told(callerOf(code), code)
  for (let code = 1_100; code < 1_120; code++) expect(await told(undefined, code)).toBe('We do not know')
  expect(await told(callerOf(1), 1_120)).toBe('We do not know')
  expect(await told(callerOf(1), 1_000)).toBe('A person will help')
  expect(await told(callerOf(2), 1_000)).toBe('That case is open')
  expect(asked()).toBe(102)
})

test('after ten questions about one case, strangers hear no more of it; whoever is called about it does', async () => {
  const number = '+4520123499' as PhoneNumber
  const { world, told } = await openLine(async (opened) => {
    await opened.campaign({ dialMode: 'manual' })
    await opened.import(1, () => ({ numbers: [{ given: number, number }], externalCaseNumber: '1000' }))
  })
  for (let place = 1; place <= 10; place++) expect(await told(callerOf(place), 1_000)).toBe('That case is open')
  expect(await told(callerOf(11), 1_000)).toBe('A person will help')
  expect(await told(callerOf(11), 1_001)).toBe('That case is open')
  expect(await told(number, 1_000)).toBe('That case is open')
  await world.run(3_600_000)
  expect(await told(callerOf(11), 1_000)).toBe('That case is open')
})
