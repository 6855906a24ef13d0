import { describe, expect, test } from 'vitest'
import { type Floor, type FloorCampaign, linesStood, standsBeside } from '../../src/dialer/joint-ledger.ts'
import { linesAllowed } from '../../src/dialer/ledger.ts'
import { proveJointLedgers } from './joint-sequences.ts'
import { capOfThree } from './samples.ts'

const campaign = (inFlight: number, idleAgents: number, sharesWith: readonly number[] = []): FloorCampaign => ({
  inFlight,
  waiting: 0,
  idleAgents,
  sharesWith,
  beside: 0,
})
const ledger = (answered: number, members: readonly number[], abandoned = 0) => ({
  rule: capOfThree,
  tally: { answered, abandoned },
  members,
})

describe('how many lines the ledgers of all campaigns allow', () => {
  test('a campaign with agents of its own: as many as its own ledger allows', () => {
    for (const answered of [0, 33, 100, 1_000]) {
      const floor: Floor = { campaigns: [campaign(2, 3)], ledgers: [ledger(answered, [0])] }
      const live = { inFlight: 2, waiting: 0, idleAgents: 3 }
      const allowed = linesAllowed({ rule: capOfThree, tally: { answered, abandoned: 0 }, live })
      expect(linesStood(floor, 0, 500)).toBe(allowed)
    }
  })

  test('two campaigns on one team use their credit as far as the other campaign has credit too', () => {
    const both = [campaign(2, 2, [1]), campaign(1, 2, [0])]
    const rich: Floor = { campaigns: both, ledgers: [ledger(1_000, [0]), ledger(1_000, [1])] }
    expect(linesStood(rich, 0, 500)).toBeGreaterThan(20)
    // Its own credit does not pay for the agent on whom the line of the other one counts.
    const poor: Floor = {
      campaigns: [campaign(0, 2, [1]), campaign(1, 2, [0])],
      ledgers: [ledger(1_000, [0]), ledger(0, [1])],
    }
    expect(linesStood(poor, 0, 500)).toBe(1)
    const alone: Floor = { campaigns: [campaign(0, 2, [1]), campaign(0, 2, [0])], ledgers: poor.ledgers }
    expect(linesStood(alone, 0, 500)).toBe(linesStood({ ...alone, ledgers: [ledger(1_000, [0])] }, 0, 500))
  })

  test('a ledger of the client counts the lines of all its campaigns, with their agents', () => {
    const ledgers = [ledger(100, [0, 1])]
    expect(linesStood({ campaigns: [campaign(0, 0), campaign(0, 4)], ledgers }, 0, 50)).toBe(3)
    expect(linesStood({ campaigns: [campaign(0, 0), campaign(6, 4)], ledgers }, 0, 50)).toBe(1)
  })

  test('a ledger that counts some lines of a campaign gives no credit for them, and all are a risk', () => {
    const ledgers = [{ ...ledger(100, [0]), members: [0, 1], inPart: [1] }]
    const floor: Floor = { campaigns: [campaign(0, 0), campaign(0, 4)], ledgers }
    expect(linesStood(floor, 1, 50)).toBe(4 + 3)
    expect(linesStood({ ...floor, ledgers: [ledger(0, [0])] }, 1, 50)).toBe(50)
    expect(linesStood({ ...floor, campaigns: [campaign(0, 0), campaign(7, 4)] }, 0, 50)).toBe(0)
  })

  test('a number beside another one needs room for an abandoned call, however many agents are idle', () => {
    const floor = (answered: number, beside = 0): Floor => ({
      campaigns: [{ ...campaign(0, 9), beside }],
      ledgers: [ledger(answered, [0])],
    })
    expect(standsBeside(floor(33), 0, 1, 1)).toBe(false)
    expect(standsBeside(floor(34), 0, 1, 1)).toBe(true)
    expect(standsBeside(floor(34), 0, 1, 2)).toBe(false)
    expect(standsBeside(floor(34, 1), 0, 1, 1)).toBe(false)
    expect(standsBeside({ ...floor(34), ledgers: [] }, 0, 1, 1)).toBe(false)
  })

  test('a debt of another campaign leaves the room for a number beside another one as it is', () => {
    const floor = (answered: number, members: readonly number[]): Floor => ({
      campaigns: [campaign(0, 9), campaign(0, 9)],
      ledgers: [ledger(answered, members), ledger(1, [1], 1)],
    })
    expect(standsBeside(floor(34, [0]), 0, 1, 1)).toBe(true)
    expect(standsBeside(floor(33, [0]), 0, 1, 1)).toBe(false)
    // Its own debt, and one that it shares.
    expect(standsBeside(floor(34, [0]), 1, 1, 1)).toBe(false)
    expect(standsBeside({ ...floor(34, [0]), ledgers: [ledger(40, [0, 1], 2)] }, 0, 1, 1)).toBe(false)
  })

  test('with a debt only lines that agents cover are allowed; with an invalid figure none', () => {
    const floor: Floor = { campaigns: [campaign(0, 2)], ledgers: [ledger(34, [0], 9)] }
    expect(linesStood(floor, 0, 50)).toBe(2)
    expect(linesStood({ ...floor, campaigns: [campaign(Number.NaN, 2)] }, 0, 50)).toBe(0)
    expect(linesStood({ ...floor, ledgers: [ledger(-1, [0])] }, 0, 50)).toBe(0)
  })
})

test('given 20,000 hostile event sequences on shared agents, no ledger exceeds its cap, and credit is used', () => {
  expect(proveJointLedgers({ sequences: 20_000 })).toBeGreaterThan(100)
})
