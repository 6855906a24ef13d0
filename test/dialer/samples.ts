/** A campaign, a call task and its attempts as they usually are; a test says what is different. */
import type { CallTask } from '../../src/dialer/call-task.ts'
import type { Campaign } from '../../src/dialer/campaign.ts'
import type { LedgerRule } from '../../src/dialer/ledger.ts'
import type { AttemptId, CallTaskId, CampaignId, ContactKey, PhoneNumber, TeamName } from '../../src/kernel/ids.ts'
import type { EarlierAttempt } from '../../src/ports/attempt.ts'

export const HOUR_MS = 3_600_000

export const number = (text: string) => text as PhoneNumber
export const COPENHAGEN = number('+4551234567')
export const AARHUS = number('+4586123456')
export const ODENSE = number('+4566123456')

export const capOfThree: LedgerRule = {
  name: 'three in a hundred',
  capBasisPoints: 300,
  window: { kind: 'day', timeZone: 'Europe/Copenhagen' },
  scope: 'campaign',
  denominator: 'answeredByPerson',
}

export function aCampaign(different: Partial<Campaign> = {}): Campaign {
  return {
    id: 7 as CampaignId,
    name: 'Reminders DK',
    isActive: true,
    mode: 'progressive',
    pacing: 'price',
    shadowPacing: undefined,
    team: 'collectors' as TeamName,
    callerId: number('+4570000000'),
    callerIds: [],
    linesPerAgent: 1,
    linesPerAgentMax: 6,
    weight: 1,
    serviceGoal: undefined,
    endsAtMs: undefined,
    slowDown: undefined,
    parallelNumbers: 1,
    ledgers: [capOfThree],
    ringTimeoutMs: 25_000,
    minRingMs: 15_000,
    agentWaitMs: 2_000,
    machineDetection: 'off',
    machineErrorMax: undefined,
    trunk: undefined,
    nextTrunks: [],
    wrapUp: { kind: 'timed', lengthMs: 20_000 },
    supervision: 'told',
    recording: { mode: 'off' },
    messages: {
      dropped: { text: 'Nobody is free to talk to you. We are sorry.', language: 'en' },
      apology: { text: 'One moment, please.', language: 'en' },
      voicemail: { text: 'Please call us back.', language: 'en' },
    },
    hours: { windows: [{ weekdays: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 20 * 60 }], holidays: [] },
    timeZone: 'Europe/Copenhagen',
    allowedCountries: ['DK'],
    frequencyCaps: [{ callsMax: 7, windowMs: 7 * 24 * HOUR_MS, per: 'person', window: 'rolling' }],
    quietAfterTalkMs: 0,
    quietAfterInboundMs: 5 * 60_000,
    voicemailMessagesMax: 1,
    afterDropped: 'quietAndAgent',
    callbacks: { keptMs: 10 * 60_000, retryMs: 10 * 60_000 },
    retryAfterMs: {},
    retryPart: {},
    imports: {
      skipInvalidNumbers: false,
      dropStoppedNumbers: false,
      feedbackQuarantineMs: 30 * 24 * HOUR_MS,
      requiresPopup: false,
    },
    previewMs: 60_000,
    previewSkipsMax: 3,
    resultWindowMs: 15 * 60_000,
    rules: 'test-1',
    ...different,
  }
}

export function aTask(different: Partial<CallTask> = {}): CallTask {
  return {
    id: 81 as CallTaskId,
    campaign: 7 as CampaignId,
    contact: 'crm/4711' as ContactKey,
    numbers: [{ number: COPENHAGEN, isStopped: false }],
    attemptsMax: 3,
    attemptIntervalMs: 4 * HOUR_MS,
    callback: undefined,
    timeZone: undefined,
    end: undefined,
    attempts: [],
    ...different,
  }
}

export function anAttempt(different: Partial<EarlierAttempt> = {}): EarlierAttempt {
  return {
    id: 1 as AttemptId,
    number: COPENHAGEN,
    result: 'noAnswer',
    reach: 'rang',
    claimedAtMs: 1_000_000,
    endedAtMs: 1_025_000,
    ...different,
  }
}
