/**
 * The connection to Asterisk: one WebSocket for events and requests, which always reconnects.
 *
 *   waiting ──open──▶ settling ──settled──▶ up
 *      ▲                 │                  │
 *      └──────lost───────┴───────lost───────┘
 *
 * While settling, the owner surveys Asterisk (`onConnected`), and events are held back until that is complete. `ask`
 * works only when the connection is up.
 */
import { assert } from '../kernel/assert.ts'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { AriAddress } from './address.ts'
import { AriSocket, type Loss } from './ari-socket.ts'
import type { AriEvent, AsteriskInfo } from './ari-types.ts'
import { backoffMs } from './backoff.ts'
import { EventTally } from './event-tally.ts'
import {
  type AnswerOf,
  type ArgsOf,
  type AriAnswer,
  type Ask,
  noAnswer,
  type Operation,
  toRequest,
} from './operation.ts'
import { RestOverHttp } from './rest-over-http.ts'
import { EVENT_FILTER, isKnown, isUsed } from './used-events.ts'

/** Between two attempts with a refused password (F-A16), or while modules are missing: 5 s. */
const REFUSED_WAIT_MS = 5_000

/** After another client took our name. Our choice: the rightful engine wins, and the two do not fight over calls. */
const REPLACED_WAIT_MS = 30_000

/** Events held back while settling. More means that settling takes too long. */
const HELD_BACK_MAX = 10_000

const MODULES_REMEDY =
  'Load them in its modules.conf and restart it; `switchboard asterisk config --out DIR` writes such a configuration'
const OPEN_REMEDY = 'Put noload lines for them into its modules.conf: they let strangers place calls'
const VERSION_REMEDY = 'Install a newer one: a single SIP request of a stranger may stop its calls (CVE-2026-57191)'

/** Another attempt does not help before somebody has changed something at Asterisk. */
const isRefusal = ({ kind }: Loss) => kind === 'refused' || kind === 'unfit'

/** Ways to send requests while settling: in order over the socket, or long lists by HTTP. */
export interface Rest {
  readonly ask: Ask
  readonly askLong: Ask
}

/** The result of the owner's survey: what to do once the connection is up, or why it must not come up. */
export type Settled = { readonly ok: true; readonly onUp: () => void } | { readonly ok: false; readonly why: string }

interface AriClientOptions {
  readonly address: AriAddress
  readonly user: string
  readonly password: string
  readonly app: string
  /** Asterisk modules, without `.so`; an Asterisk in which one of them does not run is refused. */
  readonly neededModules: readonly string[]
  /** An older Asterisk is refused; absent: any version is served. */
  readonly versionMin?: string | undefined
  /** An Asterisk that runs one of them is refused. */
  readonly refusedModules?: readonly string[] | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** After every (re)connection, before any event. Uses `rest`, since `ask` is not open yet. */
  onConnected(rest: Rest, info: AsteriskInfo): Promise<Settled>
  onEvent(event: AriEvent): void
  /** Whether an event, and all behind it, waits until what came before it at other sockets is read. Absent: none. */
  readonly mayOvertake?: (event: AriEvent) => boolean
  /** Once per loss of a connection that was up. */
  onDown(why: string): void
}

/** A connection that is kept up from `start` to `stop`. */
export class AriClient {
  readonly #options: AriClientOptions
  readonly #authorization: string
  readonly #http: RestOverHttp
  readonly #tally: EventTally
  #connection: AriSocket | undefined
  #state: 'stopped' | 'waiting' | 'settling' | 'up' = 'stopped'
  /** The socket, unless this Asterisk is too old for requests over it. */
  #restBy: 'socket' | 'http' = 'socket'
  #heldBack: AriEvent[] = []
  /** The first one may overtake what other sockets bring. */
  #waiting: AriEvent[] = []
  #retry: Timer | undefined
  #attempt = 0
  #loggedWhy: string | undefined
  /** Whether modules were missing at the attempt before this one. */
  #wasUnfit = false
  #first: PromiseWithResolvers<AsteriskInfo> | undefined
  #counts = { events: 0, requests: 0, unanswered: 0, connections: 0 }

  constructor(options: AriClientOptions) {
    this.#options = options
    this.#authorization = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`
    this.#http = new RestOverHttp(options.address, this.#authorization, options.clock)
    this.#tally = new EventTally(options.log)
  }

