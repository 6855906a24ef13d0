import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { Directory } from '../../ports/directory.ts'
import type { HttpApp } from '../http/http-app.ts'
import { refuse } from '../http/problem-response.ts'
import type { OpenApi } from './openapi.ts'

/** Why the service should get no work, as a sentence with its remedy; undefined: nothing speaks against it. */
export type ReadyCheck = () => string | undefined | Promise<string | undefined>

/** What `/readyz` asks. */
export interface Readiness {
  readonly directory: Pick<Directory, 'corporations'>
  readonly checks: readonly ReadyCheck[]
  /** How many flow files or live revisions have an error here; their last good revisions go on. */
  readonly flowProblems: (() => number) | undefined
}

/** `/healthz`: the process answers. `/readyz`: the service can serve; load balancers ask it. */
export function healthPages({ app, sendAnswer }: HttpApp, { directory, checks, flowProblems }: Readiness): void {
  app.get('/healthz', (request, reply) => sendAnswer(request, reply, { body: { status: 'alive' } }))
  app.get('/readyz', async (request, reply) => {
    const isThere = async () => {
      await directory.corporations()
      return undefined
    }
    const asked = [...checks, () => isThere().catch(() => 'the database is not available; try again')]
    const reasons = (await Promise.all(asked.map((check) => check()))).filter((why) => why !== undefined)
    const broken = flowProblems?.() ?? 0
    const body = { status: 'ready', ...(broken > 0 && { flowProblems: broken }) }
    if (reasons.length === 0) return sendAnswer(request, reply, { body })
    const refused = refuse('unavailable', reasons.join('; '), { headers: { 'retry-after': '1' } })
    return sendAnswer(request, reply, refused)
  })
}

const YAML = '/openapi.yaml'

/** Operation by operation: at once it would keep a node, with its calls, from all else for half a second. */
async function yamlOf(document: OpenApi, pause: () => Promise<void>): Promise<string> {
  const written = (part: object) => stringify(part, { aliasDuplicateObjects: false })
  const { paths, ...others } = document
  const pieces = [written(others), 'paths:\n']
  for (const [path, operations] of Object.entries(paths as object)) {
    await pause()
    pieces.push(written({ [path]: operations }).replaceAll(/^(?=.)/gm, '  '))
  }
  return pieces.join('')
}

/** The OpenAPI document and Swagger UI. They contain no data and need no credential. */
export async function documentPages(
  http: HttpApp,
  document: OpenApi,
  /** Lets other work run. */
  pause: () => Promise<void>,
): Promise<void> {
  const { app, sendAnswer } = http
  // Few ask for it; at every start it took a fifth of the processor's time.
  let yaml: Promise<string> | undefined
  app.get('/openapi.json', (request, reply) => sendAnswer(request, reply, { body: document }))
  app.get(YAML, async (_request, reply) => {
    yaml ??= yamlOf(document, pause)
    return reply.type('application/yaml; charset=utf-8').send(await yaml)
  })
  await app.register(async (page) => {
    dropOurPolicy(page)
    page.addHook('onRequest', async ({ url }, reply) => {
      // The package would write it at once.
      if (url.startsWith('/docs/yaml')) return reply.redirect(YAML)
    })
    await page.register(swagger, { mode: 'static', specification: { document } as never })
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      // Null keeps the page from sending the document to an online validator.
      uiConfig: { deepLinking: true, persistAuthorization: false, validatorUrl: null },
      staticCSP: PAGE_POLICY,
    })
  })
}

/** Stricter than the package's own policy, which also redirects to https; a test installation has no https. */
const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** Swagger UI runs scripts and sets its own policy. */
function dropOurPolicy(page: FastifyInstance): void {
  page.addHook('onRequest', async (_request, reply) => {
    reply.removeHeader('content-security-policy')
  })
}
