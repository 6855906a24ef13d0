/** The demo's telephones: real ones (SIPp and RTP) for a real switch, simulated ones for the simulated. */
import type { Clock } from '../src/kernel/clock.ts'
import type { AgentName } from '../src/kernel/ids.ts'
import type { Random } from '../src/kernel/random.ts'
import type { Callee, CallResult } from '../src/sim/person.ts'
import type { SimPbx } from '../src/sim/sim-pbx.ts'
import { CALLING_AGENTS, debtorAt } from './campaign-people.ts'
import { CARRIER_HOST, type DemoPorts } from './demo-setup.ts'
import { openCarrier } from './sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from './sip/sipp-agent-phone.ts'
import { callIn } from './sip/sipp-phone.ts'
import { AGENTS, DEMO_NUMBER, type Story } from './stories.ts'

/** How one call sounded: milliseconds of the other side's voice, on both ends. Simulated phones have no sound. */
export interface TwoWayAudio {
  readonly callerHeardMs: number
  readonly agentHeardMs: number
}

/** Phones that can tell a story. */
export interface DemoPhones {
  call(story: Story): Promise<{ readonly result: CallResult; readonly audio: TwoWayAudio | undefined }>
  /** The carrier's own count of what was dialed. */
  invites(): readonly { readonly number: string; readonly reference: string }[]
  close(): Promise<void>
}

/** The agents' tempo: to the phone in a second, a short talk, and down again. */
const AGENT: Callee = { does: 'answer', afterMs: 1_000, hangsUpAfterMs: 5_000 }

/** Agents of the campaign: to the phone at once, and they stay on the line. */
const SEATED: Callee = { does: 'answer', afterMs: 200 }

/** Caller and agent each say a tone of their own, so that each can be heard at the other end. */
const CALLER_HZ = 440
const AGENT_HZ = 620

/** Real phones. `sipp` is its path. */
export async function realPhones(
  kit: { sipp: string; clock: Clock; random: Random },
  ports: Pick<DemoPorts, 'sip' | 'phone' | 'carrier'>,
): Promise<DemoPhones> {
  const desks = new Map<string, SippAgentPhone>()
  for (const { name, host } of AGENTS) {
    const at = { host, port: ports.phone }
    desks.set(name, await answerPhone({ kit, at, person: AGENT, toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }))
  }
  const seated: SippAgentPhone[] = []
  for (const { host } of CALLING_AGENTS) {
    const at = { host, port: ports.phone }
    seated.push(await answerPhone({ kit, at, person: SEATED, toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }))
  }
  const voice = { toneHz: CALLER_HZ, listensFor: [AGENT_HZ] }
  const port = ports.carrier ?? 5060
  const carrier = await openCarrier({ ...kit, host: CARRIER_HOST, port, contactOf: debtorAt, ...voice })
  return {
    invites: () => carrier.invites(),
    async call({ caller, person, agent }) {
      const target = { host: '127.0.0.1', port: ports.sip }
      const phone = await callIn({ kit, target, from: CARRIER_HOST, called: DEMO_NUMBER, caller, person, ...voice })
      const result = await phone.result
      const distributor = agent === undefined ? undefined : desks.get(agent)
      if (!distributor) return { result, audio: undefined }
      const callerHeardMs = phone.ear.heardTone(AGENT_HZ)
      return { result, audio: { callerHeardMs, agentHeardMs: distributor.ear.heardTone(CALLER_HZ) } }
    },
    async close() {
      await Promise.all([...desks.values(), ...seated].map((distributor) => distributor.close()))
      await carrier.close()
    },
  }
}

/** Simulated phones, where no Asterisk can be had. */
export function simulatedPhones(pbx: SimPbx): DemoPhones {
  for (const { name } of AGENTS) pbx.agentPhone(name as AgentName, AGENT)
  for (const { name } of CALLING_AGENTS) pbx.agentPhone(name as AgentName, SEATED)
  pbx.carrier.contactOf = debtorAt
  return {
    invites: () => pbx.carrier.invites,
    async call({ caller, person }) {
      const phone = pbx.callIn({ called: DEMO_NUMBER, caller, person })
      return { result: await new Promise<CallResult>((tell) => phone.onEnd(tell)), audio: undefined }
    },
    close: () => Promise.resolve(),
  }
}
