import type { WrapUp } from '../acd/agent-session-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { CampaignId, PhoneNumber, TeamName } from '../kernel/ids.ts'
import type { SupervisionRule } from '../ports/supervision.ts'
import type { CallHours } from './call-window.ts'
import type { CallerIdRule } from './caller-ids.ts'
import type { LedgerRule } from './ledger.ts'
import type { PartChoice } from './part-of-day.ts'

/**
 * How lines are placed.
 * - `manual`, `preview`: the agent asks for each line.
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

/** The action when a machine answers. `leaveMessage` plays the campaign's message before the hang-up. */
export type MachineDetection = 'off' | 'listen' | 'hangUp' | 'leaveMessage'

/**
 * The condition for the next attempt to a dropped person.
 * - `quietAndAgent`: 72 h of quiet, and then only with an agent reserved (D-12).
 * - `quietOrAgent`: either of the two is enough (the former rule of Ofcom, dialing-rules.md 5.1).
 */
export type AfterDropped = 'quietAndAgent' | 'quietOrAgent'

/** At most `callsMax` calls to one person, or to one person about one case, over all campaigns (INV-D11). */
export interface FrequencyCap {
  readonly callsMax: number
  /** For `calendarDay` a number of whole days, for `calendarWeek` of whole weeks. */
  readonly windowMs: number
  readonly per: 'person' | 'case' | 'task'
  /** `calendarDay`: days of the callee's zone, today included; `calendarWeek`: its weeks from Monday. */
  readonly window: 'rolling' | 'calendarDay' | 'calendarWeek'
}

/** The least time from the end of a call with this result to the next one; a longer interval of the task holds. */
export type RetryAfter = Readonly<Partial<Record<'busy' | 'noAnswer' | 'voicemail', number>>>

/** Which part of the day the next call comes in after nobody, or a machine, answered. */
export type RetryPart = Readonly<Partial<Record<'noAnswer' | 'voicemail', PartChoice>>>

/** Promised callbacks (campaigns-47, campaigns-48). */
interface CallbackRule {
  /** How long a callback is kept for the agent who promised it. */
  readonly keptMs: number
  /** From a call that reached nobody to the next one. */
  readonly retryMs: number
}

/** `language` is that of the voice, such as `da` or `en-gb`. */
export interface SpokenText {
  readonly text: string
  readonly language: string
}

/** Which conversations are recorded: none, those with consent, or all. `announcement` is played before. */
interface RecordingRule {
  readonly mode: 'off' | 'consent' | 'always'
  readonly announcement?: SpokenText
}

interface ImportRule {
  /** Drops a number that cannot be dialed instead of refusing the task (103). */
  readonly skipInvalidNumbers: boolean
  /** Drops a number of the stop list instead of refusing the task (203). */
  readonly dropStoppedNumbers: boolean
  /** How long a person cannot be imported again after final feedback (204). */
  readonly feedbackQuarantineMs: number
  /** Accepts call tasks only from systems with a popup page (12). */
  readonly requiresPopup: boolean
}

/** A share of callers, 0 to 1, who get an agent within so long. */
export interface ServiceGoal {
  readonly share: number
  readonly withinMs: number
}

/** An order to place fewer lines, until an instant or until it is taken back. */
export interface SlowDown {
  readonly linesPerAgentMax: number | undefined
  readonly isOneToOne: boolean
  readonly untilAtMs: AtMs
}

