/**
 * The shape of a scenario file (`bench/pacing/*.yaml`; described in `bench/pacing/README.md`). Each value has a `hint`
 * that completes the sentence "agents must be …". It has no unions, as in the configuration file.
 */
import Type, { type Static, type TSchema } from 'typebox'
import type { ShapeText } from '../kernel/check-shape.ts'
import { parseDuration } from '../kernel/duration.ts'

const DAY_MS = 24 * 3_600_000

const optional = Type.Optional
const map = <P extends Record<string, TSchema>>(properties: P, words: ShapeText = {}) =>
  Type.Object(properties, { additionalProperties: false, ...words })
const list = <S extends TSchema>(entry: S) => Type.Array(entry, { minItems: 1, maxItems: 100, hint: 'a list' })
const whole = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, hint: `a whole number from ${minimum} to ${maximum}` })
const text = (hint: string, isRight: (text: string) => boolean) => Type.String({ hint, isRight })
const duration = (fromMs = 0) =>
  text(`a duration such as 500ms, 20s or 30m${fromMs > 0 ? ', above 0' : ''}`, (written) => {
    const ms = parseDuration(written)
    return ms !== undefined && ms >= fromMs && ms <= DAY_MS
  })
const time = () => text('a time of day in quotes, "11:00"', (written) => parseTime(written) !== undefined)
const percent = (maximum: number) =>
  text(`a share such as 40% or 2.5%, at most ${maximum}%`, (written) => {
    const share = parsePercent(written)
    return share !== undefined && share <= maximum / 100
  })

const plainDistributions = {
  fixed: optional(duration()),
  uniform: optional(map({ from: duration(), to: duration() })),
  lognormal: optional(map({ mean: duration(1), sd: duration() })),
  exponential: optional(map({ mean: duration(1) })),
}
const distribution = map({
  ...plainDistributions,
  mixture: optional(list(map({ share: percent(100), ...plainDistributions }))),
})

const campaign = map(
  {
    cap: optional(percent(99)),
    carriedPerAgent: optional(whole(0, 1_000)),
    hitRate: optional(percent(100)),
    hitSine: optional(percent(100)),
    hitSpells: optional(list(map({ from: time(), to: time(), factor: percent(1_000) }))),
    lists: optional(list(map({ from: time(), hitRate: percent(100) }))),
    postDial: optional(duration()),
    ring: optional(distribution),
    ringLimit: optional(duration(1)),
    giveUpAfter: optional(duration(1)),
    failures: optional(list(map({ share: percent(100), machine: optional(Type.Boolean()), ...plainDistributions }))),
    talk: optional(distribution),
    wrapUp: optional(distribution),
    timedWrapUp: optional(duration(1)),
    lossAfter: optional(duration(1)),
    patience: optional(distribution),
    detection: optional(
      map({ falsePositive: percent(100), falseNegative: percent(100), takes: distribution, machineTalk: distribution }),
    ),
  },
  { instead: { abandonedMax: 'the limit on abandoned calls is named cap; write cap: 3%' } },
)

/** The whole file. Only `agents` is required; absent values are those of the reference cell. */
export const scenarioFile = map({
  title: optional(Type.String({ minLength: 1, maxLength: 200, hint: 'text' })),
  agents: whole(1, 1_000),
  day: optional(duration(60_000)),
  begins: optional(time()),
  days: optional(whole(1, 10_000)),
  seed: optional(whole(0, 2 ** 31)),
  linesPerAgent: optional(whole(1, 50)),
  trunkLines: optional(whole(1, 100_000)),
  campaigns: optional(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }), campaign, {
      additionalProperties: false,
      keys: 'a name: lower-case letters, digits and dashes',
    }),
  ),
  breaks: optional(list(map({ share: percent(100), from: time(), to: optional(time()), length: duration(1) }))),
  faults: optional(
    list(
      map({
        phonesDrop: optional(map({ at: time(), for: duration(1), share: percent(100) })),
        carrierRefuses: optional(map({ at: time(), for: duration(1) })),
        linesBusy: optional(map({ at: time(), for: duration(1) })),
      }),
    ),
  ),
})

export type ScenarioFile = Static<typeof scenarioFile>
export type CampaignFile = Static<typeof campaign>
export type DistributionFile = Static<typeof distribution>
export type PlainDistributionFile = Omit<DistributionFile, 'mixture'>

/** `"11:30"` in milliseconds since midnight; undefined for anything else. */
export function parseTime(written: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(written)
  return match ? (Number(match[1]) * 60 + Number(match[2])) * 60_000 : undefined
}

/** `2.5%` as 0.025; undefined for anything else. */
export function parsePercent(written: string): number | undefined {
  return /^\d{1,4}(\.\d{1,2})?%$/.test(written) ? Number(written.slice(0, -1)) / 100 : undefined
}
