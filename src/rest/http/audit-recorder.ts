/** Writes an operation to the audit trail before the client gets the response (F-K5). */
import type { TSchema } from 'typebox'
import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Audit, AuditEntry } from '../../ports/audit.ts'
import type { Answer } from './answer.ts'
import { Refusal } from './problem-response.ts'
import { isWide } from './rate-limit.ts'
import type { Asked, Audited, AuditStatement, Route } from './route.ts'

interface AuditRecorderDependencies {
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly partReads: PartReads
  readonly walks: Walks
}

/** An entry lists at most this many ids; it always has the total count. */
const IDS_MAX = 100
/** Ids only: names and phone numbers must not reach the audit trail. */
const ID = /^[\w-]{1,64}$/
/** Limits of the search for ids: responses are not nested deeper, and the search must stay fast. */
const DEPTH_MAX = 6
const VALUES_MAX = 20_000

export interface AuditRecorder {
  /** Runs the operation; the intent of a change is committed with the change. */
  carryOut(handle: () => Promise<Answer>): Promise<Answer>
  /** Called before the response is sent. A read fails if its entry cannot be stored. */
  record(answer: Answer): Promise<void>
}

/** Refused requests leave no entry. Several corporations get one each: the object's owner is unknown here. */
export function auditRecorder(
  { audit, method, path }: Route,
  asked: AnyAsked,
  dependencies: AuditRecorderDependencies,
): AuditRecorder {
  const wide = 'wide' in audit && isWide(asked.body) ? audit.wide : undefined
  const statement = wide ?? audit
  const operation = `${method} ${path}`
  if ('none' in statement) return walkRecorder(statement, operation, asked, dependencies)
  const isRead = statement.action === 'read' || statement.action === 'export'
  return isRead
    ? readRecorder(statement, operation, asked, dependencies)
    : changeRecorder(statement, operation, asked, dependencies)
}

/** No entry for a page, and one for so many pages that they are an export. */
function walkRecorder(
  { walk }: Exclude<AuditStatement, Audited>,
  operation: string,
  asked: AnyAsked,
  dependencies: AuditRecorderDependencies,
): AuditRecorder {
  return {
    carryOut: (handle) => handle(),
    async record(answer) {
      if (!walk || isRefused(answer)) return
      const { asker } = asked
      // Each sign-in is another credential of the same person.
      const who = `${walk.object} ${asker.user ? `user ${asker.user.id}` : asker.credential}`
      await dependencies.walks.add(who, idsOfRows(walk.by, answer.body), (ids) => {
        const entry = entryOf(walk, operation, asked, [{ [walk.by]: null }], dependencies)
        const found = { ids: ids.slice(0, IDS_MAX), count: ids.length }
        return dependencies.audit.append(asker.corporations, Object.assign(entry, found))
      })
    },
  }
}

function readRecorder(
  statement: Audited,
  operation: string,
  asked: AnyAsked,
  dependencies: AuditRecorderDependencies,
): AuditRecorder {
  return {
    carryOut: (handle) => handle(),
    async record(answer) {
      if (isRefused(answer)) return
      const entry = entryOf(
        statement,
        operation,
        asked,
        [asked.params, asked.query, answer.body ?? answer.about],
        dependencies,
      )
      const { asker, address, headers } = asked
      const append = () => dependencies.audit.append(asker.corporations, entry)
      const isPart = statement.partsAreOneRead && headers['range'] !== undefined
      try {
        await (isPart
          ? dependencies.partReads.once([asker.credential, address, operation, ...entry.ids].join(' '), append)
          : append())
      } catch (error) {
        answer.stream?.destroy()
        throw error
      }
    },
  }
}

/** The intent holds the ids of the request; the final entry adds ids from the response, such as new objects. */
function changeRecorder(
  statement: Audited,
  operation: string,
  asked: AnyAsked,
  dependencies: AuditRecorderDependencies,
): AuditRecorder {
  const { params, query, body } = asked
  const intent = entryOf(statement, operation, asked, [params, query, body], dependencies)
  const change = dependencies.audit.change(asked.asker.corporations, intent)
  return {
    async carryOut(handle) {
      try {
        return await change.run(handle)
      } catch (error) {
        // After any other error the outcome is unknown: a committed intent stays in the trail.
        if (error instanceof Refusal) await settle(() => change.refused())
        throw error
      }
    },
    async record(answer) {
      const wasDone = !isRefused(answer) || (statement.keepsRefused && change.hasCommitted)
      if (!wasDone) return settle(() => change.refused())
      await settle(() => change.done(entryOf(statement, operation, asked, [params, query, answer.body], dependencies)))
    },
  }

  /** The change and its intent are already committed, so a failure here is not an error of the request. */
  async function settle(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      dependencies.log.warn(
        { err: error, operation },
        'audit entry of a change not written; it will be written from its intent later',
      )
    }
  }
}

type AnyAsked = Asked<TSchema, TSchema, TSchema>

function isRefused(answer: Answer): boolean {
  return answer.problem !== undefined || (answer.status ?? 200) >= 400
}

