/** The acts of a call beside talking, for Ctrl+K: those that are possible now. */
import { type Command, namesOf, useCommands } from '../shell/commands.ts'
import { CALL_ACTS_TEXTS } from './call-acts-texts.ts'
import type { Desk } from './desk-state.ts'

interface CallCommandsInput {
  readonly desk: Desk
  readonly isMuted: boolean
  readonly mute: () => Promise<void>
  readonly hold: () => void
  readonly toggle: (what: 'keys' | 'transfer') => void
}

/** Offers them. */
export function useCallCommands({ desk, isMuted, mute, hold, toggle }: CallCommandsInput): void {
  const { isConnected, isHeld, consult } = desk
  const act = (id: keyof (typeof CALL_ACTS_TEXTS)['en'], run: () => void, keys?: string): Command => ({
    id: `call-${id}`,
    names: namesOf(CALL_ACTS_TEXTS, id),
    ...(keys !== undefined && { keys }),
    run,
  })
  const offered: Command[] = []
  if (isConnected || isMuted) offered.push(act(isMuted ? 'unmute' : 'mute', () => void mute(), 'F2'))
  if (isConnected && !consult) {
    offered.push(
      act(isHeld ? 'resume' : 'hold', hold, 'F4'),
      act('transfer', () => toggle('transfer')),
    )
    if (!isHeld) offered.push(act('keys', () => toggle('keys')))
  }
  useCommands(offered)
}
