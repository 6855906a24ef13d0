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
