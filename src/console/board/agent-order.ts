/** The order of the agents' rows: who needs somebody first. */
import type { AgentRow } from './board-rows.ts'

/** Of the states, after those whom the attention line names. */
const STATES = ['calling', 'wrapUp', 'talking', 'reserved', 'ready', 'paused', 'loggedOut']
/** Rows stay where they are for so long. */
export const REORDER_MS = 5_000

/** Names of agents in their order; `urgent` names those who need somebody, the worst first. */
export function ordered(agents: readonly AgentRow[], urgent: readonly string[]): string[] {
  const urgency = new Map(urgent.map((name, place) => [name, place]))
  const place = ({ userName }: AgentRow) => urgency.get(userName) ?? urgent.length
  const state = (row: AgentRow) => STATES.indexOf(row.state)
  const begun = ({ sinceTs }: AgentRow) => sinceTs ?? ''
  return [...agents]
    .sort((a, b) => {
      const byNeed = place(a) - place(b) || state(a) - state(b)
      return byNeed || compare(begun(a), begun(b)) || compare(a.userName, b.userName)
    })
    .map(({ userName }) => userName)
}

/** Keeps the rows where they are: those who left go, those who came stand at the end. */
export function kept(shown: readonly string[], now: readonly string[]): readonly string[] {
  const [old, present] = [new Set(shown), new Set(now)]
  const next = [...shown.filter((one) => present.has(one)), ...now.filter((one) => !old.has(one))]
  return isSame(shown, next) ? shown : next
}

/** Both have the same in the same order. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, place) => name === other[place])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
