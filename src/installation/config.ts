/** The desired state of one installation: what `switchboard.yaml` says, checked and with defaults filled in. */
import type { Staff } from '../acd/team.ts'
import type { AgentName, FlowName, TeamName } from '../kernel/ids.ts'
import type { SmsConfig } from '../ports/sms.ts'

/** Everything an operator decides. Maps keep the order of the file. */
export interface InstallationConfig {
  readonly file: string
  /** Called number (as the trunk sends it) → what answers it. */
  readonly numbers: ReadonlyMap<string, NumberConfig>
  readonly trunks: ReadonlyMap<string, Trunk>
  readonly staff: Staff
  readonly phones: ReadonlyMap<AgentName, Phone>
  /** `${env.name}` of flows → the environment variable that holds it. */
  readonly env: Readonly<Record<string, string>>
  /** `${secret.name}` of flows → the environment variable that holds it. */
  readonly secrets: Readonly<Record<string, string>>
  /** `host` or `host:port` that flows may ask although it is loopback or private. */
  readonly allowedHosts: readonly string[]
  readonly sms: SmsConfig | undefined
  readonly mail: MailConfig | undefined
  readonly asterisk: AsteriskConfig
}

/** What answers a number. */
export interface NumberConfig {
  readonly flow: FlowName
  /** Language of the call; the flow's first language when absent. */
  readonly language: string | undefined
  /** Code of the external system whose page opens when a caller typed a case number (contract.md §6, trigger c). */
  readonly externalSystem?: string | undefined
}

/** A carrier: calls come from `host`, and only from there; campaigns dial through it. */
export interface Trunk {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  /** The environment variable that holds the password; never the password itself. */
  readonly passwordFrom: string | undefined
  /** How many numbers that we dial may ring or talk over it at once (INV-D9). */
  readonly linesMax: number
  readonly callsPerSecondMax: number
  /** Numbers of ours on this trunk, E.164: one may dial as these and as no other. Without any, nothing is dialed. */
  readonly callerIds: readonly string[]
}

/** An agent's SIP phone: one that registers with a password, or one that stands at a fixed address. */
export type Phone =
  | { readonly kind: 'registers'; readonly username: string; readonly passwordFrom: string }
  | { readonly kind: 'fixed'; readonly host: string; readonly port: number }

/** Email: our addresses, how email comes to them, and which server takes ours on. */
export interface MailConfig {
  readonly mailboxes: readonly MailboxConfig[]
  /** Where other servers bring email to us; undefined: nowhere. */
  readonly intake: MailIntakeConfig | undefined
  /** Undefined: nothing is sent. */
  readonly outbound: MailServerConfig | undefined
}

/** An address of ours. */
export interface MailboxConfig {
  readonly name: string
  readonly address: string
  /** What people see beside the address. */
  readonly title: string
  /** Where its cases go. */
  readonly team: TeamName | undefined
  /** Whether email that belongs to no case opens one. */
  readonly opensCases: boolean
  /** Where it is fetched from; undefined: it is brought. */
  readonly imap: ImapConfig | undefined
}

/** How a connection to a mail server is kept secret: `none` only makes sense on our own machine. */
export type MailTls = 'starttls' | 'implicit' | 'none'

/** Somebody's mail server, and how we sign on to it. */
export interface MailServerConfig {
  readonly host: string
  readonly port: number
  readonly tls: MailTls
  readonly username: string | undefined
  /** The environment variable that holds the password. */
  readonly passwordFrom: string | undefined
}

/** A mailbox that is fetched. */
export interface ImapConfig extends MailServerConfig {
  readonly username: string
  readonly passwordFrom: string
  readonly folder: string
  readonly everyMs: number
}

/** Where our own mail server listens. */
export interface MailIntakeConfig {
  readonly protocol: 'smtp' | 'lmtp'
  readonly host: string
  readonly port: number
  /** Files in PEM; both or none. */
  readonly certificateFile: string | undefined
  readonly keyFile: string | undefined
}

/** Where our own Asterisk listens. ARI always stays on loopback. */
export interface AsteriskConfig {
  readonly sipHost: string
  readonly sipPort: number
  readonly rtpFrom: number
  readonly rtpTo: number
  readonly ariPort: number
}
