import { type AgentName, type BridgeId, type LegId, makeIds, type PhoneNumber } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { magicContact } from '../../src/sim/magic-numbers.ts'
import type { Caller, Contact } from '../../src/sim/person.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { SimContact, SimInvite } from '../../src/sim/sim-contact.ts'
import type { Heard } from '../../src/sim/sim-ear.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import {
  ANNA,
  BEN,
  EventRecord,
  type PbxWorld,
  type Voice,
  type WorldAgent,
  type WorldCaller,
  type WorldContact,
} from './pbx-world.ts'
import { SAID } from './speech/speech.contract.ts'

const MISSING = '/missing'

/** How long the real switch waits for a silent carrier (timer B as we set it, asterisk.md 2). */
const NO_CARRIER: Contact = { does: 'fail', code: 408, afterMs: 6_400 }

function whoIsReached(number: PhoneNumber, { trunk }: SimInvite): Contact {
  return trunk === 'dead' ? NO_CARRIER : magicContact(number)
}

/** The simulated switch. Waiting for an event means running virtual time until it comes. */
export async function simWorld(seed: number, options: Partial<SimPbxOptions> = {}): Promise<PbxWorld> {
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const isPlayable = ({ file }: { file: string }) => file !== MISSING
  const carrier = { trunks: { main: {}, dead: {} }, contactOf: whoIsReached }
  const engine = { clock, random, isPlayable, carrier, ...options }
  let pbx = new SimPbx(engine)
  const record = new EventRecord(pbx)
  await pbx.start()

  const until = async (what: string, isTrue: () => boolean) => {
    if (!clock.runUntil(isTrue)) throw new Error(`${what} did not come; told: ${JSON.stringify(record.events)}`)
  }

  return {
    get pbx() {
      return pbx
    },
    ids: makeIds(clock, random),
    events: record.events,
    missingSound: { file: MISSING, text: 'nothing', durationMs: 500 },
    loseBridge: async (bridge) => pbx.joins.lose(bridge),
    sound: (text, durationMs) => ({ file: `/sounds/${text}`, text, durationMs }),
    close: () => pbx.stop(),
    async event(type, fields) {
      await until(`${type} ${JSON.stringify(fields)}`, () => record.find(type, fields) !== undefined)
      return record.find(type, fields)!
    },
    callIn: (call: { called: string; caller?: string; person: Caller }) =>
      Promise.resolve(simCaller(pbx.callIn({ ...call, trunk: 'main' }), clock, until)),
    async agentPhone(agent: AgentName, person): Promise<WorldAgent> {
      const phone = pbx.agentPhone(agent, person)
      const heardBefore = phone.heard.length
      const since = {
        get heard() {
          return phone.heard.slice(heardBefore)
        },
      }
      const hearsCaller = () => since.heard.some(isPerson)
      return { hearsCaller: () => until('the caller at the agent', hearsCaller), ...discerning(since, clock, until) }
    },
    async contact(number) {
      const latest = () => pbx.carrier.calls.findLast(({ invite }) => invite.number === number)
      await until(`an INVITE to ${number}`, () => latest() !== undefined)
      return simContact(latest()!, clock, until)
    },
    invites: (number) => pbx.carrier.invites.filter((invite) => invite.number === number),
    onTape(recording) {
      const { startedAtMs, end, left, right } = pbx.switch.recordings.get(recording)!
      const voices = (names: ReadonlySet<string>) => [...names].map((name) => (name === ANNA ? 'agent' : 'contact'))
      return { ms: end!.atMs - startedAtMs, left: voices(left), right: voices(right) }
    },
    async replaceEngine(legs: readonly LegId[], bridges: readonly BridgeId[]) {
      await pbx.stop()
      pbx = new SimPbx({ ...engine, switch: pbx.switch })
      const told = record.listenTo(pbx)
      pbx.expect(legs, bridges)
      await pbx.start()
      await until('the switch is up again', () => told.some(({ type }) => type === 'pbx.up'))
      return told
    },
  }
}

type Until = (what: string, isTrue: () => boolean) => Promise<void>

function soundMsOf({ heard }: { heard: readonly Heard[] }, clock: VirtualClock): number {
  return heard.reduce((sum, { fromMs, untilMs = clock.nowMs() }) => sum + (untilMs - fromMs), 0)
}

/** Time passes in steps of events; music needs an event to become over. */
async function hearsFor(ms: number, who: { heard: readonly Heard[] }, clock: VirtualClock, until: Until) {
  await until('any sound', () => who.heard.length > 0)
  clock.run(Math.max(0, ms - soundMsOf(who, clock)))
}

function discerning(
  who: { readonly heard: readonly Heard[] },
  clock: VirtualClock,
  until: Until,
): Pick<WorldContact, 'voiceMs' | 'hearsVoice'> {
  const named: Readonly<Record<string, Voice>> = { [ANNA]: 'agent', [BEN]: 'supervisor' }
  const of = (voice: Voice) =>
    who.heard.filter((heard) => isPerson(heard) && (named[heard.text] ?? 'contact') === voice)
  return {
    voiceMs: (voice) => soundMsOf({ heard: of(voice) }, clock),
    hearsVoice: async (voice, ms) => {
      await until(`the voice of the ${voice}`, () => of(voice).length > 0)
      clock.run(Math.max(0, ms - soundMsOf({ heard: of(voice) }, clock)))
    },
  }
}

function simCaller(caller: SimCaller, clock: VirtualClock, until: Until): WorldCaller {
  return {
    soundMs: () => soundMsOf(caller, clock),
    press: (keys) => caller.press(keys),
    speak: () => void clock.schedule(clock.nowMs() + 300, () => caller.say(SAID.text, SAID.confidence)),
    async answered() {
      await until('an answer', () => caller.isUp || caller.result !== undefined)
      return caller.isUp || caller.result?.outcome === 'connected'
    },
    async result() {
      await until('the end', () => caller.result !== undefined)
      return caller.result!
    },
    hearsAgent: () => until('the agent', () => caller.heard.some(isPerson)),
    hears: (ms) => hearsFor(ms, caller, clock, until),
  }
}

function simContact(contact: SimContact, clock: VirtualClock, until: Until): WorldContact {
  return {
    invite: contact.invite,
    get hasAnswered() {
      return contact.answeredAtMs !== undefined
    },
    hearsAgent: () => until('the agent at the contact', () => contact.heard.some(isPerson)),
    hears: (ms) => hearsFor(ms, contact, clock, until),
    ...discerning(contact, clock, until),
    getsKeys: (keys) => until(`the keys ${keys}`, () => contact.digits.includes(keys)),
    hasBeeped: () => clock.nowMs() >= (contact.greetingEndsAtMs ?? Number.POSITIVE_INFINITY),
    async endedBy() {
      await until('the end', () => contact.endedBy !== undefined)
      return contact.endedBy === 'contact' ? 'contact' : 'switch'
    },
  }
}

const isPerson = ({ what }: Heard) => what === 'person'
