import { parseDuration } from '../kernel/duration.ts'
import type { Problem } from '../kernel/file-problem.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'
import type { Distribution } from './distributions.ts'
import { referenceScenario } from './reference.ts'
import {
  type DistributionFile,
  type PlainDistributionFile,
  parsePercent,
  parseTime,
  type ScenarioFile,
} from './scenario-schema.ts'

/** What readers of a scenario file share: its day, its problems, its texts as numbers. The shape is already valid. */
export class DayReading {
  readonly source: YamlSource
  readonly problems: Problem[] = []
  readonly dayMs: number
  readonly beginsAtMs: number

  constructor(source: YamlSource, { day, begins }: ScenarioFile) {
    this.source = source
    const base = referenceScenario(1)
    this.dayMs = day === undefined ? base.dayMs : this.lengthMs(day)
    this.beginsAtMs = begins === undefined ? base.beginsAtMs : parseTime(begins)!
  }

  complain(path: Path, message: string): void {
    this.problems.push(this.source.problem(path, message))
  }

  lengthMs(written: string): number {
    return parseDuration(written)!
  }

  share(written: string): number {
    return parsePercent(written)!
  }

  /** A time of day as milliseconds since the begin of the day; a problem if it is outside the day. */
  instant(written: string, path: Path): number {
    const instantMs = parseTime(written)! - this.beginsAtMs
    if (instantMs < 0 || instantMs > this.dayMs) {
      this.complain(path, `${written} is outside the day; change it, or change begins and day`)
    }
    return instantMs
  }

  distribution(raw: DistributionFile, path: Path): Distribution {
    const { mixture, ...plain } = raw
    if (!mixture) return this.plainDistribution(plain, path)
    if (Object.keys(plain).length > 0)
      this.complain(path, 'a distribution has one kind; keep mixture or the other kind')
    const parts = mixture.map(({ share, ...part }, place) => ({
      share: this.share(share),
      distribution: this.plainDistribution(part, [...path, 'mixture', place]),
    }))
    this.sharesAbove0(parts, [...path, 'mixture'])
    return { kind: 'mixture', parts }
  }

  plainDistribution({ fixed, uniform, lognormal, exponential }: PlainDistributionFile, path: Path): Distribution {
    const kinds = [fixed, uniform, lognormal, exponential].filter((kind) => kind !== undefined).length
    if (kinds !== 1)
      this.complain(path, 'a distribution has one kind; write one of fixed, uniform, lognormal, exponential')
    if (uniform) {
      const [fromMs, toMs] = [this.lengthMs(uniform.from), this.lengthMs(uniform.to)]
      if (toMs < fromMs) this.complain([...path, 'uniform', 'to'], `${uniform.to} is less than ${uniform.from}`)
      return { kind: 'uniform', fromMs, toMs }
    }
    if (lognormal) {
      const meanMs = this.lengthMs(lognormal.mean)
      return { kind: 'lognormal', meanMs, cv: this.lengthMs(lognormal.sd) / meanMs }
    }
    if (exponential) return { kind: 'exponential', meanMs: this.lengthMs(exponential.mean) }
    return { kind: 'fixed', ms: this.lengthMs(fixed ?? '0s') }
  }

  sharesAbove0(parts: readonly { readonly share: number }[], path: Path): void {
    if (parts.every(({ share }) => share === 0))
      this.complain(path, 'every share is 0%; give at least one a higher share')
  }
}
