/** What the call placer needs of the rest of the engine. */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { AgentName, CallTaskId, Fence } from '../../kernel/ids.ts'
import type { DueTask, KeptCallbacks, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { TrunkLimits } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import type { LiveAttempt } from './live-attempt.ts'

export interface CallPlacerOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  /** The lease, as long as it is certainly ours. */
  readonly lease: () => NodeLease | undefined
  readonly fence: () => Fence
  /** The past is settled, nothing is in doubt, and the switch is up. */
  readonly isReady: () => boolean
  readonly onDoubt: () => void
  /** The trunk of that name, or the first one. */
  readonly trunk: (name: string | undefined) => TrunkLimits | undefined
  /** Whether a caller with a number of the task is on a line of this engine, or it has another attempt at them. */
  readonly isOnOurLine: (task: DueTask) => boolean
  readonly onConnected: (live: LiveAttempt) => void
  readonly onEnded: (live: LiveAttempt, report: AttemptReport) => void
  readonly onPaced: () => void
  readonly offerPreviews: () => void
  readonly serveCallbacks: () => void
  readonly keptCallbacks: (run: CampaignRun) => KeptCallbacks
  readonly callbackRefused: (task: CallTaskId, why: Reason) => void
  /** Agents for whom a preview task is being looked up, or a callback is due: nothing else is dialed for them. */
  readonly isKept: (agent: AgentName) => boolean
}

export interface ByHand {
  readonly agent: AgentName
  readonly task: CallTaskId
}
