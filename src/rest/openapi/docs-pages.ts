/** Public pages: health, readiness and the API reference. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { Directory } from '../../ports/directory.ts'
import type { HttpApp } from '../http/http-app.ts'
import { refuse } from '../http/problem.ts'
import type { OpenApi } from './openapi.ts'

/** `/healthz`: the process is alive. `/readyz`: it can serve requests; for load balancers. */
export function healthPages({ app, sendAnswer }: HttpApp, directory: Pick<Directory, 'corporations'>): void {
  app.get('/healthz', (request, reply) => sendAnswer(request, reply, { body: { status: 'alive' } }))
  app.get('/readyz', async (request, reply) => {
    const isReady = await directory.corporations().then(
      () => true,
      () => false,
    )
    if (isReady) return sendAnswer(request, reply, { body: { status: 'ready' } })
    const headers = { 'retry-after': '1' }
    return sendAnswer(request, reply, refuse('unavailable', 'the database is not available; try again', { headers }))
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
