/** Random orders and events around consultations, on virtual time: nobody is left alone, in silence or reserved. */
import { expect, test } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import type { AgentName, PhoneNumber } from '../../../src/kernel/ids.ts'
import { type Random, seededRandom } from '../../../src/kernel/random.ts'
import type { AgentNotification, AgentOrder } from '../../../src/ports/agent-desktop.ts'
import type { SimCaller } from '../../../src/sim/sim-caller.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'

const FLOW = flowOf(`
flow: debtor-self-service
start: team
steps:
  team:
    queue: { team: experts, timeout: 30m }
    mark: reached-a-person
    next: goodbye
    on: { full: goodbye, closed: goodbye, timeout: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`)

const AGENTS = ['anna', 'ben', 'carl', 'dora']
const OUTSIDE = ['+4526900001', '+4526900001', '+4526900002', '+4526900003', '+4526900004']
const SEEDS = Array.from({ length: 30 }, (_, at) => at + 1)
const STEPS = 60
/** Until a lost phone is noticed, an agent is found anew, or an apology is spoken. */
const SETTLE_MS = 25_000

class Shift {
  readonly world: CampaignWorld
  readonly random: Random
  readonly callers: SimCaller[] = []
  readonly did: string[] = []

  constructor(seed: number) {
    this.random = seededRandom(seed)
    this.world = new CampaignWorld({
      seed,
      teams: { collections: ['anna', 'dora'], experts: ['ben', 'carl'] },
      logLevel: 'error',
      contactOf: (number) => {
        if (number === OUTSIDE[2]) return { does: 'busy', afterMs: 500 }
        if (number === OUTSIDE[3]) return { does: 'ignore', afterMs: 0 }
        if (number === OUTSIDE[4]) return { does: 'answer', afterMs: 1_000, hangsUpAfterMs: 3_000 }
        return { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 7_200_000 }
      },
      transferCountries: ['DK'],
      parts: () => ({ flows: new FlowRegistry([FLOW]) }),
    })
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!
  }

  status(agent: string) {
    return this.world.engine.agentDesktop!.statuses().find((one) => one.agent === agent)
  }

  phone(agent: string) {
    return this.world.pbx.agentPhone(agent as AgentName, STAYS)
  }

  /** One random act. */
  async step(): Promise<void> {
    const { world } = this
    const talking = AGENTS.filter((one) => this.status(one)?.state === 'talking')
    const agent = this.random.next() < 0.85 && talking.length > 0 ? this.pick(talking) : this.pick(AGENTS)
    const to = () =>
      this.random.next() < 0.5
        ? { colleague: this.pick(AGENTS) as AgentName }
        : { number: this.pick(OUTSIDE) as PhoneNumber }
    const order = (wanted: AgentOrder) => async () => {
      const answer = await world.order(agent, wanted)
      this.did.push(`  ${JSON.stringify(answer)}`)
    }
    const acts: Record<string, () => unknown> = {
      consult: order({ type: 'consult', to: to() }),
      consult2: order({ type: 'consult', to: to() }),
      transfer: order({ type: 'transfer', to: to() }),
      connect: order({ type: 'connect' }),
      join: order({ type: 'join' }),
      back: order({ type: 'back' }),
      hold: order({ type: 'hold' }),
      resume: order({ type: 'resume' }),
      mute: order({ type: 'unmute' }),
      renewLeg: order({ type: 'renewLeg' }),
      pause: order({ type: 'pause', reason: 'x' }),
      ready: order({ type: 'ready' }),
      ready2: order({ type: 'ready' }),
      hangUp: order({ type: 'hangUp' }),
      endWrapUp: order({ type: 'endWrapUp' } as never),
      logIn: order({ type: 'logIn' }),
      phoneLost: () => this.phone(agent).hangUp(),
      partyEnds: () => this.pick(this.parties())?.hangUp(),
      callIn: () =>
        this.callers.push(world.pbx.callIn({ called: INBOUND, caller: '+4551234567', trunk: 'main', person: {} })),
      connect2: order({ type: 'connect' }),
      connect3: order({ type: 'connect' }),
      join2: order({ type: 'join' }),
      join3: order({ type: 'join' }),
      consult3: order({ type: 'consult', to: to() }),
      ready3: order({ type: 'ready' }),
      longWait: () => world.run(this.random.next() < 0.5 ? 11 * 60_000 : 1_000),
      restart: async () => {
        await world.crash()
        await world.start()
        await this.look()
      },
    }
    const name = this.pick(Object.keys(acts))
    this.did.push(`${agent} ${name}`)
    await acts[name]!()
    await world.run(this.random.next() < 0.5 ? 0 : this.random.next() * 5_000)
  }

  parties() {
    const lines = this.world.pbx.carrier.calls.filter((one) => one.answeredAtMs !== undefined && !one.endedBy)
    return [...lines, ...this.callers.filter((one) => one.result === undefined)]
  }

  /** What is wrong when everything had time to settle. */
  faults(): string[] {
    const faults: string[] = []
    const hears = (ear: { heard: readonly { untilMs?: number | undefined }[] }) =>
      ear.heard.some(({ untilMs }) => untilMs === undefined)
    for (const party of this.parties()) {
      if (!hears(party as never)) faults.push(`${'invite' in party ? party.invite.number : 'the caller'} hears nothing`)
    }
    for (const agent of AGENTS) {
      const status = this.status(agent)
      const voices = this.phone(agent)
        .heard.filter(({ untilMs, what }) => untilMs === undefined && what !== 'words')
        .map(({ text }) => text)
      if (status?.state === 'talking' && voices.length === 0 && !this.isHeld(agent)) faults.push(`${agent} talks alone`)
      if (status?.state === 'reserved' && !this.isAsked(agent) && voices.length === 0)
        faults.push(`${agent} is reserved for nobody`)
      if (['ready', 'wrapUp', 'paused'].includes(status?.state ?? '') && voices.length > 0)
        faults.push(`${agent} is ${status?.state} and hears ${voices.join()}`)
    }
    return faults
  }

  isHeld(agent: string): boolean {
    return this.seen(agent).some((news) => news.type === 'sound' && news.isHeld)
  }

  isAsked(agent: string): boolean {
    return this.seen(agent).some((news) => news.type === 'consult' && news.state === 'asked')
  }

  /** What a screen is told that comes now. */
  seen(agent: string) {
    return this.#seen.get(agent) ?? []
  }

  readonly #seen = new Map<string, AgentNotification[]>()

  async look(): Promise<void> {
    for (const agent of AGENTS) {
      const told: AgentNotification[] = []
      this.#seen.set(agent, told)
      this.world.engine.agentDesktop!.attach(agent as AgentName, (news) => told.push(news))
    }
    await this.world.run(0)
  }
}

for (const seed of SEEDS)
  test(`nobody is left alone, silent or reserved: seed ${seed}`, async () => {
    const shift = new Shift(seed)
    const { world } = shift
    await world.campaign({})
    await world.import(60)
    await world.start()
    await world.logIn(...AGENTS)
    await world.run(10_000)
    for (let at = 0; at < STEPS; at++) {
      await shift.step()
      if (shift.random.next() > 0.2) continue
      await world.run(SETTLE_MS)
      await shift.look()
      let faults = shift.faults()
      if (faults.length > 0) {
        await world.run(5_000)
        await shift.look()
        faults = shift.faults().filter((one) => faults.includes(one))
      }
      expect(faults, shift.did.join('\n')).toEqual([])
    }
  })
