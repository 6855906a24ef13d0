import type { OrderAnswer } from '../ports/agent-desktop.ts'
import type { AgentSession, AgentSessionWork } from './agent-session.ts'
import type { AgentSessionOrder } from './agent-session-messages.ts'

/** The states in which an order is possible, and the answer in other states. */
const ORDERS: Readonly<
  Record<Exclude<AgentSessionOrder['type'], 'logIn'>, readonly [readonly AgentSessionWork[], string]>
> = {
  logOut: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  pause: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  ready: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  renewLeg: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  doubtPhone: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  hangUp: [['briefing', 'connecting', 'talking'], 'nobody is on the line'],
  endWrapUp: [['wrapUp'], 'there is no call to wrap up'],
}

const GONE_ON: OrderAnswer = { ok: false, why: 'the agent is in another state by now; look at it, and try again' }

/** Why a session does not take an order; undefined: it does. */
export function refusalOf(
  order: Exclude<AgentSessionOrder, { readonly type: 'logIn' }>,
  { work, sinceAtMs }: Pick<AgentSession, 'work' | 'sinceAtMs'>,
): OrderAnswer | undefined {
  const [when, why] = ORDERS[order.type]
  if (!when.includes(work)) return { ok: false, why }
  // A supervisor ends the wrap-up that they saw, not the break that began meanwhile.
  const isLate = order.type === 'ready' && order.sinceAtMs !== undefined && order.sinceAtMs !== sinceAtMs
  return isLate ? GONE_ON : undefined
}
