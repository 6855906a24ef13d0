/** A case number that a caller types: whose page opens, and to which external system the call belongs. */
import { expect, test } from 'vitest'
import { CampaignWorld, INBOUND, numberOf, SYSTEM } from '../../worlds/campaign-world.ts'

const FLOW = `flow: line
start: ask
activity: { systemLookupCode: "\${caseNumber}" }
steps:
  ask:
    gather: { prompt: "Your case number, please.", digits: 4 }
    as: caseNumber
    next: team
    on: { noInput: team, invalid: team, failed: team }
  team:
    queue: { team: collections, popup: "\${caseNumber}", timeout: 60s }
    next: bye
    on: { timeout: bye, full: bye, closed: bye }
  bye: { hangup: { say: Goodbye. } }
`
const STRANGER = '+4551000001'
const OF_NUMBER = { externalSystemCode: 'DEBT' }
const OF_TASK = { externalSystem: SYSTEM }

const CALLERS: readonly [string, string, string, object, string][] = [
  ['a stranger', STRANGER, '4711', { ...OF_NUMBER, externalCaseNumber: '4711' }, 'c 4711'],
  ['a customer who types their own case', numberOf(0), '1234', { ...OF_TASK, externalCaseNumber: '1234' }, 'b 1234'],
  ['a customer who types another case', numberOf(0), '4711', { ...OF_NUMBER, externalCaseNumber: '4711' }, 'c 4711'],
]

/** Anna is logged in. */
async function open(): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow: FLOW, systemCode: 'DEBT' })
  await world.campaign({ dialMode: 'manual' })
  await world.import(1, () => ({ externalCaseNumber: '1234' }))
  await world.start()
  await world.logIn('anna')
  await world.run(5_000)
  return world
}

function callIn(world: CampaignWorld, caller: string, keys: string): void {
  const person = { presses: [{ keys, afterMs: 3_000 }], hangsUpAfterMs: 50_000 }
  world.pbx.callIn({ called: INBOUND, caller, person })
}

function expectFiled(world: CampaignWorld, expected: object, page: string): void {
  const [call] = world.dialerRepository.view.calls.values()
  const { externalSystem, externalSystemCode, externalCaseNumber } = call!
  expect(call).toMatchObject({ agent: 'anna' })
  expect({ externalSystem, externalSystemCode, externalCaseNumber }).toEqual({
    externalSystem: undefined,
    externalSystemCode: undefined,
    ...expected,
  })
  const popups = world.news.flatMap(({ news }) => (news.type === 'popup' ? [news] : []))
  expect(popups.map(({ reason, url }) => `${reason} ${new URL(url).searchParams.get('case')}`)).toEqual([page])
}

test.for(CALLERS)('the call and the page of %s are of the right system', async ([, caller, keys, expected, page]) => {
  const world = await open()
  callIn(world, caller, keys)
  await world.run(60_000)
  expectFiled(world, expected, page)
})

test.for(CALLERS)(
  'they are those of %s also after a restart in the queue',
  async ([, caller, keys, expected, page]) => {
    const world = await open()
    await world.order('anna', { type: 'pause', reason: 'lunch' })
    callIn(world, caller, keys)
    await world.run(15_000)
    await world.crash()
    await world.run(5_000)
    await world.start()
    await world.logIn('anna')
    await world.run(5_000)
    await world.order('anna', { type: 'ready' })
    await world.run(60_000)
    expectFiled(world, expected, page)
  },
)

test('a text that is too long for a case number is none, and the call is recorded', async () => {
  const flow = FLOW.replace('steps:', `vars: { notes: ${'x'.repeat(3_000)} }\nsteps:`).replace('caseNumber}', 'notes}')
  const world = new CampaignWorld({ flow, systemCode: 'DEBT' })
  await world.start()
  world.pbx.callIn({ called: INBOUND, caller: STRANGER, person: { hangsUpAfterMs: 5_000 } })
  await world.run(60_000)
  const calls = [...world.dialerRepository.view.calls.values()]
  expect(calls.map(({ externalCaseNumber }) => externalCaseNumber)).toEqual([undefined])
})
