/**
 * An agent at their page, and their phone: a browser, or one on the table. What the page shows, and what the agent
 * orders; the page of a browser asks for its phone as `phone.machine.ts` does.
 */
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { AgentNotification, AgentOrder, AgentStatus, ConsultState } from '../../../src/ports/agent-desktop.ts'
import type { Callee } from '../../../src/sim/person.ts'
import { type CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'

/** `PHONE_LIMITS.leglessMs`, which is also how soon a page that lost its node connects again. */
const LOOKS_EVERY_MS = 2_000

interface Hooks {
  /** Whether the node takes connections: the last that it does when it starts. */
  readonly isServed: () => boolean
  readonly changed: (page: AgentPage) => void
  readonly said: (line: string) => void
}

export class AgentPage {
  readonly agent: AgentName
  readonly isBrowser: boolean
  /** As the page shows it; undefined: logged out. */
  status: AgentStatus | undefined
  isHeld = false
  isMuted = false
  consult: ConsultState | null = null
  /** What the agent wants once all is well. */
  wants: 'ready' | 'paused' | 'out' = 'ready'
  readonly #world: CampaignWorld
  readonly #isServed: () => boolean
  readonly #changed: (page: AgentPage) => void
  readonly #said: (line: string) => void
  #script: Callee = STAYS
  #isOpen = true
  #detach: (() => void) | undefined

  constructor(world: CampaignWorld, agent: string, isBrowser: boolean, { isServed, changed, said }: Hooks) {
    this.#world = world
    this.agent = agent as AgentName
    this.isBrowser = isBrowser
    this.#isServed = isServed
    this.#changed = changed
    this.#said = said
  }

  /** Comes to work. */
  begin(afterMs: number): void {
    this.#after(afterMs, () => {
      this.phone.isBrowser = this.isBrowser
      this.#look()
      this.order({ type: 'logIn' })
    })
  }

  get phone() {
    return this.#world.pbx.agentPhone(this.agent, this.#script)
  }

  get state(): AgentStatus['state'] {
    return this.status?.state ?? 'loggedOut'
  }

  /** What the ear hears now, without spoken words. */
  get voices(): string[] {
    return this.phone.heard
      .filter(({ untilMs, what }) => untilMs === undefined && what !== 'words')
      .map(({ text }) => text)
  }

  order(order: AgentOrder): void {
    const { engine } = this.#world
    if (!this.#isServed()) return
    this.#said(`${this.agent} orders ${JSON.stringify(order)}`)
    void engine.agentDesktop?.order(this.agent, order).then((answer) => {
      if (!answer.ok) this.#said(`${this.agent} hears ${answer.why}`)
    })
  }

  /** The engine has died: nothing is said to anybody. */
  nodeDied(): void {
    this.#detach = undefined
    this.#forget()
  }

  /** The page is loaded again, or the computer started: a phone in it is gone meanwhile. */
  reload(forMs: number): void {
    if (this.isBrowser && this.state === 'talking') this.order({ type: 'doubtPhone' })
    this.#isOpen = false
    this.#detach?.()
    this.nodeDied()
    if (this.isBrowser) this.phone.vanish()
    this.#after(forMs, () => {
      if (this.isBrowser) this.phone.returns()
      this.#isOpen = true
      this.#attach()
      this.#askForLeg()
    })
  }

  losesPhone(how: 'vanish' | 'mute', forMs: number): void {
    this.phone[how]()
    this.#after(forMs, () => this.phone.returns())
  }

  /** From the next ring on. */
  behaves(does: Callee['does'], forMs: number): void {
    this.#script = { does, afterMs: 300 }
    this.#after(forMs, () => this.heal())
  }

  /** The phone works, as far as this page can know. */
  heal(): void {
    this.#script = STAYS
    this.phone.returns()
  }

  /** The agent looks at the page, and brings about what they want. */
  settle(): void {
    if (this.consult !== null && this.consult !== 'asked') this.order({ type: 'back' })
    if (this.isHeld) this.order({ type: 'resume' })
    if (this.isMuted) this.order({ type: 'unmute' })
    const { state, status } = this
    if (state === 'wrapUp') this.order({ type: 'endWrapUp' })
    if (this.wants === 'out') {
      if (status && status.asked !== 'logOut') this.order({ type: 'logOut' })
    } else if (!status) this.order({ type: 'logIn' })
    else if (this.wants === 'ready' && (state === 'paused' || status.asked)) this.order({ type: 'ready' })
    else if (this.wants === 'paused' && state !== 'paused' && status.asked !== 'pause')
      this.order({ type: 'pause', reason: 'tea' })
  }

  /** Again and again. */
  #look(): void {
    this.#after(LOOKS_EVERY_MS, () => this.#look())
    this.#attach()
    this.#askForLeg()
  }

  #askForLeg(): void {
    const { phone } = this
    if (!this.isBrowser || !this.#isOpen || !this.status || phone.isGone) return
    if (!phone.isBusy || phone.isSilent) this.order({ type: 'renewLeg' })
  }

  #attach(): void {
    const { engine } = this.#world
    if (!this.#isOpen || this.#detach || !this.#isServed()) return
    this.#forget()
    this.#detach = engine.agentDesktop?.attach(this.agent, (news) => {
      if (this.#world.engine === engine) this.#hear(news)
    })
  }

  #forget(): void {
    this.status = undefined
    this.isHeld = false
    this.isMuted = false
    this.consult = null
  }

  #hear(news: AgentNotification): void {
    if (news.type === 'sound') Object.assign(this, { isHeld: news.isHeld, isMuted: news.isMuted })
    if (news.type === 'consult') this.consult = news.state
    if (news.type !== 'status') return
    const { status } = news
    this.status = status.state === 'loggedOut' && status.asked === undefined ? undefined : status
    this.#said(`${this.agent} is ${status.state} ${status.asked ?? ''} ${status.reason ?? ''}`)
    this.#changed(this)
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.#world
    clock.schedule(clock.nowMs() + ms, act)
  }
}
