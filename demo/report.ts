import type { PbxIdentity } from '../src/ports/pbx.ts'
import type { CampaignSummary } from './campaign-act.ts'
import type { Check, JudgedCall } from './judge.ts'

/** The output of `--summary`. `ok`: every call followed its script and every check passed. */
export interface Summary {
  readonly ok: boolean
  readonly pbx: PbxIdentity
  readonly calls: readonly JudgedCall[]
  readonly checks: readonly Check[]
  /** The second act. */
  readonly campaign?: CampaignSummary['campaign']
  readonly ledger?: CampaignSummary['ledger']
}

/** Summary of the first act. */
export function summaryOf(pbx: PbxIdentity, calls: readonly JudgedCall[], checks: readonly Check[]): Summary {
  const ok = calls.every(({ differences }) => differences.length === 0) && checks.every((check) => check.ok)
  return { ok, pbx, calls, checks }
}

/** Adds the second act. */
export function withCampaign(summary: Summary, { campaign, ledger, checks }: CampaignSummary): Summary {
  const ok = summary.ok && checks.every((check) => check.ok)
  return { ...summary, ok, checks: [...summary.checks, ...checks], campaign, ledger }
}

/** The table at the end of the demo, as lines. */
export function tableOf({ calls, checks, campaign, ledger }: Summary): string[] {
  const rows = calls.map((call) => [
    call.differences.length === 0 ? '✓' : '✗',
    call.caller,
    call.title,
    call.outcome,
    call.agent ?? '–',
    call.sms === null ? '–' : 'sent',
    `${(call.ms / 1000).toFixed(1)} s`,
  ])
  const lines = columns([['', 'caller', 'what the caller did', 'outcome', 'agent', 'text', 'took'], ...rows])
  for (const call of calls) for (const difference of call.differences) lines.push(`✗ ${call.id}: ${difference}`)
  if (campaign && ledger) lines.push('', ...campaignLines(campaign, ledger))
  const failed = checks.filter((check) => !check.ok)
  lines.push('', `${checks.length - failed.length} of ${checks.length} checks held`)
  for (const check of checks) if (!check.ok || check.name.includes('audio')) lines.push(tick(check))
  return lines
}

function campaignLines(campaign: CampaignSummary['campaign'], ledger: CampaignSummary['ledger']): string[] {
  const { tasks, attempts, answered, voicemail, dropped, lost, agentsBusyPct } = campaign
  const { invites, activities, events, delivered } = ledger
  return columns([
    ['campaign', 'tasks', 'attempts', 'answered', 'voicemail', 'dropped', 'lost', 'agents busy'],
    ['', ...[tasks, attempts, answered, voicemail, dropped, lost].map(String), `${agentsBusyPct} %`],
    ['ledger', 'INVITEs', 'attempts', 'activities', 'events', 'delivered', '', ''],
    ['', ...[invites, ledger.attempts, activities, events, delivered].map(String), '', ''],
  ])
}

function tick({ ok, name, detail }: Check): string {
  return `${ok ? '✓' : '✗'} ${name}: ${detail}`
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
