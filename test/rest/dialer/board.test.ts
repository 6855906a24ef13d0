import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignBoard } from '../../../src/ports/board.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { type DialerWorld, openDialerWorld } from './dialer-world.ts'

const clock = new VirtualClock()
let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld({ clock })
})
afterAll(() => world.close())

const BOARD: CampaignBoard = {
  type: 'campaign',
  campaign: 7,
  corporation: OURS,
  name: 'Reminders DK',
  mode: 'predictive',
  pace: 'price',
  live: { agents: 12, idleAgents: 1, inFlight: 4, waiting: 0 },
  nothingDue: { untilAtMs: 0 },
  callbacks: { due: 4, overdue: 1 },
  placing: { lines: 0, why: 'risk', weighed: { risk: 0.04, riskMax: 0.02, credit: 15.1, room: 9 } },
  refused: 'notYet',
  ledgers: [{ name: 'day', capBasisPoints: 300, answered: 1_204, abandoned: 21, atRisk: 3, allowed: 36 }],
  placed: { risk: 3_000 },
  held: { risk: 40 },
  refusals: { notYet: 2 },
  learnt: { hitRate: 0.4, answerS: 11, talkS: 180, wrapUpS: 20, known: 4_000, hours: [{ lines: 120, answers: 41 }] },
  shadow: { pace: 'ratio', lines: 2, hours: [{ fromAtMs: 0, placed: 50, more: 4, less: 1 }] },
  detection: {
    pauses: {
      acts: false,
      personsTaken: { count: 1, of: 200, from: 0.088, to: 2.775 },
      machinesMissed: { count: 12, of: 72, from: 9.802, to: 26.9 },
    },
    greeting: {
      acts: true,
      personsTaken: { count: 0, of: 200, from: 0, to: 1.884 },
      machinesMissed: { count: 60, of: 72, from: 73.1, to: 90.2 },
    },
    greetingsKnown: 2,
    greetings: 14,
  },
  weight: 2,
  service: { percent: 80, withinSeconds: 20, callers: 40, inTime: 33, keptBack: 1 },
  orders: { isDraining: false, endsAtMs: 0, slowDown: { linesPerAgentMax: 1, isOneToOne: true, untilAtMs: null } },
}
const tell = (change: object = {}) => {
  world.parts.live.publishBoard({ node: 'one', atMs: clock.nowMs(), what: { ...BOARD, ...change } })
}
const BEAT = /^:$/gm

/** An event stream, and what has come by it. */
async function streamOf(as: CredentialValues) {
  const stop = new AbortController()
  const headers = { ...as, accept: 'text/event-stream' }
  const reply = await fetch(`${world.rest.url}/dialer/board`, { headers, signal: stop.signal })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (word: string | RegExp, times = 1) => {
    while (text.split(word).length <= times) text += (await reader.read()).value ?? ''
    return text
  }
  return { until, stop, isOver: async () => (await reader.read()).done }
}

test('the board shows the pacing of campaigns with its reason, and the credit of their ledgers', async () => {
  tell()
  tell({ campaign: 8, corporation: THEIRS })
  tell({ campaign: 9, ledgers: 'none of ours' })
  const { status, body } = await world.call('GET', '/dialer/board')
  expect(status).toBe(200)
  expect(body.campaigns).toHaveLength(1)
  expect(body.campaigns[0]).toMatchObject({
    callCode: 7,
    placing: BOARD.placing,
    nothingDue: { untilTs: '1970-01-01T00:00:00.000Z' },
    callbacks: BOARD.callbacks,
    ledgers: [{ answered: 1_204, abandoned: 21, atRisk: 3, allowed: 36 }],
    detection: BOARD.detection,
    weight: 2,
    service: BOARD.service,
    orders: {
      draining: false,
      endsTs: '1970-01-01T00:00:00.000Z',
      slowDown: { linesPerAgentMax: 1, oneToOne: true, untilTs: null },
    },
    shadow: { pace: 'ratio', hours: [{ fromTs: '1970-01-01T00:00:00.000Z', placed: 50, more: 4, less: 1 }] },
  })
  expect(JSON.stringify(body)).not.toContain('corporation')
})

test('as a stream it starts with a snapshot, and sends each change of our corporation only', async () => {
  tell()
  const as = await world.credential(['dialer:read'])
  const { until, stop } = await streamOf(as)
  await until('"callCode":7')
  tell({ campaign: 8, corporation: THEIRS, name: 'nobody of ours may see it' })
  tell({ name: 'Reminders, second round' })
  const text = await until('Reminders, second round')
  expect(text).not.toContain('nobody of ours')
  expect(text.match(/^event: campaign$/gm)).toHaveLength(2)
  stop.abort()
})

test('the stream of a supervisor follows her teams, and ends with her right to read', async () => {
  const belongsTo = async (team: string) => {
    const teams = ['debt', 'sales'].map(
      (name) => ({ name, title: name, agents: name === team ? ['sue'] : [] }) as never,
    )
    await world.parts.directory.syncStaff({ agents: [{ name: 'sue', title: 'Sue' }], teams }, OURS, 0)
  }
  await belongsTo('debt')
  const { id } = (await world.parts.directory.userByName('sue'))!
  const user = { id, userName: 'sue', active: true, teams: [] }
  const as = await world.credential(['dialer:read', 'dialer:write'], [OURS], { user })
  tell({ team: 'debt' })
  tell({ campaign: 8, team: 'sales' })
  const { until, isOver } = await streamOf(as)
  expect(await until('event: campaign')).not.toContain('"callCode":8')
  await belongsTo('sales')
  clock.run(4_000)
  await until(BEAT)
  tell({ team: 'debt', name: 'news of her old team' })
  tell({ campaign: 8, team: 'sales', name: 'news of her new team' })
  clock.run(4_000)
  const text = await until(BEAT, 2)
  expect([text.match(/"callCode":8/g)?.length, text.includes('news of her new team')]).toEqual([2, true])
  expect(text).not.toContain('old team')
  const where = 'where realm_control = $1'
  await world.pools.jobs.query(`update credentials set scopes = '{dialer:write}' ${where}`, [as.rcntrl])
  clock.run(4_000)
  expect(await isOver()).toBe(true)
})

test('the head of a stream takes no place of one', async () => {
  const as = await world.credential(['dialer:read'])
  const headers = { ...as, accept: 'text/event-stream' }
  for (let count = 0; count < 30; count++) {
    const { status } = await fetch(`${world.rest.url}/dialer/board`, { method: 'HEAD', headers })
    expect(status).toBe(200)
  }
})
