/** Replaces a campaign that cannot be read any more: its open attempts end in order, nothing is dialed. */
import type { CampaignId, CorporationId, PhoneNumber, TeamName } from '../../kernel/ids.ts'
import { AnswerCounts } from './answer-counts.ts'
import { CampaignRun } from './campaign-run.ts'

const SORRY = { text: 'We are sorry: nobody is free to talk to you. Goodbye.', language: 'en' }
const HOUR_MS = 3_600_000

const UNKNOWN = {
  corporation: 0 as CorporationId,
  name: 'cannot be read',
  active: false,
  activeSinceAtMs: 0,
  settings: {},
}

/** A campaign whose settings allow nothing. If the real one comes back, the attempts of this one still end here. */
export function inactiveCampaign(id: CampaignId): CampaignRun {
  const stored = { id, ...UNKNOWN }
  return new CampaignRun(
    stored,
    {
      id,
      name: stored.name,
      isActive: false,
      mode: 'manual',
      pacing: 'ratio',
      shadowPacing: undefined,
      team: '' as TeamName,
      trunk: undefined,
      nextTrunks: [],
      callerId: '' as PhoneNumber,
      callerIds: [],
      linesPerAgent: 1,
      linesPerAgentMax: 1,
      weight: 1,
      serviceGoal: undefined,
      endsAtMs: undefined,
      slowDown: undefined,
      parallelNumbers: 1,
      ledgers: [],
      ringTimeoutMs: 25_000,
      minRingMs: 15_000,
      agentWaitMs: 2_000,
      machineDetection: 'off',
      machineErrorMax: undefined,
      wrapUp: { kind: 'timed', lengthMs: 0 },
      supervision: 'refused',
      recording: { mode: 'off' },
      messages: { apology: SORRY, dropped: SORRY, voicemail: SORRY },
      hours: { windows: [], holidays: [] },
      timeZone: 'UTC',
      allowedCountries: [],
      afterDropped: 'quietAndAgent',
      callbacks: { keptMs: 0, retryMs: HOUR_MS },
      retryAfterMs: {},
      retryPart: {},
      rules: 'resting',
      frequencyCaps: [{ callsMax: 0, windowMs: 24 * HOUR_MS, per: 'person', window: 'rolling' }],
      quietAfterTalkMs: 0,
      quietAfterInboundMs: 0,
      voicemailMessagesMax: 0,
      imports: {
        skipInvalidNumbers: false,
        dropStoppedNumbers: false,
        feedbackQuarantineMs: 0,
        requiresPopup: false,
      },
      previewMs: 60_000,
      previewSkipsMax: 1,
      resultWindowMs: 15 * 60_000,
    },
    { counts: new AnswerCounts(), tried: [] },
  )
}
