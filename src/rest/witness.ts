/** Writes into the audit trail what an operation did, before its asker is answered (faults.md F-K5). */

import type { TSchema } from 'typebox'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Audit, AuditEntry } from '../ports/audit.ts'
import type { Answer, Asked, Route } from './route.ts'

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

/**
 * What was refused leaves nothing: it did nothing. A read rejects when its entry cannot be kept: then nothing is
 * shown. A change stands already; its asker is answered, and the entry goes to the log. An asker for several
 * corporations is on record in each: whose thing it was is not known here, and a gap would be worse.
 */
export async function witness(
  { audit: statement, method, path }: Route,
  asked: Asked<TSchema, TSchema, TSchema>,
  answer: Answer,
  { audit, clock, log }: WitnessParts,
): Promise<void> {
  if ('none' in statement || answer.problem || (answer.status ?? 200) >= 400) return
  const { asker, address, traceId } = asked
  const found = statement.by === undefined ? [] : idsIn(statement.by, [asked.params, asked.query, answer.body])
  const reason = statement.keepsReason ? reasonOf(asked.body) : null
  const entry: AuditEntry = {
    ...{ atMs: clock.nowMs(), credential: asker.credential, user: asker.user?.id ?? null },
    ...{ action: statement.action, object: statement.object, ids: found.slice(0, IDS_MAX) },
    ...{ count: found.length, operation: `${method} ${path}`, reason, address, traceId },
  }
  try {
    await audit.append(asker.corporations, entry)
  } catch (error) {
    if (statement.action === 'read' || statement.action === 'export') {
      answer.stream?.destroy()
      throw error
    }
    log.error({ err: error, entry }, 'a change stands without its entry in the audit trail')
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
