/** Callers who are brought to telephones outside: who is called, who is not, what is told, and what a crash changes. */
import { expect, test } from 'vitest'
import { REASONS } from '../../../src/dialer/may-dial-now.ts'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import type { Caller, Contact } from '../../../src/sim/person.ts'
import {
  CALLER_ID,
  CampaignWorld,
  type CampaignWorldOptions,
  CORPORATION,
  INBOUND,
  numberOf,
  SYSTEM,
} from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const DOCTOR = '+4533123456' as PhoneNumber
const FLOW = (to: string, more = '') => `flow: outside
start: out
onError: broken
vars: { to: "${to}" }
activity: { systemLookupCode: "\${ended | default 'never'}" }
steps:
  out:
    transfer: { to: "\${to}", timeout: 20s${more} }
    mark: reached
    ${more.includes('blind') ? '' : 'next: after'}
    on: { busy: busy, noAnswer: late, refused: refused, malformed: bad, failed: broken }
  after: { set: { ended: after }, next: tell }
  tell: { play: Welcome back., next: bye, on: { failed: bye } }
  busy: { set: { ended: busy }, next: bye, on: { failed: bye } }
  late: { set: { ended: late }, next: bye, on: { failed: bye } }
  refused: { set: { ended: refused }, next: bye, on: { failed: bye } }
  bad: { set: { ended: bad }, next: bye, on: { failed: bye } }
  broken: { set: { ended: broken }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 20_000 }

interface Given extends CampaignWorldOptions {
  readonly to?: string
  readonly more?: string
  readonly person?: Caller
  readonly contact?: Contact
  readonly before?: (world: CampaignWorld) => Promise<unknown>
}

async function open({ to = DOCTOR, more, person, contact = ANSWERS, before, ...options }: Given = {}) {
  const world = new CampaignWorld({
    flow: FLOW(to, more),
    transferCountries: ['DK'],
    contactOf: () => contact,
    ...options,
  })
  await before?.(world)
  await world.start()
  const call = { called: INBOUND, caller: '+4551000001', person: { waitsMaxMs: 20 * MINUTE_MS, ...person } }
  return { world, caller: world.pbx.callIn(call) }
}

type Opened = Awaited<ReturnType<typeof open>>

const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]
const invitesOf = ({ pbx }: CampaignWorld) => pbx.carrier.invites

/** The call when it is recorded: nobody is left on the switch. */
async function recorded({ world }: Opened) {
  expect(await world.until(() => callsOf(world).length > 0, 20 * MINUTE_MS)).toBe(true)
  await world.run(10_000)
  expect([world.pbx.switch.legs.size, world.pbx.switch.bridges.size]).toEqual([0, 0])
  return callsOf(world)[0]!
}

test('both talk, and the flow goes on when the other side leaves; the call says with whom and how long', async () => {
  const opened = await open()
  const call = await recorded(opened)
  expect(invitesOf(opened.world)).toMatchObject([{ number: DOCTOR, callerId: CALLER_ID, trunk: 'main' }])
  const words = opened.caller.heard.map(({ what, text }) => (what === 'words' ? text : what))
  expect(words).toEqual(['music', 'person', 'Welcome back.', 'Goodbye.'])
  expect(call).toMatchObject({ externalCaseNumber: 'after', result: 'answered', talkMs: 0, recordings: [] })
  const [made] = call.transfers!
  expect(made).toMatchObject({ to: DOCTOR, mode: 'attended', end: 'done' })
  expect(made!.endedAtMs! - made!.connectedAtMs!).toBeGreaterThan(19_500)
})

test.each([
  ['busy', 'busy', { does: 'busy', afterMs: 100 }],
  ['noAnswer', 'late', { does: 'ignore', ringsAfterMs: 0, afterMs: 0 }],
  ['failed', 'broken', { does: 'fail', code: 404, afterMs: 50 }],
] as const)('given a line that is %s, the flow goes on, and the trace says so', async (end, ended, contact) => {
  const opened = await open({ contact })
  const call = await recorded(opened)
  expect(call).toMatchObject({ externalCaseNumber: ended, transfers: [{ end }] })
  expect(call.transfers![0]!.connectedAtMs).toBeUndefined()
  expect(opened.caller.ear.words).toContain('Goodbye.')
})

test.each([
  ['while it rings', { does: 'ignore', ringsAfterMs: 0, afterMs: 0 } as const, 5_000, 'failed'],
  ['in the talk', { ...ANSWERS, hangsUpAfterMs: MINUTE_MS }, 15_000, 'done'],
])('a caller who hangs up %s ends the other side', async (_, contact, hangsUpAfterMs, end) => {
  const opened = await open({ contact, person: { hangsUpAfterMs } })
  const call = await recorded(opened)
  expect(opened.world.pbx.carrier.calls[0]!.endedBy).toBe('switch')
  expect(call).toMatchObject({ hungUpBy: 'caller', transfers: [{ end }], externalCaseNumber: 'never' })
})

const STOPPED = { kind: 'number', number: DOCTOR } as const
const isAt = (number: PhoneNumber) => ({ numbers: [{ given: number, number }] })

test.each<[string, string, Given]>([
  [
    'the kill switch is on',
    REASONS.killSwitch,
    { before: (world) => world.during(world.dialerRepository.setKillSwitch(true, 'me', 1)) },
  ],
  [
    'the number is stopped',
    REASONS.stopped,
    { before: (world) => world.during(world.dialerRepository.addStop(CORPORATION, STOPPED, 1)) },
  ],
  [
    'the person is stopped',
    REASONS.stopped,
    {
      before: async (world) => {
        await world.campaign({ dialMode: 'manual' })
        await world.import(1, () => isAt(DOCTOR))
        const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'c0' } as const
        await world.during(world.dialerRepository.addStop(CORPORATION, person, 1))
      },
    },
  ],
  [
    'one of several people at the number is stopped',
    REASONS.stopped,
    {
      before: async (world) => {
        await world.campaign({ dialMode: 'manual' })
        await world.import(2, () => isAt(DOCTOR))
        for (const task of world.dialerRepository.view.tasks.keys()) {
          const end = { task, corporations: [CORPORATION], status: 'endedBySystem', atMs: 2 } as const
          await world.during(world.dialerRepository.endCallTask(end))
        }
        const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'c0' } as const
        await world.during(world.dialerRepository.addStop(CORPORATION, person, 1))
      },
    },
  ],
  [
    'the number has an open call task',
    'belongs to an open call task',
    {
      before: async (world) => {
        await world.campaign({ dialMode: 'manual' })
        await world.import(1, () => isAt(DOCTOR))
      },
    },
  ],
  ['the number is costly', REASONS.numberRefused, { to: '+4590123456' }],
  ['the country is not allowed', 'transferCountries', { to: '+37255512345' }],
  ['no country is allowed', 'transferCountries', { transferCountries: [] }],
  ['the number is ours', 'one of ours', { to: INBOUND }],
  ['the number is ours, as the network spells it', 'one of ours', { to: INBOUND, spelled: INBOUND.slice(1) }],
  ['the caller id is not ours', 'caller id', { more: ', callerId: "+4570999999"' }],
  ['the trunk is full', REASONS.trunkFull, { linesMax: 0 }],
])('nobody is called when %s, and the trace says why', async (_, why, given) => {
  const opened = await open(given)
  const call = await recorded(opened)
  expect(invitesOf(opened.world)).toEqual([])
  expect(call).toMatchObject({ externalCaseNumber: 'refused', transfers: [{ end: 'refused' }] })
  expect(call.transfers![0]!.why).toContain(why)
})

test('nobody is called when the database does not answer', async () => {
  const opened = await open()
  const { world } = opened
  const nowMs = world.clock.nowMs()
  world.dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 30_000 }]
  const call = await recorded(opened)
  expect(invitesOf(world)).toEqual([])
  expect(call.externalCaseNumber).toMatch(/refused|broken/)
})

test('a value cannot name a sip: address', async () => {
  const call = await recorded(await open({ to: 'sip:200@evil.example' }))
  expect(call).toMatchObject({ externalCaseNumber: 'bad' })
})

const SIP = FLOW(DOCTOR).replace('"${to}"', '"sip:reception@office"')

test.each([
  ['with sipTransfers', ['main', 'office'], 'after'],
  ['without', ['main'], 'refused'],
] as const)('a sip: address is called over the trunk of its host, %s', async (_, trunks, ended) => {
  const opened = await open({ flow: SIP, trunks })
  const call = await recorded(opened)
  expect(call).toMatchObject({ externalCaseNumber: ended, transfers: [{ to: 'sip:reception@office' }] })
  const wanted = ended === 'after' ? [{ number: 'reception', trunk: 'office' }] : []
  expect(invitesOf(opened.world)).toMatchObject(wanted)
})

test('a transfer uses a line of the trunk', async () => {
  const world = new CampaignWorld({
    flow: FLOW(DOCTOR),
    transferCountries: ['DK'],
    linesMax: 1,
    contactOf: () => ANSWERS,
  })
  await world.start()
  for (const caller of ['+4551000001', '+4551000002']) {
    world.pbx.callIn({ called: INBOUND, caller, person: {} })
    await world.run(1_000)
  }
  expect(await world.until(() => callsOf(world).length === 2)).toBe(true)
  expect(invitesOf(world)).toHaveLength(1)
  expect(callsOf(world).flatMap(({ transfers }) => transfers!.map(({ end }) => end))).toEqual(['refused', 'done'])
})

test('a call is transferred ten times at most', async () => {
  const round = FLOW(DOCTOR)
    .replace('busy: busy', 'busy: again')
    .replace('  bye:', '  again: { play: Still busy., next: out, on: { failed: bye } }\n  bye:')
  const opened = await open({ flow: round, contact: { does: 'busy', afterMs: 10 } })
  const call = await recorded(opened)
  expect(invitesOf(opened.world)).toHaveLength(10)
  expect(call).toMatchObject({ externalCaseNumber: 'refused' })
})

test.each([
  ['accepts', 'done', 'never'],
  ['acceptsStaying', 'done', 'never'],
  ['refuses', 'failed', 'broken'],
  ['fails', 'failed', 'broken'],
  ['ignores', 'failed', 'never'],
] as const)('blind: the network of the caller %s', async (onHandOver, end, ended) => {
  const opened = await open({ more: ', mode: blind', person: { onHandOver } })
  const call = await recorded(opened)
  expect(opened.caller.handedOverTo).toEqual([{ number: DOCTOR, host: 'main.example' }])
  expect(invitesOf(opened.world)).toEqual([])
  expect(call).toMatchObject({ externalCaseNumber: ended, transfers: [{ mode: 'blind', end }] })
  expect(call.transfers![0]!.connectedAtMs !== undefined).toBe(end === 'done')
})

/** The engine dies at once, and another one starts two seconds later. */
async function restart(world: CampaignWorld): Promise<void> {
  await world.crash()
  await world.run(2_000)
  await world.start()
}

test('the engine dies in the talk: the talk goes on, then the flow, and nobody is called twice', async () => {
  const opened = await open({ contact: { ...ANSWERS, hangsUpAfterMs: MINUTE_MS } })
  const { world, caller } = opened
  expect(await world.until(() => caller.heard.some(({ what }) => what === 'person'))).toBe(true)
  await world.run(10_000)
  await restart(world)
  await world.run(5_000)
  expect(world.pbx.carrier.calls[0]!.endedBy).toBeUndefined()
  const call = await recorded(opened)
  expect(invitesOf(world)).toHaveLength(1)
  expect(caller.heard.filter(({ what }) => what === 'person')).toHaveLength(1)
  expect(caller.ear.words).toContain('Welcome back.')
  expect(call).toMatchObject({ externalCaseNumber: 'after', transfers: [{ end: 'done' }] })
  const [made] = call.transfers!
  expect(made!.endedAtMs! - made!.connectedAtMs!).toBeGreaterThan(MINUTE_MS - 1_000)
})

test('the line of a talk that goes on after a crash counts on the trunk until its end', async () => {
  const { world, caller } = await open({
    linesMax: 1,
    contact: { ...ANSWERS, hangsUpAfterMs: 2 * MINUTE_MS },
    before: (one) => one.campaign(),
  })
  expect(await world.until(() => caller.heard.some(({ what }) => what === 'person'))).toBe(true)
  await world.run(10_000)
  await restart(world)
  await world.logIn('anna')
  await world.import(1)
  await world.run(MINUTE_MS)
  expect(invitesOf(world)).toHaveLength(1)
  expect(await world.until(() => invitesOf(world).length > 1, 2 * MINUTE_MS)).toBe(true)
})

test('the engine dies while it rings: the same telephone is answered, and both talk', async () => {
  const opened = await open({ contact: { ...ANSWERS, afterMs: 12_000 } })
  const { world, caller } = opened
  expect(await world.until(() => invitesOf(world).length === 1)).toBe(true)
  await world.run(3_000)
  await restart(world)
  const call = await recorded(opened)
  expect(invitesOf(world)).toHaveLength(1)
  expect(caller.heard.some(({ what }) => what === 'person')).toBe(true)
  expect(call).toMatchObject({ externalCaseNumber: 'after', transfers: [{ end: 'done' }] })
})

test.each([
  ['in the talk', 'person'],
  ['after it', 'words'],
] as const)('the engine dies %s, the flow starts over, and whoever asks again is brought there', async (_, what) => {
  const pin = 'pin: { gather: { prompt: Your pin., digits: 4, secret: true }, next: out, on: { failed: bye } }'
  const flow = FLOW(DOCTOR).replace('start: out', 'start: pin').replace('steps:', `steps:\n  ${pin}`)
  const opened = await open({ flow })
  const { world, caller } = opened
  const types = async (times: number) => {
    expect(await world.until(() => caller.ear.words.split('Your pin.').length > times)).toBe(true)
    await world.run(2_000)
    caller.press('4888')
  }
  await types(1)
  const isThere = () => caller.heard.some((one) => one.what === 'person') && caller.heard.at(-1)!.what === what
  expect(await world.until(isThere, MINUTE_MS)).toBe(true)
  await restart(world)
  await types(2)
  const call = await recorded(opened)
  expect(invitesOf(world)).toMatchObject([{ number: DOCTOR }, { number: DOCTOR }])
  expect(caller.heard.filter((one) => one.what === 'person')).toHaveLength(2)
  expect(call).toMatchObject({ externalCaseNumber: 'after', transfers: [{ end: 'done' }, { end: 'done' }] })
  for (const { connectedAtMs, endedAtMs } of call.transfers!) expect(endedAtMs! - connectedAtMs!).toBeGreaterThan(0)
})

test('the engine dies in the talk, and the flow is another one by now: the talk ends before it begins', async () => {
  const opened = await open({ contact: { ...ANSWERS, hangsUpAfterMs: 2 * MINUTE_MS } })
  const { world, caller } = opened
  expect(await world.until(() => caller.heard.some(({ what }) => what === 'person'))).toBe(true)
  await world.run(10_000)
  Object.assign(world.options, { flow: FLOW(DOCTOR).replace('Goodbye.', 'Bye.') })
  await restart(world)
  expect(await world.until(() => invitesOf(world).length === 2, MINUTE_MS)).toBe(true)
  expect(world.pbx.carrier.calls[0]!.endedBy).toBe('switch')
  expect((await recorded(opened)).transfers).toMatchObject([{ end: 'done' }, { end: 'done' }])
})

test('the other side leaves while no engine runs: the flow goes on, and nobody is called again', async () => {
  const opened = await open({ contact: { ...ANSWERS, hangsUpAfterMs: 11_000 } })
  const { world, caller } = opened
  expect(await world.until(() => caller.heard.some(({ what }) => what === 'person'))).toBe(true)
  await world.run(10_000)
  await restart(world)
  const call = await recorded(opened)
  expect(invitesOf(world)).toHaveLength(1)
  expect(call).toMatchObject({ externalCaseNumber: 'after', transfers: [{ end: 'done' }] })
})

test('the caller leaves while no engine runs: the other side is hung up, and the call tells of the talk', async () => {
  const opened = await open({ contact: { ...ANSWERS, hangsUpAfterMs: 10 * MINUTE_MS } })
  const { world, caller } = opened
  expect(await world.until(() => caller.heard.some(({ what }) => what === 'person'))).toBe(true)
  await world.run(10_000)
  await world.crash()
  caller.hangUp()
  await world.run(2_000)
  await world.start()
  const call = await recorded(opened)
  expect(call).toMatchObject({ result: 'answered', transfers: [{ end: 'done', to: DOCTOR }] })
  expect(world.pbx.carrier.calls[0]!.endedBy).toBe('switch')
})

test('a debtor of the campaign is not in the way of other numbers', async () => {
  const opened = await open({
    before: async (world) => {
      await world.campaign({ dialMode: 'manual' })
      await world.import(1, () => isAt(numberOf(1)))
    },
  })
  expect(await recorded(opened)).toMatchObject({ externalCaseNumber: 'after' })
})
