/** The client against scripted answers: endpoint, repeats, waits, keys, pages (contract.md §5). */
import { describe, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { everythingAwaited, VirtualClock } from '../support/virtual-clock.ts'

const SSO = 'https://sso.example.com'
const credential = { tokenv2: 'tv2_secret', rcntrl: 'rc_public', ccntrl: 'check' }

interface Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

type Step = (request: Request) => Response | 'down' | 'silent'

/** Answers in turn; state returns the nodes in turn, the last one for ever. */
function world(steps: Step[], nodes: string[] = ['https://node1.example.com']) {
  const clock = new VirtualClock()
  const requests: Request[] = []
  const states: Request[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET', headers, body } = init
    const request = { url, method, headers: new Headers(headers), body: body as string | undefined }
    if (url === `${SSO}/rest/api/state`) {
      states.push(request)
      return json(200, { endpoint: nodes.length > 1 ? nodes.shift() : nodes[0] })
    }
    requests.push(request)
    const answer = (steps.length > 1 ? steps.shift() : steps[0])?.(request)
    if (answer === 'silent') {
      return new Promise((_done, fail) => init.signal?.addEventListener('abort', () => fail(new Error('aborted'))))
    }
    if (answer === 'down' || !answer) throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })
    return answer
  }
  const client = connect({ ssoUrl: `${SSO}/`, credential, fetch, clock, random: seededRandom(1), timeoutMs: 5_000 })
  return { clock, client, requests, states }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const ok: Step = () => json(200, [])
const busy = (status: number, seconds?: string) => () =>
  json(
    status,
    { type: 'urn:switchboard:problem:unavailable', detail: 'not now' },
    seconds ? { 'retry-after': seconds } : {},
  )

const look = (client: Client) => client.ask('GET /rest/core/users')
const problem = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(SwitchboardProblem)
  return error as SwitchboardProblem
}

describe('the endpoint', () => {
  test('is requested once, with the credential, and every other request goes there', async () => {
    const { client, requests, states } = world([ok])
    await Promise.all([look(client), look(client)])
    await look(client)
    expect(states.length).toBe(1)
    expect(requests.map(({ url }) => url)).toEqual(Array(3).fill('https://node1.example.com/rest/core/users'))
    for (const { headers } of [...states, ...requests]) {
      expect(['tokenv2', 'rcntrl', 'ccntrl'].map((name) => headers.get(name))).toEqual(Object.values(credential))
    }
  })

  test.each([502, 503, 504])('is requested again after %d, and the request goes to the other node', async (status) => {
    const nodes = ['https://node1.example.com', 'https://node2.example.com']
    const { client, requests, states } = world([busy(status), ok], nodes)
    await look(client)
    expect(states.length).toBe(2)
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['node1.example.com', 'node2.example.com'])
    await look(client)
    expect(states.length).toBe(2)
  })

  test('is requested again after a network failure and after a timeout', async () => {
    const down = world([() => 'down', ok])
    await look(down.client)
    expect(down.states.length).toBe(2)
    const silent = world([() => 'silent', ok])
    const asking = look(silent.client)
    await everythingAwaited()
    await silent.clock.runWithPromises(5_000)
    await asking
    expect(silent.states.length).toBe(2)
  })

  test('is not requested again after a mistake of ours', async () => {
    const { client, states } = world([() => json(404, { type: 'urn:switchboard:problem:notFound', detail: 'no' })])
    const { status, kind } = await problem(look(client))
    expect([status, kind, states.length]).toEqual([404, 'notFound', 1])
  })
})

