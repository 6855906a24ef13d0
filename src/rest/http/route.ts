/** How an operation is written down: as data, which the server turns into a Fastify route and a line of OpenAPI. */
import type { Static, TSchema } from 'typebox'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Answer } from './answer.ts'
import type { Problem } from './problem-kinds.ts'
import type { ReceivedFile, UploadRules } from './upload-rules.ts'

/** What a credential may do (D-04). */
export const SCOPES = [
  'dialer:read',
  'dialer:write',
  'calls:read',
  'transcripts:read',
  'entities:read',
  'cases:read',
  'cases:write',
  'files:read',
  'files:write',
  'users:read',
  'webhooks:write',
  'config:write',
  'admin',
] as const

/** One of the rights that a credential may carry. */
export type Scope = (typeof SCOPES)[number]

/** Requests that share one allowance (D-31). */
export type RateClass = 'reads' | 'writes' | 'imports' | 'wideSearches' | 'state'

/** Who asks, once the three values have been proved. */
export interface Asker {
  /** The public id of the credential: the only one of the three values that may be written down. */
  readonly credential: string
  readonly scopes: ReadonlySet<Scope>
  /** Nothing of another corporation exists for this asker (D-04). */
  readonly corporations: readonly CorporationId[]
  /** The person behind it; absent for a system. */
  readonly user: { readonly id: number; readonly userName: string } | undefined
  readonly expiresAtMs: number
}

/** What is written into the audit trail when an operation was carried out (F-K5). */
export interface Audited {
  readonly action: 'read' | 'create' | 'change' | 'delete' | 'end' | 'send' | 'export' | 'erase'
  /** One word for the kind of thing: `recording`, `case`, `token`. */
  readonly object: string
  /** The field that says which ones, such as `cfreId`: looked for in path, query and answer. Ids alone, never names. */
  readonly by?: string
  /** The body's `reason` is kept as well: where one is asked for, which is where no name belongs into it. */
  readonly keepsReason?: true
  /** What it changed before it refused stays, and is on record: an erasure ends the dialing before all else. */
  readonly keepsRefused?: true
}

/** What an operation leaves in the audit trail; `none`: nothing, for this reason. */
export type AuditStatement = Audited | { readonly none: string }

/** Of operations that only show what needs no witness: no recording, transcript, summary, email, file or export. */
export const PLAIN_READ: AuditStatement = { none: 'it shows no words, sounds or files of people' }

/** What an operation is handed: checked against its schema, with the asker's rights proved. */
export interface Asked<Body extends TSchema, Query extends TSchema, Params extends TSchema> {
  readonly body: Static<Body>
  readonly query: Static<Query>
  readonly params: Static<Params>
  /** What came as files; they are kept only where the answer is no problem. */
  readonly files: readonly ReceivedFile[]
  readonly asker: Asker
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Where the request came from. */
  readonly address: string
  /** Names this request in the log; goes into what is remembered about it. */
  readonly traceId: string
}

/**
 * One operation. `path` is the canonical one, without `/rest`; both spellings are served (D-01). Fields that a schema
 * does not name are left out and reported in `svc-ignored-fields`; with `additionalProperties: false` they are refused
 * (D-05: search filters). `null` where a schema has no null means absent.
 */
export interface Route<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Undefined only where nobody needs to prove who they are. */
  readonly scope: Scope | 'any' | undefined
  /** Every change and every sensitive read is witnessed; `PLAIN_READ` for the others (F-K5). */
  readonly audit: AuditStatement
  readonly summary: string
  /** Longer, for the reference: what it does where the contract is silent, and why. */
  readonly description?: string
  readonly body?: Body
  /** A request without a body is one with `{}`. */
  readonly bodyMayBeAbsent?: true
  /** The body is a form with files; there is no `body` then. */
  readonly upload?: UploadRules
  readonly query?: Query
  readonly params?: Params
  /** Status → what is answered. Answers outside of it are our mistake, and tests say so. */
  readonly answers: Readonly<Record<number, TSchema>>
  /** Most bytes of a body; 1 MiB when absent (D-30). A function where the query decides. */
  readonly bodyBytesMax?: number | ((query: Readonly<Record<string, unknown>>) => number)
  /** Turns a problem into this operation's own error body, of the form that it answers 400 in (the import). */
  readonly problemBody?: (problem: Problem) => unknown
  /** What is counted against it (D-31); by its scope when absent: a scope that ends in `:read` reads. */
  readonly rate?: RateClass
  /** The three values may stand in the query (state alone, contract.md §5.1). */
  readonly takesQueryCredentials?: true
  /** `bytes` where the answer is no JSON, `csv` where it can be a table; JSON when absent. */
  readonly produces?: 'json' | 'bytes' | 'csv'
  /** Requests and answers as people would write them, shown in the reference. */
  readonly example?: { readonly body?: unknown; readonly answer?: unknown }
  handle(asked: Asked<Body, Query, Params>): Promise<Answer>
}

/** Keeps the types of one operation together; what it returns is what it was given. */
export function route<Body extends TSchema, Query extends TSchema, Params extends TSchema>(
  operation: Route<Body, Query, Params>,
): Route {
  return operation as unknown as Route
}
