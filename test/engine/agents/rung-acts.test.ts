/** What agents without a session, whose phones were rung for a caller, do in the conversation at their desk. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName
const CALLER = '+4551234567'
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

async function talking(isLoggedIn = false) {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow: FLOW })
  await world.start()
  const phone = world.pbx.agentPhone(ANNA, STAYS)
  const listen = () =>
    world.engine.agentDesktop!.attach(ANNA, (news) => world.news.push({ agent: ANNA, news, atMs: world.clock.nowMs() }))
  const detach = listen()
  if (isLoggedIn) await world.order('anna', { type: 'logIn' })
  const person = { waitsMaxMs: 600_000 }
  const caller = world.pbx.callIn({ called: INBOUND, caller: CALLER, trunk: 'main', person })
  const hears = () => caller.heard.filter(({ untilMs }) => untilMs === undefined).map(({ text }) => text)
  expect(await world.until(() => hears().includes('anna'), 60_000)).toBe(true)
  await world.run(5_000)
  const sounds = () => world.news.flatMap(({ news }) => (news.type === 'sound' ? [news.isMuted] : []))
  return { world, phone, caller, hears, sounds, detach }
}

test('muted, they are not heard; unmuted they are, and the desk shows both', async () => {
  const { world, hears, sounds } = await talking()
  expect(await world.order('anna', { type: 'mute' })).toEqual({ ok: true })
  expect(await world.until(() => !hears().includes('anna'), 5_000)).toBe(true)
  await world.run(5_000)
  expect(sounds()).toEqual([true])
  expect(await world.order('anna', { type: 'unmute' })).toEqual({ ok: true })
  expect(await world.until(() => hears().includes('anna'), 5_000)).toBe(true)
  expect(sounds()).toEqual([true, false])
})

test('muted until the end of the call, and heard in the next one', async () => {
  const { world, caller, sounds } = await talking()
  expect(await world.order('anna', { type: 'mute' })).toEqual({ ok: true })
  caller.hangUp()
  expect(await world.until(() => sounds().at(-1) === false, 10_000)).toBe(true)
})

test('they hang up at the desk, and the flow goes on', async () => {
  const { world, phone, caller } = await talking()
  expect(await world.order('anna', { type: 'hangUp' })).toEqual({ ok: true })
  expect(await world.until(() => caller.result !== undefined, 10_000)).toBe(true)
  expect([phone.isBusy, caller.ear.words.includes('Goodbye.')]).toEqual([false, true])
  expect(await world.order('anna', { type: 'hangUp' })).toMatchObject({ ok: false })
})

test('who logs in during the call, and closes the page, is not at work without it', async () => {
  const { world, caller, detach } = await talking()
  expect(await world.order('anna', { type: 'logIn' })).toEqual({ ok: true })
  const waits = { agent: ANNA, state: 'loggedOut', asked: 'logIn' }
  expect(world.engine.agentDesktop!.statuses()).toMatchObject([waits])
  const told: unknown[] = []
  world.engine.agentDesktop!.attach(ANNA, (news) => told.push(news))()
  expect(told[0]).toMatchObject({ type: 'status', status: waits })
  detach()
  await world.run(5_000)
  caller.hangUp()
  const state = () => world.engine.agentDesktop!.statuses().find(({ agent }) => agent === ANNA)?.state
  expect(await world.until(() => state() === 'ready', 60_000)).toBe(true)
  await world.run(60_000)
  expect(state()).toBe('paused')
  await world.run(15 * 60_000)
  expect(state()).toBeUndefined()
})

test('the caller on hold is back with them after a crash', async () => {
  const { world, phone, caller, hears } = await talking()
  expect(await world.order('anna', { type: 'hold' })).toEqual({ ok: true })
  expect(await world.until(() => hears().includes('default'), 5_000)).toBe(true)
  await world.run(5_000)
  await world.crash()
  await world.start()
  await world.run(5_000)
  expect([hears(), phone.isBusy, phone.rings]).toEqual([['anna'], true, 1])
  phone.hangUp()
  expect(await world.until(() => caller.result !== undefined, 5_000)).toBe(true)
})

test('rung and muted at a crash, they are heard after it, as the desk shows', async () => {
  const { world, caller, hears } = await talking()
  expect(await world.order('anna', { type: 'mute' })).toEqual({ ok: true })
  expect(await world.until(() => !hears().includes('anna'), 5_000)).toBe(true)
  await world.crash()
  await world.start()
  expect(await world.until(() => hears().includes('anna'), 5_000)).toBe(true)
  caller.hangUp()
})

test('logged in and muted, they stay so through two crashes, and the desk says it', async () => {
  const { world, caller, hears } = await talking(true)
  expect(await world.order('anna', { type: 'mute' })).toEqual({ ok: true })
  expect(await world.until(() => !hears().includes('anna'), 5_000)).toBe(true)
  for (let crash = 0; crash < 2; crash++) {
    await world.crash()
    await world.start()
    await world.run(5_000)
    expect(hears()).not.toContain('anna')
    const told: unknown[] = []
    world.engine.agentDesktop!.attach(ANNA, (news) => told.push(news))
    expect(told).toContainEqual({ type: 'sound', isMuted: true, isHeld: false })
  }
  expect(await world.order('anna', { type: 'unmute' })).toEqual({ ok: true })
  expect(await world.until(() => hears().includes('anna'), 5_000)).toBe(true)
  await world.crash()
  await world.start()
  await world.run(5_000)
  expect(hears()).toContain('anna')
  caller.hangUp()
})
