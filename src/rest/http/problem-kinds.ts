/** Problem kinds, and the problems of operations (RFC 9457, D-06). */

/** Kind → HTTP status and title. The kind is the last part of the problem's `type`. */
export const KINDS = {
  badRequest: [400, 'Malformed request'],
  validation: [400, 'Request invalid'],
  unauthorized: [401, 'Not authenticated'],
  forbidden: [403, 'Not allowed'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  timeout: [408, 'Request timeout'],
  conflict: [409, 'Conflict'],
  stale: [412, 'Resource changed'],
  tooLarge: [413, 'Request too large'],
  uriTooLong: [414, 'URL too long'],
  unsupportedMediaType: [415, 'Media type not supported'],
  rangeNotSatisfiable: [416, 'Range not satisfiable'],
  misdirected: [421, 'Wrong server'],
  keyReused: [422, 'Idempotency key used for another request'],
  tooManyRequests: [429, 'Too many requests'],
  headersTooLarge: [431, 'Headers too large'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Service unavailable'],
  diskFull: [507, 'Disk full'],
} as const

/** Last part of a problem's `type`. */
export type ProblemKind = keyof typeof KINDS

/** One error in a request. `path` is for example `callTasks[3].callNumberList`; the value itself is never repeated. */
export interface FieldError {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** An error of an operation; the server adds the data of the request. */
export interface Problem {
  readonly kind: ProblemKind
  /** What is wrong, where, and what to do. Never a secret, a full phone number or SQL. */
  readonly detail: string
  readonly errors?: readonly FieldError[]
}
