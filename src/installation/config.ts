import type { Staff } from '../acd/team.ts'
import type { AgentName, FlowName, TeamName } from '../kernel/ids.ts'
import type { RecordingRule } from '../ports/call-recordings.ts'
import type { SmsConfig } from '../ports/sms.ts'
import type { VoiceSlot } from '../ports/speech.ts'

/** The configuration of one installation. Maps keep the order of the file. */
export interface InstallationConfig {
  readonly file: string
  /** By called number, as the trunk sends it. */
  readonly numbers: ReadonlyMap<string, NumberConfig>
  readonly trunks: ReadonlyMap<string, Trunk>
  readonly staff: Staff
  readonly phones: ReadonlyMap<AgentName, Phone>
  /** Absent: browsers find the switch without help, as in a company network. */
  readonly ice?: IceConfig | undefined
  /** `${env.name}` of flows → the environment variable that holds it. */
  readonly env: Readonly<Record<string, string>>
  /** `${secret.name}` of flows → the environment variable that holds it. */
  readonly secrets: Readonly<Record<string, string>>
  /** `host` or `host:port`: loopback or private addresses that flows may call. */
  readonly allowedHosts: readonly string[]
  /** Language → who speaks it; espeak-ng speaks the others. */
  readonly voices: ReadonlyMap<string, VoiceSlot>
  readonly sms: SmsConfig | undefined
  readonly mail: MailConfig | undefined
  readonly asterisk: AsteriskConfig
}

export interface NumberConfig {
  readonly flow: FlowName
  /** Language of the call; the flow's first language when absent. */
  readonly language: string | undefined
  /** Code of the external system whose page opens if a caller typed a case number (contract.md §6, trigger c). */
  readonly externalSystem?: string | undefined
  /** Absent: nothing is recorded. */
  readonly recording?: RecordingRule | undefined
}

/** A carrier: inbound calls come only from `host`; campaigns dial through it. */
export interface Trunk {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  /** Name of the environment variable with the password. */
  readonly passwordFrom: string | undefined
  /** The most outbound calls at once (INV-D9). */
  readonly linesMax: number
  readonly callsPerSecondMax: number
  /** Our numbers on this trunk, E.164; campaigns dial with these only, and not at all without any. */
  readonly callerIds: readonly string[]
  /** Country (ISO 3166-1) of the national numbers that this trunk sends; undefined if it sends international ones. */
  readonly country: string | undefined
  /** Countries (ISO 3166-1) to whose numbers flows may transfer callers over it. */
  readonly transferCountries: readonly string[]
  /** Flows may transfer callers to `sip:` addresses of its host: a telephone system of ours. */
  readonly sipTransfers: boolean
}

/**
 * An agent's phone: a SIP phone that registers with a password or has a fixed address, or the browser of the agent,
 * which registers with a password of its own for each shift (calls-and-flows-76).
 */
export type Phone =
  | { readonly kind: 'registers'; readonly username: string; readonly passwordFrom: string }
  | { readonly kind: 'fixed'; readonly host: string; readonly port: number }
  | { readonly kind: 'browser'; readonly isOpus?: boolean }

/** How browsers outside the company network reach the switch (RFC 8445). */
export interface IceConfig {
  /** `stun:`, `turn:` and `turns:` addresses (RFC 7064, RFC 7065). */
  readonly addresses: readonly string[]
  /** Name of the environment variable with the secret that we share with the TURN servers. */
  readonly turnSecretFrom?: string | undefined
}

/** Email: our addresses, and the servers that email comes from and goes to. */
export interface MailConfig {
  readonly mailboxes: readonly MailboxConfig[]
  /** Undefined: no server can deliver email to us. */
  readonly intake: MailIntakeConfig | undefined
  /** Undefined: no email is sent. */
  readonly outbound: MailServerConfig | undefined
}

export interface MailboxConfig {
  readonly name: string
  readonly address: string
  /** Display name of the address. */
  readonly title: string
  readonly team: TeamName | undefined
  /** Email that belongs to no case opens one. */
  readonly opensCases: boolean
  /** Name of its mail server in the header Authentication-Results, which is then believed. */
  readonly authenticatedBy: string | undefined
  /** Undefined: email is not fetched, but delivered to the intake. */
  readonly imap: ImapConfig | undefined
}

/** `none` only makes sense on the same machine. */
export type MailTls = 'starttls' | 'implicit' | 'none'

export interface MailServerConfig {
  readonly host: string
  readonly port: number
  readonly tls: MailTls
  readonly username: string | undefined
  /** Name of the environment variable with the password. */
  readonly passwordFrom: string | undefined
}

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
