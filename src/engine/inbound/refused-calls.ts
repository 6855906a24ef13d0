import type { ArrivedEvent, EngineContext } from '../context.ts'

/** Why a caller is refused, what the network is told, and what an operator does about it. */
const REFUSALS = {
  unknownNumber: {
    answer: 'notFound',
    why: 'no flow answers this number',
    remedy: 'add the number to `numbers` in switchboard.yaml, or ask the carrier to stop routing it here',
  },
  full: {
    answer: 'congestion',
    why: 'too many calls at once',
    remedy: 'find out who calls so often; if they are callers, serve the number on another node too',
  },
} as const

/** The reasons, which are counted apart. */
export type RefusalReason = keyof typeof REFUSALS

/** Refuses a caller. The log names the number that was called, and how many were refused like that since the start. */
export function refuse(context: EngineContext, { leg, called, trunk }: ArrivedEvent, reason: RefusalReason): void {
  const { dependencies, refused } = context
  const { answer, why, remedy } = REFUSALS[reason]
  const count = (refused.get(reason) ?? 0) + 1
  refused.set(reason, count)
  dependencies.log.warn({ leg, called, trunk, why, remedy, count }, 'a call was refused')
  dependencies.pbx.reject(leg, answer)
}
