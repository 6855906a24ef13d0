import type { AttemptEvent } from '../../dialer/attempt.machine.ts'
import type { AttemptEnd, MachineWord } from '../../ports/attempt.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { LiveAttempt } from './live-attempt.ts'

type Judged = Extract<PbxEvent, { type: 'leg.judged' | 'leg.greeted' }>

/** Notes what a detector heard. Returns what it means for the call, if anything: only a deciding one finds machines. */
export function judge(live: LiveAttempt, event: Judged): AttemptEvent | undefined {
  const person = { type: 'person.heard' } as const
  const machine = { type: 'machine.heard' } as const
  if (event.type === 'leg.judged') {
    live.heard = event.verdict
    return event.verdict === 'machine' && live.deciding.includes('pauses') ? machine : person
  }
  const greeting = live.campaign.greetings.find(({ id }) => id === event.greeting)
  live.greeted = { print: event.print, ...(greeting && { greeting }) }
  if (greeting?.isKnown && live.deciding.includes('greeting')) return machine
  // The pauses do not count: nothing more is waited for.
  return live.deciding.includes('pauses') ? undefined : person
}

/** What is stored of it with the end of the attempt. */
export function heardOf({ isMeasured, heard, greeted }: Partial<LiveAttempt>): Pick<AttemptEnd, 'heard' | 'greeting'> {
  const { greeting } = greeted ?? {}
  return {
    ...(isMeasured && heard !== undefined && { heard }),
    ...(greeting && { greeting: { id: greeting.id, isKnown: greeting.isKnown } }),
  }
}

/** What is learnt from the agent's word: the greeting that was recognised, else a new one of this attempt. */
export function greetingOf({
  attempt,
  greeted,
}: Pick<LiveAttempt, 'attempt'> & Partial<Pick<LiveAttempt, 'greeted'>>): MachineWord[3] {
  return greeted && { id: greeted.greeting?.id ?? attempt, print: greeted.print }
}

/** An event as the journal stores it. It keeps no sound of a person. */
export function factOf(event: PbxEvent): { readonly type: string } {
  if (event.type !== 'leg.greeted') return event
  const { print: _, ...told } = event
  return told
}
