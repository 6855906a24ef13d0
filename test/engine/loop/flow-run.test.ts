/** A call that is saved and restored at any moment goes on as if nothing had happened. */
import { describe, expect, test } from 'vitest'
import type { CallBegan } from '../../../src/engine/call-trace.ts'
import type { CallFact } from '../../../src/flow/model/call-messages.ts'
import { FlowRun, type Reaction } from '../../../src/flow/run/flow-run.ts'
import type { SavedFlowRun } from '../../../src/flow/run/place.ts'
import type { JournalLine } from '../../../src/ports/journal.ts'
import { liveThrough } from '../../worlds/random-world.ts'
import { caseInfo, types, typesCase } from '../../worlds/set-up.ts'
import { openWorld, type World } from '../../worlds/world.ts'

interface Told {
  readonly fact: CallFact
  readonly atMs: number
}

/** The beginning of a call and everything it was told, from its journal. */
function storyOf(lines: readonly JournalLine[]): { begins: CallBegan['begins']; told: Told[] } {
  const [first, ...rest] = lines.filter(({ by, kind }) => by === 'call' && kind === 'fact')
  const told = rest.map(({ what, atMs }) => ({ fact: what as unknown as CallFact, atMs }))
  return { begins: (first!.what as unknown as CallBegan).begins, told }
}

const throughJson = (saved: SavedFlowRun) => JSON.parse(JSON.stringify(saved)) as SavedFlowRun

/** Tells the story once as it was, and once for each place in it with a restart there. Returns what differs. */
function differences(world: World, lines: readonly JournalLine[]): string[] {
  const { begins, told } = storyOf(lines)
  const run = new FlowRun(world.compiled, begins)
  run.begin()
  const faults: string[] = []
  let restored: FlowRun[] = []
  for (const { fact, atMs } of told) {
    restored.push(new FlowRun(world.compiled, begins, throughJson(run.save())))
    const expected = run.handleFact(fact, atMs)
    restored = restored.filter((other, place) => {
      const isSame = same(other.handleFact(fact, atMs), expected) && other.nextDueAtMs === run.nextDueAtMs
      if (!isSame) faults.push(`restored before fact ${place}, the call differs at ${fact.type}`)
      return isSame
    })
  }
  return faults
}

function same(one: Reaction, other: Reaction): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

describe('given a restart before any fact of the call', () => {
  test.each<[title: string, presses: ReturnType<typeof types>[], hangsUpAfterMs?: number]>([
    ['an open case', typesCase('4711')],
    ['a closed case', typesCase('4712')],
    ['silence and a person', []],
    ['keys typed ahead', [types('4711#1', 'Welcome', { into: true, afterMs: 0 })]],
    [
      'a second thought',
      [types('47#', 'then press hash'), types('4712#', 'then press hash'), types('2', 'You entered')],
    ],
    ['help', [...typesCase('4711'), types('0', 'For help, press 0')]],
    ['a hang-up in the middle', typesCase('4711'), 9_000],
  ])('%s goes on with the same commands at the same instants', async (_, presses, hangsUpAfterMs) => {
    const world = (await openWorld()).caseIs('4711', { body: caseInfo(), afterMs: 2_000 })
    world.caseIs('4712', { status: 503 }, { body: caseInfo('4712') })
    const served = world.serve({ presses, ...(hangsUpAfterMs !== undefined && { hangsUpAfterMs }) })
    expect(differences(world, served.lines)).toEqual([])
  })

  test('every call of twenty random hours continues with the same commands at the same instants', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { world } = await liveThrough(seed)
      for (const { call } of world.records) {
        expect(differences(world, world.linesOf(call)), `SEED=${seed} ${call}`).toEqual([])
      }
    }
  })
})
