/** What the board says of the trunk: the reason of an engine that dials on a simulated switch, read over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions } from '../../worlds/campaign-world.ts'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'

let door: WholeWorld

beforeAll(async () => {
  door = await openWholeWorld()
})
afterAll(() => door.close())

const BUSY: Contact = { does: 'busy', afterMs: 50 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 50, afterMs: 0 }
const AGENTS = ['anna', 'ben', 'cleo']

async function dialing(contact: Contact, options: CampaignWorldOptions) {
  const world = new CampaignWorld({ teams: { collections: AGENTS }, contactOf: () => contact, ...options })
  await world.campaign()
  await world.import(40)
  await world.start()
  await world.logIn(...AGENTS)
  const said = new Map<string, { inFlight: number }[]>()
  /** What the board says now, as anybody reads it who may. */
  const read = async () => {
    const what = world.boards.get(CAMPAIGN)
    if (!what) return undefined
    const { clock, live } = door.parts
    live.publishBoard({ node: 'one', atMs: clock.nowMs(), what: { ...what } })
    const { body } = await door.call('GET', '/dialer/board')
    const { placing, live: lines } = body.campaigns[0]
    said.set(placing.why, [...(said.get(placing.why) ?? []), lines])
    return placing.why as string
  }
  for (let step = 0; step < 40; step++) {
    await world.run(100)
    await read()
  }
  return said
}

test('while no line is out and the calls of this second are placed, the lines are not said to be used', async () => {
  const said = await dialing(BUSY, { linesMax: 10, callsPerSecondMax: 1 })
  expect(said.get('paced')?.some(({ inFlight }) => inFlight === 0)).toBe(true)
  expect([...said.keys()]).not.toContain('trunkFull')
})

test('when all lines of the trunk ring, the board says that they are in use', async () => {
  const said = await dialing(RINGS, { linesMax: 1, callsPerSecondMax: 50 })
  const full = said.get('trunkFull') ?? []
  expect(full.length).toBeGreaterThan(0)
  expect(full.filter(({ inFlight }) => inFlight === 0)).toEqual([])
  expect([...said.keys()]).not.toContain('paced')
})

test('a campaign whose trunk is no longer in the configuration says that it has none', async () => {
  const said = await dialing(RINGS, { trunks: [] })
  expect([...said.keys()]).toEqual(['noTrunk'])
})
