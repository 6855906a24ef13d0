/** Cases and their neighbours over HTTP: the typed client, and the same credential for requests as on the wire. */
import { expect } from 'vitest'
import { type Client, type Credential, connect } from '../../../src/client/client.ts'
import type { AnswerOf, Request } from '../../../src/client/request.ts'
import { credentialFrom, place } from './doors.ts'

/** An answer as it came. */
export interface Raw {
  readonly status: number
  readonly headers: Headers
  /** JSON where it is JSON, text elsewhere. */
  readonly body: never
  readonly bytes: Buffer
}

/** Whoever works with records. */
export interface Desk {
  readonly client: Client
  /** Null: a system without a user. */
  readonly userId: number | null
  /** `body`: a form or text as it is, anything else as JSON. */
  raw(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Raw>
  /** The same user with another credential, which has a rate of its own. */
  another(): Promise<Desk>
}

export type Case = AnswerOf<'POST /rest/svcems/case'>
export type Activity = AnswerOf<'GET /rest/svcems/activities'>[number]
type CaseIn = Request<'POST /rest/svcems/case'>['body']

/** A desk with every right; `options` of `token create`, such as `--user`, `rosa`. */
export async function openDesk(name: string, ...options: string[]): Promise<Desk> {
  return deskWith(await credentialFrom(place, name, ...options))
}

async function deskWith(credential: Credential): Promise<Desk> {
  const client = connect({ ssoUrl: place.ssoUrl, credential })
  const { userId, name, scopes, corporations } = await client.ask('GET /rest/core/activeuser')
  const { tokenv2, rcntrl, ccntrl } = credential
  return {
    client,
    userId,
    async raw(method, path, body, headers = {}) {
      const isPlain = body === undefined || body instanceof FormData || typeof body === 'string'
      const json = isPlain ? {} : { 'content-type': 'application/json' }
      const response = await fetch((await client.endpoint()) + path, {
        method,
        headers: { tokenv2, rcntrl, ccntrl, ...json, ...headers },
        ...(body !== undefined && { body: isPlain ? (body as FormData | string) : JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const isJson = response.headers.get('content-type')?.includes('json')
      const read = isJson ? JSON.parse(bytes.toString()) : bytes.toString()
      return { status: response.status, headers: response.headers, body: read as never, bytes }
    },
    async another() {
      const corpIds = corporations.map(({ corpId }) => corpId)
      const body = { name, scopes: scopes as never, corpIds, ...(userId !== null && { userId }) }
      return deskWith(await client.ask('POST /rest/core/tokens', { body }))
    },
  }
}

/** A case with a title, a status and an owner, which each must have; `fields` come over them. */
export async function makeCase({ client }: Desk, fields: CaseIn = {}): Promise<Case> {
  const body = { description: 'A case of the suite', status: 1, corporation: { corpId: 1 }, ...fields }
  return agreeing(await client.ask('POST /rest/svcems/case', { body }))
}

/** Changes a case by hand. */
export async function changeCase({ client }: Desk, eactId: number, fields: CaseIn): Promise<Case> {
  return agreeing(await client.ask('POST /rest/svcems/case', { body: { eactId, ...fields } }))
}

/** The case as it is now. */
export async function caseOf({ client }: Desk, eactId: number): Promise<Case> {
  const cases = await client.ask('POST /rest/svcems/cases/search', { body: { eactIds: [eactId] } })
  expect(cases).toHaveLength(1)
  const { texts, logs, ...head } = cases[0]!
  if (!texts || !logs) throw new Error(`case ${eactId} was answered without its comments and logs`)
  return agreeing({ ...head, texts, logs })
}

/** The case whose title or comment has this text; exactly one has. */
export async function caseNamed(desk: Desk, text: string): Promise<Case> {
  const cases = await desk.client.ask('POST /rest/svcems/cases/search', { body: { text } })
  expect(cases.map(({ description }) => description)).toHaveLength(1)
  return caseOf(desk, cases[0]!.eactId)
}

/** Whole activities, by id. */
export async function activitiesOf({ client }: Desk, ...eactId: number[]): Promise<readonly Activity[]> {
  const query = { eactId, getMembers: true, getFiles: true, getEmsTags: true }
  return client.ask('GET /rest/svcems/activities', { query })
}

/** Sources of the links of this type that lead to the record, oldest first. */
export function sourcesOf({ links, eactId }: Pick<Case, 'links' | 'eactId'>, type: number): number[] {
  const ours = links.filter((link) => link.type === type && link.to.eactId === eactId)
  return ours.map(({ from }) => from.eactId).sort((one, other) => one - other)
}

/** At every moment that anybody sees, the custom status has the status of the case (contract.md §3.1, rule 1). */
function agreeing(found: Case): Case {
  expect(found.emsStatus.internalStatus).toBe(found.status)
  return found
}
