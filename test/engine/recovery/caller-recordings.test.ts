/** Recordings of callers whose engine dies: each ends, and has its row with the call (INV-O6). */
import { expect, test } from 'vitest'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

type Made = ReturnType<typeof callsOf>[number]['recordings'][number]

const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 10m }, next: team, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

/** A caller talks to Anna, whose phone was rung. `recordingFails` is asked for each recording. */
async function talk(recordingFails?: () => string | undefined, agents = ['anna']) {
  const world = new CampaignWorld({
    teams: { collections: agents },
    flow: FLOW,
    recording: { mode: 'always', isTranscribed: true },
    ...(recordingFails && { pbx: { recordingFails } }),
  })
  await world.start()
  const phone = world.pbx.agentPhone('anna' as never, STAYS)
  const person = { hangsUpAfterMs: 300_000, waitsMaxMs: 600_000 }
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person })
  await world.until(() => phone.isBusy && world.engine.agentStates().get('anna' as never) === 'talking')
  await world.run(20_000)
  return { world, phone }
}

test('the wait for the next agent, after a phone was lost, is in no recording', async () => {
  const { world, phone } = await talk(undefined, ['anna', 'ben'])
  const bens = world.pbx.agentPhone('ben' as never, STAYS)
  phone.vanish()
  expect(await world.until(() => bens.isBusy && isOpen(world) === 0, 10_000)).toBe(true)
  expect(await world.until(() => isOpen(world) === 1, 10_000)).toBe(true)
  expect(await world.until(() => callsOf(world).length > 0, 600_000)).toBe(true)
  const [[first, second]] = callsOf(world).map(({ recordings }) => recordings) as [[Made, Made]]
  expect([first.state, second.state]).toEqual(['ready', 'ready'])
  expect(second.startedAtMs).toBeGreaterThan(first.endedAtMs)
})

async function nextEngine(world: CampaignWorld): Promise<void> {
  await world.start()
  await world.run(5_000)
}

const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]
const isOpen = ({ pbx }: CampaignWorld) => [...pbx.switch.recordings.values()].filter(({ end }) => !end).length

/** Lengths of the recordings in seconds, by their states. */
function lengths(world: CampaignWorld) {
  return callsOf(world).map(({ recordings }) =>
    recordings.map(({ state, startedAtMs, endedAtMs }) => [state, Math.round((endedAtMs - startedAtMs) / 1_000)]),
  )
}

test('the recording of a kept talk goes on; those of the talks before and after it are apart', async () => {
  const { world, phone } = await talk()
  phone.hangUp()
  await world.run(30_000)
  await world.crash()
  await world.run(5_000)
  await nextEngine(world)
  expect(isOpen(world)).toBe(1)
  expect(await world.until(() => callsOf(world).length > 0, 600_000)).toBe(true)
  expect(lengths(world)).toMatchObject([
    [
      ['ready', 20],
      ['ready', expect.any(Number)],
    ],
  ])
  expect(lengths(world)[0]![1]![1]).toBeGreaterThan(200)
  expect(isOpen(world)).toBe(0)
})

test('a caller whose agent left while no engine was there is served again, and recorded again', async () => {
  const { world, phone } = await talk()
  await world.crash()
  phone.hangUp()
  await world.run(5_000)
  await nextEngine(world)
  expect(await world.until(() => callsOf(world).length > 0, 600_000)).toBe(true)
  const [[first, second]] = lengths(world) as [[[string, number], [string, number]]]
  expect([first[0], second[0], isOpen(world)]).toEqual(['ready', 'ready', 0])
  expect(first[1] + second[1]).toBeLessThan(300)
})

test('a call that is gone with the engine has its recording', async () => {
  const { world } = await talk()
  await world.crash()
  await world.run(300_000)
  await nextEngine(world)
  expect(await world.until(() => callsOf(world).length > 0, 60_000)).toBe(true)
  expect(callsOf(world)).toMatchObject([{ result: 'answered', recordings: [{ state: 'ready' }] }])
})

test('a recording that fails has its row with the reason', async () => {
  const { world } = await talk(() => 'the disk is full')
  expect(await world.until(() => callsOf(world).length > 0, 600_000)).toBe(true)
  expect(callsOf(world)[0]!.recordings).toMatchObject([{ state: 'failed', why: 'the disk is full' }])
})
