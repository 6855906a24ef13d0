import type { AgentSessionWork } from './agent-session.ts'
import type { AgentSessionOrder } from './agent-session-messages.ts'

/** The states in which an order is possible, and the answer in other states. */
export const ORDERS: Readonly<
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
