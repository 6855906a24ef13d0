/** What the phone needs of the node. The desk implements it with the typed client. */

import type { PoorSound } from './sound-quality.ts'

/** The answer of `POST /svcpbx/agents/me/phone`. */
export interface PhoneCredentials {
  readonly wsUrl: string
  readonly sipUser: string
  readonly sipPassword: string
  readonly iceServers: readonly RTCIceServer[]
  readonly legHeader: string
  readonly epoch: string
}

/** What the phone saw: `good` after something poor. Figures are of ten seconds. */
export interface PhoneReport {
  readonly what: 'good' | PoorSound | 'silentIn' | 'silentOut' | 'noSound' | 'strangeInvite'
  readonly lossPercent?: number
  readonly roundTripMs?: number
}

/** The node, as the phone uses it. Rejections count as "not now". */
export interface PhoneDoor {
  /** `elsewhere`: another tab or computer has the phone (409). `epoch`: of the last answer to this tab. */
  credentials(asked: { readonly epoch?: string; readonly takeOver: boolean }): Promise<PhoneCredentials | 'elsewhere'>
  /** A ticket of `POST /svcpbx/agents/me/tickets`: one per connection. */
  ticket(): Promise<string>
  /** The order `renewLeg`, or `logIn` where the agent has asked for a shift; a refusal ends nothing. */
  renewLeg(): Promise<void>
  /** The order `doubtPhone`. */
  doubt(): Promise<void>
  /** `DELETE /svcpbx/agents/me/phone`, of the tab with this `epoch`. */
  end(epoch: string): Promise<void>
  /** What the phone saw and the centre should know. */
  report(report: PhoneReport): void
}
