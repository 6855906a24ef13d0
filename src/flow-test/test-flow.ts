/** Everything that is found out about one flow: its tests, what they miss, and what holds for every flow. */
import type { Flow } from '../flow/model/flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { YamlSource } from '../kernel/yaml-source.ts'
import { checkProperties, type Properties } from './check-properties.ts'
import { type Coverage, coverageOf, takenIn } from './coverage.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { type Played, type PlayedAtOnce, playScript } from './play-script.ts'
import { type Proposals, proposeTests } from './propose-tests.ts'
import type { Script } from './script.ts'

export interface FlowReport {
  readonly flow: FlowName
  readonly played: readonly Played[]
  /** Tests that were to be played by phone, and cannot be. */
  readonly skipped: readonly Skipped[]
  readonly coverage: Coverage
  /** Only on virtual time. */
  readonly properties: Properties | undefined
  /** Only where it was asked for, and every test passes. */
  readonly mutation: Mutation | undefined
  /** Only where they were asked for. */
  readonly proposals: Proposals | undefined
}

export interface Skipped {
  readonly script: Script
  readonly why: string
}

export interface Mutation {
  readonly total: number
  readonly survivors: readonly Pick<Mutant, 'what' | 'line'>[]
}

/** Tests a flow. `source` is its file, for lines; the same seed gives the same report. */
export function testFlow(
  flow: Flow,
  source: YamlSource,
  scripts: readonly Script[],
  {
    seed,
    mutates,
    proposes = false,
  }: { readonly seed: number; readonly mutates: boolean; readonly proposes?: boolean },
): FlowReport & { readonly played: readonly PlayedAtOnce[]; readonly properties: Properties } {
  const compiled = compileFlow(flow)
  const played = scripts.map((script) => playScript(compiled, script))
  const notes = played.map(({ call }) => call.notes)
  const isGreen = played.every(({ failure }) => failure === undefined)
  return {
    flow: flow.name,
    played,
    skipped: [],
    coverage: coverageOf(flow, source, notes),
    properties: checkProperties(compiled, scripts, seed),
    proposals: proposes ? proposeTests(flow, source, takenIn(flow, notes.flat())) : undefined,
    mutation: mutates && isGreen ? mutationOf(flow, source, scripts) : undefined,
  }
}

/** A mutant is found when a test fails. */
function mutationOf(flow: Flow, source: YamlSource, scripts: readonly Script[]): Mutation {
  const mutants = mutantsOf(flow, source)
  const survivors = mutants.filter((mutant) => {
    const compiled = compileFlow(mutant.flow)
    return scripts.every((script) => playScript(compiled, script).failure === undefined)
  })
  return { total: mutants.length, survivors: survivors.map(({ what, line }) => ({ what, line })) }
}

/** Percent of the mutants that a test found; 100 for none at all. */
export function foundPercent({ total, survivors }: Mutation): number {
  return total === 0 ? 100 : (100 * (total - survivors.length)) / total
}
