/** Issues, lists, rotates and revokes integration credentials (D-03). An addition to the contract. */
import { Type } from 'typebox'
import type { CorporationId, UserId } from '../../kernel/ids.ts'
import type { Credential } from '../../ports/credentials.ts'
import type { Answer } from '../http/answer.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { CredentialValues } from '../http/credential-values.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { isNetwork } from '../http/ip-allow-list.ts'
import { Id, InstantIn, InstantOut, instantText, readInstant, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route, SCOPES, type Scope } from '../http/route.ts'
import { type CredentialRequest, issue, LIFE_MAX_MS, LIFE_MS } from './issue-credential.ts'

type TokenDependencies = RestDependencies & { readonly authenticator: Authenticator }

const HOUR_MS = 60 * 60_000
const OVERLAP_HOURS = 24
const OVERLAP_HOURS_MAX = 168

const NewToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: 'Purpose of the credential, shown in the list' }),
    userId: Type.Optional(Id('User of the credential; a system if absent')),
    scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length }),
    corpIds: Type.Array(Id('Corporation that the credential may access'), { minItems: 1, maxItems: 100 }),
    ipAllowList: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 100,
        description: 'IP addresses or networks, for example 10.0.0.0/8',
      }),
    ),
    expiresTs: Type.Optional(InstantIn('Expiry; default 365 days from now, at most 730 days')),
  },
  { additionalProperties: false },
)

const Issued = Type.Object({
  tokenv2: Type.String({ description: 'Secret; returned only once' }),
  rcntrl: Type.String({ description: 'Public id' }),
  ccntrl: Type.String({ description: 'Check value' }),
  expiresTs: InstantOut('Expiry'),
})

const Listed = Type.Object({
  rcntrl: Type.String(),
  name: Type.String(),
  userId: Type.Union([Type.Integer(), Type.Null()]),
  scopes: Type.Array(Type.String()),
  corpIds: Type.Array(Type.Integer()),
  ipAllowList: Type.Array(Type.String()),
  creationTs: InstantOut('Issue time'),
  expiresTs: InstantOut('Expiry'),
  lastUsedTs: InstantOut('Time of the last use, to the minute'),
  lastUsedIp: Type.Union([Type.String(), Type.Null()]),
})

const Name = Type.Object({ rcntrl: Type.String({ pattern: '^rc_[a-z2-7]{20}$', description: 'Public id' }) })

/** Requires the scope admin. */
export function tokenRoutes(dependencies: TokenDependencies): Route[] {
  return [issueRoute(dependencies), listRoute(dependencies), rotateRoute(dependencies), revokeRoute(dependencies)]
}

function issueRoute(dependencies: TokenDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/tokens',
    scope: 'admin',
    audit: { action: 'create', object: 'token', by: 'rcntrl' },
    summary: 'Issue a credential',
    body: NewToken,
    answers: { 201: Issued },
    async handle({ body, asker }) {
      const { name, userId, scopes, corpIds, ipAllowList = [], expiresTs } = body
      const nowMs = dependencies.clock.nowMs()
      const expiresAtMs = expiresTs === undefined ? nowMs + LIFE_MS : readInstant(expiresTs)
      const corporations = [...new Set(corpIds)] as CorporationId[]
      const errors = [
        ...wrongLife(expiresAtMs, nowMs),
        ...wrongCorporations(corporations, asker),
        ...wrongNetworks(ipAllowList),
        ...(await wrongUser(dependencies, userId as UserId | undefined, asker)),
      ]
      if (errors.length > 0 || expiresAtMs === undefined) {
        return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
      }
      const user = userId as UserId | undefined
      const request = { name, user, scopes: [...new Set(scopes)] as Scope[], corporations, ipAllowList, expiresAtMs }
      const { values, credential } = await issued(dependencies, request)
      await dependencies.credentials.addCredential(credential)
      return created(values, expiresAtMs)
    },
  })
}

function listRoute({ credentials: credentialRepository }: TokenDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/tokens',
    scope: 'admin',
    audit: { action: 'read', object: 'token' },
    summary: 'List credentials without their secrets',
    answers: { 200: Type.Array(Listed) },
    async handle({ asker }) {
      const credentials = await credentialRepository.credentials(asker.corporations)
      return { body: credentials.map(listed), headers: totals(credentials.length) }
    },
  })
}

const Rotate = Type.Object(
  { overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX })) },
  { additionalProperties: false },
)

