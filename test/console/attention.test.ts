/** What the board calls to a supervisor: each rule, its limits, the order, and a sentence in both languages. */
import { expect, test } from 'vitest'
import {
  ATTENTION_ORDER,
  type Attention,
  attentionOf,
  type Situation,
  steady,
} from '../../src/console/board/attention.ts'
import { ATTENTION_TEXTS } from '../../src/console/board/attention-texts.ts'
import type { AgentRow, CallRow, CampaignRow, QueueRow } from '../../src/console/board/board-rows.ts'
import { fill, LANGUAGES } from '../../src/console/texts/catalogue.ts'

const NOW_MS = Date.parse('2026-11-28T10:00:00Z')
const ago = (seconds: number) => new Date(NOW_MS - seconds * 1_000).toISOString()
const NOTHING: Situation = {
  agents: [],
  queues: [],
  calls: [],
  campaigns: [],
  nodes: [],
  paused: [],
  isStopped: false,
  nameOf: (userName) => userName.toUpperCase(),
}
const agent = (state: string, seconds: number, more: Partial<AgentRow> = {}): AgentRow => {
  const usual = { userName: 'anna', state, sinceTs: ago(seconds), untilTs: null, reason: null, asked: null }
  return Object.assign(usual, more)
}
const queue = (more: Partial<QueueRow>): QueueRow => {
  return Object.assign({ name: 'front', waiting: 0, longestSinceTs: null, ready: 0, atWork: 2 }, more)
}
const LEDGER = { name: 'day', capBasisPoints: 300, answered: 1_200, abandoned: 0, atRisk: 0, allowed: 36 }
const campaign = (more: object = {}): CampaignRow => {
  const usual = {
    callCode: 7,
    name: 'Reminders',
    live: { agents: 4, idleAgents: 1, inFlight: 2, waiting: 0 },
    placing: { lines: 1, why: 'oneToOne' },
    carrierFailing: null,
    callbacks: { due: 0, overdue: 0 },
    ledgers: [LEDGER],
    nothingDue: null,
    orders: { draining: false, endsTs: null, slowDown: null },
  }
  return Object.assign(usual, more) as unknown as CampaignRow
}
const codes = (situation: Partial<Situation>) =>
  attentionOf(Object.assign({}, NOTHING, situation), NOW_MS).map(({ code }) => code)
const ofAgent = (...given: Parameters<typeof agent>) => codes({ agents: [agent(...given)] })
const ofQueue = (more: Partial<QueueRow>) => codes({ queues: [queue(more)] })
const ofCampaign = (more: object) => codes({ campaigns: [campaign(more)] })

test('all is well where everything is within its limits', () => {
  const agents = [agent('ready', 3_000), agent('talking', 9_000), agent('wrapUp', 59), agent('paused', 899)]
  expect(codes({ agents, queues: [queue({})], campaigns: [campaign()] })).toEqual([])
})

test('a node that says nothing any more is named, before anything that it may have told', () => {
  const nodes = [
    { name: 'node-1', silentSinceTs: ago(9) },
    { name: 'node-2', silentSinceTs: null },
  ]
  const found = attentionOf(Object.assign({}, NOTHING, { nodes, agents: [agent('wrapUp', 60)] }), NOW_MS)
  expect(found.map(({ code, key }) => [code, key])).toEqual([
    ['nodeSilent', 'node-1'],
    ['wrapUpLong', 'anna'],
  ])
})

test('agents: a long wrap-up, a long break, a phone that does not answer', () => {
  expect(ofAgent('wrapUp', 60)).toEqual(['wrapUpLong'])
  expect(ofAgent('paused', 900)).toEqual(['pauseLong'])
  expect(ofAgent('paused', 1_800, { untilTs: ago(-60) })).toEqual([])
  expect(ofAgent('paused', 300, { untilTs: ago(1) })).toEqual(['pauseLong'])
  expect(ofAgent('calling', 9)).toEqual([])
  expect(ofAgent('calling', 10)).toEqual(['phoneLost'])
  expect(ofAgent('wrapUp', 60, { sinceTs: null })).toEqual([])
})

test('queues: a long wait, nobody at work, an agent who is ready beside people who wait', () => {
  expect(ofQueue({ waiting: 1, longestSinceTs: ago(29) })).toEqual([])
  expect(ofQueue({ waiting: 1, longestSinceTs: ago(30) })).toEqual(['queueLong'])
  expect(ofQueue({ waiting: 1, longestSinceTs: ago(1), atWork: 0 })).toEqual(['nobodyAtWork'])
  expect(ofQueue({ waiting: 1, longestSinceTs: ago(9), ready: 1 })).toEqual([])
  expect(ofQueue({ waiting: 1, longestSinceTs: ago(10), ready: 1 })).toEqual(['readyBesideWaiting'])
  expect(ofQueue({ waiting: 0, longestSinceTs: ago(900), atWork: 0 })).toEqual([])
})

