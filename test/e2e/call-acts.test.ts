/** What agents do in a conversation on a real Asterisk, ordered through HTTP, heard by telephones. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CarrierContact, openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { type Client, connect } from '../../src/client/client.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { credentialOf, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'
import { type SteadyAgent, steadyAgent } from './steady-agent.ts'

/** All callees of a carrier sound the same: whoever is consulted outside is told from the callee by their line. */
const [CALLEE_HZ, ANNA_HZ, BEN_HZ] = [440, 620, 2_500] as const
const HEARD_MS = 600

let it: CampaignService
let carrier: SipCarrier
let phones: Readonly<Record<'anna' | 'ben', SippAgentPhone>>
let anna: Client
let screens: readonly SteadyAgent[]
let callCode: number
let lastNumber = 33_600_000

beforeAll(async () => {
  it = await startCampaignService({ agents: ['anna', 'ben'], trunkKeys: ', transferCountries: [DK]' })
  const { clock, random } = it.kit
  const contactOf = () => ({ does: 'answer', ringsAfterMs: 0, afterMs: 500 }) as const
  const tones = { toneHz: CALLEE_HZ, listensFor: [CALLEE_HZ, ANNA_HZ, BEN_HZ] }
  carrier = await openCarrier({ clock, random, ...it.place.carrier, ...tones, contactOf })
  phones = { anna: await phoneOf('anna', ANNA_HZ, BEN_HZ), ben: await phoneOf('ben', BEN_HZ, ANNA_HZ) }
  const itsyId = await makeSystem(it.client, undefined)
  callCode = await makeCampaign(it.client, itsyId, { wrapUpSeconds: 300, dialMode: 'manual' })
  const { repositories, core } = it.service
  const ssoUrl = core!.rest.ssoUrl!
  const credential = await credentialOf(repositories!, clock, 'anna')
  anna = connect({ ssoUrl, credential })
  screens = [
    await steadyAgent('anna', ssoUrl, credential, clock),
    await steadyAgent('ben', ssoUrl, await credentialOf(repositories!, clock, 'ben'), clock),
  ]
})

afterAll(async () => {
  for (const screen of screens ?? []) await screen.leave()
  await it?.close()
  await Promise.all([phones?.anna.close(), phones?.ben.close(), carrier?.close()])
})

function phoneOf(name: string, toneHz: number, otherHz: number): Promise<SippAgentPhone> {
  const person = { does: 'answer', afterMs: 100 } as const
  const at = it.place.phones.get(name)!
  return answerPhone({ kit: it.kit, at, person, toneHz, listensFor: [CALLEE_HZ, otherHz] })
}

const order = (body: Readonly<Record<string, unknown>>, place = 0) => screens[place]!.order(body)

/** Anna dials somebody, and both hear each other. */
async function conversation(): Promise<CarrierContact> {
  const number = `+45${++lastNumber}` as PhoneNumber
  const [task] = await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  await screens[0]!.is('ready')
  await expect.poll(async () => (await order({ type: 'dial', itcaId: task })).status, { timeout: 20_000 }).toBe(200)
  const callee = await carrier.contact(number)
  onTestFinished(() => callee.hangUp())
  await callee.ear.whenHeard(ANNA_HZ, HEARD_MS)
  await screens[0]!.is('talking')
  return callee
}

type Ear = CarrierContact['ear']

const hearsOn = (ear: Ear, hz: number) => ear.whenTraced(hz, ear.heardTrace(hz) + HEARD_MS)

/** What is on its way has come; then so much more of `other` is heard, and not a frame of `hz`. */
async function hearsNot(ear: Ear, hz: number, other: Promise<unknown>, again: () => Promise<unknown>): Promise<void> {
  await other
  const beforeMs = ear.heardTrace(hz)
  await again()
  expect(ear.heardTrace(hz)).toBe(beforeMs)
}

const wrappedUp = async (place = 0) => {
  await screens[place]!.is('wrapUp')
  expect(await order({ type: 'endWrapUp' }, place)).toMatchObject({ status: 200 })
  await screens[place]!.is('ready')
}

/** As the list of calls and the page of the call tell of them, once the call is recorded. */
async function transfersOf(callee: CarrierContact) {
  const find = async () => (await it.client.ask('GET /svcems/calls', { query: { number: callee.invite.number } })).calls
  await expect.poll(async () => (await find()).length, { timeout: 20_000 }).toBe(1)
  const { eactId } = (await find())[0]!
  const { call, legs } = await it.client.ask('GET /svcems/calls/{eactId}', { params: { eactId } })
  const targets = legs.filter(({ kind }) => kind === 'transfer').map(({ who }) => who)
  expect(targets).toEqual(call.transfers.map(({ target }) => target))
  return call.transfers
}

