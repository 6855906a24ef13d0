/** A flow as the engine knows it: read, checked and with every default filled in. `read-flow` makes it from YAML. */

import type { FlowName, StepName } from '../../kernel/ids.ts'
import type { RecordingMode } from '../../ports/call-recordings.ts'
import type { Hours } from './hours.ts'
import type { Condition } from './json-path.ts'
import type { Template } from './template.ts'

/** One YAML document = one flow. `revision` names these very bytes: a call keeps the revision it began with. */
export interface Flow {
  readonly name: FlowName
  readonly revision: string
  readonly file: string
  readonly title: string
  /** The first one is the default. */
  readonly languages: readonly string[]
  readonly start: StepName
  readonly vars: Readonly<Record<string, unknown>>
  /** Prompt name → language → prompt. */
  readonly prompts: Readonly<Record<string, Readonly<Record<string, Prompt>>>>
  readonly hours: Readonly<Record<string, Hours>>
  readonly limits: { readonly steps: number; readonly durationMs: number }
  /** How long a caller may be on the way to a person; undefined if the author sets no limit. */
  readonly budget: { readonly personMs: number } | undefined
  readonly onError: StepName | undefined
  readonly onHangup: readonly Step[]
  readonly activity: Readonly<Record<string, Template>>
  /** With those of its subflows, `identify.ask` (calls-and-flows-59). */
  readonly steps: ReadonlyMap<StepName, Step>
  /** The flow as its file has it, and the flows that its steps name; absent if they name none. */
  readonly parts?: { readonly own: Flow; readonly subflows: ReadonlyMap<string, Flow> }
}

interface StepBase {
  readonly name: StepName
  /** Where it stands in the file; 1-based. */
  readonly line: number
  readonly next: StepName | undefined
  /** Named ends → where they go. `failed` catches those not named. */
  readonly on: Readonly<Record<string, StepName>>
  readonly as: string | undefined
  readonly mark: string | undefined
  /** The caller's voice stops the prompts of the step; absent: it does not. */
  readonly bargeInByVoice?: true
  /** Most visits in one call; the next one goes to `on.limit`. */
  readonly limit: number | undefined
  /** The `subflow` step whose flow it belongs to, and whose variables it uses; absent in a step of the flow itself. */
  readonly within?: StepName
}

/** One instruction: exactly one kind. */
export type Step = { [K in keyof Specs]: StepBase & { readonly kind: K; readonly spec: Specs[K] } }[keyof Specs]
export type StepKindName = keyof Specs

/** What each kind asks for, defaults filled in (flow-language.md 3.2). */
export interface Specs {
  play: { readonly prompt: Prompt }
  gather: GatherSpec
  menu: MenuSpec
  http: HttpSpec
  branch: BranchSpec
  set: { readonly variables: Readonly<Record<string, TemplateTree>> }
  sms: {
    readonly to: Template | undefined
    /** One for all languages, or one for each language of the flow. */
    readonly text: Template | { readonly byLanguage: Readonly<Record<string, Template>> }
    readonly awaitDeliveryMs: number | undefined
  }
  doNotCall: { readonly reason: Template }
  wait: WaitSpec
  queue: QueueSpec
  record: RecordSpec
  transfer: TransferSpec
  subflow: SubflowSpec
  hangup: HangupSpec
}

export type Prompt = readonly Segment[]
export type Segment =
  | { readonly kind: 'say'; readonly text: Template }
  /** One by one: case numbers, references. */
  | { readonly kind: 'digits'; readonly value: Template }
  | { readonly kind: 'number'; readonly value: Template }
  | { readonly kind: 'money'; readonly value: Template; readonly currency: string }
  | { readonly kind: 'date'; readonly value: Template }
  | { readonly kind: 'pause'; readonly ms: number }
  /** An operator's recording: a path relative to the flow file's folder. */
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'prompt'; readonly name: string }

export type TemplateTree = Template | TemplateLeaf | readonly TemplateTree[] | { readonly [key: string]: TemplateTree }
export interface TemplateLeaf {
  readonly literal: number | boolean | null
}

export interface InputTiming {
  readonly firstDigitTimeoutMs: number
  readonly interDigitTimeoutMs: number
  readonly tries: number
  readonly bargeIn: boolean
}

/** Spoken before the prompt of a further try; a list is used by try number, its last entry repeats. */
export interface Reprompts {
  readonly noInput: readonly Prompt[]
  readonly invalid: readonly Prompt[]
}

export interface GatherSpec extends InputTiming {
  readonly prompt: Prompt
  readonly min: number
  readonly max: number
  /** The key that ends the entry and is never part of it; '' for none. */
  readonly finish: string
  readonly pattern: string | undefined
  readonly confirm: Prompt | undefined
  readonly reprompt: Reprompts
  /** Digits are masked wherever they are written down. */
  readonly secret: boolean
  /** The caller may also say the digits. */
  readonly hears: boolean
}

