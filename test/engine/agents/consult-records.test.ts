/** What the record of a call tells of consultations, conferences and transfers, also after a crash of the engine. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import { EXPERT, Talk, TOGETHER, WITH_BEN, WITH_EXPERT } from './one-talk.ts'

const BEN = { colleague: 'ben' as AgentName }
const TWO = ['callee hears expert', 'expert hears callee']

/** The entries of the call's record, once it is written. */
async function recorded(talk: Talk) {
  const { calls } = talk.world.dialerRepository.view
  await talk.world.until(() => calls.size > 0)
  return [...calls.values()].flatMap(({ transfers = [] }) => transfers)
}

const hangUp = (talk: Talk) => (talk.caller ? talk.caller.hangUp() : talk.line(0)!.hangUp())

for (const isCaller of [false, true]) {
  const who = isCaller ? 'caller' : 'callee'

  test(`a ${who}'s record tells of a consultation, a conference, and a line that was busy`, async () => {
    const talk = await new Talk().open(['anna', 'ben'], isCaller)
    await talk.order({ type: 'consult', to: BEN })
    await talk.hearing(WITH_BEN)
    await talk.order({ type: 'back' })
    await talk.order({ type: 'consult', to: { number: '+4526900002' } })
    await talk.world.until(() => talk.consults().at(-1)?.why !== undefined)
    await talk.order({ type: 'resume' })
    await talk.order({ type: 'consult', to: { number: EXPERT } })
    await talk.world.until(() => talk.consults().at(-1)?.state === 'talking')
    await talk.order({ type: 'join' })
    await talk.world.run(5_000)
    hangUp(talk)
    const made = await recorded(talk)
    expect(made.map(({ to, mode, end }) => [to, mode, end])).toEqual([
      ['ben', 'consultation', 'done'],
      ['+4526900002', 'consultation', 'busy'],
      [EXPERT, 'conference', 'done'],
    ])
    expect(made.map(({ connectedAtMs }) => connectedAtMs !== undefined)).toEqual([true, false, true])
  })

  test(`a ${who}'s record tells who was given the call, and until when they talked`, async () => {
    const talk = await new Talk().open(['anna'], isCaller)
    await talk.order({ type: 'transfer', to: { number: EXPERT } })
    await talk.hearing(TWO)
    await talk.world.run(60_000)
    hangUp(talk)
    const [made, ...more] = await recorded(talk)
    expect([made, more]).toMatchObject([{ to: EXPERT, mode: 'attended', end: 'done' }, []])
    expect(made!.endedAtMs! - made!.connectedAtMs!).toBeGreaterThanOrEqual(60_000)
  })

  test(`a consultation that a crash ends is in the ${who}'s record, and ends with the crash`, async () => {
    const talk = await new Talk().open(['anna', 'ben'], isCaller)
    await talk.order({ type: 'consult', to: { number: EXPERT } })
    await talk.hearing(WITH_EXPERT)
    await talk.world.crash()
    await talk.world.start()
    await talk.hearing(TOGETHER)
    await talk.world.run(60_000)
    hangUp(talk)
    const [made] = await recorded(talk)
    expect(made).toMatchObject({ to: EXPERT, mode: 'consultation', end: 'done' })
    const [call] = talk.world.dialerRepository.view.calls.values()
    expect(call!.endedAtMs - made!.endedAtMs!).toBeGreaterThanOrEqual(60_000)
  })

  test.each([
    ['callee', 'the other side'],
    ['expert', 'the number outside'],
  ])(`after a crash a ${who} stays with whom the agent left them, until one hangs up: %s`, async (end) => {
    const talk = await new Talk().open(['anna'], isCaller)
    await talk.order({ type: 'transfer', to: { number: EXPERT } })
    await talk.hearing(TWO)
    await talk.world.crash()
    await talk.world.start()
    await talk.world.run(45_000)
    expect(await talk.hearing(TWO)).toEqual(TWO)
    expect(talk.state('anna')).not.toBe('talking')
    const shown: string[] = []
    talk.world.engine.agentDesktop!.attach('anna' as AgentName, ({ type }) => void shown.push(type))
    expect(shown).not.toContain('call')
    const expert = talk.line(isCaller ? 0 : 1)!
    if (end === 'expert') expert.hangUp()
    else hangUp(talk)
    await talk.world.until(() => expert.endedBy !== undefined)
    const [made] = await recorded(talk)
    expect(made).toMatchObject({ to: EXPERT, mode: 'attended', end: 'done' })
    expect(talk.caller ? talk.caller.isUp : talk.line(0)!.endedBy === undefined).toBe(false)
    expect(made!.endedAtMs! - made!.connectedAtMs!).toBeGreaterThanOrEqual(45_000)
  })

  test(`who was given a ${who} hangs up while no engine runs`, async () => {
    const talk = await new Talk().open(['anna'], isCaller)
    await talk.order({ type: 'transfer', to: { number: EXPERT } })
    await talk.hearing(TWO)
    await talk.world.crash()
    talk.line(isCaller ? 0 : 1)!.hangUp()
    await talk.world.start()
    // A callee has had the talk; a caller is served.
    if (isCaller) await talk.hearing(TOGETHER)
    else expect(await recorded(talk)).toMatchObject([{ to: EXPERT, mode: 'attended', end: 'done' }])
  })
}

