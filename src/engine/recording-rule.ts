import type { TeamName } from '../kernel/ids.ts'
import type { RecordingMode, RecordingRule } from '../ports/call-recordings.ts'
import type { EngineContext } from './context.ts'

/** What holds for one talk: the step goes before the team, and the team before the number (calls-and-flows-62). */
export function recordingRuleOf(
  { numbers, staff }: Pick<EngineContext, 'numbers' | 'staff'>,
  called: string,
  team: TeamName | undefined,
  step?: RecordingMode,
): RecordingRule {
  const number = numbers.get(called)?.recording
  const ofTeam = team === undefined ? undefined : staff().teams.get(team)?.recording
  return {
    mode: step ?? ofTeam?.mode ?? number?.mode ?? 'off',
    isTranscribed: ofTeam?.isTranscribed !== false && number?.isTranscribed !== false,
  }
}