describe('a request that failed', () => {
  test('is repeated once only', async () => {
    const { client, requests } = world([() => 'down'])
    const { status, kind, message } = await problem(look(client))
    expect(requests.length).toBe(2)
    expect([status, kind]).toEqual([0, 'unreachable'])
    expect(message).toBe('GET /rest/core/users: fetch failed (ECONNREFUSED)')
  })

  test('is repeated with the same idempotency key', async () => {
    const { client, requests } = world([busy(502), () => json(200, { eactId: 1 })])
    const body = { systemCode: 'DEBT', name: 'Debt system' }
    await client.ask('POST /rest/core/externalsystems', { body })
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[a-z0-9]{26}$/)
    expect(keys[1]).toBe(keys[0])
    expect(requests.map(({ body }) => body)).toEqual(Array(2).fill(JSON.stringify(body)))
    await client.ask('POST /rest/core/externalsystems', { body })
    expect(requests[2]?.headers.get('idempotency-key')).not.toBe(keys[0])
  })

  test('takes a key of the caller', async () => {
    const { client, requests } = world([() => json(200, {})])
    const body = { systemCode: 'DEBT', name: 'Debt system' }
    await client.ask('POST /rest/core/externalsystems', { body, idempotencyKey: 'mine' })
    expect(requests[0]?.headers.get('idempotency-key')).toBe('mine')
  })

  test('is not repeated if it could be carried out twice', async () => {
    const { client, requests } = world([busy(503)])
    const command = { params: { itsyId: 3 }, body: { name: 'Other' } }
    await problem(client.ask('PATCH /rest/core/externalsystems/{itsyId}', command))
    expect(requests.length).toBe(1)
  })

  test('of a read operation needs no key', async () => {
    const { client, requests } = world([busy(502), ok])
    await client.ask('POST /svcems/calls/search', { body: { eactIds: ['5550'] } })
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([null, null])
  })
})

describe('Retry-After', () => {
  test.each([
    [429, '2', 2_000],
    [503, '3', 3_000],
    [409, '1', 1_000],
  ])('of %d is respected', async (status, seconds, waitMs) => {
    const { client, clock, requests } = world([busy(status, seconds), () => json(200, {})])
    const body = { systemCode: 'DEBT', name: 'Debt system' }
    const asking = client.ask('POST /rest/core/externalsystems', { body })
    await everythingAwaited()
    await clock.runWithPromises(waitMs - 1)
    expect(requests.length).toBe(1)
    await clock.runWithPromises(1)
    await asking
    expect(requests.length).toBe(2)
  })

  test('as a date is respected', async () => {
    const { client, clock, requests } = world([
      () => json(429, {}, { 'retry-after': new Date(clock.nowMs() + 4_000).toUTCString() }),
      ok,
    ])
    const asking = look(client)
    await everythingAwaited()
    await clock.runWithPromises(4_000)
    await asking
    expect(requests.length).toBe(2)
  })

  test('that is too long is reported and not awaited', async () => {
    const { client, requests } = world([busy(429, '3600')])
    expect((await problem(look(client))).retryAfterMs).toBe(3_600_000)
    expect(requests.length).toBe(1)
  })

  test('is not awaited if there is another node', async () => {
    const { client, requests } = world([busy(503, '9'), ok], ['https://a.example.com', 'https://b.example.com'])
    await look(client)
    expect(requests.length).toBe(2)
  })
})

