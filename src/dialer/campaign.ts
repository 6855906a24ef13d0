import type { WrapUp } from '../acd/agent-session-messages.ts'
import type { CampaignId, PhoneNumber, TeamName } from '../kernel/ids.ts'
import type { CallHours } from './call-window.ts'
import type { LedgerRule } from './ledger.ts'

/**
 * Who decides that a line is placed.
 * - `manual`, `preview`: an agent, for themselves; we place nothing unasked.
 * - `progressive`: one line for each idle agent.
 * - `power`: a fixed number of lines for each idle agent.
 * - `predictive`: a number of lines that outcomes steer.
 */
type DialMode = 'manual' | 'preview' | 'progressive' | 'power' | 'predictive'

/**
 * How a predictive campaign is paced (dialing-rules.md 3): `price`: policy E, the risk of a line against a price that
 * follows the ledger; `risk`: algorithm B, against a threshold that outcomes move; `ratio`: algorithm A, lines for each
 * agent.
 */
type PredictivePacing = 'price' | 'risk' | 'ratio'

/** What is done when a machine answers. `leaveMessage` speaks the campaign's message before it hangs up. */
export type MachineDetection = 'off' | 'hangUp' | 'leaveMessage'

/**
 * What a person whom we dropped may expect of the next attempt.
 * - `quietAndAgent`: 72 h of quiet, and then only with an agent reserved (D-12).
 * - `quietOrAgent`: either of the two is enough (the former rule of Ofcom, dialing-rules.md 5.1).
 */
export type AfterDropped = 'quietAndAgent' | 'quietOrAgent'

/** No more than `callsMax` placements to one person within `windowMs`, all campaigns together (INV-D11). */
interface FrequencyCap {
  readonly callsMax: number
  readonly windowMs: number
  /** Quiet after a conversation, 0 for none: Reg F presumes 7 days, 12 CFR 1006.14(b)(2). */
  readonly quietAfterTalkMs: number
}

/** Words to be spoken, and the language of the voice, such as `da` or `en-gb`. */
export interface SpokenText {
  readonly text: string
  readonly language: string
}

/** Which conversations are recorded: none, those whose other side agreed, all. `announcement` is spoken before. */
interface RecordingRule {
  readonly mode: 'off' | 'consent' | 'always'
  readonly announcement?: SpokenText
}

/** What an import into the campaign does with call tasks that are not all right (D-07). */
interface ImportRule {
  /** A number that cannot be dialed is left out, rather than the task refused (103). */
  readonly skipInvalidNumbers: boolean
  /** A number of the stop list is left out, rather than the task refused (203). */
  readonly dropStoppedNumbers: boolean
  /** After a final feedback the person is not listed again for so long (204). */
  readonly feedbackQuarantineMs: number
  /** Call tasks are taken only from systems that have a popup page (12). */
  readonly requiresPopup: boolean
}

/** A set of call tasks with its rules (D-14). The set-up of the dialer, plain data. */
export interface Campaign {
  readonly id: CampaignId
  readonly name: string
  readonly isActive: boolean
  readonly mode: DialMode
  /** In mode `predictive`. */
  readonly pacing: PredictivePacing
  /** Another pacing that sees the same and whose decisions are only written down. */
  readonly shadowPacing: PredictivePacing | 'oneToOne' | undefined
  readonly team: TeamName
  /** The carrier by its name in the set-up; the switch's first one when undefined. */
  readonly trunk: string | undefined
  /** The number that callees see; the gate refuses one that is not ours. */
  readonly callerId: PhoneNumber
  /** Lines for each idle agent, in mode `power`. */
  readonly linesPerAgent: number
  /** Lines for each agent, whatever the mode says. Our choice: 6 or less, as measured in dialing-rules.md 3.4. */
  readonly linesPerAgentMax: number
  /** Numbers of one call task rung at once. 1: the list is gone through attempt by attempt, contract.md §2.1. */
  readonly parallelNumbers: number
  /** All of them hold at once. An empty list allows nothing beyond one line for each idle agent. */
  readonly ledgers: readonly LedgerRule[]
  /** At least `minRingMs`. */
  readonly ringTimeoutMs: number
  /** A line that rings is left ringing so long: 15 s, 16 CFR 310.4(b)(4)(ii). */
  readonly minRingMs: number
  /** How long a person who answered waits for an agent: 2 s, 16 CFR 310.4(b)(4)(iii). */
  readonly agentWaitMs: number
  readonly machineDetection: MachineDetection
  /** After a conversation, before the agent is ready again. */
  readonly wrapUp: WrapUp
  readonly recording: RecordingRule
  /** What callees hear when no agent is there, or when they are machines. */
  readonly messages: Readonly<Record<AttemptMessage, SpokenText>>
  /** In the callee's own time. */
  readonly hours: CallHours
  /** The campaign's own zone: stands beside the callee's where that one is not certain (F-G4). */
  readonly timeZone: string
  /** ISO 3166-1 countries that may be called; nothing else is. */
  readonly allowedCountries: readonly string[]
  readonly frequencyCap: FrequencyCap
  readonly afterDropped: AfterDropped
  readonly imports: ImportRule
  /** Name and version of the rules that these figures come from; each permit repeats it. */
  readonly rules: string
}

/** What is said to the callee, in the campaign's own words. */
export type AttemptMessage = 'apology' | 'dropped' | 'voicemail'
