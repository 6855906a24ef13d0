import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Audit } from '../../ports/audit.ts'
import type { Answer } from './answer.ts'
import { type AuditRecorder, auditRecorder, type PartReads, type Walks } from './audit-recorder.ts'
import type { Authenticator } from './authenticate.ts'
import { type CredentialValues, SESSION_SECRET } from './credential-values.ts'
import type { HttpApp, RequestState } from './http-app.ts'
import { type IdempotencyDependencies, useKey } from './idempotency.ts'
import { plainAddress } from './ip-allow-list.ts'
import { readJson, readJsonInTurns } from './parse-json.ts'
import type { FieldError, ProblemKind } from './problem-kinds.ts'
import { Refusal, refuse } from './problem-response.ts'
import { ADVICE, costOf, isWide, type RateLimits, rateClassOf } from './rate-limit.ts'
import { type BodyPlace, type BodyRoom, readBody } from './read-body.ts'
import type { Asked, Asker, RateClass, Route } from './route.ts'
import type { KeptAnswer } from './sealed-response.ts'
import { sessionOfRequest } from './session-cookie.ts'
import { discardFiles, receiveFiles } from './upload.ts'
import type { ReceivedFile, UploadRules } from './upload-rules.ts'
import { type InputReader, inputReader } from './validate-input.ts'
import { WIDE_PAGES_MAX, type WidePages } from './wide-pages.ts'

export interface Registrar extends IdempotencyDependencies {
  readonly clock: Clock
  readonly authenticator: Authenticator
  readonly rates: RateLimits
  readonly widePages: WidePages
  readonly bodyRoom: BodyRoom
  readonly partReads: PartReads
  readonly walks: Walks
  readonly audit: Audit
  readonly log: Log
  /** For tests: an answer that does not match its schema is an error. */
  readonly checksAnswers: boolean
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** D-30. */
const BODY_BYTES_MAX = 1024 * 1024
/** Larger bodies are parsed with pauses: parsing takes about 7 ms per MiB. */
const LARGE_BYTES = 256 * 1024
const EXPIRY_WARNING_MS = 30 * 24 * 60 * 60_000
/** Headers that are stored with an answer; the others are created anew. */
const KEPT_HEADERS = /^(location|etag|svc-(?!trace-id|api-version)|totalfound)/
const NO_ROOM = '; this node is working on as many large bodies as it has room for'
const REPLAYED = 'svc-idempotent-replay'
const ANONYMOUS: Asker = {
  credential: '',
  name: '',
  scopes: new Set(),
  corporations: [],
  user: undefined,
  boundTo: undefined,
  teams: undefined,
  expiresAtMs: 0,
}

/** Serves the operations and refuses other methods of their paths. Throws if two have the same method and path. */
export function registerRoutes(http: HttpApp, routes: readonly Route[], registrar: Registrar): void {
  const { app } = http
  const methodsOf = new Map<string, string[]>()
  // The body is read only after authentication, by the handler of the operation.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  for (const operation of routes) {
    const url = fastifyPath(operation.path)
    methodsOf.set(url, [...(methodsOf.get(url) ?? []), operation.method])
    const handle = handlerOf(operation, registrar)
    app.route({
      method: operation.method,
      url,
      config: { operation },
      onRequest: async (request, reply) => {
        const answer = await admit(operation, http.stateOf(request), request, reply, registrar)
        if (answer) return http.sendAnswer(request, reply, answer)
      },
      handler: async (request, reply) => {
        return http.sendAnswer(request, reply, await handle(request, http.stateOf(request), reply))
      },
    })
  }
  for (const [url, served] of methodsOf) {
    const allow = served.includes('GET') ? [...served, 'HEAD'] : served
    const refused = METHODS.filter((method) => !served.includes(method))
    app.route({ method: refused, url, config: { allow: allow.join(', ') }, handler: async () => undefined })
  }
}

