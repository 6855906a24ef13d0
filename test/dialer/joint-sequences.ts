/** Hostile lives of two campaigns that share agents, under ledgers of their own and of the client they belong to. */
import fc from 'fast-check'
import { excessIn, type Floor, type JointLedger, linesStood, standsBeside } from '../../src/dialer/joint-ledger.ts'
import { capOfThree } from './samples.ts'

/** Agents by the teams that they are in: of the first campaign, of both, of the second. */
type Idle = [number, number, number]

interface Life {
  readonly inFlight: [number, number]
  readonly waiting: [number, number]
  readonly beside: [number, number]
  readonly idle: Idle
  readonly answered: [number, number]
  readonly abandoned: [number, number]
  readonly caps: readonly [number, number, number]
}

/** Throws at the first sequence in which a ledger went above its cap. How many calls were abandoned in all of them. */
export function proveJointLedgers({ sequences, seed }: { readonly sequences: number; readonly seed?: number }): number {
  const caps = fc.constantFrom<readonly [number, number, number]>([300, 100, 300], [300, 300, 150], [0, 300, 777])
  const begun = fc.tuple(caps, fc.nat(250), fc.nat(250))
  let abandoned = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90 }), begun, (bytes, [capsOf, first, second]) => {
      const life: Life = {
        inFlight: [0, 0],
        waiting: [0, 0],
        beside: [0, 0],
        idle: [0, 0, 0],
        answered: [first, second],
        abandoned: [0, 0],
        caps: capsOf,
      }
      for (const byte of bytes) {
        happen(life, byte)
        check(life, byte)
      }
      abandoned += life.abandoned[0] + life.abandoned[1]
    }),
    { numRuns: sequences, ...(seed !== undefined && { seed }) },
  )
  return abandoned
}

/**
 * What the campaigns look like to the ledgers: one for each, one that counts both, and one that counts all calls of the
 * first and some of the second: the worst for it, all the abandoned ones and none of the others.
 */
function floorOf({ inFlight, waiting, beside, idle, answered, abandoned, caps }: Life): Floor {
  const [own, both, other] = idle
  const campaign = (place: 0 | 1, idleAgents: number) => ({
    inFlight: inFlight[place],
    waiting: waiting[place],
    beside: beside[place],
    idleAgents,
    sharesWith: [1 - place],
  })
  const ledger = (cap: number, members: readonly number[]): JointLedger => ({
    rule: { ...capOfThree, capBasisPoints: cap },
    tally: {
      answered: members.reduce((sum, place) => sum + answered[place]!, 0),
      abandoned: members.reduce((sum, place) => sum + abandoned[place]!, 0),
    },
    members,
  })
  const ofBoth = ledger(caps[2], [0, 1])
  const inPart = { ...ofBoth, tally: { ...ofBoth.tally, answered: answered[0] + abandoned[1] }, inPart: [1] }
  return {
    campaigns: [campaign(0, own + both), campaign(1, both + other)],
    ledgers: [ledger(caps[0], [0]), ledger(caps[1], [1]), ofBoth, inPart],
  }
}

/** One byte says what happens, to whom, and whom chance or malice chooses of the agents. */
function happen(life: Life, byte: number): void {
  const place = (byte & 1) as 0 | 1
  const isFirst = (byte & 2) !== 0
  switch ((byte >> 2) % 9) {
    case 0:
    case 1:
      life.inFlight[place] += linesStood(floorOf(life), place, isFirst ? 1 : 50)
      return
    case 2:
      if (life.inFlight[place] > 0) life.inFlight[place]--
      return
    case 3:
    case 4:
      return answer(life, place, isFirst)
    case 5:
      return end(life, place, isFirst)
    case 6:
      return free(life, ((byte >> 1) % 3) as 0 | 1 | 2, place)
    case 7:
      if (standsBeside(floorOf(life), place, 1, 1)) {
        life.inFlight[place]++
        life.beside[place]++
      }
      return
    case 8:
      return resolveBeside(life, place, isFirst)
  }
}

/** Any idle agent of its team takes the call, be it one on whom the other campaign counts as well. */
function answer(life: Life, place: 0 | 1, takesShared: boolean): void {
  if (life.inFlight[place] === 0) return
  life.inFlight[place]--
  life.answered[place]++
  const own = place === 0 ? 0 : 2
  const order = takesShared ? ([1, own] as const) : ([own, 1] as const)
  const taken = order.find((team) => life.idle[team] > 0)
  if (taken === undefined) life.waiting[place]++
  else life.idle[taken]--
}

/** One who waits is lost, or leaves by themselves. */
function end(life: Life, place: 0 | 1, isAbandoned: boolean): void {
  if (life.waiting[place] === 0) return
  life.waiting[place]--
  if (isAbandoned) life.abandoned[place]++
}

/** Two people answered two phones: the second is lost. Or the line fails, or is cut. */
function resolveBeside(life: Life, place: 0 | 1, isAnswered: boolean): void {
  if (life.beside[place] === 0) return
  life.beside[place]--
  if (!isAnswered) return
  life.answered[place]++
  life.abandoned[place]++
}

/** A waiting callee gets a suitable agent at once; of two callees, `first` does. */
function free(life: Life, team: 0 | 1 | 2, first: 0 | 1): void {
  const served = team === 0 ? [0] : team === 2 ? [1] : [first, 1 - first]
  const place = served.find((one) => life.waiting[one as 0 | 1] > 0)
  if (place === undefined) life.idle[team]++
  else life.waiting[place as 0 | 1]--
}

function check(life: Life, byte: number): void {
  const floor = floorOf(life)
  for (const ledger of floor.ledgers) {
    const { tally, rule } = ledger
    const isKept = tally.abandoned * 10_000 <= rule.capBasisPoints * tally.answered
    if (!isKept || excessIn(floor, ledger) > 0) throw new Error(`${byte} led to ${JSON.stringify(life)}`)
  }
}
