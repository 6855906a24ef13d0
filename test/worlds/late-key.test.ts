import { expect, test } from 'vitest'
import { types } from './set-up.ts'
import { soundWorlds } from './sound.ts'

const worlds = soundWorlds()

const FLOW = `flow: code
start: ask
steps:
  ask:
    gather: { prompt: "Enter your code, then press hash.", digits: 4 }
    as: code
    next: choose
    on: { failed: bye }
  choose:
    menu: { prompt: "For a person, press 0.", keys: { "0": bye }, tries: 1 }
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`

test('given the hash after the last possible digit, the next step ignores it', async () => {
  const world = await worlds.open({ flow: FLOW })
  const served = world.serve({ presses: [types('1234#', 'press hash')] })
  expect(served.words).toContain('For a person, press 0.')
})

test('given everything typed ahead, the hash goes with its code', async () => {
  const world = await worlds.open({ flow: FLOW })
  const served = world.serve({ presses: [types('1234#0', 'Enter', { into: true })] })
  expect(served.path).toEqual(['ask', 'choose', 'bye'])
  expect(served.record.endedBy).toBe('us')
})

const RATING = `flow: rating
start: team
steps:
  team: { queue: { team: collections, timeout: 60s }, next: rate, on: { timeout: bye, full: bye, closed: bye } }
  rate:
    menu: { prompt: "How were we? Press 1 for good or 2 for bad.", keys: { "1": good, "2": bad }, tries: 1 }
    on: { noInput: bye, invalid: bye, failed: bye }
  good: { play: Thank you., next: bye }
  bad: { play: We are sorry., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

test('given keys that were pressed while an agent talked, the menu after the talk asks', async () => {
  const agent = { does: 'answer', afterMs: 1_000, hangsUpAfterMs: 20_000 } as const
  const world = await worlds.open({ flow: RATING, agents: { anna: agent, ben: agent, cleo: agent } })
  const served = world.serve({ presses: [{ keys: '21', afterMs: 10_000 }, types('1', 'or 2 for bad')] })
  expect(served.record.agent).toBeDefined()
  expect(served.path).toEqual(['team', 'rate', 'good', 'bye'])
  expect(served.words).toContain('How were we?')
})
