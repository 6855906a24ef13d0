/** `GET /dialer/board` (our addition): the pacing of campaigns, as a snapshot or as a stream of changes. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignBoard } from '../../ports/board.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { askerNow, LOOK_EVERY_MS } from '../http/in-force.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { BoardOut, boardOut, campaignBoardOf } from './board-schema.ts'

/** An engine publishes every 15 s; an older board is outdated. */
const LIFE_MS = 60_000
const STREAMS_MAX = 200
/** A wall and a few screens. Our choice. */
const STREAMS_EACH_MAX = 10
/** Then the client asks again, and its credentials are checked again. */
const STREAM_MAX_MS = 3_600_000
/** A client with more unread data is disconnected. */
const BEHIND_MAX_BYTES = 1024 * 1024

interface BoardAt {
  readonly board: CampaignBoard
  readonly atMs: AtMs
}

/** The operation. It subscribes to the boards that engines publish. */
export function boardRoutes({ clock, live, credentials }: RestDependencies): Route[] {
  const latest = new Map<number, BoardAt>()
  const streams = new Set<Stream>()
  live.onBoard(({ what, atMs }) => {
    const board = campaignBoardOf(what)
    if (!board) return
    latest.set(board.campaign, { board, atMs })
    for (const stream of streams) stream.send({ board, atMs })
  })
  const shown = (asker: Asker) => {
    const nowMs = clock.nowMs()
    for (const [campaign, { atMs }] of latest) if (atMs < nowMs - LIFE_MS) latest.delete(campaign)
    const theirs = [...latest.values()].filter(({ board }) => isOf(asker, board))
    return theirs.sort((a, b) => a.board.campaign - b.board.campaign)
  }
  const board = route({
    method: 'GET',
    path: '/dialer/board',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The current pacing of the campaigns',
    description:
      'The campaigns that dial, with their ledgers, the last decision and its reason. With Accept: text/event-stream ' +
      'the answer is a stream: first the current state, then one event `campaign` for each change, at most one per ' +
      'second and campaign. The stream ends after an hour; open it again.',
    query: Type.Object({}, { additionalProperties: false }),
    answers: { 200: Type.Object({ campaigns: Type.Array(BoardOut, { description: 'The campaigns that dial now.' }) }) },
    async handle({ asker, headers }) {
      const now = shown(asker)
      if (!String(headers['accept'] ?? '').includes('text/event-stream')) {
        return { body: { campaigns: now.map(({ board, atMs }) => boardOut(board, atMs)) } }
      }
      if (streams.size >= STREAMS_MAX)
        return refuse('tooManyRequests', 'too many board streams are open; close one and try again')
      const own = [...streams].filter((one) => one.credential === asker.credential)
      if (own.length >= STREAMS_EACH_MAX)
        return refuse('tooManyRequests', `a credential may have ${STREAMS_EACH_MAX} board streams; close one of yours`)
      const look = (before: Asker) => askerNow({ credentials, clock }, before)
      const stream = new Stream(asker, { look, shown, clock, onClose: () => streams.delete(stream) })
      streams.add(stream)
      for (const one of now) stream.send(one)
      return { stream: stream.readable, headers: { 'content-type': 'text/event-stream; charset=utf-8' } }
    },
  })
  return [board]
}

interface StreamOptions {
  readonly clock: RestDependencies['clock']
  /** Who reads, as of now; undefined: the credential has ended. */
  readonly look: (before: Asker) => Promise<Asker | undefined>
  readonly shown: (asker: Asker) => readonly BoardAt[]
  readonly onClose: () => void
}

class Stream {
  readonly readable = new Readable({ read: () => {} })
  #asker: Asker

  constructor(asker: Asker, { clock, look, shown, onClose }: StreamOptions) {
    this.#asker = asker
    const endAtMs = Math.min(clock.nowMs() + STREAM_MAX_MS, asker.expiresAtMs)
    // A beat also detects clients that went away without closing.
    const beat = async () => {
      const now = clock.nowMs() < endAtMs ? await look(this.#asker) : undefined
      if (!now?.scopes.has('dialer:read')) return void this.readable.push(null)
      if (this.readable.destroyed) return
      this.#push(':\n\n')
      this.#follow(now, shown(now))
      timer = clock.schedule(Math.min(endAtMs, clock.nowMs() + LOOK_EVERY_MS), () => void beat())
    }
    let timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void beat())
    this.#push('retry: 2000\n\n')
    this.readable.once('close', () => {
      timer.cancel()
      onClose()
    })
  }

  get credential(): string {
    return this.#asker.credential
  }

  /** Teams and corporations change while a stream is open: what is new to this reader is sent at once (rest-53). */
  #follow(asker: Asker, shown: readonly BoardAt[]): void {
    const before = this.#asker
    this.#asker = asker
    for (const one of shown) if (!isOf(before, one.board)) this.send(one)
  }

  /** Campaigns of other corporations and teams are not sent (D-04, rest-35). */
  send({ board, atMs }: BoardAt): void {
    if (isOf(this.#asker, board)) {
      this.#push(`event: campaign\ndata: ${JSON.stringify(boardOut(board, atMs))}\n\n`)
    }
  }

  #push(text: string): void {
    if (this.readable.destroyed || this.readable.readableEnded) return
    if (this.readable.readableLength > BEHIND_MAX_BYTES) this.readable.destroy()
    else this.readable.push(text)
  }
}

/** An older node does not say whose campaign it is: then a supervisor of teams does not see it (rest-35). */
function isOf({ corporations, teams }: Asker, { corporation, team }: CampaignBoard): boolean {
  const isTheirs = (corporations as readonly number[]).includes(corporation)
  return isTheirs && (teams === undefined || (team !== undefined && (teams as readonly string[]).includes(team)))
}
