/** Agents who consult colleagues and people outside, on virtual time: who hears whom at each step, and what ends it. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import { ANNA, EXPERT, Talk, TOGETHER, WITH_BEN, WITH_EXPERT } from './one-talk.ts'

test('a colleague is asked while the callee hears music, and the callee comes back', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  expect(await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })).toEqual({ ok: true })
  expect(await talk.hearing(WITH_BEN)).toEqual(WITH_BEN)
  expect(await talk.order({ type: 'resume' })).toMatchObject({ ok: false })
  expect(await talk.order({ type: 'back' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  await talk.world.until(() => talk.state('ben') === 'ready')
  expect([talk.state('anna'), talk.state('ben')]).toEqual(['talking', 'ready'])
  expect(talk.consults('ben').map(({ with: name, state }) => [name, state])).toEqual([
    ['anna', 'asked'],
    ['anna', null],
  ])
})

test('a colleague leaves at the desk, and is ready; whoever asked them takes the callee back', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  expect(await talk.hearing(WITH_BEN)).toEqual(WITH_BEN)
  expect(await talk.order({ type: 'hangUp' }, 'ben' as AgentName)).toEqual({ ok: true })
  await talk.world.until(() => talk.state('ben') === 'ready')
  expect(talk.consults().at(-1)).toMatchObject({ state: null, why: 'They have left.' })
  expect(await talk.hearing(['callee hears default'])).toEqual(['callee hears default'])
  expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

test('a long consultation keeps the colleague, also with a fresh leg, until the callee comes back', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  await talk.order({ type: 'renewLeg' }, 'ben' as AgentName)
  await talk.world.run(15 * 60_000)
  expect(await talk.hearing(WITH_BEN)).toEqual(WITH_BEN)
  expect(talk.state('ben')).toBe('reserved')
  await talk.order({ type: 'back' })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
})

test('a colleague takes over the call: it is theirs from then on, and the first agent wraps up', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  expect(await talk.order({ type: 'connect' })).toEqual({ ok: true })
  const passed = ['ben hears callee', 'callee hears ben']
  expect(await talk.hearing(passed)).toEqual(passed)
  expect([talk.state('anna'), talk.state('ben')]).toEqual(['wrapUp', 'talking'])
  const told = talk.world.news.flatMap(({ agent, news }) => (news.type === 'call' ? [agent] : []))
  expect(told).toEqual(['anna', 'ben'])

  expect(await talk.order({ type: 'hangUp' }, 'ben' as AgentName)).toEqual({ ok: true })
  await talk.world.until(() => talk.line(0)!.endedBy !== undefined)
  expect(talk.line(0)!.endedBy).toBe('switch')
  expect(talk.state('ben')).toBe('wrapUp')
})

test('all three talk, and the agent who goes leaves the other two', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  expect(await talk.order({ type: 'join' })).toEqual({ ok: true })
  const all = [...TOGETHER, 'anna hears ben', 'ben hears anna', 'ben hears callee', 'callee hears ben'].sort()
  expect(await talk.hearing(all)).toEqual(all)
  await talk.order({ type: 'connect' })
  const passed = ['ben hears callee', 'callee hears ben']
  expect(await talk.hearing(passed)).toEqual(passed)
})

test.each(['resume', 'join'] as const)('who is put on hold while all three talk is taken back: %s', async (type) => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  await talk.order({ type: 'join' })
  const all = [...TOGETHER, 'anna hears ben', 'ben hears anna', 'ben hears callee', 'callee hears ben'].sort()
  expect(await talk.hearing(all)).toEqual(all)
  expect(await talk.order({ type: 'hold' })).toEqual({ ok: true })
  expect(await talk.hearing(WITH_BEN)).toEqual(WITH_BEN)
  expect(await talk.order({ type })).toEqual({ ok: true })
  expect(await talk.hearing(all)).toEqual(all)
})

test('a number is called by the rules of transfers; connected, the two end together', async () => {
  const talk = await new Talk().open()
  expect(await talk.order({ type: 'consult', to: { number: '26 90 00 01' } })).toEqual({ ok: true })
  expect(await talk.order({ type: 'connect' })).toMatchObject({ ok: false })
  expect(await talk.hearing(WITH_EXPERT)).toEqual(WITH_EXPERT)
  expect(await talk.order({ type: 'connect' })).toEqual({ ok: true })
  const two = ['callee hears expert', 'expert hears callee']
  expect(await talk.hearing(two)).toEqual(two)
  expect(talk.state('anna')).toBe('wrapUp')
  talk.line(1)!.hangUp()
  await talk.world.until(() => talk.line(0)!.endedBy !== undefined)
  expect(talk.line(0)!.endedBy).toBe('switch')
})

test('a transfer leaves as soon as the number answers; the callee hangs up, and the other line ends', async () => {
  const talk = await new Talk().open()
  expect(await talk.order({ type: 'transfer', to: { number: EXPERT } })).toEqual({ ok: true })
  const two = ['callee hears expert', 'expert hears callee']
  expect(await talk.hearing(two)).toEqual(two)
  talk.line(0)!.hangUp()
  await talk.world.until(() => talk.line(1)!.endedBy !== undefined)
  expect(talk.line(1)!.endedBy).toBe('switch')
})

test('whoever cannot be reached is named with the reason; the callee waits, and comes back', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { number: '+4526900002' } })
  await talk.world.until(() => talk.consults().at(-1)?.state === null)
  expect(talk.consults().at(-1)).toMatchObject({ with: '+4526900002', why: 'The line is busy.' })
  expect(await talk.order({ type: 'resume' })).toEqual({ ok: true })
  expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
  for (const number of ['nonsense', '+46701234567', '112', talk.line(0)!.invite.number])
    expect(await talk.order({ type: 'consult', to: { number } })).toMatchObject({ ok: false })
  expect(await talk.order({ type: 'consult', to: { colleague: ANNA } })).toMatchObject({ ok: false })
  expect(talk.world.pbx.carrier.calls).toHaveLength(2)
})

test('the callee hangs up, or a phone is lost, while somebody is asked: nobody stays in a line alone', async () => {
  const talk = await new Talk().open(['anna', 'ben'])
  await talk.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  talk.line(0)!.hangUp()
  await talk.world.until(() => talk.state('ben') === 'ready')
  expect(await talk.hearing([])).toEqual([])
  expect(talk.state('anna')).toBe('wrapUp')

  const other = await new Talk().open(['anna', 'ben'])
  await other.order({ type: 'consult', to: { colleague: 'ben' as AgentName } })
  other.world.pbx.agentPhone('ben' as AgentName, { does: 'ignore', afterMs: 0 }).hangUp()
  await other.world.until(() => other.consults().at(-1)?.state === null)
  expect(await other.order({ type: 'resume' })).toEqual({ ok: true })
  expect(await other.hearing(TOGETHER)).toEqual(TOGETHER)

  const third = await new Talk().open()
  await third.order({ type: 'consult', to: { number: EXPERT } })
  await third.hearing(WITH_EXPERT)
  third.world.pbx.agentPhone(ANNA, { does: 'ignore', afterMs: 0 }).hangUp()
  await third.world.until(() => third.line(1)!.endedBy !== undefined)
  expect(third.line(1)!.endedBy).toBe('switch')
})

test('a caller goes to a colleague, or to a number; after that the flow goes on', async () => {
  const talk = await new Talk().open(['anna', 'ben'], true)
  expect(await talk.order({ type: 'transfer', to: { colleague: 'ben' as AgentName } })).toEqual({ ok: true })
  const passed = ['ben hears callee', 'callee hears ben']
  expect(await talk.hearing(passed)).toEqual(passed)
  expect([talk.state('anna'), talk.state('ben')]).toEqual(['ready', 'talking'])
  expect(await talk.order({ type: 'transfer', to: { number: EXPERT } }, 'ben' as AgentName)).toEqual({ ok: true })
  const two = ['callee hears expert', 'expert hears callee']
  expect(await talk.hearing(two)).toEqual(two)
  expect(talk.caller?.ear.words).not.toContain('Goodbye')
  talk.line(0)!.hangUp()
  await talk.world.until(() => talk.caller?.result !== undefined)
  expect(talk.caller?.ear.words).toContain('Goodbye')
})

test.each([
  ['caller', true, false],
  ['callee', false, false],
  ['caller, after a restart', true, true],
] as const)('two whom an agent connected outside are parted after two hours: %s', async (_, isCaller, isRestarted) => {
  const contactOf = () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500 }) as const
  const talk = await new Talk().open(['anna'], isCaller, { contactOf })
  await talk.order({ type: 'transfer', to: { number: EXPERT } })
  const two = ['callee hears expert', 'expert hears callee']
  expect(await talk.hearing(two)).toEqual(two)
  if (isRestarted) {
    await talk.world.crash()
    await talk.world.start()
  }
  await talk.world.run(2 * 3_600_000 - 60_000)
  expect(await talk.hearing(two)).toEqual(two)
  await talk.world.run(2 * 60_000)
  expect(await talk.hearing([])).toEqual([])
})

const ASKED: readonly [string, readonly AgentOrder[], readonly string[]][] = [
  ['held', [{ type: 'hold' }], ['callee hears default']],
  ['with a colleague', [{ type: 'consult', to: { colleague: 'ben' as AgentName } }], WITH_BEN],
  ['with a number', [{ type: 'consult', to: { number: EXPERT } }], WITH_EXPERT],
]

for (const isCaller of [false, true])
  test.each(ASKED)(
    `after a crash the ${isCaller ? 'caller' : 'callee'} is back with the agent: %s`,
    async (_, orders, before) => {
      const talk = await new Talk().open(['anna', 'ben'], isCaller)
      for (const order of orders) await talk.order(order)
      expect(await talk.hearing(before)).toEqual([...before])
      await talk.world.crash()
      await talk.world.start()
      expect(await talk.hearing(TOGETHER)).toEqual(TOGETHER)
      await talk.world.until(() => talk.state('ben') === 'ready')
      expect([talk.state('anna'), talk.state('ben')]).toEqual(['talking', 'ready'])
    },
  )

test('a crash while the callee is passed on: one agent has the call, and nobody another', async () => {
  for (const afterMs of [0, 1, 2, 3, 5, 8, 20]) {
    const talk = await new Talk().open(['anna', 'ben'])
    void talk.world.engine.agentDesktop!.order(ANNA, { type: 'transfer', to: { colleague: 'ben' as AgentName } })
    await talk.world.run(afterMs)
    await talk.world.crash()
    await talk.world.start()
    await talk.world.run(20_000)
    const withCallee = ['anna', 'ben'].filter((agent) =>
      talk
        .phone(agent)
        .heard.some(({ text, untilMs }) => text === talk.line(0)!.invite.number && untilMs === undefined),
    )
    expect(withCallee).toHaveLength(1)
    expect(['anna', 'ben'].filter((agent) => talk.state(agent) === 'talking')).toEqual(withCallee)
  }
})
