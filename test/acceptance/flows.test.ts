/** §1 block 4, §4.7: debtors who call in, type a case number, and are helped by text, by voice or by a person. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FakeTwilio, startFakeTwilio } from '../../demo/servers/fake-twilio.ts'
import { type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, place, type Screen } from './place/doors.ts'
import { AGENT_HZ, callerOf, PERSON_HZ, phoneOf } from './place/phones.ts'
import { runCli } from './place/start-place.ts'

const DEBTS = '+4570004001'
const FREE_NAMES = '+4570004002'

/** The example answer of the contract, section 4.7. */
const open = {
  paymentAccount: 'EE382200221020145685',
  paymentReference: '1234567890',
  paymentUrl: 'https://pay.example/4711',
  remainingAmount: 120.5,
  closedDate: null,
  caseNumber: '4711',
  caseCategory: 'consumer',
  caseHandlerName: 'Anna Berg',
}
const matter = {
  who: { 'full name': 'Ida Lund' },
  sums: [{ open: 1 }, { open: 77.25, reference: '8642' }],
  link: 'https://pay.example/free',
}
const CASES: Readonly<Record<string, unknown>> = {
  4711: open,
  4712: { ...open, caseNumber: '4712', remainingAmount: 0, closedDate: '2026-02-14T09:30:00Z' },
  4713: { ...open, caseNumber: '4713', caseCategory: 'business' },
  // A case gets the text of one call in an hour.
  4716: { ...open, caseNumber: '4716' },
  4717: { ...open, caseNumber: '4717', paymentUrl: 'https://pay.example/4717' },
  7001: { ...matter, state: { closedOn: null } },
  7002: { ...matter, state: { closedOn: '2026-01-31' } },
}

/** Requests of the lookup: method, path and authorization. */
const asked: string[] = []
let client: Client
let debts: RunningServer
let twilio: FakeTwilio
let fie: Screen
let finn: Screen
const phones: SippAgentPhone[] = []

