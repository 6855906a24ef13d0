import type { TrunkNumbers } from '../../dialer/trunk-choice.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { Activities } from '../../ports/activities.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import type { Audit } from '../../ports/audit.ts'
import type { CallList } from '../../ports/calls/call-list.ts'
import type { CaseRepository } from '../../ports/case-repository.ts'
import type { ContactRepository } from '../../ports/contacts.ts'
import type { CredentialRepository } from '../../ports/credentials.ts'
import type { DeadLetters } from '../../ports/dead-letters.ts'
import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'
import type { FileStore, Files } from '../../ports/files.ts'
import type { FlowCanaries } from '../../ports/flows/flow-canaries.ts'
import type { FlowEvents } from '../../ports/flows/flow-events.ts'
import type { FlowRevisions, FlowWorkshop } from '../../ports/flows/flow-revisions.ts'
import type { FlowTraffic } from '../../ports/flows/flow-traffic.ts'
import type { Forecaster } from '../../ports/forecaster.ts'
import type { Journal } from '../../ports/journal.ts'
import type { LivePort } from '../../ports/live.ts'
import type { MailboxEntry, Mails } from '../../ports/mail.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { KeptBytes, Privacy } from '../../ports/privacy.ts'
import type { RecordedPeaks } from '../../ports/recordings/peaks.ts'
import type { Summaries } from '../../ports/recordings/summaries.ts'
import type { Transcripts } from '../../ports/recordings/transcripts.ts'
import type { SheetReader } from '../../ports/sheets.ts'
import type { DeliveryReports } from '../../ports/sms.ts'
import type { CallSupervision } from '../../ports/supervision.ts'
import type { GuardedWeb } from '../../ports/web.ts'

/** Every credential is bound to an environment and works in no other (D-03). */
export type Environment = 'production' | 'development'

export interface RestDependencies {
  readonly clock: Clock
  /** For ids that are not secret. */
  readonly random: Random
  /** For tokens and keys. */
  readonly secretBytes: SecretBytes
  readonly log: Log
  readonly environment: Environment
  readonly directory: Directory
  readonly credentials: CredentialRepository
  readonly audit: Audit
  readonly privacy: Privacy
  readonly keptBytes: KeptBytes
  readonly dialerAdmin: DialerAdminRepository
  readonly dialerRepository: DialerRepository
  readonly callList: CallList
  /** Of this node. */
  readonly journal: Pick<Journal, 'read'>
  readonly recordedPeaks: RecordedPeaks
  readonly flowEvents: FlowEvents
  /** Absent: the provider of text messages sends no delivery reports. */
  readonly deliveryReports?: DeliveryReports | undefined
  readonly flowRevisions: FlowRevisions
  readonly flowCanaries: FlowCanaries
  readonly flowTraffic: FlowTraffic
  readonly flowWorkshop: FlowWorkshop
  readonly outbox: Outbox
  readonly summaries: Summaries
  readonly transcripts: Transcripts
  readonly deadLetters: DeadLetters
  readonly entities: ContactRepository
  readonly cases: CaseRepository
  readonly files: Files
  readonly activities: Activities
  readonly fileStore: FileStore
  readonly sheets: SheetReader
  readonly forecaster: Forecaster
  readonly mails: Mails
  /** Mailboxes that send email; empty if no outbound mail server is configured. */
  readonly mailboxes: readonly MailboxEntry[]
  readonly webhookWeb: GuardedWeb
  /** Where flows may look up cases. */
  readonly lookupUrls: Pick<GuardedWeb, 'judge'>
  readonly agentDesktop: AgentDesktop
  readonly supervision: CallSupervision
  /** The trunks of the configuration in force. */
  readonly trunks: () => readonly TrunkNumbers[]
  readonly live: LivePort
  /** Directory of recordings; file names come only from the database. */
  readonly recordingsDirectory: string
  /** The name of this node. */
  readonly node: string
  /** Public base URL of this node, without a trailing slash. */
  readonly endpoint: string
  /** Product and version, for example `switchboard/0.1.0`. */
  readonly userAgent: string
}
