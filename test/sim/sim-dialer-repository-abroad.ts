/** Calls and minutes to other countries in `SimRecords`, counted from its attempts and transfers. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { AbroadUse } from '../../src/ports/attempt.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

const DAY_MS = 24 * 3_600_000

export function usedAbroad(memory: SimRepositoryState): readonly AbroadUse[] {
  const { nowAtMs } = memory
  const sinceAtMs = nowAtMs - DAY_MS
  const uses = new Map<string, { calls: number; talkMs: number }>()
  const count = (country: string, fromAtMs: AtMs, toAtMs: AtMs) => {
    const { calls, talkMs } = uses.get(country) ?? { calls: 0, talkMs: 0 }
    uses.set(country, { calls: calls + 1, talkMs: talkMs + Math.max(0, toAtMs - fromAtMs) })
  }
  for (const { permit, claimedAtMs, reach, answeredAtMs, endedAtMs } of memory.attempts.values()) {
    const { country, abroad } = permit as { country?: string; abroad?: true }
    if (!abroad || country === undefined || claimedAtMs < sinceAtMs || reach === 'nothing') continue
    count(country, answeredAtMs ?? endedAtMs ?? claimedAtMs, endedAtMs ?? nowAtMs)
  }
  const over = [...memory.calls.values()].filter(({ endedAtMs }) => endedAtMs >= sinceAtMs)
  const made = [
    ...over.flatMap(({ transfers = [], endedAtMs }) => transfers.map((one) => ({ one, endsAtMs: endedAtMs }))),
    ...[...memory.openCalls.values()].flatMap(({ call }) =>
      Object.values(call.progress?.transfers ?? {}).map((one) => ({ one, endsAtMs: nowAtMs })),
    ),
  ]
  for (const { one, endsAtMs } of made) {
    const { abroad, connectedAtMs, endedAtMs, beganAtMs } = one
    if (abroad !== undefined) count(abroad, connectedAtMs ?? endedAtMs ?? beganAtMs, endedAtMs ?? endsAtMs)
  }
  return [...uses].map(([country, use]) => ({ country, ...use }))
}
