/** A world in which every request is allowed, and the check of its answers. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { UserId } from '../../src/kernel/ids.ts'
import { signOnRoutes } from '../../src/rest/access/sign-on.ts'
import { type Route, SCOPES } from '../../src/rest/http/route.ts'
import { nameOf, type SpoiledRequest } from './malformed-requests.ts'
import { OURS, THEIRS } from './rest-world.ts'
import { type Ids, openWholeWorld, settle } from './whole-world.ts'

/** The answer to a request; `fault`: what is wrong with it. */
export interface Judged {
  readonly status: number
  readonly fault: string | undefined
}

/** Two corporations with something of everything, and an agent of one of them with every right. */
export interface MalformedWorld {
  readonly routes: readonly Route[]
  readonly ids: Ids
  /** Sends a request and checks the answer: no 5xx, no internals, the form that the document promises. */
  judge(request: SpoiledRequest): Promise<Judged>
  close(): Promise<void>
}

/** Sign-on is tried from another address: too many failures lock an address out everywhere. */
const ELSEWHERE = '203.0.113.9'

/** Opens it. */
export async function openMalformedWorld(): Promise<MalformedWorld> {
  const world = await openWholeWorld(false)
  const us = await settle(world, OURS, 'ours', 1)
  // An agent of the configuration with every right: no request is refused before it is read.
  const user = { id: us.ids['userId'] as UserId, userName: 'user-ours', active: true, teams: [] }
  const as = await world.credential(SCOPES, [OURS], { user })
  await settle(world, THEIRS, 'theirs', 2)
  const signOn = signOnRoutes({ ...world.parts, authenticator: world.rest.authenticator })
  const isSignOn = new Set(signOn.map(nameOf))
  const isKept = answerJudge((await world.call('GET', '/openapi.json')).body)
  return {
    routes: [...signOn, ...world.routes],
    ids: us.ids,
    async judge({ name, path, text, headers }) {
      const sso = isSignOn.has(name)
      const from = sso ? { sso, address: ELSEWHERE } : {}
      // It ends the credential that it is sent with.
      const own = name === 'POST /core/session/logout' ? await world.credential(SCOPES, [OURS], { user }) : as
      const options = { as: own, headers, ...from, ...(text !== undefined && { text }) }
      const answer = await world.call(name.split(' ')[0] ?? '', path, undefined, options)
      const { status, headers: said, body } = answer
      const shown = answer.text.replaceAll(text ?? '\u0000', '')
      const inside = INSIDE.exec(shown)?.[0]
      if (status >= 500) return { status, fault: `answered ${status} ${answer.text.slice(0, 500)}` }
      if (inside !== undefined) return { status, fault: `tells of our inside: ${inside}` }
      return { status, fault: isKept(name, status, said['content-type'] ?? '', body) }
    },
    close: () => world.close(),
  }
}

/** Signs of internals. */
const INSIDE = /\bat \/|node_modules|\bpg_|syntax error at|\bSELECT |\bduplicate key|violates|ECONN/

type AnswerJudge = (name: string, status: number, type: string, body: unknown) => string | undefined

/** Checks answers against the OpenAPI document that clients read. */
function answerJudge(document: OpenApi): AnswerJudge {
  const known = new Map<string, ReturnType<typeof Compile>>()
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.entries(path))
      .map(([, operation]) => [operation.operationId, operation]),
  )
  return (route, status, type, body) => {
    const [method = '', path = ''] = route.split(' ')
    const name = `${method.toLowerCase()}${path
      .split(/[^A-Za-z0-9]+/)
      .map(capital)
      .join('')}`
    const operation = operations.get(name)
    if (!operation) return `no operation ${name} in the document`
    const response = operation.responses[String(status)] ?? operation.responses['default']
    const media = Object.entries(response?.content ?? {}).find(([media]) => type.startsWith(media))
    // The bytes of a file have no schema.
    if (body === undefined && !type.includes('json')) return undefined
    if (!media) return body === undefined ? undefined : `${status} ${type} is not declared`
    const schema = '$ref' in media[1].schema ? document.components.schemas['Problem'] : media[1].schema
    const key = `${name} ${'$ref' in media[1].schema ? 'problem' : status}`
    const validator = known.get(key) ?? Compile(schema as TSchema)
    known.set(key, validator)
    return validator.Check(body) ? undefined : `${status} ${JSON.stringify(validator.Errors(body)).slice(0, 500)}`
  }
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}
