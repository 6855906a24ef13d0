/** Agents who dial while the dialer looks for work with them: the order waits for the end of the claim. */
import { describe, expect, test } from 'vitest'
import type { CallTaskId, CampaignId } from '../../../src/kernel/ids.ts'
import { CAMPAIGN, CampaignWorld, CORPORATION, numberOf } from '../../worlds/campaign-world.ts'

const MANUAL = (CAMPAIGN + 1) as CampaignId

/** Anna sits in an automatic campaign without any task, and has one to dial by hand. `hold`: claims that never end. */
async function world(hold: () => boolean = () => false) {
  const it = new CampaignWorld({ teams: { collections: ['anna'] } })
  let claims = 0
  const { dialerRepository } = it
  const claim = dialerRepository.claimDueTasks.bind(dialerRepository)
  dialerRepository.claimDueTasks = (asked) => {
    if (hold() && !('only' in asked)) {
      claims += 1
      return new Promise(() => {})
    }
    claims += 1
    return claim(asked).finally(() => {
      claims -= 1
    })
  }
  await it.campaign()
  await it.campaign({ dialMode: 'manual' }, MANUAL)
  await it.import(1, () => ({}), { campaign: MANUAL })
  await it.start()
  await it.logIn('anna')
  const state = () => it.engine.agentDesktop?.statuses().find(({ agent }) => agent === 'anna')?.state
  expect(await it.until(() => state() === 'ready')).toBe(true)
  const [task] = [...dialerRepository.view.tasks.keys()] as CallTaskId[]
  const dial = () => it.order('anna', { type: 'dial', task: task! })
  return { it, dial, state, isClaimed: () => it.until(() => claims > 0) }
}

describe('a ready agent dials by hand', () => {
  test('during a claim that finds nobody: the call is dialed at its end', async () => {
    const { it, dial, state, isClaimed } = await world()
    expect(await isClaimed()).toBe(true)
    expect(state()).toBe('ready')
    expect(await dial()).toEqual({ ok: true })
    expect(await it.until(() => state() === 'talking')).toBe(true)
  })

  test('during a claim without an end: after five seconds the answer says so', async () => {
    const { it, dial, isClaimed } = await world(() => true)
    expect(await isClaimed()).toBe(true)
    const fromMs = it.clock.nowMs()
    expect(await dial()).toEqual({ ok: false, why: 'The dialer still looks for a call for you. Try again.' })
    expect(it.clock.nowMs() - fromMs).toBe(5_000)
  })

  test('in a break: the answer says at once that she is not ready', async () => {
    const { it, dial, isClaimed } = await world()
    await it.order('anna', { type: 'pause', reason: 'lunch' })
    await isClaimed()
    expect(await dial()).toEqual({ ok: false, why: 'You are not ready.' })
  })
})

describe('a call task that was found by a number', () => {
  const OTHERS_TURN = { ok: false, why: 'Another number of the call task is next.' }
  const both = [numberOf(0), numberOf(1)].map((number) => ({ given: number, number }))
  const found = async (settings: object = {}) => {
    const it = new CampaignWorld({ teams: { collections: ['anna'] } })
    await it.campaign({ dialMode: 'manual', ...settings })
    await it.import(1, () => ({ numbers: both }))
    await it.start()
    await it.logIn('anna')
    const state = () => it.engine.agentDesktop?.statuses().find(({ agent }) => agent === 'anna')?.state
    expect(await it.until(() => state() === 'ready')).toBe(true)
    const [task] = [...it.dialerRepository.view.tasks.keys()] as CallTaskId[]
    const dial = (number: string) => it.order('anna', { type: 'dial', task: task!, number })
    return { it, dial, state }
  }

  test('is dialed at that number alone, however it is written', async () => {
    const { it, dial, state } = await found()
    expect(await dial(numberOf(1))).toEqual(OTHERS_TURN)
    expect(await dial('no number')).toEqual(OTHERS_TURN)
    await it.run(60_000)
    expect([it.pbx.carrier.invites, state()]).toEqual([[], 'ready'])
    expect(await dial(numberOf(0).slice(3).replace(/(..)/g, '$1 '))).toEqual({ ok: true })
    expect(await it.until(() => state() === 'talking')).toBe(true)
    expect(it.pbx.carrier.invites).toMatchObject([{ number: numberOf(0) }])
  })

  test('is not dialed where that number is stopped: no other one rings', async () => {
    const { it, dial } = await found()
    const stop = { kind: 'number', number: numberOf(0) } as const
    await it.during(it.dialerRepository.addStop(CORPORATION, stop, it.clock.nowMs()))
    expect(await dial(numberOf(0))).toEqual(OTHERS_TURN)
    await it.run(60_000)
    expect(it.pbx.carrier.invites).toEqual([])
  })
})
