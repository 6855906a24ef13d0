/** Writes into the audit trail what an operation did, before its asker is answered (faults.md F-K5). */
import type { TSchema } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Audit, AuditEntry } from '../../ports/audit.ts'
import { Refusal } from './problem.ts'
import type { Answer, Asked, Audited, Route } from './route.ts'

/** What witnessing needs. */
export interface WitnessParts {
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
export interface Witness {
  /** Carries the operation out; of a change the entry is committed with it. */
  carryOut(handle: () => Promise<Answer>): Promise<Answer>
  /** Before the asker hears the answer. A read rejects when its entry cannot be kept: then nothing is shown. */
  tell(answer: Answer): Promise<void>
}

/**
 * What was refused leaves nothing: it did nothing. An asker for several corporations is on record in each: whose thing
 * it was is not known here, and a gap would be worse.
 */
export function witnessOf({ audit: statement, method, path }: Route, asked: AnyAsked, parts: WitnessParts): Witness {
  if ('none' in statement) return { carryOut: (handle) => handle(), tell: async () => {} }
  const operation = `${method} ${path}`
  const isRead = statement.action === 'read' || statement.action === 'export'
  return isRead ? readWitness(statement, operation, asked, parts) : changeWitness(statement, operation, asked, parts)
}

function readWitness(statement: Audited, operation: string, asked: AnyAsked, parts: WitnessParts): Witness {
  return {
    carryOut: (handle) => handle(),
    async tell(answer) {
      if (isRefused(answer)) return
      const entry = entryOf(statement, operation, asked, [asked.params, asked.query, answer.body], parts)
      try {
        await parts.audit.append(asked.asker.corporations, entry)
      } catch (error) {
        answer.stream?.destroy()
        throw error
      }
    },
  }
}

/** The intent knows what was asked, the entry also what was answered: the ids of what was made. */
function changeWitness(statement: Audited, operation: string, asked: AnyAsked, parts: WitnessParts): Witness {
  const { params, query, body } = asked
  const intent = entryOf(statement, operation, asked, [params, query, body], parts)
  const change = parts.audit.change(asked.asker.corporations, intent)
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
    async tell(answer) {
      const wasDone = !isRefused(answer) || (statement.keepsRefused && change.hasCommitted)
      if (!wasDone) return settle(() => change.refused())
      await settle(() => change.done(entryOf(statement, operation, asked, [params, query, answer.body], parts)))
    },
  }

  /** The change stands, and its intent with it, whatever happens now. */
  async function settle(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      parts.log.warn({ err: error, operation }, 'the audit trail takes the entry of a change later')
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
  { clock }: WitnessParts,
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