/** `/v1/calltasks/{itcaId}/end` → `/v1/calltasks/:itcaId/end`. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Authentication, scope and rate limit, before the body is read. Undefined: the request may proceed. */
async function admit(
  operation: Route,
  state: RequestState,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, rates, clock }: Registrar,
): Promise<Answer | undefined> {
  const address = plainAddress(request.ip)
  const { scope } = operation
  const rateClass = rateClassOf(operation)
  const isByAddress = scope === undefined || rateClass === 'state'
  const take = (who: string) => takeRate(rateClass, who, { cost: costOf(operation) }, reply, { rates, clock })
  if (isByAddress) {
    const refused = take(address)
    if (refused || scope === undefined) return refused
  }
  const values = valuesOf(request, operation)
  const proof = await authenticator.prove(values, address)
  if (proof.proof === 'unknown') return notSignedOn()
  if (proof.proof === 'locked') return tooMany(Math.ceil(proof.waitMs / 1000))
  if (proof.owesFactor && operation.isForEnrolment !== true) return owesFactor()
  state.asker = proof.asker
  state.tokenv2 = values?.tokenv2 ?? ''
  reply.headers(expiryHeaders(proof.asker, clock.nowMs()))
  if (scope !== 'any' && scope !== undefined && !proof.asker.scopes.has(scope)) {
    return refuse('forbidden', `this credential lacks the scope ${scope}`)
  }
  return isByAddress ? undefined : take(proof.asker.credential)
}

/** Compiles the schemas of an operation once; returns its handler. */
function handlerOf(operation: Route, registrar: Registrar) {
  const readers = {
    params: operation.params && inputReader(operation.params, 'text'),
    query: operation.query && inputReader(operation.query, 'text'),
    body: operation.body && inputReader(operation.body, 'body'),
  }
  const check = registrar.checksAnswers ? answerChecker(operation) : () => {}
  const serve = async (request: FastifyRequest, state: RequestState, reply: FastifyReply, place: BodyPlace) => {
    const ignored: string[] = []
    const read = (reader: InputReader | undefined, value: unknown, where: string) => {
      if (!reader) return value
      const reading = reader(value)
      if (!reading.ok) throw new Refusal(invalid(reading.errors, where))
      ignored.push(...reading.ignored)
      return reading.value
    }
    const params = read(readers.params, request.params, 'address')
    const query = read(readers.query, ownQuery(request, operation), 'query')
    const { upload } = operation
    const files = upload ? await receiveFiles(request, upload, registrar.clock) : []
    const given = readers.body ? await bodyOf(request, operation, query, { ...registrar, place }) : undefined
    const body = read(readers.body, given, 'body')
    if (ignored.length > 0) reply.header('svc-ignored-fields', ignored.map(encodeURI).join(', ').slice(0, 1_000))
    const { asker = ANONYMOUS, traceId } = state
    if (operation.scope?.endsWith(':read') && isWide(body)) await takeWide(asker, reply, registrar)
    const countRows = (rows: number) => countImport(operation, asker, rows, reply, registrar)
    const about = { asker, traceId, headers: request.headers, address: request.ip, countRows }
    const asked = { params, query, body, files, ...about } as Parameters<Route['handle']>[0]
    const recorder = auditRecorder(operation, asked, registrar)
    const carried = keyed(operation, request, state, asked, { ...registrar, recorder })
    const answer = upload ? await keptOrDiscarded(carried, files, upload) : await carried
    check(answer)
    await recorder.record(answer)
    return answer
  }
  return async (request: FastifyRequest, state: RequestState, reply: FastifyReply): Promise<Answer> => {
    const place = registrar.bodyRoom.place()
    return await serve(request, state, reply, place).finally(() => place.leave())
  }
}

/** Executes the operation, or repeats the stored answer of the same key. */
async function keyed(
  operation: Route,
  request: FastifyRequest,
  { asker, tokenv2 }: RequestState,
  asked: Asked<TSchema, TSchema, TSchema>,
  registrar: Registrar & { readonly recorder: AuditRecorder },
): Promise<Answer> {
  const key = request.headers['idempotency-key']
  const execute = () => registrar.recorder.carryOut(() => operation.handle(asked))
  if (operation.method !== 'POST' || key === undefined || !asker) return execute()
  const route = `${operation.method} ${operation.path}`
  const { url, headers } = request
  // The same file sent again has another storage name.
  const body = operation.upload ? asked.files.map(({ storage, ...file }) => file) : asked.body
  const keyedRequest = { credential: asker.credential, tokenv2, route, key: String(key), url, body, headers }
  const verdict = await useKey(registrar, keyedRequest)
  if (verdict.verdict === 'refused') return verdict.answer
  if (verdict.verdict === 'again') return repeated(verdict.answer)
  let kept: KeptAnswer | undefined | 'broken off' = 'broken off'
  try {
    const answer = await (operation.goesOn ? execute() : verdict.run(execute))
    kept = keptOf(answer)
    return answer
  } catch (error) {
    if (error instanceof Refusal) kept = undefined
    throw error
  } finally {
    // The operation is done: the client gets the answer even if it cannot be stored.
    await verdict.settle(kept).catch((error: unknown) => {
      registrar.log.warn({ error: String(error), route }, 'answer for an idempotency key not stored')
    })
  }
}

