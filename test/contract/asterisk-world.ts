import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { callEventsFile } from '../../asterisk/call-events.ts'
import { recordingsFolder } from '../../asterisk/general.ts'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { freePort } from '../../asterisk/ports.ts'
import { privateAsterisk } from '../../asterisk/private.ts'
import { FRAME_MS, FRAME_SAMPLES, fromUlaw, SAMPLE_RATE, toneFrame } from '../../demo/sip/audio.ts'
import type { RtpEar } from '../../demo/sip/rtp-ear.ts'
import { SipCaller } from '../../demo/sip/sip-caller.ts'
import { BEEP_END_MS, type CarrierContact, openCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn, type PhoneKit, type SippCaller } from '../../demo/sip/sipp-phone.ts'
import { sidesInFolder } from '../../src/adapters/recordings/join-channels.ts'
import { messagesInFolder } from '../../src/adapters/recordings/keep-message.ts'
import { sipCopiesPortOf } from '../../src/ari/address.ts'
import { AriPbx } from '../../src/ari/ari-pbx.ts'
import { celReader } from '../../src/ari/cel/cel-reader.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { AgentName } from '../../src/kernel/ids.ts'
import { makeIds } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { shareOfTone } from '../../src/listening/tone.ts'
import type { CallEventLog } from '../../src/ports/pbx.ts'
import type { Sound } from '../../src/ports/speech.ts'
import type { Caller } from '../../src/sim/person.ts'
import { configWith, REGISTERING, secretOf } from '../asterisk/setups.ts'
import {
  BEN,
  EventRecord,
  type PbxWorld,
  type Tape,
  type TapeVoice,
  type WorldCaller,
  type WorldContact,
} from './pbx-world.ts'
import { SAID } from './speech/speech.contract.ts'

/** Long enough for a slow machine; only a fact that never comes takes so long. */
const DEADLINE_MS = 20_000
/** This much of the other's tone is a conversation. */
const HEARD_MS = 300
/** So much sound on a recording counts as a voice. */
const VOICE_MS = 100
const CALLER_HZ = 450
const AGENT_HZ = 700
const CONTACT_HZ = 550
const PROMPT_HZ = 1_000
/** Far from the others: not a trace of them is taken for it. */
const VOICE_HZ = { contact: CONTACT_HZ, agent: AGENT_HZ, supervisor: 2_500 } as const

const TRUNK_HOST = '127.0.0.41'
/** Nothing listens there. */
const DEAD_HOST = '127.0.0.42'
const AGENT_HOST = '127.0.0.51'
const SUPERVISOR_HOST = '127.0.0.52'

/** Capabilities of a real switch only. */
export interface RealWorld extends PbxWorld {
  /** The logs of the switch, and where they are. */
  readonly callEventLog: CallEventLog
  readonly callEvents: string
  /** Ends the switch as a power failure would. */
  killSwitch(): Promise<void>
}