test('hold, mute and keys: the callee hears music, nobody, the agent again, and each key', async () => {
  const callee = await conversation()
  const music = () => callee.ear.whenHeard('sound', callee.ear.heard.soundMs + HEARD_MS)
  expect(await order({ type: 'hold' })).toMatchObject({ status: 200 })
  await hearsNot(phones.anna.ear, CALLEE_HZ, music(), music)
  expect(await order({ type: 'resume' })).toMatchObject({ status: 200 })
  await hearsOn(callee.ear, ANNA_HZ)
  expect(await order({ type: 'mute' })).toMatchObject({ status: 200 })
  const annaHears = () => hearsOn(phones.anna.ear, CALLEE_HZ)
  await hearsNot(callee.ear, ANNA_HZ, annaHears(), annaHears)
  expect(await order({ type: 'unmute' })).toMatchObject({ status: 200 })
  await hearsOn(callee.ear, ANNA_HZ)
  expect(await order({ type: 'digits', digits: '147#' })).toMatchObject({ status: 200 })
  await callee.ear.whenPressed('147#')
  expect(await order({ type: 'digits', digits: '1a' })).toMatchObject({ status: 400 })
  callee.hangUp()
  await wrappedUp()
  expect(await order({ type: 'hold' })).toMatchObject({ status: 409 })
})

test('a colleague is asked, brought in, and left with the callee', async () => {
  const callee = await conversation()
  expect(await anna.ask('GET /svcpbx/agents/me/colleagues')).toMatchObject([{ userName: 'ben' }])
  expect(await order({ type: 'consult', userName: 'ben' })).toMatchObject({ status: 200 })
  await hearsOn(phones.ben.ear, ANNA_HZ)
  await hearsOn(phones.anna.ear, BEN_HZ)
  expect([callee.ear.heardTrace(BEN_HZ), phones.ben.ear.heardTrace(CALLEE_HZ)]).toEqual([0, 0])
  expect(await anna.ask('GET /svcpbx/agents/me/colleagues')).toEqual([])
  expect(await order({ type: 'join' })).toMatchObject({ status: 200 })
  await Promise.all([hearsOn(callee.ear, ANNA_HZ), hearsOn(callee.ear, BEN_HZ), hearsOn(phones.ben.ear, CALLEE_HZ)])
  expect(await order({ type: 'connect' })).toMatchObject({ status: 200 })
  const benHears = () => hearsOn(phones.ben.ear, CALLEE_HZ)
  await hearsNot(callee.ear, ANNA_HZ, benHears(), benHears)
  await screens[1]!.hears(({ type, number }) => type === 'call' && number === callee.invite.number)
  await wrappedUp()
  expect(await order({ type: 'hangUp' }, 1)).toMatchObject({ status: 200 })
  expect(await callee.ended).toBe('switch')
  await wrappedUp(1)
  expect(await transfersOf(callee)).toMatchObject([{ target: 'ben', mode: 'attended', outcome: 'done' }])
})

test('a number is called by the rules, and the two talk on without us until one hangs up', async () => {
  const callee = await conversation()
  expect(await order({ type: 'consult', number: '+46701234567' })).toMatchObject({ status: 409 })
  const number = `+45${++lastNumber}` as PhoneNumber
  expect(await order({ type: 'transfer', number })).toMatchObject({ status: 200 })
  const expert = await carrier.contact(number)
  await Promise.all([hearsOn(expert.ear, CALLEE_HZ), hearsOn(callee.ear, CALLEE_HZ)])
  await wrappedUp()
  expect(expert.ear.heardTrace(ANNA_HZ)).toBe(0)
  expert.hangUp()
  expect(await callee.ended).toBe('switch')
  const bridges = (await it.place.ari('bridges')) as { channels: unknown[] }[]
  expect(bridges.filter(({ channels }) => channels.length > 1)).toEqual([])
  const [transfer] = await transfersOf(callee)
  expect(transfer).toMatchObject({ target: number, mode: 'attended', outcome: 'done' })
  expect(Date.parse(transfer!.endTs!)).toBeGreaterThan(Date.parse(transfer!.startTs!))
})
