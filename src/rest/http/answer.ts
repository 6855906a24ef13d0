import type { Readable } from 'node:stream'
import type { Problem } from './problem-kinds.ts'

/** Response of an operation; the default status is 200. A problem, made by `refuse`, replaces the body. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly stream?: Readable
  /** What the stream is about, for the audit trail: it is written before the stream is read. */
  readonly about?: unknown
  readonly problem?: Problem
}
