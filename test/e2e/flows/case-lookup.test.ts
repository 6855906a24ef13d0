/** Callers on a real Asterisk whose cases are looked up where their external systems say, over real HTTP. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { bodyOf, type RunningServer, sendJson, serve } from '../../../demo/servers/web-server.ts'
import { callIn } from '../../../demo/sip/sipp-phone.ts'
import type { Client } from '../../../src/client/client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { becomesTrue, integratorOf, makeCampaign } from '../campaign-live.ts'
import { makePlace, type Place } from '../campaign-place.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'

const LINE = '+4570001000'
const FLOW = `flow: case-line
languages: [en]
start: known
onError: off
activity: { systemLookupCode: "\${caseNumber}" }
steps:
  known: { branch: { cases: [{ has: task.systemLookupCode, next: take }], else: ask } }
  take: { set: { caseNumber: "\${task.systemLookupCode}" }, next: lookup }
  ask:
    gather: { prompt: Your case number., digits: { min: 4, max: 4 }, tries: 1 }
    as: caseNumber
    next: lookup
  lookup:
    http:
      lookup: \${caseNumber}
      timeout: 3s
      retry: 0
      expect: { required: [closedDate, paymentUrl], match: { caseNumber: "\${caseNumber}" } }
    as: caseInfo
    next: open
  open: { branch: { in: caseInfo, cases: [{ when: "$[?(@.closedDate == null)]", next: pay }], else: closed } }
  pay: { sms: { text: "pay \${caseInfo.paymentUrl}" }, next: bye }
  closed: { sms: { text: "closed \${caseNumber}" }, next: bye }
  off: { sms: { text: "no answer about \${caseNumber}" }, next: bye, on: { failed: bye } }
  bye: { hangup: }
`

/** A debt system: the requests that reach it, as path and headers. */
interface DebtSystem extends RunningServer {
  readonly asked: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[]
}

const clock = new RealClock()
const texts: string[] = []
let [near, far, inside]: DebtSystem[] = []
let gateway: RunningServer
let place: Place
let engine: EngineProcess
let client: Client
let nearId: number

async function startDebtSystem(closedDate: string | null): Promise<DebtSystem> {
  const asked: DebtSystem['asked'] = []
  const server = await serve(({ url = '', headers }, response) => {
    asked.push({ path: url, headers })
    const caseNumber = decodeURIComponent(url.split('/').at(-1)!)
    sendJson(response, 200, { caseNumber, closedDate, paymentUrl: `https://pay.example/${caseNumber}` })
  })
  return { ...server, asked }
}

beforeAll(async () => {
  near = await startDebtSystem(null)
  far = await startDebtSystem('2026-02-14')
  inside = await startDebtSystem(null)
  gateway = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      texts.push((JSON.parse(body) as { text: string }).text)
      sendJson(response, 200, { id: `text-${texts.length}` })
    })
  })
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: case-line, externalSystem: NEAR }`],
    flows: { 'case-line': FLOW },
    allowedHosts: [gateway, near, far].map(({ url }) => new URL(url).host),
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none', NEAR_TOKEN: 'Bearer near' },
    more: [
      'env: { integrator: DEMO_INTEGRATOR_URL }',
      'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN, near: NEAR_TOKEN }',
      `sms: { url: "${gateway.url}/texts", body: { to: "{to}", text: "{text}" } }`,
    ],
  })
  engine = startEngine(place)
  await engine.ready
  const database = await place.openDatabaseFor()
  client = await integratorOf(database, clock, `http://127.0.0.1:${place.env['SSO_PORT']}`)
  await database.database.close()
  nearId = await addSystem('NEAR', { urlTemplate: `${near.url}/CaseInfo/{caseNumber}`, authSecretRef: 'near' })
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await place?.remove()
  for (const server of [gateway, near, far, inside]) await server?.close()
})

async function addSystem(
  systemCode: string,
  lookup: { urlTemplate: string; authHeaderName?: string; authSecretRef: string },
) {
  const { itsyId } = await client.ask('POST /rest/core/externalsystems', {
    body: { systemCode, name: systemCode, lookup },
  })
  return itsyId
}

const changeNear = (lookup: { urlTemplate: string } | null) =>
  client.ask('PATCH /rest/core/externalsystems/{itsyId}', { params: { itsyId: nearId }, body: { lookup } })

/** Calls, types the case if there is one to type, and waits for the text message that follows. */
async function textAfter(caller: string, keys?: string): Promise<string> {
  const before = texts.length
  const phone = await callIn({
    kit: { sipp: findTree(place.treeDirectory)!.sipp!, clock, random: seededRandom(process.pid) },
    target: place.sip,
    from: place.carrier.host,
    called: LINE,
    caller,
    person: { presses: keys === undefined ? [] : [{ afterMs: 1_500, keys }] },
  })
  onTestFinished(() => phone.close())
  expect(await becomesTrue(clock, () => texts.length > before)).toBe(true)
  return texts.at(-1)!
}

test('a typed case is looked up at the system of the number, with its secret', async () => {
  expect(await textAfter('+4522204101', '4711')).toBe('pay https://pay.example/4711')
  expect(near!.asked).toMatchObject([{ path: '/CaseInfo/4711', headers: { authorization: 'Bearer near' } }])
})

test('the case of a known caller is looked up at the system of their call task', async () => {
  const lookup = { urlTemplate: `${far!.url}/v2/{caseNumber}`, authHeaderName: 'X-Key', authSecretRef: 'caseInfo' }
  const callCode = await makeCampaign(client, await addSystem('FAR', lookup), { active: false })
  const task = { callReceiverName: 'Known', callNumberList: ['+4522204102'], systemLookupCode: 'A/7 ä' }
  const attempts = { maxCallAttempts: 1, minCallIntervalHours: 1 }
  const body = { systemCode: 'FAR', callCode, ...attempts, callTasks: [task] }
  expect((await client.ask('POST /svcdialer/calltaskimport', { body })).callTaskErrors).toEqual([])
  expect(await textAfter('+4522204102')).toBe('closed A/7 ä')
  expect(far!.asked).toMatchObject([{ path: '/v2/A%2F7%20%C3%A4', headers: { 'x-key': 'none' } }])
  expect(near!.asked).toHaveLength(1)
})

test('a changed address holds for the next call; with none, or a forbidden one, nobody is asked', async () => {
  await changeNear({ urlTemplate: `${far!.url}/moved/{caseNumber}` })
  expect(await textAfter('+4522204103', '4712')).toBe('closed 4712')
  expect(far!.asked.at(-1)).toMatchObject({ path: '/moved/4712' })
  await changeNear(null)
  expect(await textAfter('+4522204104', '4713')).toBe('no answer about 4713')
  // A loopback address that allowedHosts does not name is refused when it is set.
  const forbidden = changeNear({ urlTemplate: `${inside!.url}/CaseInfo/{caseNumber}` })
  await expect(forbidden).rejects.toThrow('allowedHosts can name 127.0.0.1')
  expect(await textAfter('+4522204105', '4714')).toBe('no answer about 4714')
  expect([near!.asked.length, far!.asked.length, inside!.asked.length]).toEqual([1, 2, 0])
})
