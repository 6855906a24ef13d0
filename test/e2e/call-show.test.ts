/** What an operator sees at night: the sound of every leg in the ladder of a call, printed by the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KeyWay, keyStream } from '../../demo/sip/key-stream.ts'
import { PAYLOAD_KEYS } from '../../demo/sip/rtp-packet.ts'
import { SipCaller } from '../../demo/sip/sip-caller.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { switchboard } from '../before/fixture-service.ts'
import { becomesTrue, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { TEAM } from './campaign-place.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'
import { TYPING_FLOW } from './typed-keys-run.ts'

const LINE = '+4570003000'
const TYPING_LINE = '+4570003001'
const CALLER = '+4556000001'
const OUTSIDE_HZ = 440
const ANNA_HZ = 620
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: ${TEAM}, timeout: 30s }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

let it: CampaignService
let carrier: SipCarrier
let annasPhone: SippAgentPhone
let itsyId: number
let lastNumber = 33_500_000
const contacts = new Map<string, Contact>()

beforeAll(async () => {
  it = await startCampaignService({
    agents: ['anna'],
    numbers: [`"${LINE}": { flow: direct, language: en }`, `"${TYPING_LINE}": { flow: typing, language: en }`],
    flows: { direct: FLOW, typing: TYPING_FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  const { clock, random } = it.kit
  const sound = { toneHz: OUTSIDE_HZ, listensFor: [ANNA_HZ] }
  carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    ...sound,
    contactOf: (number) => contacts.get(number)!,
  })
  annasPhone = await answerPhone({
    kit: it.kit,
    at: it.place.phones.get('anna')!,
    person: { does: 'answer', afterMs: 100 },
    toneHz: ANNA_HZ,
    listensFor: [OUTSIDE_HZ],
  })
  itsyId = await makeSystem(it.client, undefined)
  await it.order('anna', { type: 'logIn' })
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

afterAll(async () => {
  await annasPhone?.close()
  await it?.close()
  await carrier?.close()
})

/** A callee who does so, and how the ladder of the call is asked for. */
async function calls(contact: Contact) {
  const number = `+45${++lastNumber}` as PhoneNumber
  contacts.set(number, contact)
  const callCode = await makeCampaign(it.client, itsyId)
  await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  return { number, callee: await carrier.contact(number) }
}

/** The texts of the ladder beside the engine, each column without its arrows, once it says so. */
async function ladderOf(what: string, says: string): Promise<{ readonly outside: string; readonly agent: string }> {
  let shown = { outside: '', agent: '' }
  const hasSaid = async () => {
    const { text } = await switchboard(['call', 'show', what], it.place.env)
    const rows = text.split('\n').map((line) => line.split('│'))
    const column = (at: number, from = 0) =>
      rows
        .map((cells) => (cells[at] ?? '').slice(from).replace(/[─▶◀]/g, '').trim())
        .join(' ')
        .replace(/ +/g, ' ')
    shown = { outside: column(0, 11), agent: column(2) }
    return shown.outside.includes(says)
  }
  await becomesTrue(it.kit.clock, hasSaid)
  return shown
}

/** After the answer, so that the switch knows where the sound comes from. */
const TYPES_AFTER_MS = 400
const PACKETS = /packets in (\d+), lost (\d+), jitter (\d+) ms; out (\d+), lost (\d+)/

test('a caller: codecs of both legs, the leg of the agent, and the packets both ways', async () => {
  const caller = await callIn({
    kit: it.kit,
    target: it.place.sip,
    from: it.place.carrier.host,
    called: LINE,
    caller: CALLER,
    person: { hangsUpAfterMs: 3_000 },
    toneHz: OUTSIDE_HZ,
    listensFor: [ANNA_HZ],
  })
  await caller.ear.whenHeard(ANNA_HZ, 300)
  await caller.result

  const { outside, agent } = await ladderOf(CALLER, 'ended: hungUp')
  expect(outside).toContain('connected (ulaw)')
  expect(agent).toContain('anna is there: a packet came (ulaw)')
  expect(agent).toMatch(/connect with anna, leg sb-\S+/)
  const [received, lost, , sent] = PACKETS.exec(outside)!.slice(1).map(Number) as [number, number, number, number]
  expect(received).toBeGreaterThan(50)
  expect(sent).toBeGreaterThan(50)
  expect(lost).toBe(0)
})

test('a caller who types: for how long each key was held, and in which way it came', async () => {
  const { clock, random } = it.kit
  const from = it.place.carrier.host
  const types = async (caller: string, way: KeyWay) => {
    const keysPayload = way === 'info' ? 'none' : PAYLOAD_KEYS
    const called = { target: it.place.sip, called: TYPING_LINE }
    const phone = await SipCaller.call({ from, ...called, caller, keysPayload, clock, random })
    const stream = keyStream({ keys: '42', heldMs: 120, gapMs: 200, way, infoSaysMs: 120 }, random)
    await phone.play(stream.map((sent) => ({ ...sent, atMs: sent.atMs + TYPES_AFTER_MS })))
    phone.hangUp()
    const { outside } = await ladderOf(caller, 'ended: hungUp')
    phone.close()
    return outside
  }
  expect(await types('+4556000002', 'info')).toMatch(/presses 4 \(120 ms, SIP INFO\).* presses 2 \(120 ms, SIP INFO\)/)
  expect(await types('+4556000003', 'rtp')).toMatch(/presses 4 \(1\d\d ms\).* presses 2 \(1\d\d ms\)/)
})

test('a callee whose packets are lost on the way: how many', async () => {
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const { number, callee } = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100, losesEvery: 10 })
  // Asterisk counts what was lost every 5 s.
  await callee.ear.whenHeard(ANNA_HZ, 6_500)
  callee.hangUp()

  const { outside, agent } = await ladderOf(number, 'ended: hungUp')
  expect(agent).toContain('anna is there: a packet came (ulaw)')
  expect(outside).toContain('answers (ulaw)')
  const [received, lost] = PACKETS.exec(outside)!.slice(1).map(Number) as [number, number]
  expect(lost).toBeGreaterThan(5)
  expect(Math.abs(lost / (received + lost) - 0.1)).toBeLessThan(0.05)
})

test('a callee who answers without a codec of ours, and an agent whose phone is lost', async () => {
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const first = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100, soundless: 'otherCodecWithKeys' })
  const { outside } = await ladderOf(first.number, 'ended')
  expect(outside).toContain('answered without a codec of ours: ended (488)')

  const second = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100 })
  await second.callee.ear.whenHeard(ANNA_HZ, 300)
  await annasPhone.close()
  const words = () => second.callee.ear.heard.soundMs - second.callee.ear.heardTone(ANNA_HZ) >= 400
  expect(await becomesTrue(it.kit.clock, words)).toBe(true)
  second.callee.hangUp()
  const { agent } = await ladderOf(second.number, 'ended')
  expect(agent).toMatch(/anna takes it, leg sb-\S+/)
  expect(agent).toContain('the phone of anna was lost')
  expect(agent).toMatch(/anna ended: failed; packets in \d+/)
})
