import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { stringify } from 'yaml'
import type { Directory } from '../../ports/directory.ts'
import type { HttpApp } from '../http/http-app.ts'
import { refuse } from '../http/problem-response.ts'
import type { OpenApi } from './openapi.ts'

/** What `/readyz` asks. `notRunning` names the service's parts that do not run. */
export interface Readiness {
  readonly directory: Pick<Directory, 'corporations'>
  readonly notRunning: (() => readonly string[]) | undefined
  /** How many flow files or live revisions have an error here; their last good revisions go on. */
  readonly flowProblems: (() => number) | undefined
}

/** `/healthz`: the process answers. `/readyz`: the service can serve; load balancers ask it. */
export function healthPages({ app, sendAnswer }: HttpApp, { directory, notRunning, flowProblems }: Readiness): void {
  const notReady = (request: FastifyRequest, reply: FastifyReply, why: string) =>
    sendAnswer(request, reply, refuse('unavailable', why, { headers: { 'retry-after': '1' } }))
  app.get('/healthz', (request, reply) => sendAnswer(request, reply, { body: { status: 'alive' } }))
  app.get('/readyz', async (request, reply) => {
    const missing = notRunning?.() ?? []
    if (missing.length > 0) return notReady(request, reply, `parts of the service do not run: ${missing.join(', ')}`)
    const isReady = await directory.corporations().then(
      () => true,
      () => false,
    )
    const broken = flowProblems?.() ?? 0
    const body = { status: 'ready', ...(broken > 0 && { flowProblems: broken }) }
    if (isReady) return sendAnswer(request, reply, { body })
    return notReady(request, reply, 'the database is not available; try again')
  })
}

/** The OpenAPI document and Swagger UI. They contain no data and need no credential. */
export async function documentPages(http: HttpApp, document: OpenApi): Promise<void> {
  const { app, sendAnswer } = http
  const yaml = stringify(document, { aliasDuplicateObjects: false })
  app.get('/openapi.json', (request, reply) => sendAnswer(request, reply, { body: document }))
  app.get('/openapi.yaml', (_request, reply) => reply.type('application/yaml; charset=utf-8').send(yaml))
  await app.register(async (page) => {
    dropOurPolicy(page)
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