beforeAll(async () => {
  const { env, ports } = place
  debts = await serve(({ method, url = '', headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization}`)
    const found = CASES[url.split('/').at(-1) ?? '']
    sendJson(response, found ? 200 : 404, found ?? {})
  }, ports.peers.integrator)
  const [accountSid, authToken] = [env['TWILIO_ACCOUNT_SID']!, env['TWILIO_AUTH_TOKEN']!]
  twilio = await startFakeTwilio({ accountSid, authToken, port: ports.peers.twilio })
  client = await integrator('flows')
  await makeSystem(client, 'FLOWS', 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}')
  for (const agent of ['fie', 'finn']) phones.push(await phoneOf(agent))
  ;[fie, finn] = [await openScreen('fie'), await openScreen('finn')]
})

afterAll(async () => {
  await Promise.all([fie?.close(), finn?.close()])
  await Promise.all([...phones.map((phone) => phone.close()), debts?.close(), twilio?.close()])
})

async function debtor(caller: string, called: string, ...presses: (readonly [afterMs: number, keys: string])[]) {
  const person = { presses: presses.map(([afterMs, keys]) => ({ afterMs, keys })), waitsMaxMs: 60_000 }
  const phone = await callerOf('flows', { called, caller, person })
  onTestFinished(() => phone.close())
  return phone
}

const textsTo = (number: string) => twilio.messages.filter(({ to }) => to === number).map(({ text }) => text)

/** What the caller heard and pressed, in one line, as `call show` tells it once the call has come to `says`. */
async function toldBy(caller: string, says: string): Promise<string> {
  let told = ''
  const tells = async () => {
    const shown = await runCli(place, 'call', 'show', caller)
    const column = shown.split('\n').map((line) => line.split('│')[0]?.slice(11) ?? '')
    told = column.join(' ').replace(/[─▶◀]/g, '').replace(/\s+/g, ' ')
    return told
  }
  await expect.poll(tells).toContain(says)
  return told
}

test('a typed case number is looked up at the address of the debt system [acc 24, 25, 234 by SIP, HTTP]', async () => {
  const caller = await debtor('+4551000100', DEBTS, [3_000, '4799#'], [3_000, '1'])
  const lookup = `GET /CaseInfo/4799 ${place.env['CASE_INFO_TOKEN']}`
  await expect.poll(() => asked.filter((request) => request.includes('4799'))).toEqual([lookup])
  await caller.close()
})

test('an open case brings a text with what is owed and where to pay [acc 26, 236, 239 by SIP, HTTP]', async () => {
  const number = '+4551000101'
  const caller = await debtor(number, DEBTS, [3_000, '4711#'], [3_000, '1'])
  await expect.poll(() => textsTo(number)).toHaveLength(1)
  const [text] = textsTo(number)
  expect(text).toMatch(/^Case 4711: \D*120[.,]50\D* to pay\. Account EE382200221020145685, reference 1234567890\. /)
  expect(text).toMatch(/ Pay here: https:\/\/pay\.example\/4711$/)
  await caller.close()
})

test('a closed case is told by voice, with the date, and no text is sent [acc 27, 240 by SIP, CLI]', async () => {
  const number = '+4551000102'
  const caller = await debtor(number, DEBTS, [3_000, '4712#'], [3_000, '1'])
  const told = await toldBy(number, 'You have nothing to pay')
  expect(told).toContain('“Case 4, 7, 1, 2 was closed on February 14th, 2026 You have nothing to pay.”')
  const atOnceMs = caller.ear.heard.soundMs
  await expect.poll(() => caller.ear.heard.soundMs).toBeGreaterThan(atOnceMs + 3_000)
  expect(textsTo(number)).toEqual([])
  await caller.close()
})

test.for([
  ['4716', 'consumer', '+4551000103', 'fie', 'finn'],
  ['4713', 'business', '+4551000104', 'finn', 'fie'],
] as const)(
  'a caller with case %s (%s) who presses 0 talks with the team of that category [acc 28, 235 by SIP, HTTP, WebSocket]',
  async ([caseNumber, , number, agent, other]) => {
    const [screen, otherScreen] = agent === 'fie' ? [fie, finn] : [finn, fie]
    const isOfThem = ({ url = '' }: { url?: string }) => url.includes(encodeURIComponent(number))
    const caller = await debtor(number, DEBTS, [3_000, `${caseNumber}#`], [3_000, '1'], [1_500, '0'])
    const popup = await screen.hears(isOfThem)
    expect(popup.url).toBe(`https://debt.example/popup?caseNumber=${caseNumber}&phone=${encodeURIComponent(number)}`)
    await caller.ear.whenHeard(AGENT_HZ, 300)
    await phones[agent === 'fie' ? 0 : 1]!.ear.whenHeard(PERSON_HZ, 300)
    expect([other, otherScreen.news.some(isOfThem)]).toEqual([other, false])
    await caller.close()
    await screen.hears(({ type, state }) => type === 'status' && state === 'ready')
  },
)

test('a debtor pays by the link in the text while on the line, and is thanked [acc 29 by SIP, HTTP, CLI]', async () => {
  const number = '+4551000105'
  const caller = await debtor(number, DEBTS, [3_000, '4717#'], [3_000, '1'], [2_000, '1'])
  await toldBy(number, 'Please pay with the link or the reference now')
  expect(textsTo(number)).toEqual([expect.stringContaining('Pay here: https://pay.example/4717')])
  const body = { name: 'payment.completed', key: '4717', data: { amount: 120.5 } }
  expect(await client.ask('POST /svcpbx/flowevents', { body })).toMatchObject({ repeated: false, waitingCalls: 1 })
  await toldBy(number, 'Your payment has arrived. Thank you.')
  await caller.close()
})

test('fields of any name decide, and are in the text [acc 235, 239, 241 by SIP, HTTP]', async () => {
  const number = '+4551000106'
  const caller = await debtor(number, FREE_NAMES, [1_000, '7001'])
  await expect.poll(() => textsTo(number)).toHaveLength(1)
  expect(textsTo(number)[0]).toMatch(/^Ida Lund owes \D*77[.,]25\D* at https:\/\/pay\.example\/free$/)
  await caller.result
})

test('fields of any name decide, and are spoken [acc 235, 240, 242 by SIP, CLI]', async () => {
  const number = '+4551000107'
  const caller = await debtor(number, FREE_NAMES, [1_000, '7002'])
  await caller.result
  expect(await toldBy(number, 'ended')).toContain('“Ida Lund paid 8, 6, 4, 2”')
  expect(caller.ear.heard.soundMs).toBeGreaterThan(2_000)
  expect(textsTo(number)).toEqual([])
})

test('the case is asked for at the address of the system that the number belongs to [acc 5 by SIP, HTTP]', async () => {
  const { integrator: port } = place.ports.peers
  const lookupAt = (path: string) => ({ lookup: { urlTemplate: `http://127.0.0.1:${port}${path}/{caseNumber}` } })
  const make = async (systemCode: string, path: string) => {
    const body = { systemCode, name: systemCode, ...lookupAt(path) }
    return (await client.ask('POST /rest/core/externalsystems', { body })).itsyId
  }
  const three = await make('FLOWS-3', '/three/CaseInfo')
  await make('FLOWS-4', '/four/cases')
  let lastCaller = 4_551_000_200
  const callsAndAsks = async (called: string) => {
    const before = asked.length
    const caller = await debtor(`+${++lastCaller}`, called, [1_000, '7001'])
    await caller.result
    return asked.slice(before).map((request) => request.split(' ')[1])
  }
  expect(await callsAndAsks('+4570004003')).toEqual(['/three/CaseInfo/7001'])
  expect(await callsAndAsks('+4570004004')).toEqual(['/four/cases/7001'])
  await client.ask('PATCH /rest/core/externalsystems/{itsyId}', {
    params: { itsyId: three },
    body: lookupAt('/moved'),
  } as never)
  expect(await callsAndAsks('+4570004003')).toEqual(['/moved/7001'])
})
