/** `GET /dialer/board` (our addition): how campaigns are paced, as a picture, or as a stream of changes. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignBoard } from '../../ports/board.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { BoardOut, boardOut, campaignTold } from './board-schema.ts'

/** An engine tells the same again each 15 s: what was not heard for longer is not so any more. */
const LIFE_MS = 60_000
const STREAMS_MAX = 200
/** So that whoever went without a word is noticed. */
const BEAT_MS = 15_000
/** Then the client asks again, with credentials that are looked at anew. */
const STREAM_MAX_MS = 3_600_000
/** Whoever reads more slowly than that much behind is let go. */
const BEHIND_MAX_BYTES = 1024 * 1024

interface BoardAt {
  readonly board: CampaignBoard
  readonly atMs: AtMs
}

/** The one operation. It listens from now on to what engines tell. */
export function boardRoutes({ clock, live }: RestDependencies): Route[] {
  const latest = new Map<number, BoardAt>()
  const streams = new Set<Stream>()
  live.onBoard(({ what, atMs }) => {
    const board = campaignTold(what)
    if (!board) return
    latest.set(board.campaign, { board, atMs })
    for (const stream of streams) stream.tell({ board, atMs })
  })
  const shown = ({ corporations }: Asker) => {
    const nowMs = clock.nowMs()
    for (const [campaign, { atMs }] of latest) if (atMs < nowMs - LIFE_MS) latest.delete(campaign)
    const theirs = [...latest.values()].filter(({ board }) => isOf(corporations, board))
    return theirs.sort((a, b) => a.board.campaign - b.board.campaign)
  }
  const board = route({
    method: 'GET',
    path: '/dialer/board',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'How the campaigns are paced just now',
    description:
      'The campaigns that dial, with their ledgers, the last decision and its reason. With Accept: text/event-stream ' +
      'the answer is a stream: the same at first, and then one event `campaign` for each change, at most one a ' +
      'second for each campaign. It ends after an hour; ask again.',
    query: Type.Object({}, { additionalProperties: false }),
    answers: { 200: Type.Object({ campaigns: Type.Array(BoardOut, { description: 'Those that dial just now.' }) }) },
    async handle({ asker, headers }) {
      const now = shown(asker)
      if (!String(headers['accept'] ?? '').includes('text/event-stream')) {
        return { body: { campaigns: now.map(({ board, atMs }) => boardOut(board, atMs)) } }
      }
      if (streams.size >= STREAMS_MAX) return refuse('tooManyRequests', 'too many boards are open; close some')
      const stream = new Stream(asker, clock, () => streams.delete(stream))
      streams.add(stream)
      for (const told of now) stream.tell(told)
      return { stream: stream.readable, headers: { 'content-type': 'text/event-stream; charset=utf-8' } }
    },
  })
  return [board]
}

/** One listener. Mutable state with a lifetime, hence a class. */
class Stream {
  readonly readable = new Readable({ read: () => {} })
  readonly #asker: Asker

  constructor(asker: Asker, clock: RestDependencies['clock'], onClose: () => void) {
    this.#asker = asker
    const endAtMs = Math.min(clock.nowMs() + STREAM_MAX_MS, asker.expiresAtMs)
    const beat = () => {
      if (clock.nowMs() >= endAtMs) return void this.readable.push(null)
      this.#push(':\n\n')
      timer = clock.schedule(Math.min(endAtMs, clock.nowMs() + BEAT_MS), beat)
    }
    let timer = clock.schedule(clock.nowMs() + BEAT_MS, beat)
    this.#push('retry: 2000\n\n')
    this.readable.once('close', () => {
      timer.cancel()
      onClose()
    })
  }

  /** What belongs to others does not exist (D-04). */
  tell({ board, atMs }: BoardAt): void {
    if (isOf(this.#asker.corporations, board)) {
      this.#push(`event: campaign\ndata: ${JSON.stringify(boardOut(board, atMs))}\n\n`)
    }
  }

  #push(text: string): void {
    if (this.readable.destroyed || this.readable.readableEnded) return
    if (this.readable.readableLength > BEHIND_MAX_BYTES) this.readable.destroy()
    else this.readable.push(text)
  }
}

function isOf(corporations: readonly number[], { corporation }: CampaignBoard): boolean {
  return corporations.includes(corporation)
}