function rotateRoute(dependencies: TokenDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/tokens/{rcntrl}/rotate',
    scope: 'admin',
    audit: { action: 'create', object: 'token', by: 'rcntrl' },
    summary: 'Rotate a credential',
    description: `Returns a new credential. The old one stays valid for overlapHours (default ${OVERLAP_HOURS}).`,
    params: Name,
    body: Rotate,
    bodyMayBeAbsent: true,
    answers: { 201: Issued },
    async handle({ params, body, asker }) {
      const old = await ownCredential(dependencies, params.rcntrl, asker)
      if (!old || old.sliding) return noSuchCredential()
      const nowMs = dependencies.clock.nowMs()
      const { name, user, corporations, ipAllowList } = old
      const scopes = old.scopes as Scope[]
      const expiresAtMs = nowMs + Math.min(LIFE_MAX_MS, Math.max(LIFE_MS, old.expiresAtMs - old.createdAtMs))
      const request = { name, user: user?.id, scopes, corporations, ipAllowList, expiresAtMs }
      const { values, credential } = await issued(dependencies, request)
      const untilAtMs = nowMs + (body.overlapHours ?? OVERLAP_HOURS) * HOUR_MS
      const isReplaced = await dependencies.credentials.replaceCredential(params.rcntrl, credential, untilAtMs)
      dependencies.authenticator.forget()
      return isReplaced ? created(values, expiresAtMs) : noSuchCredential()
    },
  })
}

function revokeRoute(dependencies: TokenDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/core/tokens/{rcntrl}',
    scope: 'admin',
    audit: { action: 'delete', object: 'token', by: 'rcntrl' },
    summary: 'Revoke a credential',
    description: 'Every node refuses it within 5 s.',
    params: Name,
    answers: { 204: Type.Unknown() },
    async handle({ params, asker }) {
      if (!(await ownCredential(dependencies, params.rcntrl, asker))) return noSuchCredential()
      const isRevoked = await dependencies.credentials.revokeCredential(params.rcntrl, dependencies.clock.nowMs())
      dependencies.authenticator.forget()
      return isRevoked ? { status: 204 } : noSuchCredential()
    },
  })
}

async function issued(
  { authenticator, clock, secretBytes, environment }: TokenDependencies,
  request: CredentialRequest,
) {
  const key = await authenticator.checkKey()
  return issue(request, { key, secretBytes, environment, nowMs: clock.nowMs() })
}

function created(values: CredentialValues, expiresAtMs: number): Answer {
  return {
    status: 201,
    headers: { location: `/rest/core/tokens/${values.rcntrl}` },
    body: { ...values, expiresTs: instantText(expiresAtMs) },
  }
}

/** Credentials with other corporations are invisible to the client. */
async function ownCredential(
  { credentials: credentialRepository }: TokenDependencies,
  rcntrl: string,
  asker: Asker,
): Promise<Credential | undefined> {
  const credential = await credentialRepository.credential(rcntrl)
  return credential?.corporations.every((id) => asker.corporations.includes(id)) ? credential : undefined
}

function noSuchCredential(): Answer {
  return refuse('notFound', 'there is no credential with this rcntrl')
}

function listed(credential: Credential) {
  const { realmControl, name, user, scopes, corporations, ipAllowList, createdAtMs, expiresAtMs } = credential
  return {
    rcntrl: realmControl,
    name,
    userId: user?.id ?? null,
    scopes,
    corpIds: corporations,
    ipAllowList,
    creationTs: instantText(createdAtMs),
    expiresTs: instantText(expiresAtMs),
    lastUsedTs: instantText(credential.lastUsedAtMs),
    lastUsedIp: credential.lastUsedIp ?? null,
  }
}

function wrongLife(expiresAtMs: number | undefined, nowMs: number): FieldError[] {
  const path = 'expiresTs'
  if (expiresAtMs === undefined)
    return [{ path, code: 'instant', message: 'must be an ISO 8601 timestamp with an offset' }]
  if (expiresAtMs <= nowMs) return [{ path, code: 'range', message: 'must be in the future' }]
  if (expiresAtMs > nowMs + LIFE_MAX_MS) return [{ path, code: 'range', message: 'must be within 730 days' }]
  return []
}

function wrongCorporations(corporations: readonly CorporationId[], asker: Asker): FieldError[] {
  const foreign = corporations.some((id) => !asker.corporations.includes(id))
  return foreign ? [{ path: 'corpIds', code: 'reference', message: 'there is no such corporation' }] : []
}

function wrongNetworks(entries: readonly string[]): FieldError[] {
  const message = 'must be an IP address or a network, for example 10.0.0.0/8'
  return entries.flatMap((entry, index) =>
    isNetwork(entry) ? [] : [{ path: `ipAllowList[${index}]`, code: 'network', message }],
  )
}

async function wrongUser(
  { directory }: TokenDependencies,
  userId: UserId | undefined,
  asker: Asker,
): Promise<FieldError[]> {
  if (userId === undefined) return []
  const user = await directory.user(userId)
  const isOwn = user?.active && asker.corporations.includes(user.corporation.id)
  return isOwn ? [] : [{ path: 'userId', code: 'reference', message: 'there is no such user' }]
}
