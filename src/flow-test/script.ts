/** A flow test as it is run: read, checked, with every default filled in. `read-test-file` makes it from YAML. */
import type { AtMs } from '../kernel/clock.ts'
import type { Path } from '../kernel/yaml-source.ts'
import type { EventData, EventName } from '../ports/flows/flow-events.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { SmsResult } from '../ports/sms.ts'
import type { Ending } from './test-file-schema.ts'
import type { Reply, TransferReply } from './world.ts'

export interface Script {
  readonly name: string
  /** Where the test stands in its file; the paths of its actions and its end begin with it. */
  readonly path: Path
  readonly given: Given
  readonly actions: readonly Action[]
  readonly ending: Ending
}

/** The world of one call. */
export interface Given {
  readonly caller: string | undefined
  readonly called: string
  readonly atMs: AtMs
  readonly language: string | undefined
  readonly task: Readonly<Record<string, unknown>> | undefined
  readonly env: Readonly<Record<string, string>>
  /** `GET /CaseInfo/4711` → answers, one after another; the last repeats. */
  readonly http: ReadonlyMap<string, readonly Reply[]>
  readonly sms: SmsResult | undefined
  readonly doNotCall: 'done' | 'noNumber' | 'failed'
  readonly queue: ReadonlyMap<string, 'full' | 'closed'>
  readonly position: number
  readonly expectedWaitMs: number | undefined
  /** Whether callers in a queue may be called back. */
  readonly callsBack: boolean
  /** Whether other systems can post events. */
  readonly hasEvents: boolean
  /** Whether messages can be recorded. */
  readonly hasRecorder: boolean
  /** Target → what comes of a transfer to it, where it is not answered. */
  readonly transfer: ReadonlyMap<string, TransferReply['end']>
  readonly unplayable: readonly string[]
}

/** `path` leads to the action in the file. */
export type Action = { readonly path: Path } & Verb

/** What a caller, or the world around them, does. */
export type Verb =
  /** All phrases in one prompt. */
  | { readonly kind: 'hear'; readonly phrases: readonly string[] }
  | { readonly kind: 'press'; readonly keys: string }
  | { readonly kind: 'wait' | 'say'; readonly forMs: number }
  | { readonly kind: 'speak'; readonly says: string; readonly confidence: number }
  | { readonly kind: 'hangup' | 'crash' }
  | { readonly kind: 'agent'; readonly does: 'answers' | 'leaves' | 'lost' }
  | { readonly kind: 'event'; readonly name: EventName; readonly data: EventData }
  | { readonly kind: 'expect'; readonly what: Expected }

export type Expected =
  | { readonly kind: 'http'; readonly request: string; readonly body: unknown }
  | { readonly kind: 'sms'; readonly contains: readonly string[]; readonly to: string | undefined }
  | { readonly kind: 'queue'; readonly team: string; readonly details: QueueDetails }
  | { readonly kind: 'callback'; readonly team: string }
  | { readonly kind: 'doNotCall'; readonly reason: string }
  /** Absent details are not compared. */
  | { readonly kind: 'message'; readonly team: string | undefined; readonly seconds: number | undefined }
  | { readonly kind: 'event'; readonly name: string; readonly of: string | undefined }
  /** Absent details are not compared. */
  | {
      readonly kind: 'transfer'
      readonly to: string
      readonly mode: string | undefined
      readonly callerId: string | undefined
    }

/** Absent details are not compared. */
interface QueueDetails {
  readonly popup: string | undefined
  readonly whisper: string | undefined
  readonly priority: number | undefined
  readonly skills: readonly string[] | undefined
  readonly recording: string | undefined
  readonly recordingConsent: boolean | undefined
}

/** `path` leads to the line of the test file that failed; `lines` are the journal up to then. */
export interface Failure {
  readonly path: Path
  readonly message: string
  readonly lines: readonly JournalLine[]
}
