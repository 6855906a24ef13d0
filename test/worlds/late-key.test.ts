import { expect, test } from 'vitest'
import { types } from './set-up.ts'
import { soundWorlds } from './sound.ts'
import type { Served } from './world.ts'

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

/** A number of four to eight digits: a silence may end it. */
const SLOW = FLOW.replace(
  'digits: 4',
  'digits: { min: 4, max: 8 }, tries: 2, reprompt: { invalid: "That is no number." }',
)

test('given the hash after the silence that ended the entry, the next step ignores it', async () => {
  const world = await worlds.open({ flow: SLOW })
  const served = world.serve({ presses: [types('12345', 'press hash'), types('#0', 'For a', { into: true })] })
  expect(served.words).not.toContain('no number')
  expect(served.path).toEqual(['ask', 'choose', 'bye'])
  expect(endsOf(served, 'choose')).toEqual(['key:0'])
})

test('given the hash after the silence that ended an entry too short, it uses no other try', async () => {
  const world = await worlds.open({ flow: SLOW })
  const again = types('#1234#', 'That is no', { into: true, afterMs: 200 })
  const served = world.serve({ presses: [types('123', 'press hash'), again, types('0', 'press 0')] })
  expect(endsOf(served, 'ask')).toEqual(['done'])
})

test('given the hash as an answer, which was heard to its end, it is one', async () => {
  const repeat = SLOW.replace('press 0.", keys: { "0": bye }', 'press hash.", keys: { "#": bye }')
  const world = await worlds.open({ flow: repeat })
  const served = world.serve({ presses: [types('12345', 'press hash'), types('#', 'For a person')] })
  expect(endsOf(served, 'choose')).toEqual(['key:#'])
})

const NOBODY = `flow: nobody
start: team
steps:
  team: { queue: { team: collections, timeout: 60s }, next: bye, on: { timeout: sorry, full: bye, closed: bye } }
  sorry:
    menu: { prompt: "Nobody is free. Press 1 to leave a message.", keys: { "1": speak }, tries: 1 }
    on: { noInput: bye, invalid: bye, failed: bye }
  speak: { play: Please speak., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

test('given keys that were pressed into the music of a queue, the menu after its timeout asks', async () => {
  const world = await worlds.open({ flow: NOBODY, agents: { cleo: { does: 'ignore', afterMs: 0 } } })
  const served = world.serve({ presses: [{ keys: '1', afterMs: 20_000 }] })
  expect(served.words).toContain('Nobody is free. Press 1 to leave a message.')
  expect(served.path).toEqual(['team', 'sorry', 'bye'])
})

/** How the visits of a step ended, as the journal tells it. */
function endsOf({ lines }: Served, step: string): unknown[] {
  return lines.flatMap(({ what }) => (what.type === 'step.left' && what['step'] === step ? [what['end']] : []))
}
