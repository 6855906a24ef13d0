/**
 * So many lines for each agent, and no limit on abandoned calls: what a hand-tuned ratio does (dialing-rules.md 3.2,
 * 3.5).
 */
import type { PolicyFactory } from '../../src/pacing-sim/policy.ts'

const EVERY_MS = 500

/**
 * - `free`: so many lines for each agent who is free;
 * - `all`: so many for each who is free or talks, those who talk have theirs.
 */
export function fixedRatio(name: string, ratio: number, tally: 'free' | 'all'): PolicyFactory {
  return () => ({
    name,
    everyMs: EVERY_MS,
    decidesOnEvents: true,
    decide: ({ live: { idleAgents, inFlight, waiting }, talking }) => {
      const goal =
        tally === 'free' ? Math.round(ratio * idleAgents) : Math.round(ratio * (idleAgents + talking)) - talking
      return Math.max(0, goal - inFlight - waiting)
    },
    learn: () => undefined,
  })
}
