/** The people whom a kept demo calls: new ones as long as it runs, drawn by the injected chance. */
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'
import type { Contact } from '../../src/sim/person.ts'

/** One person to import as a call task. */
export interface PasserBy {
  readonly number: PhoneNumber
  readonly name: string
  readonly caseNumber: string
  readonly owed: string
}

const FIRST_NAMES = ['Asta', 'Bjarke', 'Clara', 'Ditte', 'Elias', 'Freja', 'Gustav', 'Helle', 'Ida', 'Jens', 'Karen']
const LAST_NAMES = [
  'Bruun',
  'Dam',
  'Friis',
  'Holst',
  'Juhl',
  'Krogh',
  'Lund',
  'Munk',
  'Nygaard',
  'Ravn',
  'Skov',
  'Toft',
]
/** Danish mobile numbers, of which the acts use none. They come again after 142,000 people. */
const FIRST_NUMBER = 28_000_000
const NUMBERS = 994_000
const NUMBER_STEP = 7

/** Whom the first campaign of docs/getting-started.md calls: numbers of the acts may not be called again for hours. */
const OF_THE_PAGE: ReadonlyMap<string, Contact> = new Map([
  ['+4527100000', { does: 'answer', ringsAfterMs: 100, afterMs: 900, hangsUpAfterMs: 5_500 }],
  ['+4527100021', { does: 'busy', afterMs: 300 }],
  ['+4527100042', { does: 'answer', ringsAfterMs: 100, afterMs: 800, voice: 'machine', hangsUpAfterMs: 15_000 }],
])

/** Shares of a hundred calls; the rest is answered by a person. */
const SHARES = { busy: 10, ignore: 12, machine: 6, reject: 4 } as const

/** Imported people, and what each does when called. */
export class PassersBy {
  readonly #random: Random
  /** Imported, and not called yet. */
  readonly #waiting = new Set<PhoneNumber>()
  #count = 0

  constructor(random: Random) {
    this.#random = random
  }

  get waiting(): number {
    return this.#waiting.size
  }

  next(count: number): PasserBy[] {
    return Array.from({ length: count }, () => {
      const place = this.#count++
      const number = `+45${FIRST_NUMBER + ((place * NUMBER_STEP) % NUMBERS)}` as PhoneNumber
      this.#waiting.add(number)
      const name = `${FIRST_NAMES[place % FIRST_NAMES.length]} ${LAST_NAMES[place % LAST_NAMES.length]}`
      const owed = `${this.#between(120, 4_800)}.${this.#between(10, 99)} kr.`
      return { number, name, caseNumber: `K-${20_001 + place}`, owed }
    })
  }

  /** Undefined: none of them. */
  contactAt(number: PhoneNumber): Contact | undefined {
    const known = OF_THE_PAGE.get(number)
    if (known) return known
    const place = Number(number.slice('+45'.length)) - FIRST_NUMBER
    if (!number.startsWith('+45') || !(place >= 0 && place < NUMBERS)) return undefined
    this.#waiting.delete(number)
    return this.#drawn()
  }

  #drawn(): Contact {
    const ringsAfterMs = this.#between(150, 600)
    const afterMs = this.#between(2_000, 7_000)
    const drawn = this.#between(1, 100)
    const { busy, ignore, machine, reject } = SHARES
    if (drawn <= busy) return { does: 'busy', afterMs: 300 }
    if (drawn <= busy + ignore) return { does: 'ignore', ringsAfterMs, afterMs: 0 }
    if (drawn <= busy + ignore + machine)
      return { does: 'answer', ringsAfterMs, afterMs, voice: 'machine', hangsUpAfterMs: 15_000 }
    if (drawn <= busy + ignore + machine + reject) return { does: 'reject', ringsAfterMs, afterMs }
    return { does: 'answer', ringsAfterMs, afterMs, hangsUpAfterMs: this.#between(15_000, 50_000) }
  }

  #between(least: number, most: number): number {
    return randomInt(this.#random, least, most)
  }
}
