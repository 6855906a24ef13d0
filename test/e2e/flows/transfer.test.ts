/** Callers on a real Asterisk who are brought to telephones outside: over the carrier, and by SIP REFER. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { SipCaller } from '../../../demo/sip/sip-caller.ts'
import { openCarrier, type SipCarrier } from '../../../demo/sip/sip-carrier.ts'
import { callIn } from '../../../demo/sip/sipp-phone.ts'
import type { OpenDatabase } from '../../../src/app/repositories.ts'
import { type Client, type Credential, connect } from '../../../src/client/client.ts'
import type { AnswerOf } from '../../../src/client/request.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { magicContact } from '../../../src/sim/magic-numbers.ts'
import type { Caller, HandOverAnswer } from '../../../src/sim/person.ts'
import { becomesTrue, credentialOf, makeSystem, type Receiver, startReceiver } from '../campaign-live.ts'
import { CALLER_ID, makePlace, type Place } from '../campaign-place.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'

const CALLER_HZ = 440
const OTHER_HZ = 620
/** The last two digits say what the other side does (src/sim/magic-numbers.ts). */
const numberOf = (magic: string) => `+4522100${magic.padStart(3, '1')}` as PhoneNumber
/** The number that is called → the other side's. */
const LINES: Readonly<Record<string, string>> = {
  '+4570006001': `to: "${numberOf('01')}"`,
  '+4570006002': `to: "${numberOf('02')}"`,
  '+4570006003': `to: "${numberOf('03')}", timeout: 5s`,
  '+4570006009': `to: "${numberOf('09')}"`,
  '+4570006020': `to: "sip:reception-09@carrier"`,
  '+4570006030': `to: "${numberOf('01')}", mode: blind, timeout: 8s`,
  '+4570006040': `to: "+4590123456"`,
}
const flowOf = (called: string, keys: string) => `flow: line-${called.slice(-2)}
start: out
vars: { outcome: none }
activity: { systemLookupCode: "\${outcome}" }
onError: broken
steps:
  out:
    transfer: { ${keys} }
    ${keys.includes('blind') ? '' : 'next: after'}
    on: { busy: busy, noAnswer: late, refused: refused, failed: broken }
  after: { set: { outcome: after }, next: bye }
  busy: { set: { outcome: busy }, next: bye }
  late: { set: { outcome: late }, next: bye }
  refused: { set: { outcome: refused }, next: bye }
  broken: { set: { outcome: broken }, next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const clock = new RealClock()
const random = seededRandom(process.pid)
let receiver: Receiver
let place: Place
let carrier: SipCarrier
let engine: EngineProcess
let database: OpenDatabase
let credential: Credential
let client: Client
let lastCaller = 4_554_000_000

beforeAll(async () => {
  receiver = await startReceiver(clock)
  const lines = Object.entries(LINES)
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    trunkKeys: ', transferCountries: [DK], sipTransfers: true',
    numbers: lines.map(([called]) => `"${called}": { flow: line-${called.slice(-2)}, language: en }`),
    flows: Object.fromEntries(lines.map(([called, keys]) => [`line-${called.slice(-2)}`, flowOf(called, keys)])),
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  carrier = await openCarrier({
    ...place.carrier,
    clock,
    random,
    contactOf: magicContact,
    toneHz: OTHER_HZ,
    listensFor: [CALLER_HZ],
  })
  database = await place.openDatabaseFor()
  engine = startEngine(place)
  await engine.ready
  credential = await credentialOf(database, clock)
  client = connect({ ssoUrl: `http://127.0.0.1:${place.settings.ssoPort}`, credential })
  await makeSystem(client, receiver)
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await database?.database.close()
  await receiver?.close()
  await carrier?.close()
  await place?.remove()
})

async function caller(called: string, person: Caller) {
  const kit = { sipp: findTree(place.treeDirectory)!.sipp!, clock, random }
  const from = `+${++lastCaller}`
  const call = { kit, target: place.sip, from: place.carrier.host, called, caller: from, person }
  const phone = await callIn({ ...call, toneHz: CALLER_HZ, listensFor: [OTHER_HZ] })
  onTestFinished(() => phone.close())
  return phone
}

/** A caller whose network is asked to call somebody else. */
async function handedOver(onHandOver: HandOverAnswer) {
  const phone = await SipCaller.call({
    clock,
    random,
    from: place.carrier.host,
    target: place.sip,
    called: '+4570006030',
    caller: `+${++lastCaller}`,
    keysPayload: 101,
    onHandOver,
  })
  onTestFinished(() => phone.close())
  return phone
}

const lastContact = () => carrier.contact(carrier.invites().at(-1)!.number)

type Call = AnswerOf<'POST /svcems/calls/search'>[number]

const known = new Set<string>()

