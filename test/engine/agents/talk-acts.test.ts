/** Agents who hold, mute and press keys, on virtual time: who hears whom, and what ends it. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import { CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName

class Talk {
  world!: CampaignWorld

  async open(agents: readonly string[] = ['anna'], hangsUpAfterMs = 600_000): Promise<this> {
    this.world = new CampaignWorld({
      teams: { collections: ['anna', 'ben'] },
      contactOf: () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs }),
    })
    await this.world.campaign({})
    await this.world.import(1)
    await this.world.start()
    for (const agent of agents) await this.world.logIn(agent)
    const isTalking = () => this.world.engine.agentDesktop!.statuses().some(({ state }) => state === 'talking')
    expect(await this.world.until(isTalking)).toBe(true)
    return this
  }

  get callee() {
    return this.world.pbx.carrier.calls[0]!
  }

  order(order: AgentOrder, agent = ANNA) {
    return this.world.during(this.world.engine.agentDesktop!.order(agent, order))
  }

  /** Whether a person hears this voice, or music, now. */
  hears(who: 'callee' | 'anna' | 'ben', what: string): boolean {
    const ear = who === 'callee' ? this.world.pbx.carrier.calls[0] : this.world.pbx.agentPhone(who as AgentName, STAYS)
    return ear?.heard.some(({ text, untilMs }) => text === what && untilMs === undefined) === true
  }

  sounds(agent = 'anna') {
    return this.world.news.flatMap(({ agent: whose, news }) => (whose === agent && news.type === 'sound' ? [news] : []))
  }
}

test('the other side waits with music, and comes back; again changes nothing', async () => {
  const talk = await new Talk().open()
  for (const _ of [1, 2]) expect(await talk.order({ type: 'hold' })).toEqual({ ok: true })
  await talk.world.until(() => talk.hears('callee', 'default'))
  expect([talk.hears('callee', 'anna'), talk.hears('callee', 'default')]).toEqual([false, true])
  expect(await talk.order({ type: 'digits', digits: '1' })).toMatchObject({ ok: false })
  for (const _ of [1, 2]) expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
  await talk.world.until(() => talk.hears('callee', 'anna'))
  expect([talk.hears('callee', 'anna'), talk.hears('callee', 'default')]).toEqual([true, false])
  expect(talk.sounds().map(({ isHeld }) => isHeld)).toEqual([true, false])
})

test('a held callee who hangs up ends the call, and the next conversation is not held', async () => {
  const talk = await new Talk().open()
  await talk.order({ type: 'hold' })
  talk.callee.hangUp()
  await talk.world.until(() => talk.sounds().at(-1)?.isHeld === false)
  expect(talk.sounds().map(({ isHeld }) => isHeld)).toEqual([true, false])
  expect(await talk.order({ type: 'resume' })).toMatchObject({ ok: false })
})

test('a held callee whose agent is lost goes to the next one, without the music', async () => {
  const talk = await new Talk().open()
  await talk.world.logIn('ben')
  await talk.order({ type: 'hold' })
  talk.world.pbx.agentPhone(ANNA, { does: 'ignore', afterMs: 0 }).hangUp()
  expect(await talk.world.until(() => talk.hears('callee', 'ben'))).toBe(true)
  expect(await talk.world.until(() => !talk.hears('callee', 'default'), 1_000)).toBe(true)
})

test('nobody hears a muted agent, whatever leg the phone has, until the agent unmutes', async () => {
  const talk = await new Talk().open()
  expect(await talk.order({ type: 'mute' })).toEqual({ ok: true })
  await talk.world.until(() => !talk.hears('callee', 'anna'))
  expect([talk.hears('callee', 'anna'), talk.hears('anna', talk.callee.invite.number)]).toEqual([false, true])
  await talk.order({ type: 'renewLeg' })
  await talk.world.run(3_000)
  expect([talk.hears('callee', 'anna'), talk.hears('anna', talk.callee.invite.number)]).toEqual([false, true])
  expect(await talk.order({ type: 'unmute' })).toEqual({ ok: true })
  await talk.world.until(() => talk.hears('callee', 'anna'))
  expect(talk.hears('callee', 'anna')).toBe(true)
  expect(talk.sounds().map(({ isMuted }) => isMuted)).toEqual([true, false])
})

test('whoever is still muted when the call is over unmutes by its name, and the next person hears them', async () => {
  const talk = await new Talk().open()
  const news = talk.world.news.flatMap((one) => (one.news.type === 'call' ? [one.news.call] : []))
  const { call } = news[0]!
  await talk.order({ type: 'mute', call })
  talk.callee.hangUp()
  const state = () => talk.world.engine.agentDesktop!.statuses().find(({ agent }) => agent === ANNA)?.state
  expect(await talk.world.until(() => state() === 'wrapUp')).toBe(true)
  expect(await talk.order({ type: 'unmute', call })).toEqual({ ok: true })
  expect(talk.sounds().map(({ isMuted }) => isMuted)).toEqual([true, false])
  expect(await talk.order({ type: 'unmute', call })).toMatchObject({ ok: false, why: 'This call has ended.' })
  await talk.world.import(2, () => ({}), { importId: 'next' })
  expect(await talk.world.until(() => talk.world.pbx.carrier.calls.length > 1 && state() === 'talking')).toBe(true)
  const next = talk.world.pbx.carrier.calls[1]!
  await talk.world.run(1_000)
  expect(next.heard.some(({ text, untilMs }) => text === 'anna' && untilMs === undefined)).toBe(true)
})

test('keys are pressed for the other side; without a conversation nothing is', async () => {
  const talk = await new Talk().open()
  expect(await talk.order({ type: 'digits', digits: '12#' })).toEqual({ ok: true })
  await talk.world.until(() => talk.callee.digits === '12#')
  expect(talk.callee.digits).toBe('12#')
  for (const order of [{ type: 'hold' }, { type: 'mute' }, { type: 'digits', digits: '1' }] as const)
    expect(await talk.order(order, 'ben' as AgentName)).toMatchObject({ ok: false })
})
