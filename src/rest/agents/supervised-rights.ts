/** Who may take part in a conversation; whoever may no longer hears nothing more. */
import type { AgentName } from '../../kernel/ids.ts'
import type { LiveTalk, Supervision } from '../../ports/supervision.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { askerNow } from '../http/in-force.ts'
import { type Asker, isSupervising } from '../http/route.ts'
import { watchCredential } from '../sockets/watch-credential.ts'
import { seesAgent } from './seen-agents.ts'

/** Supervisions, the teams of agents, and credentials as they are now. */
export type RightsDependencies = Pick<RestDependencies, 'supervision' | 'agentDesktop' | 'credentials' | 'clock'>

/** An agent's own credential has no `dialer:write`; a token that has it supervises for its user (rest-24). */
export function isSupervisor(asker: Asker): boolean {
  return asker.user !== undefined && isSupervising(asker)
}

/** Whether this conversation exists for whoever asks. */
export function isSeen(
  { agentDesktop }: Pick<RightsDependencies, 'agentDesktop'>,
  asker: Asker,
  { agent, corporation }: LiveTalk,
): boolean {
  return asker.corporations.includes(corporation) && seesAgent(agentDesktop, asker, agent)
}

/** Looks at each supervision as at a connection that stays open. */
export class SupervisedRights {
  readonly #dependencies: RightsDependencies
  readonly #watched = new Map<AgentName, () => void>()

  constructor(dependencies: RightsDependencies) {
    this.#dependencies = dependencies
  }

  /** The right to it is that of the credential that ordered last. */
  watch(asker: Asker, { supervisor, call }: Supervision): void {
    const { supervision, clock } = this.#dependencies
    let latest = asker
    const isStill = async () => {
      const talk = supervision.talks().find((one) => one.call === call && one.supervision?.supervisor === supervisor)
      const now = talk && (await askerNow(this.#dependencies, latest))
      if (!now) return false
      latest = now
      return isSupervisor(now) && isSeen(this.#dependencies, now, talk)
    }
    const ended = () => {
      if (this.#watched.get(supervisor) !== stop) return
      this.#watched.delete(supervisor)
      void supervision.end(supervisor, call)
    }
    const stop = watchCredential(isStill, ended, clock)
    this.#watched.get(supervisor)?.()
    this.#watched.set(supervisor, stop)
  }
}