test('a crash at any moment of a transfer to a number leaves nobody in a line alone', async () => {
  for (const afterMs of [0, 1, 2, 3, 5, 2_000, 2_001, 2_002, 2_003, 2_005, 2_010, 2_050]) {
    const talk = await new Talk().open()
    void talk.world.engine.agentDesktop!.order('anna' as AgentName, TRANSFER)
    await talk.world.run(afterMs)
    await talk.world.crash()
    await talk.world.start()
    await talk.world.run(20_000)
    const heard = [...new Set(await talk.hearing(TWO))].sort()
    expect([TOGETHER, TWO]).toContainEqual(heard)
    const expert = talk.line(1)
    expect(expert === undefined || (expert.endedBy === undefined) === (heard[0] === TWO[0])).toBe(true)
  }
})

const TRANSFER: AgentOrder = { type: 'transfer', to: { number: EXPERT } }

test.each([
  ['callee', false, 2],
  ['caller', true, 1],
] as const)(
  'after a crash the line of whom a %s was given still counts on the trunk',
  async (_, isCaller, linesMax) => {
    const talk = await new Talk().open(['anna'], isCaller, { linesMax })
    await talk.order({ type: 'transfer', to: { number: EXPERT } })
    await talk.hearing(TWO)
    await talk.world.crash()
    await talk.world.start()
    await talk.world.logIn('anna')
    await talk.world.import(2)
    expect(await talk.world.until(() => talk.state('anna') === 'ready', 60_000)).toBe(true)
    await talk.world.run(30_000)
    expect(talk.world.pbx.carrier.calls).toHaveLength(linesMax)
    hangUp(talk)
    expect(await talk.world.until(() => talk.world.pbx.carrier.calls.length > linesMax, 30_000)).toBe(true)
  },
)

test.each([
  ['callee', false],
  ['caller', true],
])('a %s whom a colleague took over is the colleague’s, also when engine and switch are gone', async (_, isCaller) => {
  const talk = await new Talk().open(['anna', 'ben'], isCaller)
  await talk.order({ type: 'transfer', to: BEN })
  await talk.world.run(5_000)
  await talk.world.crash()
  talk.world.pbx.restart(1_000)
  await talk.world.run(1_000)
  await talk.world.start()
  await talk.world.run(5_000)
  const { calls, attempts } = talk.world.dialerRepository.view
  const agents = [...calls.values(), ...attempts.values()].map(({ agent }) => agent)
  expect(agents).toEqual(isCaller ? ['ben'] : ['ben', 'ben'])
})
