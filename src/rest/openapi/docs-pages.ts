/** What anybody may see: whether the service lives and is ready, and what its operations are. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { stringify } from 'yaml'
import type { Directory } from '../../ports/directory.ts'
import type { HttpApp } from '../http/http-app.ts'
import { refuse } from '../http/problem.ts'
import type { OpenApi } from './openapi.ts'

/** What `/readyz` asks. `notRunning` names the service's parts that do not run. */
export interface Readiness {
  readonly directory: Pick<Directory, 'corporations'>
  readonly notRunning: (() => readonly string[]) | undefined
}

/** `/healthz`: the process answers. `/readyz`: the service can serve; load balancers ask it. */
export function healthPages({ app, sendAnswer }: HttpApp, { directory, notRunning }: Readiness): void {
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
    if (isReady) return sendAnswer(request, reply, { body: { status: 'ready' } })
    return notReady(request, reply, 'the database cannot be asked just now')
  })
}

/** The document, and a page that shows it and can try it out. It holds no data, so that nobody needs to sign on. */
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
      // Without an address the page asks nobody whether the document is right.
      uiConfig: { deepLinking: true, persistAuthorization: false, validatorUrl: null },
      staticCSP: PAGE_POLICY,
    })
  })
}

/**
 * The files lie in the package: nothing is fetched from anybody else. The package's own policy would let it, and sends
 * browsers to https where a trial has none.
 */
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

/** The page runs scripts of its own, and brings the policy that lets it. */
function dropOurPolicy(page: FastifyInstance): void {
  page.addHook('onRequest', async (_request, reply) => {
    reply.removeHeader('content-security-policy')
  })
}
