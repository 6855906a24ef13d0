import { spellingsOf } from '../../acd/match-caller.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { ArrivedEvent, EngineContext } from '../context.ts'

/** Why a caller is refused, what the network is told, and what an operator does about it. */
const REFUSALS = {
  unknownNumber: {
    answer: 'notFound',
    why: 'no flow answers this number',
    remedy: 'add the number to `numbers` in switchboard.yaml, or ask the carrier to stop routing it here',
  },
  noCodec: {
    why: 'the caller offers none of our codecs (488)',
    remedy: 'let the carrier offer G.711 A-law (PCMA) or µ-law (PCMU)',
  },
  full: {
    answer: 'congestion',
    why: 'too many calls at once',
    remedy: 'find out who calls so often; if they are callers, serve the number on another node too',
  },
} as const

/** The reasons, which are counted apart. */
export type RefusalReason = Exclude<keyof typeof REFUSALS, 'noCodec'>

/** Refuses a caller. The log names the number that was called, and how many were refused like that since the start. */
export function refuse(context: EngineContext, { leg, called, trunk }: ArrivedEvent, reason: RefusalReason): void {
  noteRefused(context, { leg, called, trunk }, reason)
  context.dependencies.pbx.reject(leg, REFUSALS[reason].answer)
}

/** The switch refused a call itself (calls-and-flows-37); it says only which number was called. */
export function refusedBySwitch(context: EngineContext, { called }: { readonly called: string }): void {
  const countries = [undefined, ...[...(context.trunks?.values() ?? [])].map(({ country }) => country)]
  const spellings = countries.flatMap((country) => spellingsOf(called, country))
  const ours = spellings.find((spelling) => context.numbers.has(spelling))
  if (ours !== undefined) noteRefused(context, { called: ours }, 'noCodec')
}

function noteRefused(
  { dependencies, refused }: EngineContext,
  call: { readonly called: string; readonly leg?: LegId; readonly trunk?: string | undefined },
  reason: keyof typeof REFUSALS,
): void {
  const { why, remedy } = REFUSALS[reason]
  const count = (refused.get(reason) ?? 0) + 1
  refused.set(reason, count)
  dependencies.log.warn({ ...call, why, remedy, count }, 'a call was refused')
}
