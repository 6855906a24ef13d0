/** One agent in a conversation with a callee or a caller, on virtual time. */
import { expect } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import type { SimCaller } from '../../../src/sim/sim-caller.ts'
import { CampaignWorld, type CampaignWorldOptions, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'

export const ANNA = 'anna' as AgentName
export const EXPERT = '+4526900001'
const CALLER = '+4551234567'
const PATIENT = { waitsMaxMs: 4 * 3_600_000 }
/** The world gives numbers to the flow of this name. */
const FLOW = flowOf(`
flow: debtor-self-service
start: team
steps:
  team:
    queue: { team: collections, timeout: 30m }
    mark: reached-a-person
    next: goodbye
    on: { full: goodbye, closed: goodbye, timeout: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`)

export class Talk {
  world!: CampaignWorld
  caller: SimCaller | undefined

  async open(
    agents: readonly string[] = ['anna'],
    isCaller = false,
    more: Pick<CampaignWorldOptions, 'recording' | 'phoneGraceMs' | 'linesMax' | 'pbx' | 'contactOf'> = {},
  ): Promise<this> {
    this.world = new CampaignWorld({
      teams: { collections: ['anna'], experts: ['ben'] },
      contactOf: (number) =>
        number === '+4526900002'
          ? { does: 'busy', afterMs: 500 }
          : { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 7_200_000 },
      transferCountries: ['DK', 'SE'],
      parts: () => ({ flows: new FlowRegistry([FLOW]) }),
      ...more,
    })
    await this.world.campaign({})
    if (!isCaller) await this.world.import(1)
    await this.world.start()
    for (const agent of agents) await this.world.logIn(agent)
    if (isCaller)
      this.caller = this.world.pbx.callIn({ called: INBOUND, caller: CALLER, trunk: 'main', person: PATIENT })
    expect(await this.world.until(() => this.state('anna') === 'talking')).toBe(true)
    return this
  }

  state(agent: string) {
    return this.world.engine.agentDesktop!.statuses().find((one) => one.agent === agent)?.state
  }

  line(place: number) {
    return this.world.pbx.carrier.calls[place]
  }

  order(order: AgentOrder, agent = ANNA) {
    return this.world.during(this.world.engine.agentDesktop!.order(agent, order))
  }

  /** Who hears whom now, by name; the callee is `callee`, the number that was asked is `expert`. */
  async hearing(wanted: readonly string[]): Promise<string[]> {
    const now = () => {
      const [callee, expert] = this.caller ? [this.caller, this.line(0)] : [this.line(0), this.line(1)]
      const ears = { callee, expert, anna: this.phone('anna'), ben: this.phone('ben') }
      const number = this.caller ? CALLER : this.line(0)!.invite.number
      const names: Record<string, string> = { [number]: 'callee', [EXPERT]: 'expert' }
      return Object.entries(ears).flatMap(([who, ear]) =>
        (ear?.heard ?? [])
          .filter(({ untilMs, what }) => untilMs === undefined && what !== 'words')
          .map(({ text }) => `${who} hears ${names[text] ?? text}`),
      )
    }
    await this.world.until(() => String(now().sort()) === String([...wanted].sort()), 30_000)
    return now().sort()
  }

  phone(agent: string) {
    return this.world.pbx.agentPhone(agent as AgentName, STAYS)
  }

  consults(agent = 'anna') {
    return this.world.news.flatMap(({ agent: whose, news }) =>
      whose === agent && news.type === 'consult' ? [news] : [],
    )
  }
}

export const TOGETHER = ['anna hears callee', 'callee hears anna']
export const WITH_BEN = ['anna hears ben', 'ben hears anna', 'callee hears default']
export const WITH_EXPERT = ['anna hears expert', 'callee hears default', 'expert hears anna']