/** A real Asterisk, with SIPp phones and a carrier around it. */
export async function asteriskWorld(): Promise<RealWorld> {
  const clock = new RealClock()
  const random = seededRandom(1)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'contract-'))
  const at = { host: AGENT_HOST, port: await freePort('udp', AGENT_HOST) }
  const bensAt = { host: SUPERVISOR_HOST, port: await freePort('udp', SUPERVISOR_HOST) }
  const sip = { host: '127.0.0.1', port: await freePort('udp', '127.0.0.1') }
  const sounds = { toneHz: CONTACT_HZ, listensFor: [AGENT_HZ, VOICE_HZ.supervisor] }
  const carrier = await openCarrier({ clock, random, host: TRUNK_HOST, ...sounds })
  const asterisk = await privateAsterisk({
    dataDirectory,
    treeDirectory:
      process.env['SWITCHBOARD_TEST_TREE'] ?? fileURLToPath(new URL('../../.data/asterisk', import.meta.url)),
    installation: configWith({
      trunks: [carrier.at, { name: 'dead', host: DEAD_HOST }],
      phones: { anna: { kind: 'fixed', ...at }, ben: { kind: 'fixed', ...bensAt }, nobody: REGISTERING },
    }),
    secret: secretOf,
    onLine: () => undefined,
    ports: { sipPort: sip.port, ariPort: await freePort('tcp', '127.0.0.1') },
  })
  if (!asterisk.ok) throw new Error(`${asterisk.why}\n${asterisk.remedy}`)
  const kit: PhoneKit = { sipp: asterisk.tree.sipp!, clock, random }
  const recordings = recordingsFolder(asterisk.runDirectory)
  const joinSides = sidesInFolder(recordings)
  const access = {
    ...asterisk.ari,
    app: 'switchboard',
    neededModules: NEEDED_MODULES,
    firstTrunk: () => 'main',
    joinSides,
    keepMessage: messagesInFolder(recordings),
    hearing: { understand: async () => ({ ok: true, ...SAID }) as const },
  }
  const ours = { ...access, sipCopiesPort: sipCopiesPortOf(access.url), clock, random, log: silentLog }
  let pbx = new AriPbx(ours)
  const record = new EventRecord(pbx)
  await pbx.start()

  const soon = <T>(what: string, fact: Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<T>()
    const deadline = clock.schedule(clock.nowMs() + DEADLINE_MS, () =>
      late.reject(new Error(`${what} did not come; told: ${JSON.stringify(record.events.slice(-20))}`)),
    )
    return Promise.race([fact, late.promise]).finally(() => deadline.cancel())
  }

  const callEvents = callEventsFile(asterisk.runDirectory)
  const callEventLog = celReader(callEvents, { clock, log: silentLog, daysMax: 30 })

  const phones = new Map<AgentName, SippAgentPhone>()
  const callers: Pick<SippCaller, 'close'>[] = []
  return {
    get pbx() {
      return pbx
    },
    ids: makeIds(clock, random),
    events: record.events,
    missingSound: { file: join(dataDirectory, 'no-such-sound'), text: 'nothing', durationMs: 500 },
    async loseBridge(bridge) {
      const { url, user, password } = asterisk.ari
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      const deleted = await fetch(`${url}/ari/bridges/${bridge}`, { method: 'DELETE', headers: { authorization } })
      if (!deleted.ok) throw new Error(`the bridge was not deleted: ${deleted.status}`)
    },
    sound: (text, durationMs) => recorded(dataDirectory, text, durationMs),
    event: (type, fields) => soon(`${type} ${JSON.stringify(fields)}`, record.next(type, fields)),
    async callIn(call: { called: string; caller?: string; person: Caller }) {
      if (call.person.onHandOver) {
        const { onHandOver } = call.person
        const { caller = 'anonymous', called } = call
        const parts = { clock, random, from: TRUNK_HOST, target: sip, keysPayload: 101 }
        const calling = SipCaller.call({ ...parts, called, caller, onHandOver })
        callers.push({ close: async () => (await calling).close() })
        return handedOverCaller(calling, soon)
      }
      const caller = await callIn({
        ...call,
        kit,
        target: sip,
        from: TRUNK_HOST,
        toneHz: CALLER_HZ,
        listensFor: [AGENT_HZ],
      })
      callers.push(caller)
      return worldCaller(caller, soon)
    },
    async agentPhone(agent, person) {
      await phones.get(agent)?.close()
      const isBen = agent === BEN
      const toneHz = isBen ? VOICE_HZ.supervisor : AGENT_HZ
      const listensFor = [CALLER_HZ, ...Object.values(VOICE_HZ).filter((hz) => hz !== toneHz)]
      const phone = await answerPhone({ kit, at: isBen ? bensAt : at, person, toneHz, listensFor })
      phones.set(agent, phone)
      const heard = [CALLER_HZ, CONTACT_HZ].map((hz) => phone.ear.whenHeard(hz, HEARD_MS))
      return { hearsCaller: () => soon('the caller at the agent', Promise.race(heard)), ...discerning(phone.ear, soon) }
    },
    async contact(number) {
      return worldContact(await soon(`an INVITE to ${number}`, carrier.contact(number)), soon)
    },
    invites: (number) => carrier.invites().filter((invite) => invite.number === number),
    onTape: (recording) => tapeOf(join(recordings, `${recording}.wav`)),
    async replaceEngine(legs, bridges) {
      await pbx.stop()
      pbx = new AriPbx(ours)
      const told = record.listenTo(pbx)
      pbx.expect(legs, bridges)
      await soon('the switch', pbx.start())
      return told
    },
    callEventLog,
    callEvents,
    killSwitch: () => asterisk.kill(),
    async close() {
      callEventLog.close()
      await pbx.stop()
      for (const phone of [...phones.values(), ...callers, carrier]) await phone.close()
      await asterisk.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** A moment of silence and a second of sound. */
const VOICE = Int16Array.from({ length: 10_400 }, (_, at) => (at < 2_400 ? 0 : 6_000 * Math.sin(at / 3)))

function worldCaller(caller: SippCaller, soon: <T>(what: string, fact: Promise<T>) => Promise<T>): WorldCaller {
  return {
    answered: () => soon('an answer', caller.answered),
    result: () => soon('the end', caller.result),
    press: (keys) => caller.press(keys),
    speak: () => caller.speak(VOICE),
    soundMs: () => caller.ear.heard.soundMs,
    hearsAgent: () => soon('the agent at the caller', caller.ear.whenHeard(AGENT_HZ, HEARD_MS)),
    hears: (ms) => soon('any sound', caller.ear.whenHeard('sound', ms)),
  }
}

/** Answers a REFER, which SIPp's scenarios do not. It has no ear. */
function handedOverCaller(
  calling: Promise<SipCaller>,
  soon: <T>(what: string, fact: Promise<T>) => Promise<T>,
): WorldCaller {
  const silent = () => Promise.reject(new Error('this phone has no ear'))
  return {
    answered: () =>
      soon(
        'an answer',
        calling.then(() => true),
      ),
    result: silent,
    press: () => undefined,
    speak: () => undefined,
    soundMs: () => 0,
    hearsAgent: silent,
    hears: silent,
  }
}

function discerning(
  ear: RtpEar,
  soon: <T>(what: string, fact: Promise<T>) => Promise<T>,
): Pick<WorldContact, 'voiceMs' | 'hearsVoice'> {
  return {
    voiceMs: (voice) => ear.heardTrace(VOICE_HZ[voice]),
    hearsVoice: (voice, ms) => soon(`the voice of the ${voice}`, ear.whenTraced(VOICE_HZ[voice], ms)),
  }
}

function worldContact(contact: CarrierContact, soon: <T>(what: string, fact: Promise<T>) => Promise<T>): WorldContact {
  return {
    get invite() {
      return contact.invite
    },
    get hasAnswered() {
      return contact.invite.answeredAtMs !== undefined
    },
    hearsAgent: () => soon('the agent at the contact', contact.ear.whenHeard(AGENT_HZ, HEARD_MS)),
    hears: (ms) => soon('any sound at the contact', contact.ear.whenHeard('sound', ms)),
    hasBeeped: () => contact.saidMs() >= BEEP_END_MS,
    ...discerning(contact.ear, soon),
    getsKeys: (keys) => soon(`the keys ${keys}`, contact.ear.whenPressed(keys)),
    async endedBy() {
      return (await soon('the end at the contact', contact.ended)) === 'contact' ? 'contact' : 'switch'
    },
  }
}

/** Length of a wav file by its header, which Asterisk writes last: 8,000 samples of two bytes a second. */
/** Whose tone is on each of the two channels of a wav file. */
function tapeOf(file: string): Tape {
  const wav = readFileSync(file)
  if (wav.readUInt16LE(22) !== 2) throw new Error(`${file} has not two channels`)
  const { buffer, byteOffset, length } = Uint8Array.from(wav.subarray(44))
  const samples = new Int16Array(buffer, byteOffset, length / 2)
  const heardOn = (channel: number) => heardIn(samples.filter((_, at) => at % 2 === channel))
  return { ms: samples.length / 2 / (SAMPLE_RATE / 1_000), left: heardOn(0), right: heardOn(1) }
}

function heardIn(samples: Int16Array): TapeVoice[] {
  const frames = Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, at) => [
    ...samples.subarray(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES),
  ])
  const isHeard = (hz: number) => frames.filter((frame) => shareOfTone(frame, hz) > 0.5).length * FRAME_MS >= VOICE_MS
  return (['contact', 'agent'] as const).filter((voice) => isHeard(voice === 'agent' ? AGENT_HZ : CONTACT_HZ))
}

/** A wav file of a tone (RIFF, PCM 16 bit, mono, 8 kHz: what Asterisk plays as it is). */
function recorded(directory: string, text: string, durationMs: number): Sound {
  const file = join(directory, `${text.replaceAll(' ', '-')}-${durationMs}`)
  const samples = Math.ceil((durationMs * SAMPLE_RATE) / 1_000)
  const data = Buffer.alloc(samples * 2)
  for (let at = 0; at < samples; at += FRAME_SAMPLES) {
    const frame = toneFrame(PROMPT_HZ, at)
    for (let i = 0; i < FRAME_SAMPLES && at + i < samples; i++) data.writeInt16LE(fromUlaw(frame[i]!), (at + i) * 2)
  }
  writeFileSync(`${file}.wav`, Buffer.concat([wavHeader(data.length), data]))
  return { file, text, durationMs }
}

function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}
