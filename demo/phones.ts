/** The demo's telephones: SIPp and RTP for a real switch, simulated phones for the simulated switch. */
import type { Clock } from '../src/kernel/clock.ts'
import type { AgentName, PhoneNumber } from '../src/kernel/ids.ts'
import type { Random } from '../src/kernel/random.ts'
import type { Callee, CallResult, Contact } from '../src/sim/person.ts'
import type { SimPbx } from '../src/sim/sim-pbx.ts'
import { CALLING_AGENTS } from './campaign-people.ts'
import { CARRIER_HOST, type DemoPorts } from './demo-setup.ts'
import { openCarrier } from './sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from './sip/sipp-agent-phone.ts'
import { callIn } from './sip/sipp-phone.ts'
import { AGENTS, DEMO_NUMBER, type Story } from './stories.ts'

/** Milliseconds of the other side's voice, at both ends. Simulated phones have no sound. */
export interface TwoWayAudio {
  readonly callerHeardMs: number
  readonly agentHeardMs: number
}

/** Who is called, and which agents stay connected beside those of the acts. */
export interface DemoLines {
  readonly contactOf: (number: PhoneNumber) => Contact
  readonly colleagues: readonly { readonly name: string; readonly host: string }[]
}

/** Phones that play stories. */
export interface DemoPhones {
  call(story: Story): Promise<{ readonly result: CallResult; readonly audio: TwoWayAudio | undefined }>
  /** Dialed numbers, as the carrier counts them. */
  invites(): readonly { readonly number: string; readonly reference: string }[]
  close(): Promise<void>
}

/** Inbound agents answer after a second, talk for a while and hang up. */
const RUNG: Callee = { does: 'answer', afterMs: 1_000, hangsUpAfterMs: 5_000 }

/** Campaign agents answer at once and stay connected. */
const LOGGED_IN: Callee = { does: 'answer', afterMs: 200 }

/** Caller and agent send different tones, which the other end detects. */
const CALLER_HZ = 440
const AGENT_HZ = 620

/** Real phones. `sipp` is its path. */
export async function realPhones(
  kit: { sipp: string; clock: Clock; random: Random },
  ports: Pick<DemoPorts, 'sip' | 'phone' | 'carrier'>,
  { contactOf, colleagues }: DemoLines,
): Promise<DemoPhones> {
  const rung = new Map<string, SippAgentPhone>()
  for (const { name, host } of AGENTS) {
    const at = { host, port: ports.phone }
    rung.set(name, await answerPhone({ kit, at, person: RUNG, toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }))
  }
  const loggedIn: SippAgentPhone[] = []
  for (const { host } of [...CALLING_AGENTS, ...colleagues]) {
    const at = { host, port: ports.phone }
    loggedIn.push(await answerPhone({ kit, at, person: LOGGED_IN, toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }))
  }
  const voice = { toneHz: CALLER_HZ, listensFor: [AGENT_HZ] }
  const port = ports.carrier ?? 5060
  const carrier = await openCarrier({ ...kit, host: CARRIER_HOST, port, contactOf, ...voice })
  return {
    invites: () => carrier.invites(),
    async call({ caller, person, agent }) {
      const target = { host: '127.0.0.1', port: ports.sip }
      const phone = await callIn({ kit, target, from: CARRIER_HOST, called: DEMO_NUMBER, caller, person, ...voice })
      const result = await phone.result
      const agentPhone = agent === undefined ? undefined : rung.get(agent)
      if (!agentPhone) return { result, audio: undefined }
      const callerHeardMs = phone.ear.heardTone(AGENT_HZ)
      return { result, audio: { callerHeardMs, agentHeardMs: agentPhone.ear.heardTone(CALLER_HZ) } }
    },
    async close() {
      await Promise.all([...rung.values(), ...loggedIn].map((phone) => phone.close()))
      await carrier.close()
    },
  }
}

/** Phones of the simulated switch. */
export function simulatedPhones(pbx: SimPbx, { contactOf, colleagues }: DemoLines): DemoPhones {
  for (const { name } of AGENTS) pbx.agentPhone(name as AgentName, RUNG)
  for (const { name } of [...CALLING_AGENTS, ...colleagues]) pbx.agentPhone(name as AgentName, LOGGED_IN)
  pbx.carrier.contactOf = contactOf
  return {
    invites: () => pbx.carrier.invites,
    async call({ caller, person }) {
      const phone = pbx.callIn({ called: DEMO_NUMBER, caller, person })
      return { result: await new Promise<CallResult>((tell) => phone.onEnd(tell)), audio: undefined }
    },
    close: () => Promise.resolve(),
  }
}
