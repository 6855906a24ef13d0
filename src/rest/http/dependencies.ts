/** What the operations work with: handed to every `xxxRoutes(parts)`. Sections take the parts they need. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { Activities } from '../../ports/activities.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import type { Audit } from '../../ports/audit.ts'
import type { CaseRepository } from '../../ports/case-repository.ts'
import type { ContactRepository } from '../../ports/contacts.ts'
import type { CredentialRepository } from '../../ports/credentials.ts'
import type { DeadLetters } from '../../ports/dead-letters.ts'
import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'
import type { FileStore, Files } from '../../ports/files.ts'
import type { Forecaster } from '../../ports/forecaster.ts'
import type { LivePort } from '../../ports/live.ts'
import type { MailboxEntry, Mails } from '../../ports/mail.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { KeptBytes, Privacy } from '../../ports/privacy.ts'
import type { SheetReader } from '../../ports/sheets.ts'
import type { Summaries } from '../../ports/summaries.ts'
import type { Transcripts } from '../../ports/transcripts.ts'
import type { JudgedWeb } from '../../ports/web.ts'

/** Which kind of installation this is; it stands inside every credential, so that none works in the other (D-03). */
export type Environment = 'production' | 'development'

/** Everything that operations may ask or tell. */
export interface RestDependencies {
  readonly clock: Clock
  /** For ids that are no secrets. */
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
  /** What only REST asks of the dialer's memory. */
  readonly dialerAdmin: DialerAdminRepository
  readonly dialerRepository: DialerRepository
  readonly outbox: Outbox
  readonly summaries: Summaries
  readonly transcripts: Transcripts
  readonly deadLetters: DeadLetters
  readonly entities: ContactRepository
  readonly cases: CaseRepository
  readonly files: Files
  readonly activities: Activities
  /** Where the bytes of files lie. */
  readonly fileStore: FileStore
  /** Reads spreadsheets of strangers, in threads of their own. */
  readonly sheets: SheetReader
  /** Counts through forecasts of campaigns, in threads of their own. */
  readonly forecaster: Forecaster
  readonly mails: Mails
  /** Addresses that email is sent from; none where no server takes it on. */
  readonly mailboxes: readonly MailboxEntry[]
  /** The web as webhooks are sent over it, with their rules for URLs. */
  readonly webhookWeb: JudgedWeb
  readonly agentDesktop: AgentDesktop
  readonly live: LivePort
  /** Where the files of recordings lie; names of files come from the database alone. */
  readonly recordingsDirectory: string
  /** This node's address as clients see it, without a slash at the end. */
  readonly endpoint: string
  /** Product and version, as `switchboard/0.1.0`. */
  readonly userAgent: string
}
