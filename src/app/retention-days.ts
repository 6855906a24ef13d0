import type { RetentionDays } from '../core/workers/retention-worker.ts'
import type { RetainedKind } from '../ports/privacy.ts'
import type { Settings } from './settings.ts'

/** The setting that says how long a kind is kept. */
export const RETENTION_SETTING: Readonly<Record<RetainedKind, string>> = {
  recordings: 'RETENTION_RECORDING_DAYS',
  transcripts: 'RETENTION_TRANSCRIPT_DAYS',
  calls: 'RETENTION_TASK_DAYS',
  tasks: 'RETENTION_TASK_DAYS',
  activities: 'RETENTION_CASE_DAYS',
  contacts: 'RETENTION_CONTACT_DAYS',
}

/** How long each kind is kept. */
export function retentionDaysOf({ retention }: Pick<Settings, 'retention'>): RetentionDays {
  const { recordingDays, transcriptDays, taskDays, caseDays, contactDays, auditDays } = retention
  return {
    recordings: recordingDays,
    transcripts: transcriptDays,
    calls: taskDays,
    tasks: taskDays,
    activities: caseDays,
    contacts: contactDays,
    audit: auditDays,
  }
}
