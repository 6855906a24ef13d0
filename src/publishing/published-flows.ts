/**
 * From flow files to the flows that new calls take (calls-and-flows-55): a changed file becomes a revision in the
 * database, and every node takes the live revision of each flow from there.
 */
import { basename } from 'node:path'
import type { FlowRegistry } from '../engine/flow-registry.ts'
import type { Flow } from '../flow/model/flow.ts'
import { type FlowReading, readFlow } from '../flow/read/read-flow.ts'
import type { Clock } from '../kernel/clock.ts'
import { formatProblem, type Problem } from '../kernel/file-problem.ts'
import type { CanaryId, FlowName } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { Periodic } from '../kernel/periodic.ts'
import type { FlowCanaries, FlowCanary } from '../ports/flows/flow-canaries.ts'
import type { FlowId, FlowRevisions, LiveFlow } from '../ports/flows/flow-revisions.ts'
import type { FlowSurroundings } from './read-used.ts'

/** A flow file as it is now. */
export interface FlowFile {
  readonly file: string
  readonly text: string
  readonly reading: FlowReading
}

/** Flows beside one configuration: its teams, numbers, addresses and secrets. */
export interface FlowChecks {
  readonly surroundings: FlowSurroundings
  files(): readonly FlowFile[]
  /** `label` stands for the file in messages. */
  read(label: string, text: string): FlowReading
}

interface PublishedFlowsOptions {
  readonly revisions: FlowRevisions
  readonly canaries: Pick<FlowCanaries, 'running'>
  /** The name of this node. */
  readonly node: string
  readonly clock: Clock
  readonly log: Log
}

/** Renders the fixed sentences of a flow before its first call; resolves with the reasons of failures. */
type Warm = (flow: Flow) => Promise<readonly string[]>

/** What will be live once the files are published. */
interface FlowPlan {
  readonly files: readonly FlowFile[]
  readonly flows: readonly Flow[]
  /** Errors of live revisions that no file replaces: they do not fit the configuration. */
  readonly problems: readonly Problem[]
}

/** A person waits for it who has just saved the file. */
const LOOK_EVERY_MS = 2_000

/** The flows of one node. Publications, files and configurations are followed one after another. */
export class PublishedFlows {
  readonly #options: PublishedFlowsOptions
  readonly #periodic: Periodic
  #checks: FlowChecks | undefined
  #registry: FlowRegistry | undefined
  #warm: Warm = async () => []
  #last: Promise<unknown> = Promise.resolve()
  /** The texts of the last look, by file: a file that is being written is left alone until it rests. */
  #texts: ReadonlyMap<string, string> = new Map()
  /** What this node has told the database about its files. */
  readonly #taken = new Map<FlowName, string>()
  #fileErrors: readonly Problem[] = []
  #problems: readonly Problem[] = []
  #isFailing = false

  constructor(options: PublishedFlowsOptions) {
    this.#options = options
    const work = () => this.look()
    this.#periodic = new Periodic({ clock: options.clock, pauseMs: () => LOOK_EVERY_MS, work })
  }

  /** Errors of files and of live revisions that this node cannot take; the last good revisions go on meanwhile. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Of the configuration in force. */
  get surroundings(): FlowSurroundings | undefined {
    return this.#checks?.surroundings
  }

  /** The revision that new calls of this node take. */
  taken(flow: FlowName): string | undefined {
    return this.#registry?.get(flow)?.flow.revision
  }

  /** The canary that new calls of this node are drawn for. */
  onTrial(flow: FlowName): { readonly id: CanaryId; readonly flow: Flow } | undefined {
    const trial = this.#registry?.onTrial(flow)
    return trial && { id: trial.id, flow: trial.compiled.flow }
  }

