/** §5.5, §7: the typed client when its node does not serve it. The nodes are played: they fail as they are told. */
import { expect, onTestFinished, test } from 'vitest'
import { type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import { type Credential, connect } from '../../src/client/client.ts'

const as: Credential = { tokenv2: 'tv2_of-a-test', rcntrl: 'rc_ofatest', ccntrl: 'of-a-test' }

/** Answers with the codes in turn, and keeps what it was asked. */
async function server(answer: (nth: number) => number | 'cut' | 'silent' | object) {
  const requests: string[] = []
  const running: RunningServer = await serve((asked, response) => {
    requests.push(`${asked.method} ${asked.url} ${asked.headers['idempotency-key'] ?? ''}`)
    const what = answer(requests.length)
    if (what === 'cut') asked.socket.destroy()
    else if (typeof what === 'number') sendJson(response, what, {})
    else if (typeof what === 'object') sendJson(response, 200, what)
  })
  onTestFinished(running.close)
  return { ...running, requests }
}
const at = (sso: RunningServer) => connect({ ssoUrl: sso.url, credential: as, timeoutMs: 2_000 })

test.each([502, 503, 504, 'cut', 'silent'] as const)(
  'the client fetches the endpoint again and repeats the request once after %s [acc 251 by client]',
  async (failure) => {
    const broken = await server(() => failure)
    const good = await server(() => ({ eactId: 1 }))
    const sso = await server((nth) => ({ endpoint: nth === 1 ? broken.url : good.url }))
    const asking = at(sso)
    await asking.ask('POST /rest/svcems/case', { body: { eactId: 1, description: 'x' } } as never)
    expect(broken.requests).toEqual([expect.stringMatching(/^POST \/rest\/svcems\/case \S+$/)])
    expect([good.requests, sso.requests.length]).toEqual([broken.requests, 2])
    // From now on to the new endpoint, without asking.
    await asking.ask('GET /rest/core/activeuser')
    expect([good.requests.length, broken.requests.length, sso.requests.length]).toEqual([2, 1, 2])
    const lost = at(await server(() => ({ endpoint: broken.url })))
    const why = { name: 'SwitchboardProblem', status: typeof failure === 'number' ? failure : 0 }
    await expect(lost.ask('GET /rest/core/activeuser')).rejects.toMatchObject(why)
    expect(broken.requests.slice(1)).toEqual(['GET /rest/core/activeuser ', 'GET /rest/core/activeuser '])
  },
)

test.each([400, 401, 403, 404, 409, 412, 500])(
  'the client does neither after %i [acc 251 by client]',
  async (status) => {
    const node = await server(() => status)
    const sso = await server(() => ({ endpoint: node.url }))
    await expect(at(sso).ask('GET /rest/core/activeuser')).rejects.toMatchObject({ status })
    expect([node.requests.length, sso.requests.length]).toEqual([1, 1])
  },
)
