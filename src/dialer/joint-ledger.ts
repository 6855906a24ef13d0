/**
 * Several campaigns under several ledgers: campaigns that share agents, and ledgers that count several campaigns.
 *
 * D: in flight, Q: waiting, of campaign c; N = D + Q. I(c) = max(0, idle agents of its team − the sum of N over the
 * campaigns that share agents with it): in the worst case every line of the others takes an agent of c. A ledger of the
 * cap p holds when `A + Σ max over j in 0..D(c) of (max(0, Q + j − I(c)) − p × j) ≤ p × M`, summed over the campaigns
 * that it counts. For one campaign with agents of its own this is form L1 of `ledger.ts`. Every event leaves each term
 * as it was, or lower:
 * - a line of c fails: D(c) falls, there are fewer cases; for campaigns that share with c, N falls and I rises;
 * - a line of c is answered and takes an agent: idle − 1 and N(c) − 1, and the I of the others stays; the term of c is
 *   case j − 1 if I(c) > 0, and less if the term did not count on the agent;
 * - a line of c is answered and waits: no agent of its team is idle; case j is j − 1 with M + 1, N(c) is the same;
 * - a waiting callee is lost: no agent of the team is idle, hence I(c) = 0: A + 1, the term of c less one; N(c) falls;
 * - an agent is freed: idle rises, or a Q falls: easier for every campaign;
 * - lines are placed: D(c) grows and the I of campaigns that share with it falls; `linesStood` checks this.
 *
 * Lines beside another number of the same person count as abandoned while they are out, and not in D (`ledger.ts`).
 *
 * A ledger counts only some lines of a campaign that shows several caller ids (`inPart`, campaigns-70). Which ones is
 * not known here, so all of them add risk and none adds credit: their term has p = 0. Each event leaves it as it was,
 * or lower, also where M does not grow.
 */
import { capOf, type LedgerRule, type Tally } from './ledger.ts'

export interface FloorCampaign {
  readonly inFlight: number
  readonly waiting: number
  /** Ready and not reserved in its team, without any deduction for other campaigns. */
  readonly idleAgents: number
  readonly sharesWith: readonly number[]
  readonly beside: number
}

export interface JointLedger {
  readonly rule: LedgerRule
  readonly tally: Tally
  readonly members: readonly number[]
  /** Members of whose calls it counts only some; absent: none. */
  readonly inPart?: readonly number[]
}

/** Campaigns that depend on each other, at one instant. */
export interface Floor {
  readonly campaigns: readonly FloorCampaign[]
  readonly ledgers: readonly JointLedger[]
}

const BASIS = 10_000

/** The worst-case excess of a ledger in basis points of a call; negative while there is room. */
export function excessIn(floor: Floor, { rule, tally, members, inPart = [] }: JointLedger): number {
  const cap = capOf(rule)
  const worst = members.map((place) => {
    return worstOf(floor, place, inPart.includes(place) ? 0 : cap) + floor.campaigns[place]!.beside * BASIS
  })
  return tally.abandoned * BASIS - cap * tally.answered + worst.reduce((sum, one) => sum + one, 0)
}

/** How many more lines, up to `linesMax`, exceed no ledger, or none further. 0 if a figure is invalid. */
export function linesStood(floor: Floor, place: number, linesMax: number): number {
  if (!isSane(floor)) return 0
  const before = floor.ledgers.map((ledger) => Math.max(0, excessIn(floor, ledger)))
  const stands = (lines: number) => {
    const after = withLines(floor, place, lines)
    return floor.ledgers.every((ledger, at) => excessIn(after, ledger) <= before[at]!)
  }
  // The excess grows with the lines, so a binary search finds the largest number.
  let [most, tooMany] = [0, Math.max(0, Math.floor(linesMax)) + 1]
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (stands(middle)) most = middle
    else tooMany = middle
  }
  return most
}

/**
 * Whether a line and `beside` more that ring beside it exceed no ledger, or none further: that of another campaign may
 * be exceeded already. Without ledgers there is no room.
 */
export function standsBeside(floor: Floor, place: number, lines: number, beside: number): boolean {
  if (!isSane(floor) || floor.ledgers.length === 0) return false
  const after = withLines(floor, place, lines, beside)
  return floor.ledgers.every((ledger) => excessIn(after, ledger) <= Math.max(0, excessIn(floor, ledger)))
}

/** The worst effect of a campaign's lines on a ledger of that cap, in basis points of a call. */
function worstOf({ campaigns }: Floor, place: number, cap: number): number {
  const { inFlight, waiting, idleAgents, sharesWith } = campaigns[place]!
  let others = 0
  for (const other of sharesWith) others += campaigns[other]!.inFlight + campaigns[other]!.waiting
  const idle = Math.max(0, idleAgents - others)
  const lostNow = Math.max(0, waiting - idle) * BASIS
  return Math.max(lostNow, Math.max(0, waiting + inFlight - idle) * BASIS - cap * inFlight)
}

function withLines(floor: Floor, place: number, lines: number, beside = 0): Floor {
  const campaigns = floor.campaigns.map((campaign, at) =>
    at === place ? { ...campaign, inFlight: campaign.inFlight + lines, beside: campaign.beside + beside } : campaign,
  )
  return { ...floor, campaigns }
}

function isSane({ campaigns, ledgers }: Floor): boolean {
  const figures = [
    ...campaigns.flatMap(({ inFlight, waiting, idleAgents, beside }) => [inFlight, waiting, idleAgents, beside]),
    ...ledgers.flatMap(({ rule, tally }) => [rule.capBasisPoints, tally.answered, tally.abandoned]),
  ]
  return figures.every((figure) => Number.isSafeInteger(figure) && figure >= 0)
}