  /** What is live once these files are published. Changes nothing. */
  async plan(checks: FlowChecks): Promise<FlowPlan> {
    const { revisions, node } = this.#options
    const files = checks.files()
    const fit = files.filter(({ reading }) => reading.flow)
    const news = await revisions.newsOf(node, fit.map(idOf))
    const taken = fit.flatMap(({ reading }) => (news.has(reading.flow!.name) ? [reading.flow!] : []))
    const readings = []
    for (const live of await revisions.live()) if (!news.has(live.flow)) readings.push(await this.#read(live, checks))
    const stored = readings.flatMap(({ flow }) => flow ?? [])
    const problems = readings.flatMap((reading) => (reading.flow ? [] : reading.problems))
    return { files, flows: [...taken, ...stored], problems }
  }

  /** Publishes the files of a plan; from now on files are checked as it was. */
  adopt({ files }: FlowPlan, checks: FlowChecks): Promise<void> {
    return this.#inTurn(async () => {
      this.#checks = checks
      this.#texts = textsOf(files)
      await this.#take(files)
    })
  }

  /** Where the flows go from now on. */
  serve(registry: FlowRegistry, warm: Warm): void {
    this.#registry = registry
    this.#warm = warm
  }

  start(): void {
    this.#periodic.start(LOOK_EVERY_MS)
  }

  stop(): Promise<void> {
    return this.#periodic.stop()
  }

  /** Publishes files that have changed and rest, then takes what is live. Never rejects. */
  look(): Promise<void> {
    return this.#try(async () => {
      const files = this.#checks?.files() ?? []
      const resting = files.filter(({ file, text }) => this.#texts.get(file) === text)
      this.#texts = textsOf(files)
      this.#fileErrors = resting.flatMap(({ reading }) => (reading.flow ? [] : errorsOf(reading.problems)))
      await this.#take(resting)
      await this.#followNow()
    })
  }

  /** Takes what is live. Never rejects. */
  follow(): Promise<void> {
    return this.#try(() => this.#followNow())
  }

  async #try(work: () => Promise<void>): Promise<void> {
    const { log } = this.#options
    try {
      await this.#inTurn(work)
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) log.warn({ why: String(error) }, 'flows could not be looked for; the next look is in 2 s')
      this.#isFailing = true
    }
  }

  /** Work that must not run beside a look: the next one waits for it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => {})
    return next
  }

  /** A revision that was live at any time; undefined if there is none, or this version cannot read it. */
  async past(revision: string): Promise<Flow | undefined> {
    const stored = await this.#options.revisions.read(revision)
    return stored && readFlow(labelOf(stored), stored.text).flow
  }

  async #take(files: readonly FlowFile[]): Promise<void> {
    const { revisions, node, clock } = this.#options
    for (const { file, text, reading } of files) {
      const { flow } = reading
      if (!flow || this.#taken.get(flow.name) === flow.revision) continue
      const author = `${basename(file)} on ${node}`
      const signed = { author, note: null, atMs: clock.nowMs() }
      await revisions.takeFile(node, { flow: flow.name, revision: flow.revision, text, ...signed })
      this.#taken.set(flow.name, flow.revision)
    }
  }

  async #followNow(): Promise<void> {
    const [registry, checks] = [this.#registry, this.#checks]
    if (!registry || !checks) return
    const errors = [...this.#fileErrors]
    for (const live of await this.#options.revisions.live()) {
      if (registry.get(live.flow)?.flow.revision === live.revision) continue
      const { flow, problems } = await this.#read(live, checks)
      if (flow) await this.#publish(flow, live, registry)
      else errors.push(...errorsOf(problems))
    }
    errors.push(...(await this.#followCanaries(registry, checks)))
    this.#report(errors)
  }

  /** A canary that does not fit this node is not drawn here; its errors are the answer. */
  async #followCanaries(registry: FlowRegistry, checks: FlowChecks): Promise<readonly Problem[]> {
    const { canaries, log } = this.#options
    const running = new Map((await canaries.running()).map((canary) => [canary.flow, canary]))
    const errors: Problem[] = []
    for (const name of registry.names()) {
      const [here, canary] = [registry.onTrial(name), running.get(name)]
      if (here && here.id !== canary?.id) {
        registry.endTrial(name)
        log.info({ flow: name, revision: here.compiled.flow.revision }, 'no new call takes the canary of the flow')
      }
      if (!canary || here?.id === canary.id) continue
      const { flow, problems } = await this.#read(canary, checks)
      errors.push(...(flow ? [] : errorsOf(problems)))
      if (flow) await this.#tryOut(flow, canary, registry)
    }
    return errors
  }

  async #tryOut(flow: Flow, canary: FlowCanary, registry: FlowRegistry): Promise<void> {
    const { revision, percent, author, note } = canary
    await this.#prepare(flow)
    registry.tryOut(flow, canary)
    const { log } = this.#options
    log.info({ flow: flow.name, revision, percent, author, note }, 'a share of the new calls takes this revision')
  }

  async #publish(flow: Flow, { way, author, note }: LiveFlow, registry: FlowRegistry): Promise<void> {
    const { log } = this.#options
    await this.#prepare(flow)
    registry.publish(flow)
    log.info(
      { flow: flow.name, revision: flow.revision, way, author, note },
      'new calls take this revision of the flow',
    )
  }

  async #prepare(flow: Flow): Promise<void> {
    for (const why of await this.#warm(flow))
      this.#options.log.warn({ flow: flow.name, why }, 'a prompt could not be prepared')
  }

  /** Each error once, as long as it stays. */
  #report(errors: readonly Problem[]): void {
    const known = new Set(this.#problems.map(formatProblem))
    this.#problems = errors
    for (const problem of errors.map(formatProblem)) {
      if (!known.has(problem))
        this.#options.log.error({ problem }, 'a flow has an error; its last good revision goes on')
    }
  }

  /** A revision, from the file that holds it or from the database. */
  async #read(live: FlowId, checks: FlowChecks): Promise<FlowReading> {
    const file = checks.files().find(({ reading }) => reading.flow?.revision === live.revision)
    if (file) return file.reading
    const stored = await this.#options.revisions.read(live.revision)
    return stored ? checks.read(labelOf(live), stored.text) : { problems: [] }
  }
}

function idOf({ reading }: FlowFile) {
  return { flow: reading.flow!.name, revision: reading.flow!.revision }
}

/** `debtor@3f2a…`: names a revision where there is no file. */
function labelOf({ flow, revision }: FlowId): string {
  return `${flow}@${revision}`
}

function textsOf(files: readonly FlowFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ file, text }) => [file, text]))
}

function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === 'error')
}
