/** Writes into the audit trail what an operation did, before its asker is answered (F-K5). */
import type { TSchema } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Audit, AuditEntry } from '../../ports/audit.ts'
import type { Answer } from './answer.ts'
import { Refusal } from './problem.ts'
import type { Asked, Audited, Route } from './route.ts'

/** What witnessing needs. */
export interface AuditRecorderDependencies {
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
}

/** Named in one entry; of a longer list there is the count. */
const IDS_MAX = 100
/** What an id looks like: a name or a number of a person is never taken for one. */
const ID = /^[\w-]{1,64}$/
/** As deep as our answers are, and as far as a look takes no time. */
const DEPTH_MAX = 6
const LOOKS_MAX = 20_000

/** Sees to it that one request leaves its entry. */
export interface AuditRecorder {
  /** Carries the operation out; of a change the entry is committed with it. */
  carryOut(handle: () => Promise<Answer>): Promise<Answer>
  /** Before the asker hears the answer. A read rejects when its entry cannot be kept: then nothing is shown. */
  record(answer: Answer): Promise<void>
}

/**
 * What was refused leaves nothing: it did nothing. An asker for several corporations is on record in each: whose thing
 * it was is not known here, and a gap would be worse.
 */
export function auditRecorder(
  { audit: statement, method, path }: Route,
  asked: AnyAsked,
  dependencies: AuditRecorderDependencies,
): AuditRecorder {
  if ('none' in statement) return { carryOut: (handle) => handle(), record: async () => {} }
  const operation = `${method} ${path}`
  const isRead = statement.action === 'read' || statement.action === 'export'
  return isRead
    ? readRecorder(statement, operation, asked, dependencies)
    : changeRecorder(statement, operation, asked, dependencies)
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
      const entry = entryOf(statement, operation, asked, [asked.params, asked.query, answer.body], dependencies)
      try {
        await dependencies.audit.append(asked.asker.corporations, entry)
      } catch (error) {
        answer.stream?.destroy()
        throw error
      }
    },
  }
}

/** The intent knows what was asked, the entry also what was answered: the ids of what was made. */
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
        // Of any other error nobody knows what came of it: what was committed stays on record.
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

  /** The change stands, and its intent with it, whatever happens now. */
  async function settle(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      dependencies.log.warn({ err: error, operation }, 'the audit trail takes the entry of a change later')
    }
  }
}

type AnyAsked = Asked<TSchema, TSchema, TSchema>

function isRefused(answer: Answer): boolean {
  return answer.problem !== undefined || (answer.status ?? 200) >= 400
}

function entryOf(
  { action, object, by, keepsReason }: Audited,
  operation: string,
  { asker, address, traceId, body }: AnyAsked,
  places: readonly unknown[],
  { clock }: AuditRecorderDependencies,
): AuditEntry {
  const found = by === undefined ? [] : idsIn(by, places)
  return {
    ...{ atMs: clock.nowMs(), credential: asker.credential, user: asker.user?.id ?? null, action, object },
    ...{ ids: found.slice(0, IDS_MAX), count: found.length, operation },
    ...{ reason: keepsReason ? reasonOf(body) : null, address, traceId },
  }
}

/** The different values of a field, wherever it stands. */
function idsIn(field: string, places: readonly unknown[]): string[] {
  const found = new Set<string>()
  let looks = 0
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || looks++ > LOOKS_MAX) return
    for (const [name, inner] of Object.entries(value)) {
      const isId = name === field && (typeof inner === 'number' || typeof inner === 'string') && ID.test(String(inner))
      if (isId) found.add(String(inner))
      else look(inner, depth + 1)
    }
  }
  for (const place of places) look(place, 0)
  return [...found]
}

function reasonOf(body: unknown): string | null {
  const { reason } = (body ?? {}) as { reason?: unknown }
  return typeof reason === 'string' ? reason.toWellFormed() : null
}
