/** No caller is left in silence: while the engine owes sound, every gap has a name and a maximum length. */

import type { JournalLine } from '../../src/ports/journal.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { World } from './world.ts'

interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** What a caller waits for in silence, and for how long at most; slack for connection and rendering comes on top. */
const WAITS_MAX_MS: Readonly<Record<string, number>> = {
  /** The first-digit clock; each key begins a new wait. */
  gather: 5_000,
  menu: 5_000,
  /** To the filler. */
  http: 1_500,
  /** Behind the filler: the rest of two tries. */
  'http, later': 6_000,
  /** Until the text counts as not accepted. */
  sms: 3_000,
}

/** Until the switch confirms our answer, or is not waited for any longer. */
const ANSWERING_MAX_MS = 3_000

/** Gaps in what the caller heard that no wait explains. `slackMs`: ways to the switch and the rendering of a prompt. */
export function silencesOf(world: World, caller: SimCaller, slackMs = 50): string[] {
  const record = world.recordOf(caller)
  if (!record || caller.result?.outcome !== 'connected') return []
  const { call, arrivedAtMs } = record
  const isEnd = ({ call: of, by, what }: JournalLine) => of === call && by === 'call' && what.type === 'leg.ended'
  const endedAtMs = world.lines.find(isEnd)?.atMs ?? record.endedAtMs
  const waits = waitsOf(world, call, arrivedAtMs)
  return gapsOf(caller, { fromMs: arrivedAtMs, untilMs: endedAtMs }).flatMap((gap) =>
    piecesOf(gap, waits).flatMap(({ fromMs, untilMs, what }) => {
      const maxMs = (what === 'answering' ? ANSWERING_MAX_MS : (WAITS_MAX_MS[what] ?? 0)) + slackMs
      const ms = untilMs - fromMs
      if (ms <= maxMs) return []
      return [`${call} heard nothing for ${ms} ms in ${what}, ${fromMs - arrivedAtMs} ms into the call`]
    }),
  )
}

interface Wait {
  readonly atMs: number
  readonly what: string
}

const asksKeys = ({ what }: Wait) => what === 'gather' || what === 'menu'

/** What the call waited for, from when: each step begins a new wait, and so does each key where keys are asked for. */
function waitsOf(world: World, call: string, arrivedAtMs: number): Wait[] {
  const waits: Wait[] = [{ atMs: arrivedAtMs, what: 'answering' }]
  for (const { atMs, call: of, what } of world.lines) {
    if (of !== call) continue
    if (what.type === 'step.entered') waits.push({ atMs, what: String(what['kind']) })
    else if (what.type === 'leg.digit' && asksKeys(waits.at(-1)!)) waits.push({ ...waits.at(-1)!, atMs })
  }
  return waits
}

function gapsOf(caller: SimCaller, { fromMs, untilMs }: Span): Span[] {
  const gaps: Span[] = []
  let quietFromMs = fromMs
  for (const heard of [...caller.heard].sort((a, b) => a.fromMs - b.fromMs)) {
    if (heard.fromMs > quietFromMs) gaps.push({ fromMs: quietFromMs, untilMs: heard.fromMs })
    quietFromMs = Math.max(quietFromMs, heard.untilMs ?? untilMs)
  }
  if (untilMs > quietFromMs) gaps.push({ fromMs: quietFromMs, untilMs })
  return gaps
}

function piecesOf(gap: Span, waits: readonly Wait[]): (Span & { what: string })[] {
  const begun = waits.filter(({ atMs }) => atMs <= gap.fromMs).at(-1)
  const inside = waits.filter(({ atMs }) => atMs > gap.fromMs && atMs < gap.untilMs)
  const what = begun?.what === 'http' && begun.atMs < gap.fromMs ? 'http, later' : (begun?.what ?? 'nothing')
  const all = [{ atMs: gap.fromMs, what }, ...inside]
  return all.map(({ atMs, what }, at) => ({ fromMs: atMs, untilMs: all[at + 1]?.atMs ?? gap.untilMs, what }))
}