/** The call of the next event, as a user finds it. */
async function nextTold(): Promise<Call> {
  const news = () => [...receiver.heard.keys()].filter((id) => !known.has(id))
  expect(await becomesTrue(clock, () => news().length > 0)).toBe(true)
  const eactIds = news()
  for (const id of eactIds) known.add(id)
  expect([eactIds.length, receiver.complaints]).toEqual([1, []])
  return (await client.ask('POST /svcems/calls/search', { body: { eactIds } }))[0]!
}

const secondsOf = ({ transfers: [made] }: Call) => (Date.parse(made!.endTs!) - Date.parse(made!.startTs!)) / 1_000

test('both hear each other, and the flow goes on when the other side hangs up', async () => {
  const phone = await caller('+4570006009', {})
  expect(await becomesTrue(clock, () => phone.ear.heardTone(OTHER_HZ) > 300)).toBe(true)
  const contact = await carrier.contact(numberOf('09'))
  expect(contact.ear.heardTone(CALLER_HZ)).toBeGreaterThan(300)
  expect(contact.invite).toMatchObject({ number: numberOf('09'), callerId: CALLER_ID })
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  const call = await nextTold()
  const made = { target: numberOf('09'), mode: 'attended', outcome: 'done' }
  expect(call).toMatchObject({ systemLookupCode: 'after', resultName: 'ANSWERED', transfers: [made], recordings: [] })
  expect(Math.round(secondsOf(call))).toBe(3)
})

test('a user at the telephone system behind a trunk is called by name', async () => {
  const phone = await caller('+4570006020', {})
  await phone.result
  // The carrier's log keeps digits only.
  expect(carrier.invites().at(-1)!.number).toBe('+09')
  expect(await nextTold()).toMatchObject({
    systemLookupCode: 'after',
    transfers: [{ target: 'sip:reception-09@carrier', outcome: 'done' }],
  })
})

test.each([
  ['+4570006002', 'busy', 'busy'],
  ['+4570006003', 'late', 'noAnswer'],
])('given a line that does not answer (%s), the flow goes on with %s', async (called, systemLookupCode, outcome) => {
  const phone = await caller(called, {})
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  const call = await nextTold()
  expect(call).toMatchObject({ systemLookupCode, transfers: [{ outcome, startTs: null }] })
})

test.each([
  ['in the talk', '+4570006001', 6_000, 'done'],
  ['while it rings', '+4570006003', 2_500, 'failed'],
])('a caller who hangs up %s ends the call of the other side', async (_, called, hangsUpAfterMs, outcome) => {
  await caller(called, { hangsUpAfterMs })
  const call = await nextTold()
  expect(await (await lastContact()).ended).toBe('switch')
  expect(call).toMatchObject({ hangupBy: 'caller', systemLookupCode: 'none', transfers: [{ outcome }] })
})

test('a costly number is not called, and the flow goes on', async () => {
  const before = carrier.invites().length
  await (await caller('+4570006040', {})).result
  expect(await nextTold()).toMatchObject({ systemLookupCode: 'refused', transfers: [{ outcome: 'refused' }] })
  expect(carrier.invites()).toHaveLength(before)
})

test.each([
  ['accepts', 'done', 'none'],
  ['acceptsStaying', 'done', 'none'],
  ['refuses', 'failed', 'broken'],
  ['fails', 'failed', 'broken'],
] as const)(
  'blind: the network of the caller %s, and the flow learns it',
  async (answer, outcome, systemLookupCode) => {
    const before = carrier.invites().length
    const phone = await handedOver(answer)
    await phone.ended
    const call = await nextTold()
    expect(phone.referredTo).toEqual([`sip:${numberOf('01')}@${place.carrier.host}`])
    expect(call).toMatchObject({ systemLookupCode, transfers: [{ target: numberOf('01'), mode: 'blind', outcome }] })
    expect(carrier.invites()).toHaveLength(before)
  },
)

test('the engine is killed in the talk: it goes on, nobody is called twice, and the call tells of it', async () => {
  const before = carrier.invites().length
  const phone = await caller('+4570006001', { hangsUpAfterMs: 60_000 })
  expect(await becomesTrue(clock, () => phone.ear.heardTone(OTHER_HZ) > 1_000)).toBe(true)
  await engine.kill('SIGKILL')
  engine = startEngine(place)
  await engine.ready
  const heard = phone.ear.heardTone(OTHER_HZ)
  expect(await becomesTrue(clock, () => phone.ear.heardTone(OTHER_HZ) > heard + 1_000)).toBe(true)
  await phone.result
  const call = await nextTold()
  expect(carrier.invites()).toHaveLength(before + 1)
  expect(await (await lastContact()).ended).toBe('switch')
  expect(call).toMatchObject({ hangupBy: 'caller', transfers: [{ outcome: 'done' }] })
  expect(secondsOf(call)).toBeGreaterThan(50)
})