  /** Resolves when the connection is up for the first time; rejects when Asterisk refuses the user before that. */
  start(): Promise<AsteriskInfo> {
    assert(!this.#first, 'a wire is started once')
    this.#first = Promise.withResolvers()
    this.#connect()
    return this.#first.promise
  }

  /** Closes the connection; calls in Asterisk go on. */
  async stop(): Promise<void> {
    const wasSettled = this.#counts.connections > 0
    this.#state = 'stopped'
    this.#retry?.cancel()
    this.#connection?.end({ kind: 'lost', why: 'we are stopping' })
    if (!wasSettled) this.#first?.reject(new Error('stopped before Asterisk was reached'))
    await this.#http.close()
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  /** What further sockets to the same server present. */
  get access(): { readonly authorization: string } {
    return { authorization: this.#authorization }
  }

  /** Sends a request; Asterisk handles requests in the order in which they were sent. */
  ask<O extends Operation>(operation: O, args: ArgsOf<O>): Promise<AriAnswer<AnswerOf<O>>> {
    if (this.#state !== 'up') return Promise.resolve(noAnswer('not connected', 'no'))
    return this.#askBy(this.#restBy, operation, args)
  }

  /** For answers that may be longer than a frame of the socket: by HTTP, beside the queue of the others. */
  askLong<O extends Operation>(operation: O, args: ArgsOf<O>): Promise<AriAnswer<AnswerOf<O>>> {
    if (this.#state !== 'up') return Promise.resolve(noAnswer('not connected', 'no'))
    return this.#askBy('http', operation, args)
  }

  stats() {
    return { ...this.#counts, restBy: this.#restBy, passedOver: this.#tally.counts }
  }

  #connect(): void {
    this.#state = 'waiting'
    this.#heldBack = []
    const { address, app, clock } = this.#options
    this.#connection = new AriSocket({
      address,
      app,
      clock,
      authorization: this.#authorization,
      onOpen: () => void this.#settle(this.#connection!),
      onEvent: (event) => this.#take(event),
      onBrokenFrame: () => this.#tally.count('(broken frame)', 'not an event at all'),
      onLost: (loss) => this.#lost(loss),
    })
  }

  /** Never rejects: an error ends this connection, and the next one tries again. */
  async #settle(connection: AriSocket): Promise<void> {
    this.#state = 'settling'
    try {
      const info = await this.#greet(connection)
      const settled = info && (await this.#options.onConnected(this.#rest(), info))
      if (this.#connection !== connection || this.#state !== 'settling') return
      if (settled?.ok) this.#up(info!, settled.onUp)
      else connection.end({ kind: 'lost', why: settled ? settled.why : 'Asterisk does not answer requests' })
    } catch (error) {
      this.#options.log.error({ err: error }, 'settling with Asterisk failed; this is a bug')
      connection.end({ kind: 'lost', why: 'we failed to settle' })
    }
  }

  /** Checks that Asterisk answers, whether it takes requests over the socket, and whether the user may act. */
  async #greet(connection: AriSocket): Promise<AsteriskInfo | undefined> {
    this.#restBy = 'socket'
    let info = await this.#askBy('socket', 'GET /asterisk/info', {})
    if (info.status === 0 && this.#state === 'settling') {
      info = await this.#askBy('http', 'GET /asterisk/info', {})
      if (info.ok) this.#restBy = 'http'
    }
    const unfit = await this.#unfit(info)
    if (unfit) connection.end(unfit)
    if (unfit || !info.ok) return undefined
    const { app: applicationName } = this.#options
    const filter = await this.#askBy(this.#restBy, 'PUT /applications/{applicationName}/eventFilter', {
      applicationName,
      filter: EVENT_FILTER,
    })
    if (filter.status === 403) connection.end({ kind: 'refused', why: 'the user may only read (read_only = yes)' })
    return filter.ok ? info.body : undefined
  }

  /** By HTTP: an Asterisk that loads everything it has answers a long list. */
  async #unfit(info: AriAnswer<AsteriskInfo>): Promise<Loss | undefined> {
    if (info.status === 404) return lacking(['res_ari_asterisk'])
    if (!info.ok) return undefined
    const { neededModules, versionMin, refusedModules = [] } = this.#options
    const version = info.body.system?.version ?? ''
    if (versionMin !== undefined && isOlder(version, versionMin)) {
      return { kind: 'unfit', why: `is version ${version}, older than ${versionMin}. ${VERSION_REMEDY}` }
    }
    const answer = await this.#askBy('http', 'GET /asterisk/modules', {})
    if (!answer.ok) return { kind: 'lost', why: `the list of its modules: ${answer.why}` }
    const running = new Set(answer.body.filter(({ status }) => status === 'Running').map(({ name }) => name))
    const open = refusedModules.filter((name) => running.has(`${name}.so`))
    if (open.length > 0) return { kind: 'unfit', why: `runs ${open.join(', ')}. ${OPEN_REMEDY}` }
    const missing = neededModules.filter((name) => !running.has(`${name}.so`))
    return missing.length === 0 ? undefined : lacking(missing)
  }

