/** The configuration together with the flows that are live once the files are published (calls-and-flows-55). */
import type { Flow } from '../flow/model/flow.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { byPlace, type Problem } from '../kernel/file-problem.ts'
import type { PublishedFlows } from '../publishing/published-flows.ts'
import { brokenNames, type Desired, flowChecks } from './read-installation.ts'
import type { Settings } from './settings.ts'

/** `installation` is undefined if an error stands against it; then nothing was published. */
interface InForce {
  readonly installation: InstallationConfig | undefined
  readonly flows: readonly Flow[]
  readonly problems: readonly Problem[]
}

interface Options {
  readonly settings: Settings
  /** Undefined without a database: then the files are what is live. */
  readonly published: PublishedFlows | undefined
  /** The error of a configuration that another node has replaced. */
  readonly refuseOlder: ((config: InstallationConfig) => Promise<Problem | undefined>) | undefined
  /** At a start, a file with an error leaves its flow as it was; `apply` is refused instead. */
  readonly isStart: boolean
}

/** Checks all of it, and publishes the files if it is fit. */
export async function bringIntoForce(desired: Desired, options: Options): Promise<InForce> {
  const { settings, published, isStart, refuseOlder } = options

  const { config } = desired
  if (!published || !config || (!isStart && !desired.installation)) return desired
  const checks = flowChecks(settings, config)
  const plan = await published.plan(checks)
  const { flows } = plan
  const names = flows.map(({ name }) => name)
  const broken = brokenNames(plan.files)
  const named = desired.beside(isStart ? names : [...names, ...broken])
  const problems = [...named.problems, ...plan.problems, ...plan.files.flatMap(({ reading }) => reading.problems)]
  const fatal = [...named.problems, ...plan.problems].some(({ severity }) => severity === 'error')
  const isSound = !fatal && (isStart || broken.length === 0)
  const older = isSound ? await refuseOlder?.(config) : undefined
  if (older) problems.push(older)
  const isFit = isSound && !older
  if (isFit) await published.adopt(plan, checks)
  return { installation: isFit ? named.installation : undefined, flows, problems: problems.sort(byPlace) }
}
