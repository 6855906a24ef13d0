/** Who has passed a call on can say something about it after a restart of the engine, too (campaigns-128). */
import { describe, expect, test } from 'vitest'
import type { AgentName, CallId } from '../../../src/kernel/ids.ts'
import { EXPERT, Talk } from './one-talk.ts'

const BEN = 'ben' as AgentName
const WAYS = [
  ['a colleague', { colleague: BEN }, ['ben hears callee', 'callee hears ben']],
  ['a number', { number: EXPERT }, ['callee hears expert', 'expert hears callee']],
] as const

for (const isCaller of [false, true])
  describe.each(WAYS)(`words about a ${isCaller ? 'caller' : 'callee'} whom an agent left to %s`, (_, to, passed) => {
    test('are kept after a crash, while the call goes on and when it is over; those of others are not', async () => {
      const talk = await new Talk().open(['anna', 'ben'], isCaller)
      expect(await talk.order({ type: 'transfer', to })).toEqual({ ok: true })
      expect(await talk.hearing(passed)).toEqual([...passed])
      const { world } = talk
      const call = world.news.flatMap(({ news }) => (news.type === 'call' ? [news.call.call] : []))[0] as CallId
      const words = (note: string) => ({ type: 'feedback', feedbackType: 'x', isFinal: false, note, call }) as const
      await world.run(2_000)
      await world.crash()
      await world.start()
      await world.run(1_000)
      expect(await talk.order(words('during'))).toEqual({ ok: true })
      expect(await talk.order(words('never'), 'carl' as AgentName)).toMatchObject({ ok: false })
      expect(await talk.hearing(passed)).toEqual([...passed])
      if (talk.caller) talk.caller.hangUp()
      else talk.line(0)!.hangUp()
      const { calls, feedback, callerFeedback } = world.dialerRepository.view
      expect(await world.until(() => calls.size === 1, 60_000)).toBe(true)
      await world.crash()
      await world.start()
      await world.run(1_000)
      expect(await talk.order(words('afterwards'))).toEqual({ ok: true })
      expect(await talk.order(words('never'), 'carl' as AgentName)).toMatchObject({ ok: false })
      const said = (isCaller ? callerFeedback : feedback).map(({ agent, note }) => [agent, note])
      expect(said).toEqual([
        ['anna', 'during'],
        ['anna', 'afterwards'],
      ])
    })
  })
