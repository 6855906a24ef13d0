/** A small debt-collection system, as an integrator would run it: answers `GET /CaseInfo/:number` (contract.md §4). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../src/kernel/clock.ts'
import { type RunningServer, sendJson, serve } from './web-server.ts'

/** A case. The contract does not fix the property names. */
export interface CaseInfo {
  readonly caseNumber: string
  readonly caseCategory: string
  readonly caseHandlerName: string
  /** ISO 8601; null while the case is open. */
  readonly closedDate: string | null
  readonly remainingAmount: number
  readonly paymentAccount: string
  readonly paymentReference: string
  readonly paymentUrl: string
  /** The debtor's, on file. */
  readonly phoneNumber?: string
}

/** 4711: open, consumer. 4712: closed. 4713: open, business. 4714: open, consumer, a small amount. */
export const EXAMPLE_CASES: readonly CaseInfo[] = [
  exampleCase('4711', { remainingAmount: 120.5, caseHandlerName: 'Anna Berg' }),
  exampleCase('4712', { remainingAmount: 0, closedDate: '2026-02-14T09:30:00Z' }),
  exampleCase('4713', { remainingAmount: 18_250, caseCategory: 'business', caseHandlerName: 'Bo Holm' }),
  exampleCase('4714', { remainingAmount: 9.9 }),
]

const SLOW_MS = 30_000
const LARGE_BYTES = 10 * 1024 * 1024

type Answer = (answer: { response: ServerResponse; found: CaseInfo; clock: Clock }) => void

/** Wrong answers about a case. */
const MISBEHAVIOURS = {
  slow: ({ response, found, clock }) => {
    const late = clock.schedule(clock.nowMs() + SLOW_MS, () => sendJson(response, 200, found))
    response.once('close', () => late.cancel())
  },
  notFound: ({ response }) => sendJson(response, 404, { error: 'no such case' }),
  serverError: ({ response }) => sendJson(response, 500, { error: 'the database is away' }),
  garbage: ({ response }) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"closedDate":'),
  notAnObject: ({ response, found }) => sendJson(response, 200, [found]),
  missingField: ({ response, found: { closedDate: _, ...rest } }) => sendJson(response, 200, rest),
  tooLarge: ({ response, found }) => sendJson(response, 200, { ...found, padding: 'x'.repeat(LARGE_BYTES) }),
  redirect: ({ response }) => response.writeHead(302, { location: '/CaseInfo/4714' }).end(),
  otherCase: ({ response, found }) => sendJson(response, 200, { ...found, caseNumber: '9999' }),
  resets: ({ response }) => response.destroy(),
} satisfies Record<string, Answer>

/** A way to answer wrongly. `slow` is 30 s, `tooLarge` 10 MB; `resets` breaks the connection off. */
export type Misbehaviour = keyof typeof MISBEHAVIOURS

/** A running debt-collection system and its requests. */
export interface Integrator extends RunningServer {
  /** Every request so far, also the refused ones. */
  readonly requests: number
  /** Requests about one case. */
  requestsFor(caseNumber: string): number
  /** Answers wrongly about this case from now on; undefined: correctly again. */
  misbehave(caseNumber: string, how: Misbehaviour | undefined): void
}

/** Other authorizations get 401. */
export interface IntegratorOptions {
  readonly clock: Clock
  /** The value that the `Authorization` header must have. */
  readonly authorization: string
  /** Default: `EXAMPLE_CASES`. */
  readonly cases?: readonly CaseInfo[]
}

/** Starts it on loopback. Rejects only when no port is free. */
export async function startIntegrator(options: IntegratorOptions): Promise<Integrator> {
  const { clock, authorization, cases = EXAMPLE_CASES } = options
  const counts = new Map<string, number>()
  const misbehaviours = new Map<string, Misbehaviour>()
  let requests = 0

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests++
    const caseNumber = caseNumberOf(request)
    if (request.headers.authorization !== authorization) return sendJson(response, 401, { error: 'not authorised' })
    if (caseNumber === undefined) return sendJson(response, 404, { error: 'no such address' })
    counts.set(caseNumber, (counts.get(caseNumber) ?? 0) + 1)
    const found = cases.find((known) => known.caseNumber === caseNumber)
    const how = misbehaviours.get(caseNumber)
    if (how) MISBEHAVIOURS[how]({ response, found: found ?? exampleCase(caseNumber, {}), clock })
    else if (found) sendJson(response, 200, found)
    else sendJson(response, 404, { error: 'no such case' })
  }

  const server = await serve(answer)
  return {
    ...server,
    get requests() {
      return requests
    },
    requestsFor: (caseNumber) => counts.get(caseNumber) ?? 0,
    misbehave: (caseNumber, how) => {
      if (how) misbehaviours.set(caseNumber, how)
      else misbehaviours.delete(caseNumber)
    },
  }
}

function caseNumberOf({ method, url = '' }: IncomingMessage): string | undefined {
  const match = method === 'GET' ? /^\/CaseInfo\/([^/?]{1,200})$/.exec(url) : null
  try {
    return match ? decodeURIComponent(match[1]!) : undefined
  } catch {
    return undefined // A half percent sign names no case.
  }
}

function exampleCase(caseNumber: string, differences: Partial<CaseInfo>): CaseInfo {
  return {
    caseNumber,
    caseCategory: 'consumer',
    caseHandlerName: 'Carla Dahl',
    closedDate: null,
    remainingAmount: 50,
    paymentAccount: 'EE382200221020145685',
    paymentReference: `90${caseNumber}`,
    paymentUrl: `https://pay.example/${caseNumber}`,
    ...differences,
  }
}
