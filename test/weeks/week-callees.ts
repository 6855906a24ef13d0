/** How the phones of a week behave: some numbers are dead, the others ring, answer, refuse or speak as machines. */
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { Caller, Contact } from '../../src/sim/person.ts'
import type { Temper } from './week-plan.ts'

/** Each number has a chance of its own, whatever happens at others. */
export class Callees {
  readonly #seed: number
  readonly #temper: Temper
  readonly #chances = new Map<string, Random>()

  constructor(seed: number, temper: Temper) {
    this.#seed = seed
    this.#temper = temper
  }

  answer(number: string): Contact {
    const random = this.#chanceOf(number)
    const { answers, machines, hasty, talkMaxMs, ringMaxMs, dead } = this.#temper
    if (seededRandom(Number(number.slice(-7))).next() < dead) {
      return { does: 'fail', code: Number(number) % 2 === 0 ? 404 : 410, afterMs: 300 }
    }
    const ringsAfterMs = randomInt(random, 200, 1_500)
    const afterMs = ringsAfterMs + randomInt(random, 500, ringMaxMs)
    const [does, isMachine, isHasty] = [random.next() < answers, random.next() < machines, random.next() < hasty]
    const talkMs = isHasty ? randomInt(random, 0, 2_500) : randomInt(random, 4_000, talkMaxMs)
    if (!does) {
      return randomOf<Contact>(random, [
        { does: 'ignore', ringsAfterMs, afterMs: 0 },
        { does: 'ignore', ringsAfterMs, afterMs: 0 },
        { does: 'busy', afterMs: 800 },
        { does: 'reject', ringsAfterMs, afterMs },
        { does: 'fail', code: 480, afterMs: 400 },
      ])
    }
    const voice = isMachine ? 'machine' : 'person'
    return { does: 'answer', ringsAfterMs, afterMs, hangsUpAfterMs: isMachine ? 25_000 : talkMs, voice }
  }

  #chanceOf(number: string): Random {
    const known = this.#chances.get(number)
    if (known) return known
    const random = seededRandom(this.#seed * 10_000_019 + Number(number.slice(-7)))
    this.#chances.set(number, random)
    return random
  }
}

/** Somebody who phones in and waits for an agent. */
export function drawCaller(random: Random): Caller {
  return { hangsUpAfterMs: randomInt(random, 20_000, 180_000), waitsMaxMs: 240_000 }
}
