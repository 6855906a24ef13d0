import type { Readable } from 'node:stream'
import type { Problem } from './problem-kinds.ts'

/**
 * What an operation answers; 200 unless it says otherwise. A stream is sent as it is, with `headers`. A problem is
 * made by `refuse` of `problem.ts`, and takes the place of the body.
 */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly stream?: Readable
  readonly problem?: Problem
}
