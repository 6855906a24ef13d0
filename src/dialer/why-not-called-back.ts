import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallTaskId, PhoneNumber } from '../kernel/ids.ts'
import type { AbroadCaps } from './abroad.ts'
import type { CallTask } from './call-task.ts'
import type { Campaign } from './campaign.ts'
import { mayDialNow, type Reason } from './may-dial-now.ts'

/** What is known of a caller who is still on the line. */
export interface WouldCallBack {
  readonly campaign: Campaign
  readonly number: PhoneNumber
  readonly nowMs: AtMs
  readonly isKillSwitchOn: boolean
  readonly isStopped: boolean
  /** The trunk of the campaign; undefined: the configuration has none. */
  readonly trunk:
    | { readonly name: string; readonly callerIds: readonly PhoneNumber[]; readonly abroad?: AbroadCaps }
    | undefined
}

/**
 * Why a caller is not offered a callback: the gate is asked about a call to them now, as if they had hung up and an
 * agent were reserved. Undefined: they may be offered one. What changes until their turn, the gate asks again then.
 */
export function whyNotCalledBack(would: WouldCallBack): Reason | undefined {
  const { campaign, number, nowMs, trunk } = would
  const task: CallTask = {
    id: 0 as CallTaskId,
    campaign: campaign.id,
    contact: undefined,
    timeZone: undefined,
    end: undefined,
    numbers: [{ number, isStopped: false }],
    attemptsMax: 1,
    attemptIntervalMs: 0,
    attempts: [],
    callback: undefined,
  }
  const idle = { isFailing: false, linesInUse: 0, linesMax: 1, placedLastSecond: 0, perSecondMax: 1 }
  const answer = mayDialNow({
    task,
    campaign,
    number,
    clocks: { nowAtMs: nowMs, engineNowAtMs: nowMs, latestSeenAtMs: nowMs },
    killSwitch: would.isKillSwitchOn ? 'on' : 'off',
    holdsLease: true,
    stops: would.isStopped ? [{ of: 'number', list: 'stopped' }] : [],
    touches: [],
    beside: 0,
    lastTalk: 'never',
    isOnOurLine: false,
    lastCalledIn: 'never',
    inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
    trunk: trunk && { name: trunk.name, ...idle },
    ourCallerIds: trunk?.callerIds,
    abroad: { caps: trunk?.abroad, used: [], beside: 0 },
    reservedAgent: 'reserved' as AgentName,
    live: undefined,
    ledgers: undefined,
  })
  return 'refused' in answer ? answer.refused : undefined
}