test('calls: whoever is on hold, or left alone, for half a minute', () => {
  const call = (why: 'hold' | 'phone' | 'nextAgent', seconds: number): CallRow => {
    const talk = { callId: why, userName: 'anna', direction: 2, number: null, sinceTs: ago(300), eactId: 1 }
    return { ...talk, callTask: null, waits: { why, sinceTs: ago(seconds) } }
  }
  expect(codes({ calls: [call('hold', 29), call('phone', 29), call('nextAgent', 29)] })).toEqual([])
  expect(codes({ calls: [{ ...call('hold', 30), waits: null }] })).toEqual([])
  const calls = [call('hold', 70), call('phone', 30), call('nextAgent', 40)]
  const found = attentionOf({ ...NOTHING, calls, queues: [queue({ waiting: 1, longestSinceTs: ago(90) })] }, NOW_MS)
  expect(found.map(({ code, kind, key }) => `${code} ${kind} ${key}`)).toEqual([
    'aloneLong call nextAgent',
    'aloneLong call phone',
    'queueLong queue front',
    'onHoldLong call hold',
  ])
  expect(found[0]).toMatchObject({ values: { name: 'ANNA' }, sinceMs: NOW_MS - 40_000 })
})

test('campaigns: budgets, carrier, dialing that is held, late callbacks, nothing to dial, a pause', () => {
  const ledger = (abandoned: number, allowed: number) => ({
    ledgers: [LEDGER, Object.assign({}, LEDGER, { abandoned, allowed })],
  })
  expect(ofCampaign(ledger(28, 36))).toEqual([])
  expect(ofCampaign(ledger(29, 36))).toEqual(['budgetNearlyUsed'])
  expect(ofCampaign(ledger(37, 36))).toEqual(['budgetBroken'])
  expect(ofCampaign(ledger(1, 0))).toEqual(['budgetBroken'])
  expect(ofCampaign({ carrierFailing: { trunk: 'carrier', sinceAtMs: NOW_MS } })).toEqual(['carrierFailing'])
  expect(ofCampaign({ placing: { lines: 0, why: 'ledgerFull' } })).toEqual(['dialingHeld'])
  expect(ofCampaign({ placing: { lines: 0, why: 'enoughOut' } })).toEqual([])
  expect(ofCampaign({ callbacks: { due: 3, overdue: 2 } })).toEqual(['callbacksLate'])
  expect(ofCampaign({ nothingDue: { untilTs: null } })).toEqual(['nothingDue'])
  expect(ofCampaign({ orders: { draining: true, endsTs: null, slowDown: null } })).toEqual(['draining'])
  expect(codes({ isStopped: true })).toEqual(['dialingStopped'])
  expect(codes({ paused: [{ callCode: 8, name: 'Old' }] })).toEqual(['campaignPaused'])
})

test('the worst comes first; of two alike the one that has lasted longer', () => {
  const agents = [agent('wrapUp', 70, { userName: 'short' }), agent('wrapUp', 250, { userName: 'long' })]
  const queues = [queue({ waiting: 2, longestSinceTs: ago(41), atWork: 0 })]
  const campaigns = [campaign({ ledgers: [Object.assign({}, LEDGER, { abandoned: 40 })] })]
  const found = attentionOf(Object.assign({}, NOTHING, { agents, queues, campaigns, isStopped: true }), NOW_MS)
  expect(found.map(({ code, key }) => `${code} ${key}`)).toEqual([
    'dialingStopped ',
    'budgetBroken 7',
    'nobodyAtWork front',
    'wrapUpLong long',
    'wrapUpLong short',
  ])
  expect(found.at(-1)).toMatchObject({ kind: 'agent', values: { name: 'SHORT' }, sinceMs: NOW_MS - 70_000 })
})

test('each rule has a sentence, whose values the rule gives', () => {
  const given = {
    name: 'n',
    waiting: 1,
    ready: 1,
    abandoned: 1,
    allowed: 1,
    why: 'w',
    late: 1,
    trunk: 't',
    time: '0:01',
  }
  for (const language of LANGUAGES) {
    expect(Object.keys(ATTENTION_TEXTS[language]).sort()).toEqual([...ATTENTION_ORDER].sort())
    for (const code of ATTENTION_ORDER) expect(fill(ATTENTION_TEXTS[language][code], given)).not.toMatch(/[{}]/)
  }
})

test('the worst stay where they are while they are among the worst; who comes takes the place of who went', () => {
  const of = (keys: string) =>
    [...keys].map((key): Attention => ({ code: 'wrapUpLong', kind: 'agent', key, values: {} }))
  const steadied = (before: string, now: string) =>
    steady(of(before), of(now))
      .map(({ key }) => key)
      .join('')
  expect(steadied('', 'abcd')).toBe('abcd')
  expect(steadied('abcd', 'cabd')).toBe('abcd')
  expect(steadied('abcd', 'xabcd')).toBe('abxcd')
  expect(steadied('abcd', 'cxyad')).toBe('xycad')
  expect(steadied('abc', 'ac')).toBe('ac')
  expect(steadied('ab', 'xab')).toBe('abx')
})