  #up(info: AsteriskInfo, onUp: () => void): void {
    this.#state = 'up'
    this.#attempt = 0
    this.#loggedWhy = undefined
    this.#counts.connections += 1
    const version = info.system?.version
    this.#options.log.info({ version, restBy: this.#restBy }, 'connected to Asterisk')
    onUp()
    this.#first?.resolve(info)
    const heldBack = this.#heldBack
    this.#heldBack = []
    for (const event of heldBack) this.#take(event)
  }

  #take(event: AriEvent): void {
    if (this.#state === 'settling') {
      this.#heldBack.push(event)
      if (this.#heldBack.length > HELD_BACK_MAX) this.#connection?.end({ kind: 'lost', why: 'settling took too long' })
      return
    }
    this.#counts.events += 1
    const { clock, mayOvertake } = this.#options
    if (this.#waiting.length === 0 && !mayOvertake?.(event)) return this.#tell(event)
    this.#waiting.push(event)
    if (this.#waiting.length === 1) clock.schedule(clock.nowMs(), () => this.#tellWaiting())
  }

  /** Up to the next event that may overtake: it waits for a moment of its own. */
  #tellWaiting(): void {
    const { clock, mayOvertake } = this.#options
    const next = this.#waiting.findIndex((event, at) => at > 0 && mayOvertake?.(event))
    for (const event of this.#waiting.splice(0, next < 0 ? this.#waiting.length : next)) this.#tell(event)
    if (this.#waiting.length > 0) clock.schedule(clock.nowMs(), () => this.#tellWaiting())
  }

  #tell(event: AriEvent): void {
    const { type } = event
    try {
      // Events that the filter switches off may still arrive in the moment before it is set.
      if (isUsed(event)) this.#options.onEvent(event)
      else this.#tally.count(type, isKnown({ type }) ? undefined : 'no such type when our types were generated')
    } catch (error) {
      this.#tally.count(`${type} (broken)`, error instanceof Error ? error.message : 'unknown')
    }
  }

  #lost(loss: Loss): void {
    const wasUp = this.#state === 'up'
    if (this.#state === 'stopped') return
    while (this.#waiting.length > 0) this.#tellWaiting()
    this.#state = 'waiting'
    // Asterisk answers a little before its last module runs: once is no proof.
    const isProved = loss.kind === 'refused' || (loss.kind === 'unfit' && this.#wasUnfit)
    this.#wasUnfit = loss.kind === 'unfit'
    if (isProved && this.#counts.connections === 0) {
      this.#state = 'stopped'
      this.#first?.reject(new Error(this.#refusal(loss)))
      void this.#http.close()
      return
    }
    this.#logOnce(loss)
    const { clock, random } = this.#options
    const waitMs =
      loss.kind === 'replaced' ? REPLACED_WAIT_MS : isRefusal(loss) ? REFUSED_WAIT_MS : backoffMs(this.#attempt, random)
    this.#attempt += 1
    this.#retry = clock.schedule(clock.nowMs() + waitMs, () => this.#connect())
    if (wasUp) this.#options.onDown(loss.why)
  }

  /** A long outage writes one log line, not one per attempt. */
  #logOnce(loss: Loss): void {
    if (this.#loggedWhy === loss.why) return
    this.#loggedWhy = loss.why
    const { origin } = this.#options.address
    const why = isRefusal(loss) ? this.#refusal(loss) : loss.why
    const level = loss.kind === 'replaced' || isRefusal(loss) ? 'error' : 'warn'
    this.#options.log[level]({ asterisk: origin, why }, 'not connected to Asterisk; trying again for ever')
  }

  #refusal({ kind, why }: Loss): string {
    const { address, user } = this.#options
    if (kind === 'unfit') return `Asterisk at ${address.origin} ${why}`
    return (
      `Asterisk at ${address.origin} refuses the ARI user "${user}": ${why}. ` +
      'Compare ARI_USER and ARI_PASSWORD with that user in ari.conf (type = user, password, read_only = no)'
    )
  }

  #rest(): Rest {
    return {
      ask: (operation, args) => this.#askBy(this.#restBy, operation, args),
      askLong: (operation, args) => this.#askBy('http', operation, args),
    }
  }

  async #askBy<O extends Operation>(by: 'socket' | 'http', operation: O, args: ArgsOf<O>) {
    this.#counts.requests += 1
    const request = toRequest(operation, args)
    const answer = await (by === 'http' ? this.#http.request(request) : this.#connection!.request(request))
    if (answer.status === 0) this.#counts.unanswered += 1
    return answer as AriAnswer<AnswerOf<O>>
  }
}

function lacking(modules: readonly string[]): Loss {
  return { kind: 'unfit', why: `does not run these modules: ${modules.join(', ')}. ${MODULES_REMEDY}` }
}

/** `22.9.0+dfsg` is older than `22.10.1`. What names no release, as a build of one's own, is not judged. */
function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number)
  const [ours, theirs] = [numbers(version), numbers(than)!]
  if (!ours) return false
  const place = ours.findIndex((number, at) => number !== theirs[at])
  return place >= 0 && ours[place]! < theirs[place]!
}
