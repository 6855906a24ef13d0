const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `500ms`, `5s`, `2m`, `1h` in milliseconds; undefined for anything else. All our files write durations as text. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text)
  if (!match) return undefined
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]
}

/** The shortest text that `parseDuration` reads as `durationMs`: `120000` → `2m`. Whole milliseconds only. */
export function formatDuration(durationMs: number): string {
  const units = durationMs === 0 ? (['s'] as const) : (['h', 'm', 's'] as const)
  const unit = units.find((unit) => durationMs % UNIT_MS[unit] === 0) ?? 'ms'
  return `${durationMs / UNIT_MS[unit]}${unit}`
}
