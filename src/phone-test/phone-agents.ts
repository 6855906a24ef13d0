/** The agents of a test by phone: one a team, logged in at their screen, on a break until the test says otherwise. */
import { type AgentAtWork, agentAtWork } from '../../demo/agent-at-work.ts'
import { credentialOf } from '../../demo/credential.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { Service } from '../app/service.ts'
import type { ScriptedCall } from '../flow-test/scripted-call.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import { agentOf, type PhonePlace } from './phone-place.ts'

type AgentDoes = Parameters<ScriptedCall['agent']>[0]

/** Agents at work. */
export interface PhoneAgents {
  does(what: AgentDoes, team: string): Promise<void>
  close(): Promise<void>
}

interface Parts {
  readonly service: Service
  readonly place: PhonePlace
  /** Of the phones. */
  readonly clock: Clock
  /** Of the service. */
  readonly serviceClock: Clock
  readonly random: Random
}

/** A packet every 200 ms shows that a silent phone is there. */
const SILENT_EVERY_MS = 200
const ON_A_BREAK = { type: 'pause', reason: 'until the test says otherwise' } as const

/** Plugs in their phones and logs them in. Rejects when that fails. */
export async function agentsOf(teams: readonly string[], parts: Parts): Promise<PhoneAgents> {
  const agents = new Map<string, { readonly phone: SipCarrier; readonly screen: AgentAtWork }>()
  for (const [index, team] of teams.entries()) agents.set(team, await comeToWork(agentOf(index), parts))
  return {
    async does(what, team) {
      const { phone, screen } = agents.get(team)!
      if (what === 'answers') return screen.order({ type: 'ready' })
      if (what === 'lost') return phone.close()
      await screen.order(ON_A_BREAK)
      await screen.order({ type: 'hangUp' })
    },
    async close() {
      await Promise.all([...agents.values()].map(({ phone }) => phone.close()))
    },
  }
}

async function comeToWork(
  { name, host }: ReturnType<typeof agentOf>,
  { service, place, clock, serviceClock, random }: Parts,
) {
  const contactOf = () => ({ does: 'answer', afterMs: 20 }) as const
  const phone = await openCarrier({
    clock,
    random,
    host,
    port: place.phonePort,
    silentEveryMs: SILENT_EVERY_MS,
    contactOf,
  })
  const credential = await credentialOf(service, serviceClock, name, name)
  const screen = await agentAtWork(name, service.core!.rest.ssoUrl!, credential, serviceClock)
  await screen.is('ready')
  await screen.order(ON_A_BREAK)
  await screen.is('paused')
  return { phone, screen }
}