export interface SubflowSpec {
  readonly flow: FlowName
  /** What its variables begin with instead of their own values. */
  readonly with: Readonly<Record<string, TemplateTree>>
  /** Its `vars`. */
  readonly vars: Readonly<Record<string, unknown>>
}

interface HangupSpec {
  readonly say: Prompt | undefined
  readonly outcome: string | undefined
  /** `as` and `mark` of the `subflow` step that it ends, instead of the call. */
  readonly returns?: { readonly as: string | undefined; readonly mark: string | undefined }
}

interface MenuSpec extends InputTiming {
  readonly prompt: Prompt
  readonly keys: Readonly<Record<string, StepName>>
  readonly reprompt: Reprompts
}

export interface HttpSpec {
  readonly method: 'GET' | 'POST' | 'PUT'
  /**
   * Values are percent-encoded; the host comes from the text itself or from `${env.…}` only. Or the number of a case
   * that the external system of the call is asked about, at the address that is configured for it.
   */
  readonly to: { readonly url: Template } | { readonly caseNumber: Template }
  readonly headers: Readonly<Record<string, Template>>
  readonly auth: Template | undefined
  readonly body: TemplateTree | undefined
  readonly timeoutMs: number
  /** Further tries; GET only. */
  readonly retry: number
  readonly filler: Prompt | undefined
  /** Members the answer must have (present, may be null). */
  readonly required: readonly string[]
  /** Members the answer must repeat: an answer about another case is no answer (our choice; F-E5). */
  readonly match: Readonly<Record<string, Template>>
}

export interface BranchSpec {
  /** The variable the JSONPath conditions ask about; without it they ask about all variables. */
  readonly in: string | undefined
  readonly cases: readonly BranchCase[]
  readonly else: StepName
}

export type BranchCase = { readonly next: StepName } & (
  | { readonly kind: 'when'; readonly condition: Condition }
  | { readonly kind: 'has'; readonly path: string }
  | { readonly kind: 'open'; readonly hours: string }
  | { readonly kind: 'same'; readonly paths: readonly [string, string] }
)

export interface WaitSpec {
  /** The name of the outside event. */
  readonly event: string
  /** Whom the event is about: an event of another key is not this caller's. */
  readonly key: Template
  readonly forMs: number
  /** Spoken at the beginning and now and then; music in between. */
  readonly hold: Prompt | undefined
}

export interface RecordSpec {
  /** Spoken before the tone. */
  readonly prompt: Prompt
  /** Whole seconds, as `silenceMs`: Asterisk counts no parts of them. */
  readonly maxMs: number
  /** So much silence ends the message. */
  readonly silenceMs: number
  /** The key that ends it, and before that the prompt; '' for none. */
  readonly finish: string
  /** Nothing is recorded unless the value is true; undefined: whoever speaks after the tone agrees. */
  readonly consent: Template | undefined
  /** The team that the message is for. */
  readonly team: string | undefined
}

/** Where a transfer leads: a telephone number, `sip:user@host`, or a text of one of both with values in it. */
export interface TransferSpec {
  readonly to: Template | { readonly by: string; readonly map: Readonly<Record<string, string>>; readonly else: string }
  /** `attended`: the engine stays in the call. `blind`: the caller's own network is asked to call the other side. */
  readonly mode: 'attended' | 'blind'
  readonly timeoutMs: number
  /** One of the trunk's numbers; absent: its first. */
  readonly callerId: Template | undefined
}

export interface QueueSpec {
  readonly team: { readonly by: string; readonly map: Readonly<Record<string, string>>; readonly else: string } | string
  /** Higher is served first; equals by arrival. */
  readonly priority: number
  /** That the agent must have, all of them. */
  readonly skills: readonly string[]
  readonly music: string | undefined
  /** Spoken to the agent before the two are connected. */
  readonly whisper: Prompt | undefined
  readonly popup: Template | undefined
  /** Whether the talk is recorded; absent: as the team or the number says. */
  readonly recording: RecordingMode | undefined
  /** The caller agrees to be recorded if the value is true. */
  readonly recordingConsent: Template | undefined
  readonly announceEveryMs: number | undefined
  readonly announcePosition: boolean
  /** Tell the expected wait, where it is known. */
  readonly announceWait: boolean
  /** Callers who have waited so long may press the key, hang up, and are called back in their turn. */
  readonly callback: { readonly afterMs: number; readonly key: string; readonly next: StepName } | undefined
  readonly timeoutMs: number
}
