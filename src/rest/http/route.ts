/** Declaration of an operation; the server derives the Fastify route and the OpenAPI entry from it. */
import type { Static, TSchema } from 'typebox'
import type { CorporationId, TeamName, UserId } from '../../kernel/ids.ts'
import type { Answer } from './answer.ts'
import type { Problem } from './problem-kinds.ts'
import type { ReceivedFile, UploadRules } from './upload-rules.ts'

/** Scopes of credentials (D-04). */
export const SCOPES = [
  'dialer:read',
  'dialer:write',
  'calls:read',
  'transcripts:read',
  'entities:read',
  'entities:write',
  'cases:read',
  'cases:write',
  'files:read',
  'files:write',
  'users:read',
  'webhooks:write',
  'flows:write',
  'config:write',
  'admin',
] as const

export type Scope = (typeof SCOPES)[number]

/** Requests of one class share a rate limit (D-31). */
export type RateClass = 'reads' | 'writes' | 'imports' | 'wideSearches' | 'state'

export interface Asker {
  /** The public id of the credential: the only one of the three values that may be logged. */
  readonly credential: string
  /** What the credential was named by who created it. */
  readonly name: string
  readonly scopes: ReadonlySet<Scope>
  /** Data of other corporations is invisible to this client (D-04). */
  readonly corporations: readonly CorporationId[]
  /** The user of the credential; absent for a system. */
  readonly user: { readonly id: number; readonly userName: string } | undefined
  /**
   * Set for a user who does not supervise, and for a supervisor of teams: sees their teams' campaigns and their own
   * calls alone (rest-24, rest-35).
   */
  readonly boundTo: UserId | undefined
  /** Set for a supervisor who was given teams: sees and acts upon these alone (rest-35). */
  readonly teams: readonly TeamName[] | undefined
  readonly expiresAtMs: number
}

/** False for the credential of an agent, and of whoever else has no `dialer:write` (rest-24). */
export function isSupervising({ boundTo, teams }: Pick<Asker, 'boundTo' | 'teams'>): boolean {
  return boundTo === undefined || teams !== undefined
}

/** The audit entry of an operation (F-K5). */
export interface Audited {
  readonly action: 'read' | 'create' | 'change' | 'delete' | 'end' | 'send' | 'export' | 'erase'
  /** Type of the object: `recording`, `case`, `token`. */
  readonly object: string
  /** The id field, such as `cfreId`: searched in path, query and answer. Ids only, never names. */
  readonly by?: string
  /** The entry includes the body's `reason`, which must not contain names. */
  readonly keepsReason?: true
  /** The entry lists the `files` of the body as its reason, by `cfreId`. */
  readonly keepsFiles?: true
  /** Parts (`Range`) that the same client fetches from the same address within ten minutes are one read. */
  readonly partsAreOneRead?: true
  /** A refused request may have changed something: an erasure stops dialing first. */
  readonly keepsRefused?: true
}

/**
 * The audit entry of an operation; `none`: no entry, for this reason. `wide`: the entry of a long page of persons.
 * `walk`: the entry of many short pages together (audit-and-privacy-25).
 */
export type AuditStatement = Audited | { readonly none: string; readonly wide?: Audited; readonly walk?: Walk }

/** Rows of an answer with this id field are counted for who asked; `Audited.by` is needed. */
type Walk = Audited & { readonly by: string }

/** For reads that are not audited because they expose no recording, transcript, summary, email, file or export. */
export const PLAIN_READ: AuditStatement = { none: 'it exposes no recording, text or file of a person' }

/** For searches of persons: a page of more than 1,000 rows is an export, and its entry says how many it asked for. */
export const SEARCH_OF_PERSONS = (object: string): AuditStatement => ({
  none: 'a short page is what a screen shows',
  wide: { action: 'export', object },
})

/**
 * For lists of calls, activities or contacts: whoever is shown more than 1,000 of them exports them, however short the
 * pages. `by` is the id field of a row.
 */
export const SHOWN_ROWS = (object: string, by = 'eactId'): AuditStatement => ({
  none: 'a few rows are what a screen shows; they expose no recording, text or file',
  walk: { action: 'export', object, by },
})

/** A validated and authorized request. */
export interface Asked<Body extends TSchema, Query extends TSchema, Params extends TSchema> {
  readonly body: Static<Body>
  readonly query: Static<Query>
  readonly params: Static<Params>
  /** Uploaded files; they are deleted if the answer is a problem. */
  readonly files: readonly ReceivedFile[]
  readonly asker: Asker
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly address: string
  /** Identifies the request in the log and the audit trail. */
  readonly traceId: string
  /** Counts the rows of an import, those that were counted before included. Throws the answer 429 as a `Refusal`. */
  readonly countRows: (rows: number) => void
}

/**
 * One operation. `path` is canonical, without `/rest`; both spellings are served (D-01). Unknown fields are ignored and
 * reported in `svc-ignored-fields`; with `additionalProperties: false` they are refused (D-05: search filters). `null`
 * means absent unless the schema allows null.
 */
export interface Route<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Undefined for operations without authentication. */
  readonly scope: Scope | 'any' | undefined
  /** Every change and every sensitive read is audited; `PLAIN_READ` for other reads (F-K5). */
  readonly audit: AuditStatement
  readonly summary: string
  /** For the reference: details that the contract does not specify. */
  readonly description?: string
  readonly body?: Body
  /** What reference and client show where `body` reads more: every valid body of this schema is read as it is. */
  readonly shownBody?: TSchema
  /** The body is `application/x-www-form-urlencoded`, each name once. */
  readonly isForm?: true
  /** A missing body counts as `{}`. */
  readonly bodyMayBeAbsent?: true
  /** The body is a form with files; excludes `body`. */
  readonly upload?: UploadRules
  readonly query?: Query
  readonly params?: Params
  /** Status → schema of the answer. Tests check answers against it. */
  readonly answers: Readonly<Record<number, TSchema>>
  /** Maximum body size; default 1 MiB (D-30). A function if it depends on the query. */
  readonly bodyBytesMax?: number | ((query: Readonly<Record<string, unknown>>) => number)
  /** Own error body, with the schema of the 400 answer (the import). */
  readonly problemBody?: (problem: Problem) => unknown
  /** Rows that a request of the class `imports` counts before its body is read; the class has a usual figure. */
  readonly leastRows?: number
  /** Rate limit class (D-31); derived from the scope if absent: `:read` scopes are reads. */
  readonly rate?: RateClass
  /** The three values may be in the query (state only, contract.md §5.1). */
  readonly takesQueryCredentials?: true
  /** An audio element of the console may fetch it with the cookie alone (console-13). */
  readonly isPlayed?: true
  /** Also served to a person who has yet to turn on the second factor that their role demands (rest-38). */
  readonly isForEnrolment?: true
  /** In several transactions, and twice is harmless: after an error it goes on where it is sent again (rest-46). */
  readonly goesOn?: true
  /** Format of the answer; `csv` may also be JSON. Default JSON. */
  readonly produces?: 'json' | 'bytes' | 'csv'
  readonly example?: { readonly body?: unknown; readonly answer?: unknown }
  handle(asked: Asked<Body, Query, Params>): Promise<Answer>
}

/** Infers the types of an operation; returns its argument. */
export function route<Body extends TSchema, Query extends TSchema, Params extends TSchema>(
  operation: Route<Body, Query, Params>,
): Route {
  return operation as unknown as Route
}
