import { checkShape, mostUrgent, wholePath } from '../kernel/check-shape.ts'
import type { Problem } from '../kernel/file-problem.ts'
import { type Path, YamlSource } from '../kernel/yaml-source.ts'
import { readCampaign } from './read-campaign.ts'
import { referenceScenario } from './reference.ts'
import type { BreakPlan, Fault, Scenario } from './scenario.ts'
import { DayReading } from './scenario-reading.ts'
import { parseTime, type ScenarioFile, scenarioFile } from './scenario-schema.ts'

/** `scenario` is present without problems. Problems are in the order of the file. */
interface ScenarioReading {
  readonly scenario?: Scenario
  readonly problems: readonly Problem[]
}

/** Values of the command line. They win over the file. */
interface ScenarioOverrides {
  readonly agents?: number | undefined
  readonly days?: number | undefined
  readonly seed?: number | undefined
}

/** Maximum campaigns that share one team; a larger number is a typing error. */
const CAMPAIGNS_MAX = 8

/** Reads and checks a scenario; never throws. Absent values are those of the reference cell. */
export function readScenario(file: string, text: string, overrides: ScenarioOverrides = {}): ScenarioReading {
  const source = new YamlSource(file, text, 'scenario')
  if (source.problems.length > 0) return { problems: source.problems }
  if (source.value === null || source.value === undefined) {
    return { problems: [source.problem([], 'the file is empty; begin with agents: 30')] }
  }
  const { value, problems: misshapen } = checkShape(scenarioFile, source, wholePath)
  // Values are read only from files of valid shape: otherwise a missing part would be reported twice.
  if (misshapen.length > 0 || value === undefined) return { problems: mostUrgent(misshapen) }
  const reading = new DayReading(source, value as ScenarioFile)
  const scenario = scenarioOf(reading, value as ScenarioFile, overrides)
  return reading.problems.length > 0 ? { problems: mostUrgent(reading.problems) } : { scenario, problems: [] }
}

function scenarioOf(reading: DayReading, raw: ScenarioFile, overrides: ScenarioOverrides): Scenario {
  const agents = overrides.agents ?? raw.agents
  const base = referenceScenario(agents)
  const names = Object.keys(raw.campaigns ?? {})
  if (names.length > CAMPAIGNS_MAX) {
    reading.complain(['campaigns'], `${names.length} campaigns; a scenario has at most ${CAMPAIGNS_MAX}; remove some`)
  }
  return {
    title: raw.title ?? reading.source.file,
    agents,
    dayMs: reading.dayMs,
    beginsAtMs: reading.beginsAtMs,
    campaigns: Object.entries(raw.campaigns ?? { campaign: {} }).map(([name, campaign]) =>
      readCampaign(reading, name, campaign, ['campaigns', name]),
    ),
    linesPerAgentMax: raw.linesPerAgent ?? base.linesPerAgentMax,
    trunkLines: raw.trunkLines ?? base.trunkLines,
    breaks: (raw.breaks ?? []).map((plan, place) => breakOf(reading, plan, ['breaks', place])),
    faults: (raw.faults ?? []).flatMap((fault, place) => faultOf(reading, fault, ['faults', place])),
    days: overrides.days ?? raw.days ?? base.days,
    seed: overrides.seed ?? raw.seed ?? base.seed,
  }
}

type BreakFile = NonNullable<ScenarioFile['breaks']>[number]
type FaultFile = NonNullable<ScenarioFile['faults']>[number]

function breakOf(reading: DayReading, { share, from, to = from, length }: BreakFile, path: Path): BreakPlan {
  if (parseTime(to)! < parseTime(from)!)
    reading.complain([...path, 'to'], `it ends at ${to}, which is before its begin; change one of them`)
  return {
    share: reading.share(share),
    fromMs: reading.instant(from, [...path, 'from']),
    toMs: reading.instant(to, [...path, 'to']),
    lengthMs: reading.lengthMs(length),
  }
}

function faultOf(reading: DayReading, fault: FaultFile, path: Path): Fault[] {
  const entries = Object.entries(fault) as [Fault['kind'], { at: string; for: string; share?: string }][]
  const [entry] = entries
  if (!entry || entries.length > 1) {
    reading.complain(path, 'an entry has one fault; write one of phonesDrop, carrierRefuses, linesBusy')
    return []
  }
  const [kind, { at, for: length, share = '0%' }] = entry
  const span = { fromMs: reading.instant(at, [...path, kind, 'at']), forMs: reading.lengthMs(length) }
  return [kind === 'phonesDrop' ? { kind, ...span, share: reading.share(share) } : { kind, ...span }]
}
