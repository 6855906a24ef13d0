/** Rules for flows with a valid shape: names first, then the rules that depend on them (flow-language.md 3.4). */
import type { Problem } from '../../kernel/file-problem.ts'
import { lintConditions, lintHosts, lintLookups } from './lint-answers.ts'
import { lintBudget } from './lint-budget.ts'
import { lintDigits } from './lint-digits.ts'
import { lintEars } from './lint-ears.ts'
import { lintEntries } from './lint-entries.ts'
import { lintEndless, lintLoops } from './lint-loops.ts'
import { lintMessages } from './lint-messages.ts'
import {
  lintHours,
  lintLanguages,
  lintNumberLanguages,
  lintNumbers,
  lintPrompts,
  lintRecordings,
  lintSkills,
  lintSmsLanguages,
  lintTeams,
} from './lint-names.ts'
import { lintSms, lintTexting } from './lint-sms.ts'
import { lintSpeech } from './lint-speech.ts'
import { lintAfterHangup, lintSteps } from './lint-steps.ts'
import { lintSubflows } from './lint-subflows.ts'
import type { Rule, Subject } from './lint-subject.ts'
import { lintReachable, lintTargets } from './lint-targets.ts'
import { lintTransfers } from './lint-transfers.ts'
import { lintComments } from './lint-traps.ts'
import { lintUnset } from './lint-unset.ts'
import { lintBareValues, lintSecrets, lintVariableNames, lintVariables } from './lint-variables.ts'
import { lintVoice } from './lint-voice.ts'
import { lintLanguageCodes, lintSpokenSecrets, lintVoices } from './lint-voices.ts'
import { lintZones } from './lint-zones.ts'

const RULES: readonly Rule[] = [
  lintTargets,
  lintSteps,
  lintAfterHangup,
  lintVoice,
  lintSubflows,
  lintPrompts,
  lintRecordings,
  lintHours,
  lintTeams,
  lintSkills,
  lintNumbers,
  lintNumberLanguages,
  lintVariableNames,
  lintVariables,
  lintBareValues,
  lintSecrets,
  lintConditions,
  lintDigits,
  lintHosts,
  lintLookups,
  lintEntries,
  lintEars,
  lintMessages,
  lintSms,
  lintTexting,
  lintTransfers,
  lintComments,
  lintSpeech,
  lintLanguages,
  lintSmsLanguages,
  lintLanguageCodes,
  lintVoices,
  lintSpokenSecrets,
  lintZones,
]

/** Rules about the graph; after an error of a step or its targets they would only repeat it. */
const GRAPH_RULES: readonly Rule[] = [lintReachable, lintLoops, lintEndless, lintUnset, lintBudget]

/** All errors and warnings of a flow that could be read. */
export function lint(subject: Subject): Problem[] {
  const problems = RULES.flatMap((rule) => rule(subject))
  const hasLooseEnds = [...lintTargets(subject), ...lintSteps(subject)].length > 0
  return hasLooseEnds ? problems : [...problems, ...GRAPH_RULES.flatMap((rule) => rule(subject))]
}