function entryOf(
  { action, object, by, keepsReason, keepsFiles }: Audited,
  operation: string,
  { asker, address, traceId, body }: AnyAsked,
  places: readonly unknown[],
  { clock }: AuditRecorderDependencies,
): AuditEntry {
  const found = by === undefined ? [] : idsIn(by, places)
  return {
    atMs: clock.nowMs(),
    credential: asker.credential,
    user: asker.user?.id ?? null,
    action,
    object,
    ids: found.slice(0, IDS_MAX),
    count: found.length,
    operation,
    reason: keepsReason ? reasonOf(body) : keepsFiles ? filesOf(body) : isWide(body) ? pageOf(body) : null,
    address,
    traceId,
  }
}

/** The distinct values of a field at any depth. */
function idsIn(field: string, places: readonly unknown[]): string[] {
  const found = new Set<string>()
  let values = 0
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || values++ > VALUES_MAX) return
    for (const [name, inner] of Object.entries(value)) {
      const isId = name === field && (typeof inner === 'number' || typeof inner === 'string') && ID.test(String(inner))
      if (isId) found.add(String(inner))
      else look(inner, depth + 1)
    }
  }
  for (const place of places) look(place, 0)
  return [...found]
}

/** The ids of the rows of a list: of the body itself, or of the one list in it. */
function idsOfRows(field: string, body: unknown): string[] {
  const list = Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray)
  return (list ?? []).map((row: Readonly<Record<string, unknown>>) => String(row[field]))
}

/** Its rows are not known before they are sent. */
function pageOf(body: unknown): string {
  const { limit, pageNumber = 1, after } = body as { limit?: number; pageNumber?: number; after?: string }
  return `${after === undefined ? `page ${pageNumber}` : 'a next page'}, at most ${limit} rows`
}

function filesOf(body: unknown): string | null {
  const files = idsIn('cfreId', [body])
  return files.length === 0 ? null : `files ${files.join(', ')}`
}

function reasonOf(body: unknown): string | null {
  const { reason } = (body ?? {}) as { reason?: unknown }
  return typeof reason === 'string' ? reason.toWellFormed() : null
}

/** Our choice: long enough for most recordings, short enough that hearing it again later is seen. */
const ONE_READ_MS = 10 * 60_000
/** Beyond it the oldest are forgotten: then there are more entries, never fewer. */
const READS_MAX = 10_000

interface Read {
  readonly atMs: AtMs
  readonly written: Promise<void>
}

/**
 * Which reads are in the audit trail already: a player fetches a recording in many parts (files-and-activities-12).
 * Each node has its own, and a restart forgets them.
 */
export class PartReads {
  readonly #clock: Clock
  readonly #reads = new Map<string, Read>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when an entry of this read is durable; `write` runs only for the first part in ten minutes. */
  once(who: string, write: () => Promise<void>): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const known = this.#reads.get(who)
    if (known && nowMs >= known.atMs && nowMs < known.atMs + ONE_READ_MS) return known.written
    const read = { atMs: nowMs, written: write() }
    // The order of the map is that of the reads.
    this.#reads.delete(who)
    this.#reads.set(who, read)
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > READS_MAX && oldest !== undefined) this.#reads.delete(oldest)
    // The next part tries again.
    read.written.catch(() => this.#reads.get(who) === read && this.#reads.delete(who))
    return read.written
  }
}

/** What a screen may show without an entry, as a page of a search (rest-24); our choice. */
const ROWS_MAX = 1_000
/** A walk that takes its time is one as well. */
const WALK_MS = 24 * 60 * 60_000
/** Beyond it whoever asked longest ago is forgotten. */
const WALKERS_MAX = 1_000

interface Walked {
  readonly beganAtMs: AtMs
  readonly ids: Set<string>
}

/**
 * Which rows were shown to whom since their last entry (audit-and-privacy-25). Each node has its own, and a restart
 * forgets them.
 */
export class Walks {
  readonly #clock: Clock
  readonly #walks = new Map<string, Walked>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts different rows. With more than 1,000 within a day, resolves when `write` has made their entry durable. */
  async add(who: string, ids: readonly string[], write: (ids: readonly string[]) => Promise<void>): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const known = this.#walks.get(who)
    const goesOn = known !== undefined && nowMs >= known.beganAtMs && nowMs < known.beganAtMs + WALK_MS
    const walk = goesOn ? known : { beganAtMs: nowMs, ids: new Set<string>() }
    for (const id of ids) walk.ids.add(id)
    // The order of the map is that of the last rows.
    this.#walks.delete(who)
    if (walk.ids.size <= ROWS_MAX) return this.#keep(who, walk)
    try {
      await write([...walk.ids])
    } catch (error) {
      // The rows were not sent, but those of the pages before were, and of other pages meanwhile.
      for (const id of this.#walks.get(who)?.ids ?? []) walk.ids.add(id)
      this.#walks.delete(who)
      this.#keep(who, walk)
      throw error
    }
  }

  #keep(who: string, walk: Walked): void {
    this.#walks.set(who, walk)
    const [oldest] = this.#walks.keys()
    if (this.#walks.size > WALKERS_MAX && oldest !== undefined) this.#walks.delete(oldest)
  }
}

/** What a server remembers of reads, to write one entry for several of them. */
export function rememberedReads(clock: Clock): { readonly partReads: PartReads; readonly walks: Walks } {
  return { partReads: new PartReads(clock), walks: new Walks(clock) }
}
