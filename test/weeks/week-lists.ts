/** The people of a week and the lists they are on: with several cases, shared numbers, in several campaigns. */
import type { CampaignId, CorporationId, PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import type { NewCallTask } from '../../src/ports/dialer-repository.ts'

/** A person, under one key or none, with a number or several. */
export interface Person {
  readonly key: string | undefined
  readonly numbers: readonly PhoneNumber[]
}

export interface CampaignPlan {
  readonly id: CampaignId
  readonly corporation: CorporationId
  readonly team: string
  readonly settings: Readonly<Record<string, unknown>>
}

export interface ListPlan {
  readonly campaign: CampaignId
  readonly atMs: number
  readonly attemptsMax: number
  readonly intervalMs: number
  readonly tasks: readonly NewCallTask[]
}

/** Intervals between two attempts at a task. */
const INTERVALS_MS: readonly number[] = [0, 5 * 60_000, 15 * 60_000, 4 * 3_600_000]

/** Some live with others whose number they share. */
export function drawPeople(random: Random, count: number, isAbroad: boolean): Person[] {
  const taken: PhoneNumber[] = []
  const sharing = randomOf(random, [0, 0.1, 0.3])
  return Array.from({ length: count }, (_, index): Person => {
    const numbers = Array.from({ length: randomOf(random, [1, 1, 2, 3]) }, (_, at) => {
      const isShared = taken.length > 0 && random.next() < sharing
      return isShared ? randomOf(random, taken) : numberOf(random, index * 3 + at, isAbroad)
    })
    taken.push(...numbers)
    return { key: random.next() < 0.9 ? `c${index}` : undefined, numbers: [...new Set(numbers)] }
  })
}

function numberOf(random: Random, index: number, isAbroad: boolean): PhoneNumber {
  const chance = isAbroad ? random.next() : 1
  if (chance < 0.25) return `+35840${1_100_000 + index * 7}` as PhoneNumber
  return `+45${22_100_000 + index * 7}` as PhoneNumber
}

/** First lists on Monday, later ones on any day. A person is on many lists with one case, and with several on one. */
export function drawLists(
  random: Random,
  campaigns: readonly CampaignPlan[],
  people: readonly Person[],
  instantOn: (day: number) => number,
): ListPlan[] {
  const cases = randomOf(random, [1, 1, 3])
  const share = randomOf(random, [0.4, 0.8])
  return campaigns.flatMap(({ id }) => {
    const first = { atMs: 0, ...drawList(random, id, people, { share, cases, name: 'a' }) }
    const later = Array.from({ length: randomOf(random, [0, 1, 2]) }, (_, at) => {
      const list = drawList(random, id, people, { share: 0.3, cases: 1, name: `b${at}-` })
      return { atMs: instantOn(randomInt(random, 0, 4)), ...list }
    })
    return [first, ...later]
  })
}

interface How {
  readonly share: number
  readonly cases: number
  readonly name: string
}

function drawList(random: Random, campaign: CampaignId, people: readonly Person[], { share, cases, name }: How) {
  const tasks = people.flatMap((person, at): Omit<NewCallTask, 'index'>[] => {
    if (random.next() >= share) return []
    return Array.from({ length: randomInt(random, 1, cases) }, (_, nth) => ({
      receiverName: `Debtor ${person.key ?? at}`,
      numbers: person.numbers.map((number) => ({ given: number, number })),
      ...(person.key !== undefined && { externalCustomer: person.key }),
      externalCaseNumber: `${name}${at}-${nth}`,
      properties: [],
    }))
  })
  return {
    campaign,
    attemptsMax: randomInt(random, 1, 4),
    intervalMs: randomOf(random, INTERVALS_MS),
    tasks: tasks.map((task, index) => ({ ...task, index })),
  }
}
