/** The kinds of problems, and a problem as an operation says it (RFC 9457, D-06). */

/** Kind of a problem → its HTTP status and its short name. The kind is the end of the problem's `type`. */
export const KINDS = {
  badRequest: [400, 'Request not understood'],
  validation: [400, 'Request invalid'],
  unauthorized: [401, 'Not signed on'],
  forbidden: [403, 'Not allowed'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  timeout: [408, 'Request too slow'],
  conflict: [409, 'Conflict'],
  stale: [412, 'Changed since'],
  tooLarge: [413, 'Request too large'],
  uriTooLong: [414, 'Address too long'],
  unsupportedMediaType: [415, 'Media type not supported'],
  rangeNotSatisfiable: [416, 'Range not satisfiable'],
  misdirected: [421, 'Wrong server'],
  keyReused: [422, 'Idempotency key used for another request'],
  tooManyRequests: [429, 'Too many requests'],
  headersTooLarge: [431, 'Headers too large'],
  internal: [500, 'Our mistake'],
  unavailable: [503, 'Not available just now'],
  diskFull: [507, 'No room left'],
} as const

/** Every kind of problem that an operation may meet. */
export type ProblemKind = keyof typeof KINDS

/** One thing wrong with a request. `path` is where, as `callTasks[3].callNumberList`; never the value itself. */
export interface FieldError {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** A problem as an operation says it; the server adds what it knows of the request. */
export interface Problem {
  readonly kind: ProblemKind
  /** A sentence: what is wrong, where, what to do. Never a secret, a full number or SQL. */
  readonly detail: string
  readonly errors?: readonly FieldError[]
}