/** Deletes files unless the operation succeeded or may have: an orphaned file is better than a record without one. */
async function keptOrDiscarded(
  carried: Promise<Answer>,
  files: readonly ReceivedFile[],
  { store, isTemporary }: UploadRules,
): Promise<Answer> {
  let mayBeKept = false
  try {
    const answer = await carried
    mayBeKept = !answer.problem && !answer.headers?.[REPLAYED]
    return answer
  } catch (error) {
    mayBeKept = !(error instanceof Refusal)
    throw error
  } finally {
    if (isTemporary || !mayBeKept) await discardFiles(files, store)
  }
}

/** The answer to store; problems and streams are not stored. */
function keptOf({ status = 200, headers = {}, body, stream, problem }: Answer): KeptAnswer | undefined {
  if (stream || problem) return undefined
  const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name.toLowerCase()))
  return { status, headers: Object.fromEntries(kept), body: JSON.stringify(body) ?? '' }
}

function repeated({ status, headers, body }: KeptAnswer): Answer {
  const parsed = body === '' ? {} : { body: JSON.parse(body) as unknown }
  return { status, headers: { ...headers, [REPLAYED]: 'true' }, ...parsed }
}

/** The parsed body; undefined if it is empty. Throws a `Refusal` if it is invalid. */
async function bodyOf(
  request: FastifyRequest,
  operation: Route,
  query: unknown,
  { clock, place }: { readonly clock: Clock; readonly place: BodyPlace },
): Promise<unknown> {
  const { bodyBytesMax = BODY_BYTES_MAX } = operation
  const bytesMax = typeof bodyBytesMax === 'number' ? bodyBytesMax : bodyBytesMax(query as Record<string, unknown>)
  const fail = (kind: ProblemKind, detail: string): never => {
    throw new Refusal(refuse(kind, detail))
  }
  const announcedBytes = Number(request.headers['content-length'] ?? bytesMax)
  if (announcedBytes > bytesMax) fail('tooLarge', tooLarge(bytesMax))
  const isLarge = bytesMax > BODY_BYTES_MAX && announcedBytes > LARGE_BYTES
  if (isLarge && !place.take(announcedBytes)) throw new Refusal(tooMany(1, NO_ROOM))
  const bytes = await readBody(request.raw, bytesMax, clock)
  if (bytes === 'too large') return fail('tooLarge', tooLarge(bytesMax))
  if (bytes === 'too slow') return fail('timeout', 'the body was sent too slowly')
  if (bytes === 'broken off') return fail('badRequest', 'the body is incomplete')
  if (bytes.length === 0) return operation.bodyMayBeAbsent ? {} : undefined
  if (operation.isForm) return formOf(bytes, request.headers['content-type'], fail)
  if (!isJsonType(request.headers['content-type']))
    return fail('unsupportedMediaType', 'unsupported media type; send application/json in UTF-8')
  const reading = bytes.length > LARGE_BYTES ? await readJsonInTurns(bytes, () => turn(clock)) : readJson(bytes)
  return reading.ok ? reading.value : fail('badRequest', `the body ${reading.why}`)
}

function formOf(bytes: Buffer, type: string | undefined, fail: (kind: ProblemKind, detail: string) => never): unknown {
  const form = 'application/x-www-form-urlencoded'
  if (type?.split(';')[0]?.trim().toLowerCase() !== form)
    return fail('unsupportedMediaType', `unsupported media type; send ${form}`)
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
}

/** Lets other requests run. */
export function turn(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.schedule(clock.nowMs(), resolve))
}

function tooLarge(bytesMax: number): string {
  return `the body exceeds ${Math.floor(bytesMax / 1024)} KiB`
}

/** A request without a Content-Type counts as JSON (D-05). */
function isJsonType(header: string | undefined): boolean {
  if (header === undefined) return true
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  return type.trim() === 'application/json' && (!charset || /^charset="?utf-8"?$/.test(charset))
}

function ownQuery({ query }: FastifyRequest, { takesQueryCredentials }: Route): unknown {
  if (!takesQueryCredentials) return query
  const { tokenv2, rcntrl, ccntrl, ...rest } = query as Record<string, unknown>
  return rest
}

