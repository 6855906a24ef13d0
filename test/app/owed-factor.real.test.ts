/** What a started service keeps open for a sign-on ends when its person comes to owe a second factor (rest-38). */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { codeAt } from '../../src/rest/access/one-time-code.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard, tokenOf } from './service-process.ts'

const STEP_MS = 30_000
/** RFC 6455 7.4.2, ours. */
const NOT_IN_FORCE = 4001
const setup = `
agents: { anna: { phone: { host: 127.0.0.101 } } }
teams: { front-desk: { agents: [anna] } }
`

let place: Awaited<ReturnType<typeof openServicePlace>>
let service: ReturnType<typeof startServiceProcess>
let system: Client
let credential: Credential
let anna: Client

beforeAll(async () => {
  place = await openServicePlace(setup)
  const env = await place.env({ DATABASE_URL: (await place.database()).url, SECOND_FACTOR_ROLES: 'supervisor' })
  await switchboard(['user', 'add', 'anna', '--name', 'Anna', '--roles', 'agent,supervisor'], env)
  service = startServiceProcess(env)
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  system = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  const [, password = ''] = /again: (\S+)/.exec(await switchboard(['user', 'password', 'anna'], env)) ?? []
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ userName: 'anna', password })
  const answer = await fetch(`${ssoUrl}/api/login`, { method: 'POST', headers, body })
  const { tokenv2, rcntrl, ccntrl } = (await answer.json()) as Credential
  credential = { tokenv2, rcntrl, ccntrl }
  anna = connect({ ssoUrl, credential })
  const { secret } = await anna.ask('POST /rest/core/session/second-factor', { body: { password } })
  const code = codeAt(secret, Math.floor(Date.now() / STEP_MS))
  await anna.ask('PUT /rest/core/session/second-factor', { body: { code } })
})
afterAll(async () => {
  await service?.stop()
  await place?.close()
})

test('the events of an agent and the stream of boards end, and a ticket that waits opens nothing', async () => {
  const endpoint = await anna.endpoint()
  const ticket = async () => (await anna.ask('POST /svcpbx/agents/me/tickets')).ticket
  const dial = (ticket: string) =>
    new WebSocket(`${endpoint.replace('http', 'ws')}/svcpbx/agents/me/events?ticket=${ticket}`)
  const events = dial(await ticket())
  await once(events, 'open')
  const closed = once(events, 'close')
  const headers = { ...credential, accept: 'text/event-stream' }
  const boards = await fetch(`${endpoint}/dialer/board`, { headers })
  expect(boards.status).toBe(200)
  const waiting = await ticket()

  await system.ask('DELETE /rest/core/users/{userName}/second-factor', { params: { userName: 'anna' } })
  const late = dial(waiting)
  const answer = new Promise((resolve) => {
    late.once('open', () => resolve('open'))
    late.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
  })
  expect(await answer).toBe(401)
  expect((await closed)[0]).toBe(NOT_IN_FORCE)
  // It ends by itself.
  await boards.text()
})