/** A set of call tasks with its rules (D-14). Configuration of the dialer, plain data. */
export interface Campaign {
  readonly id: CampaignId
  readonly name: string
  readonly isActive: boolean
  readonly mode: DialMode
  readonly pacing: PredictivePacing
  /** A second pacing with the same input whose decisions are only recorded. */
  readonly shadowPacing: PredictivePacing | 'oneToOne' | undefined
  readonly team: TeamName
  /** Name of the carrier in the configuration; undefined: the first one. */
  readonly trunk: string | undefined
  /** Carriers that take over in this order while the ones before fail. */
  readonly nextTrunks: readonly string[]
  /** The number that callees see; the gate refuses a number that is not ours. */
  readonly callerId: PhoneNumber
  /** Further numbers for their destinations; `callerId` is for all others (campaigns-70). */
  readonly callerIds: readonly CallerIdRule[]
  readonly linesPerAgent: number
  /** Its share of agents and trunk lines beside other campaigns that use the same ones (campaigns-53). */
  readonly weight: number
  readonly serviceGoal: ServiceGoal | undefined
  /** Share of calls to tasks that were never called, 0 to 100; undefined: whichever task is due longest. */
  readonly newPercent?: number | undefined
  /** Nothing is dialed from then on. */
  readonly endsAtMs: AtMs | undefined
  /** Nothing is dialed before; absent: at once. */
  readonly startsAtMs?: AtMs | undefined
  readonly slowDown: SlowDown | undefined
  /** Maximum lines for each agent in every mode. Our choice: 6 or less, as measured in dialing-rules.md 3.4. */
  readonly linesPerAgentMax: number
  /** Numbers of one call task that ring together. 1: one number after another, contract.md §2.1. */
  readonly parallelNumbers: number
  /** All apply together. An empty list allows only one line for each idle agent. */
  readonly ledgers: readonly LedgerRule[]
  /** At least `minRingMs`. */
  readonly ringTimeoutMs: number
  /** Minimum ring before the engine hangs up: 15 s, 16 CFR 310.4(b)(4)(ii). */
  readonly minRingMs: number
  /** How long a person who answered waits for an agent: 2 s, 16 CFR 310.4(b)(4)(iii). */
  readonly agentWaitMs: number
  readonly machineDetection: MachineDetection
  /** Share of persons whom detection may take for machines; undefined: it only listens (`detection-error.ts`). */
  readonly machineErrorMax: number | undefined
  readonly wrapUp: WrapUp
  readonly recording: RecordingRule
  /** Whether supervisors may listen, whisper and join. */
  readonly supervision: SupervisionRule
  readonly messages: Readonly<Record<AttemptMessage, SpokenText>>
  /** In the callee's own time. */
  readonly hours: CallHours
  /** The campaign's own zone; added to the callee's if that one is uncertain (F-G4). */
  readonly timeZone: string
  /** The only countries (ISO 3166-1) that may be called. */
  readonly allowedCountries: readonly string[]
  /** All apply together. */
  readonly frequencyCaps: readonly FrequencyCap[]
  /** Quiet after a conversation, 0 for none: Reg F presumes 7 days, 12 CFR 1006.14(b)(2). */
  readonly quietAfterTalkMs: number
  /** Quiet after a call from the person. */
  readonly quietAfterInboundMs: number
  /** Messages on machines for one call task. */
  readonly voicemailMessagesMax: number
  readonly afterDropped: AfterDropped
  readonly callbacks: CallbackRule
  /** Milliseconds by result. */
  readonly retryAfterMs: RetryAfter
  readonly retryPart: RetryPart
  readonly imports: ImportRule
  /** Numbers that the bundled plan does not know are imported and dialed where they are possible; absent: not. */
  readonly acceptsPossibleNumbers?: boolean | undefined
  /** Callers in the queue of its team may keep their place and are called back; absent: they may not. */
  readonly queueCallbacks?: boolean | undefined
  /** Its agents may dial numbers that they type (campaigns-111); absent: they may not. */
  readonly agentsDialNumbers?: boolean | undefined
  /** How long an agent may look at an offered task. */
  readonly previewMs: number
  /** After so many skips a task waits for its interval. */
  readonly previewSkipsMax: number
  /** How long after its end an agent may still say something about a call. */
  readonly resultWindowMs: number
  /** Name and version of the rules behind these figures; each permit repeats it. */
  readonly rules: string
}

export type AttemptMessage = 'apology' | 'dropped' | 'voicemail'
