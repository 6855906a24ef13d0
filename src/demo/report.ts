import type { PbxIdentity } from '../ports/pbx.ts'
import type { Check, JudgedCall } from './judge.ts'

/** What `--summary` writes. `ok` only when every call went as its script says and every check held. */
export interface Summary {
  readonly ok: boolean
  readonly pbx: PbxIdentity
  readonly calls: readonly JudgedCall[]
  readonly checks: readonly Check[]
}

/** Puts a run together. */
export function summaryOf(pbx: PbxIdentity, calls: readonly JudgedCall[], checks: readonly Check[]): Summary {
  const ok = calls.every(({ differences }) => differences.length === 0) && checks.every((check) => check.ok)
  return { ok, pbx, calls, checks }
}

/** The table at the end of the demo, as lines. */
export function tableOf({ calls, checks }: Summary): string[] {
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
  const failed = checks.filter((check) => !check.ok)
  lines.push('', `${checks.length - failed.length} of ${checks.length} checks held`)
  for (const check of checks) if (!check.ok || check.name.includes('audio')) lines.push(tick(check))
  return lines
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