/** Headers take precedence over the query, and both over the cookie; a partial credential counts as none. */
function valuesOf(
  { headers, query, method }: FastifyRequest,
  { takesQueryCredentials, isPlayed }: Route,
): CredentialValues | undefined {
  const pick = (from: unknown): CredentialValues | undefined => {
    const { tokenv2, rcntrl, ccntrl } = from as Readonly<Record<string, unknown>>
    const isWhole = typeof tokenv2 === 'string' && typeof rcntrl === 'string' && typeof ccntrl === 'string'
    return isWhole && !tokenv2.startsWith(SESSION_SECRET) ? { tokenv2, rcntrl, ccntrl } : undefined
  }
  const isInHeaders = ['tokenv2', 'rcntrl', 'ccntrl'].some((name) => headers[name] !== undefined)
  if (isInHeaders) return pick(headers)
  return (takesQueryCredentials ? pick(query) : undefined) ?? sessionOfRequest(headers, method, isPlayed === true)
}

function expiryHeaders({ expiresAtMs }: Asker, nowMs: number): Record<string, string> {
  if (expiresAtMs > nowMs + EXPIRY_WARNING_MS) return {}
  return { 'svc-token-expires': new Date(expiresAtMs).toISOString() }
}

type Rates = Pick<Registrar, 'rates' | 'clock'>

/** Counts a request, and says in the headers what is left. The answer to one that is too many. */
function takeRate(
  kind: RateClass,
  who: string,
  cost: Parameters<RateLimits['take']>[3],
  reply: FastifyReply,
  { rates, clock }: Rates,
): Answer | undefined {
  const { isGranted, headers } = rates.take(kind, who, clock.nowMs(), cost)
  reply.headers(headers)
  return isGranted ? undefined : tooMany(undefined, ADVICE[kind])
}

async function takeWide({ credential }: Asker, reply: FastifyReply, registrar: Registrar): Promise<void> {
  const { widePages } = registrar
  const refused = takeRate('wideSearches', credential, { cost: 1 }, reply, registrar)
  if (refused) throw new Refusal(refused)
  if (await widePages.enter(credential, reply.raw)) return
  throw new Refusal(tooMany(1, `; ${WIDE_PAGES_MAX} long pages are sent at a time: read one to its end first`))
}

function countImport(operation: Route, { credential }: Asker, rows: number, reply: FastifyReply, rates: Rates): void {
  const cost = rows - costOf(operation)
  const refused = cost > 0 ? takeRate('imports', credential, { cost, next: rows }, reply, rates) : undefined
  if (refused) throw new Refusal(refused)
}

function invalid(errors: readonly FieldError[], where: string): Answer {
  const [first] = errors
  const place = first && first.path !== '' ? first.path : `the ${where}`
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return refuse('validation', first ? `${place}: ${first.message}${more}` : `the ${where} is invalid`, {
    errors,
  })
}

function notSignedOn(): Answer {
  return refuse(
    'unauthorized',
    'authentication failed; send tokenv2, rcntrl and ccntrl of a valid credential as headers',
  )
}

function owesFactor(): Answer {
  const message =
    'the role of this person needs a second factor: turn it on first, under the address of the console or with ' +
    'POST and PUT /rest/core/session/second-factor'
  return refuse('forbidden', message, { errors: [{ path: 'secondFactor', code: 'required', message }] })
}

function tooMany(waitS?: number, advice = ''): Answer {
  const headers = waitS === undefined ? undefined : { 'retry-after': String(Math.max(1, waitS)) }
  const detail = `too many requests; retry after the time in Retry-After${advice}`
  return refuse('tooManyRequests', detail, headers ? { headers } : {})
}

function answerChecker(operation: Route): (answer: Answer) => void {
  const validators = new Map(Object.entries(operation.answers).map(([status, schema]) => [status, Compile(schema)]))
  return ({ status = 200, body, stream, problem }) => {
    if (stream || problem) return
    const validator = validators.get(String(status))
    const name = `${operation.method} ${operation.path}`
    if (!validator) throw new Error(`${name} answered ${status}, which it does not declare`)
    const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
    if (sent === undefined || validator.Check(sent)) return
    throw new Error(`${name} answered ${status} in another shape: ${JSON.stringify(validator.Errors(sent))}`)
  }
}
