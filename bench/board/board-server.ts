/** A small node for the benchmark of the board: it serves built pages, answers what they ask, and tells 500 agents. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { WebSocketServer } from 'ws'
import { type Random, seededRandom } from '../../src/kernel/random.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Always on top of the board: its reason says when it was sent. */
const WATCHED = 'agent0'
const MARK_EVERY = 10
const STATES = ['ready', 'talking', 'talking', 'talking', 'wrapUp', 'paused']
/** As the node coalesces changes. */
const FRAME_MS = 100
const BEAT_MS = 5_000
const CAMPAIGN = {
  callCode: 7,
  name: 'Reminders',
  mode: 'predictive',
  live: { agents: 500, idleAgents: 30, inFlight: 60, waiting: 1 },
  placing: { lines: 0, why: 'risk' },
  refused: null,
  carrierFailing: null,
  callbacks: { due: 2, overdue: 0 },
  ledgers: [{ name: 'day', capBasisPoints: 300, answered: 1_200, abandoned: 12, atRisk: 2, allowed: 36 }],
  nothingDue: null,
  orders: { draining: false, endsTs: null, slowDown: null },
}

const LONG_AGO = new Date(0).toISOString()

type Op = readonly ['u', string, string | number, object] | readonly ['x', string, string | number]

/** `directories`: of the built pages, each under its path. */
export async function boardServer(directories: Readonly<Record<string, string>>, agents: number, seed: number) {
  const names = Array.from({ length: agents }, (_, place) => `agent${place}`)
  const server = createServer(({ url = '/', method = 'GET' }, response) => {
    const { pathname: path, searchParams } = new URL(url, 'http://localhost')
    const offset = Number(searchParams.get('offset') ?? 0)
    const page = names.slice(offset, offset + Number(searchParams.get('size') ?? names.length))
    const answer = method === 'GET' || path.endsWith('/ticket') ? answerOf(path, page) : undefined
    if (answer) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    const place = Object.keys(directories).find((one) => path.startsWith(one)) ?? '/'
    const rest = path.slice(place.length)
    const file = extname(rest) ? rest : 'index.html'
    const text = readFileSync(join(directories[place]!, file))
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(text)
  })
  const crowd = new Crowd(names, seededRandom(seed))
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'switchboard.v1' })
  sockets.on('connection', (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    const now = () => new Date().toISOString()
    let [seq, id, frames] = [1, 0, 0]
    send({ t: 'welcome', v: 1, epoch: 'e', serverTs: now(), node: 'n', user: 1, hb: BEAT_MS, resumeMs: 60_000 })
    const beat = setInterval(() => send({ t: 'hb', seqs: id ? { [id]: seq } : {}, serverTs: now(), lagMs: 0 }), BEAT_MS)
    const changes = setInterval(() => {
      const ops = id ? crowd.changes() : []
      if (ops.length > 0 && ++frames % MARK_EVERY === 0) {
        ops.push(['u', 'agent', WATCHED, { state: 'calling', sinceTs: LONG_AGO, reason: `sent-${Date.now()}` }])
      }
      if (ops.length > 0) send({ t: 'd', id, seq: ++seq, ops })
    }, FRAME_MS)
    socket.on('message', (text) => {
      const frame = JSON.parse(String(text)) as { readonly t: string; readonly id: number }
      if (frame.t !== 'sub') return
      id = frame.id
      send({ t: 'snap', id, topic: 'board', seq, part: 1, of: 1, rows: crowd.rows() })
    })
    socket.on('close', () => {
      clearInterval(beat)
      clearInterval(changes)
    })
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', () => listens()))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Of the newest conversation: the other side is on hold for more than half a minute. */
    onHold: crowd.onHold,
    /** Changes of agents in each second from now on. */
    setRate: (perSecond: number) => crowd.setRate(perSecond),
    close() {
      for (const socket of sockets.clients) socket.terminate()
      return new Promise((closed) => server.close(closed))
    },
  }
}

/** Agents who change their states, and the calls that come and go with them. */
class Crowd {
  readonly #agents: Map<string, { state: string; sinceTs: string }>
  readonly #random: Random
  /** Who has the newest conversation, below a hundred others. */
  readonly onHold: string
  #perFrame = 0
  #due = 0

  constructor(names: readonly string[], random: Random) {
    this.#random = random
    this.#agents = new Map(names.map((name) => [name, { state: this.#state(), sinceTs: new Date().toISOString() }]))
    this.onHold = names.findLast((name) => this.#agents.get(name)?.state === 'talking')!
  }

  setRate(perSecond: number): void {
    this.#perFrame = (perSecond * FRAME_MS) / 1_000
  }

  rows(): (readonly [string, string | number, object])[] {
    const agents = [...this.#agents].flatMap(([name, row]) => [
      ['agent', name, Object.assign({ userName: name, untilTs: null, reason: null, asked: null }, row)] as const,
      ...(row.state === 'talking' ? [['call', `call-${name}`, this.#call(name, row.sinceTs)] as const] : []),
    ])
    const queue = { name: 'team', waiting: 1, longestSinceTs: new Date().toISOString(), ready: 30, atWork: 480 }
    return [...agents, ['queue', 'team', queue], ['campaign', CAMPAIGN.callCode, CAMPAIGN]]
  }

  changes(): Op[] {
    this.#due += this.#perFrame
    const count = Math.floor(this.#due)
    this.#due -= count
    const names = [...this.#agents.keys()].filter((name) => name !== WATCHED)
    return Array.from({ length: count }, () => names[Math.floor(this.#random.next() * names.length)]!).flatMap(
      (name): Op[] => {
        const before = this.#agents.get(name)!.state
        const row = { state: this.#state(), sinceTs: new Date().toISOString() }
        this.#agents.set(name, row)
        const call: Op[] = row.state === 'talking' ? [['u', 'call', `call-${name}`, callOf(name, row.sinceTs)]] : []
        const gone: Op[] = before === 'talking' && row.state !== 'talking' ? [['x', 'call', `call-${name}`]] : []
        return [['u', 'agent', name, row], ...call, ...gone]
      },
    )
  }

  #call(name: string, sinceTs: string) {
    const waits = name === this.onHold ? { why: 'hold', sinceTs: LONG_AGO } : null
    return Object.assign(callOf(name, sinceTs), { waits })
  }

  #state(): string {
    return STATES[Math.floor(this.#random.next() * STATES.length)]!
  }
}

function callOf(name: string, sinceTs: string) {
  const callTask = { itcaId: 1, callCode: CAMPAIGN.callCode, callReceiverName: `Debtor of ${name}` }
  return { callId: `call-${name}`, userName: name, direction: 2, number: '+4512345678', sinceTs, eactId: 1, callTask }
}

function answerOf(path: string, names: readonly string[]): object | undefined {
  if (path.endsWith('/stream/ticket')) return { ticket: 'ticket', expiresTs: null }
  if (path.endsWith('/core/session')) {
    const corporation = { corpId: 1, name: 'Centre' }
    return { name: 'Vera', userName: 'vera', roles: ['supervisor'], corporation, expiresTs: null }
  }
  if (path.endsWith('/core/users')) {
    const queues = [{ ucquId: 1, name: 'team' }]
    return names.map((userName) => ({ userName, name: `Agent ${userName.slice(5)}`, queues }))
  }
  if (path.endsWith('/dialer/callcode')) {
    return { callCodes: [{ callCode: CAMPAIGN.callCode, name: CAMPAIGN.name, active: true, queue: { ucquId: 1 } }] }
  }
  if (path.endsWith('/calls/live')) return []
  return path.endsWith('/dialer/killswitch') ? { on: false } : undefined
}
