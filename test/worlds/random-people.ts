/** People of every temper, drawn by chance. */
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import type { Callee, Caller, Press, Talk } from '../../src/sim/person.ts'
import { type Teams, types } from './set-up.ts'
import { CALLER } from './world.ts'

/** An inbound caller and the number; `null` withholds it. */
export interface RandomCaller {
  readonly person: Caller
  readonly caller: string | null
}

/** Types well, badly or not at all, and hangs up at any time or never. */
export function randomCaller(random: Random, cases: readonly string[]): RandomCaller {
  const person: Caller = {
    presses: Array.from({ length: randomInt(random, 0, 6) }, () => randomPresses(random, cases)).flat(),
    waitsMaxMs: randomOf(random, [20_000, 90_000, 400_000]),
    ...(random.next() < 0.4 && { hangsUpAfterMs: randomInt(random, 0, randomOf(random, [2_000, 20_000, 120_000])) }),
    ...(random.next() < 0.7 && { speaks: randomTalks(random) }),
    ...(random.next() < 0.2 && { hangsUpOn: { afterMs: randomInt(random, 0, 5_000) } }),
  }
  const caller = random.next() < 0.1 ? null : `${CALLER.slice(0, -3)}${randomInt(random, 100, 999)}`
  return { person, caller }
}

/** Words, coughs and pauses of every length. */
function randomTalks(random: Random): Talk[] {
  let atMs = 0
  return Array.from({ length: randomInt(random, 0, 12) }, () => {
    const talk = { afterMs: atMs + randomInt(random, 50, 6_000), forMs: randomInt(random, 20, 2_000) }
    atMs = talk.afterMs + talk.forMs
    return talk
  })
}

/** Comes to the phone, or does not; talks shortly, long, or until the caller hangs up. */
export function randomCallee(random: Random): Callee {
  const does = randomOf(random, ['answer', 'answer', 'answer', 'answer', 'busy', 'reject', 'ignore'] as const)
  const hangsUpAfterMs = randomOf(random, [undefined, 100, 1_500, 20_000, 90_000])
  return {
    does,
    afterMs: randomOf(random, [0, 1_000, 4_900, 5_000, 12_000]),
    ...(hangsUpAfterMs !== undefined && { hangsUpAfterMs }),
  }
}

/** Up to four agents, each in one team or in several; a team may be empty. */
export function randomTeams(random: Random): Teams {
  const agents = ['anna', 'ben', 'cleo', 'dora'].slice(0, randomInt(random, 1, 4))
  const team = () => ({
    agents: agents.filter(() => random.next() < 0.6),
    waitingMax: randomOf(random, [1, 3, 100]),
    ringTimeoutMs: randomOf(random, [5_000, 15_000]),
    pauseAfterMissMs: randomOf(random, [1_000, 30_000]),
  })
  return { collections: team(), 'collections-consumer': team(), 'collections-business': team() }
}

function randomPresses(random: Random, cases: readonly string[]): Press[] {
  const into = random.next() < 0.3
  const afterMs = randomOf(random, [0, 300, 2_900, 4_950])
  const number = randomOf(random, cases)
  switch (randomInt(random, 0, 5)) {
    case 0:
      return [{ afterMs: randomInt(random, 0, 9_000), keys: randomKeys(random) }]
    case 1:
      return [
        types(randomOf(random, ['0', '1', '2', '9']), randomOf(random, ['press 0', 'press 1', 'press 2']), { into }),
      ]
    default:
      return [
        types(`${number}#`, 'then press hash', { into, afterMs }),
        types('1', 'try again, press 2', { into, afterMs }),
      ]
  }
}

function randomKeys(random: Random): string {
  return Array.from({ length: randomInt(random, 1, 12) }, () => randomOf(random, [...'0123456789*#'])).join('')
}