describe('a problem', () => {
  test('has the text, the mistakes and the trace id of the server', async () => {
    const errors = [{ path: 'size', code: 'maximum', message: 'must be <= 1000' }]
    const said = { type: 'urn:switchboard:problem:validation', detail: 'size: too much', errors, traceId: 't1' }
    const { client } = world([() => json(400, { ...said, statusCode: 1, statusText: 'x' })])
    const thrown = await problem(client.ask('GET /rest/core/users', { query: { size: 5_000 } }))
    expect(thrown).toMatchObject({ status: 400, kind: 'validation', errors, traceId: 't1', statusCode: 1 })
    expect(thrown.message).toBe('GET /rest/core/users: size: too much')
    expect(JSON.stringify(thrown)).not.toContain(credential.tokenv2)
  })

  test('of the import has its code', async () => {
    const { client } = world([() => json(400, { statusCode: 6, statusText: 'callCode is not yours' })])
    const thrown = await problem(client.ask('POST /svcdialer/calltaskimport', { body: {} as never }))
    expect([thrown.statusCode, thrown.message]).toEqual([6, 'POST /svcdialer/calltaskimport: callCode is not yours'])
  })

  test('without a JSON body of ours is still reported as a problem', async () => {
    const page = () => new Response('<h1>502</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
    expect(await problem(look(world([page]).client))).toMatchObject({ status: 502, kind: 'other' })
    const broken = () => new Response('{"a":', { status: 200, headers: { 'content-type': 'application/json' } })
    expect(await problem(look(world([broken]).client))).toMatchObject({ status: 0, kind: 'unreachable' })
  })
})

describe('a request', () => {
  test('has its values in path, query and body', async () => {
    const { client, requests } = world([() => json(200, {})])
    await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId: 'a/b' }, body: { reasonCode: 'PAID' } })
    await client.ask('GET /rest/svcems/entity', { query: { emenIds: [1, 2], name: 'æ&b', getExtensions: true } })
    expect(requests[0]).toMatchObject({
      method: 'PUT',
      url: 'https://node1.example.com/v1/calltasks/a%2Fb/end',
      body: '{"reasonCode":"PAID"}',
    })
    expect(new URL(requests[1]?.url ?? '').searchParams.toString()).toBe(
      'emenIds=1%2C2&name=%C3%A6%26b&getExtensions=true',
    )
  })

  test.each(['', '.', '..'])(
    'with an id %j is not sent: it would be the address of another operation',
    async (itcaId) => {
      const { client, requests } = world([() => json(200, {})])
      const thrown = await problem(client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId } }))
      expect([thrown.kind, requests.length]).toEqual(['validation', 0])
    },
  )

  test('for the sign-on address goes there', async () => {
    const { client, requests } = world([() => json(200, { tokenv2: 'x' })])
    await client.ask('POST /rest/api/login', { body: { userName: 'anna', password: 'secret' } })
    expect(requests.map(({ url }) => url)).toEqual([`${SSO}/rest/api/login`])
    expect(requests[0]?.headers.get('idempotency-key')).toBeNull()
  })

  test('for a file returns bytes', async () => {
    const bytes = new Uint8Array([82, 73, 70, 70])
    const { client } = world([() => new Response(bytes, { headers: { 'content-type': 'audio/wav' } })])
    expect(await client.ask('GET /rest/core/corefile', { query: { cfreId: 1 } })).toEqual(bytes)
  })
})

describe('pages', () => {
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_one, at) => ({ itcaId: from + at }))
  const all = async <Row>(rows: AsyncIterable<Row>) => {
    const list: Row[] = []
    for await (const row of rows) list.push(row)
    return list
  }

  test('for the dialer pages by number', async () => {
    const page = (count: number) => () => json(200, { callTasks: numbers(0, count), pageCount: 3 })
    const { client, requests } = world([page(2), page(2), page(1)])
    const body = { finishedList: [false], limit: 2 }
    expect((await all(client.each('POST /dialer/calltaskget', { body }))).length).toBe(5)
    expect(requests.map(({ body }) => JSON.parse(body ?? ''))).toEqual(
      [1, 2, 3].map((pageNumber) => ({ ...body, pageNumber })),
    )
  })

  test('for the dialer goes on by what came last where that was asked for, and not by number', async () => {
    const page = (next: string | null) => () => json(200, { callTasks: [{ itcaId: 1 }], pageCount: 9, next })
    const { client, requests } = world([page('a'), page('b'), page(null)])
    expect((await all(client.each('POST /dialer/calltaskget', { body: { after: '' } }))).length).toBe(3)
    expect(requests.map(({ body }) => JSON.parse(body ?? '').after)).toEqual(['', 'a', 'b'])
  })

  test('for lists pages by offset, and only as far as the caller reads', async () => {
    const page = (count: number) => () => json(200, numbers(0, count))
    const { client, requests } = world([page(3), page(3), page(0)])
    expect((await all(client.each('GET /rest/svcems/entity', { query: { size: 3 } }))).length).toBe(6)
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?size=3&offset=0',
      '?size=3&offset=3',
      '?size=3&offset=6',
    ])
    const curious = world([page(3)])
    for await (const _row of curious.client.each('GET /rest/svcems/entity', { query: { size: 3 } })) break
    expect(curious.requests.length).toBe(1)
  })

  test('for the feed goes on from cursor to cursor to the end', async () => {
    const page = (next: string, more: boolean) => () => json(200, { events: [{ id: next }], next, more })
    const { client, requests } = world([page('a', true), page('b', false)])
    const events = await all(client.each('GET /rest/core/events', { query: { after: 'start' } }))
    expect(events.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(requests.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual(['start', 'a'])
  })
})
