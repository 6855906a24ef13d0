import { RETENTION_SETTING, retentionDaysOf } from '../../app/retention-days.ts'
import { KINDS } from '../../core/workers/retention-worker.ts'
import type { RetainedKind } from '../../ports/privacy.ts'
import { postgresPrivacy } from '../../store/admin/privacy.ts'
import type { CliContext } from '../place/cli-context.ts'
import { withDatabase } from '../place/with-database.ts'

const DAY_MS = 24 * 3_600_000
/** Ids printed of each kind; `--json` has more. */
const IDS_SHOWN = 10
const IDS_MAX = 1_000

const WORDS: Readonly<Record<RetainedKind, { readonly since: string; readonly inUse: string }>> = {
  recordings: { since: 'recordings that ended before', inUse: '' },
  transcripts: { since: 'transcripts that were made before', inUse: '' },
  calls: { since: 'calls that ended before', inUse: '' },
  tasks: { since: 'call tasks that ended before', inUse: '' },
  activities: {
    since: 'cases, conversations and emails that were last changed before',
    inUse: 'belong to an open case, or what is linked to them is newer',
  },
  contacts: { since: 'contacts that were last changed before', inUse: 'have a call task, a call, a case or an email' },
}

/** `switchboard retention --dry-run`: what the next hourly erasure takes, what it leaves, and why. */
export async function showRetention(json: boolean, context: CliContext): Promise<number> {
  const { settings, write } = context
  const days = retentionDaysOf(settings)
  return withDatabase(context, async ({ pools, nowMs }) => {
    const privacy = postgresPrivacy(pools)
    const shown: object[] = []
    for (const kind of KINDS) {
      const beforeAtMs = nowMs - days[kind] * DAY_MS
      const { due, held, inUse, ids } = await privacy.due(kind, beforeAtMs, IDS_MAX)
      const before = new Date(beforeAtMs).toISOString()
      if (json) {
        shown.push({ kind, before, setting: RETENTION_SETTING[kind], days: days[kind], due, held, inUse, ids })
        continue
      }
      const { since, inUse: why } = WORDS[kind]
      write(`${since} ${before.slice(0, 10)} (${RETENTION_SETTING[kind]}=${days[kind]}): ${due} would be erased`)
      const more = due > IDS_SHOWN ? ' …' : ''
      if (due > 0) write(`  ids ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`)
      if (inUse > 0) write(`  ${inUse} are kept: they ${why}`)
      if (held > 0) write(`  ${held} are kept: they are under a legal hold`)
    }
    write(json ? JSON.stringify(shown) : 'nothing was erased; the service erases what is due once an hour')
    return 0
  })
}
