/** The phone of an agent is a browser, and is lost in a conversation: what the callee hears until it is back. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName
const GRACE_MS = 15_000
const APOLOGY = 'One moment, please.'
const GONE = { does: 'ignore', afterMs: 0 } as const

let world: CampaignWorld

async function talking(): Promise<void> {
  world = new CampaignWorld({
    teams: { collections: ['anna', 'ben'] },
    phoneGraceMs: GRACE_MS,
    contactOf: () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 600_000 }),
  })
  await world.campaign({ messages: { apology: { text: APOLOGY, language: 'en' } } })
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  const isTalking = () => world.engine.agentDesktop!.statuses().some(({ state }) => state === 'talking')
  expect(await world.until(isTalking)).toBe(true)
}

const hears = (what: string) =>
  world.pbx.carrier.calls[0]!.heard.some(({ text, untilMs }) => text === what && untilMs === undefined)
const hearsSoon = (what: string, limitMs = 60_000) =>
  world.until(() => world.pbx.carrier.calls.length > 0 && hears(what), limitMs)
const isHeld = () => world.news.flatMap(({ news }) => (news.type === 'sound' ? [news.isHeld] : []))
const lose = () => world.pbx.agentPhone(ANNA, GONE).hangUp()

test('it comes back: music meanwhile, and the same two talk on; nobody has put anybody on hold', async () => {
  await talking()
  lose()
  expect(await hearsSoon('default', 2_000)).toBe(true)
  world.pbx.agentPhone(ANNA, STAYS)
  // As a page that was loaded again does.
  expect(await world.order('anna', { type: 'renewLeg' })).toEqual({ ok: true })
  expect(await hearsSoon('anna', GRACE_MS)).toBe(true)
  expect(hears('default')).toBe(false)
  expect(isHeld()).not.toContain(true)
})

test('it stays away: words as soon as the music is over, and the next agent', async () => {
  await talking()
  lose()
  expect(await hearsSoon('default', 2_000)).toBe(true)
  expect(await world.until(() => !hears('default'), GRACE_MS + 2_000)).toBe(true)
  expect(await hearsSoon(APOLOGY, 1_000)).toBe(true)
  expect(await hearsSoon('default', 5_000)).toBe(true)
  await world.logIn('ben')
  expect(await hearsSoon('ben')).toBe(true)
  expect(hears('default')).toBe(false)
})

test('it stays away and nobody is there: music and words in turn, and no second of silence until the end', async () => {
  await talking()
  const { heard } = world.pbx.carrier.calls[0]!
  const lostAtMs = world.clock.nowMs()
  lose()
  expect(await world.until(() => world.pbx.carrier.calls[0]!.endedAtMs !== undefined, 60_000)).toBe(true)
  const after = heard.filter(({ what, untilMs = lostAtMs }) => what !== 'person' && untilMs > lostAtMs)
  expect(after.slice(0, 5).map(({ text }) => text)).toEqual(['default', APOLOGY, 'default', APOLOGY, 'default'])
  for (const [at, { fromMs }] of after.entries()) {
    const untilMs = at === 0 ? lostAtMs : after[at - 1]!.untilMs!
    expect(fromMs - untilMs).toBeLessThan(1_000)
  }
  // The campaign has no message for the end.
  expect(world.clock.nowMs() - after.at(-1)!.untilMs!).toBeLessThan(1_000)
})

test('the engine dies meanwhile: the callee is not left with the music', async () => {
  await talking()
  await world.logIn('ben')
  lose()
  expect(await hearsSoon('default', 2_000)).toBe(true)
  await world.crash()
  world.pbx.agentPhone(ANNA, STAYS)
  await world.start()
  expect(await world.until(() => hears('anna') || hears('ben'), 30_000)).toBe(true)
  expect(hears('default')).toBe(false)
})
