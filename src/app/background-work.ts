/** The one list of everything that runs from the start of a service to its end. */
import { asteriskLog } from '../../asterisk/logs.ts'
import { anchorsFile, auditAnchors } from '../adapters/files/audit-anchors.ts'
import { importWorker } from '../core/imports/import-worker.ts'
import { auditIntentWorker } from '../core/workers/audit-intent-worker.ts'
import { holdExpiryWorker } from '../core/workers/hold-expiry-worker.ts'
import { FIRST_AFTER_MS, retentionWorker } from '../core/workers/retention-worker.ts'
import { taskExpiryWorker } from '../core/workers/task-expiry-worker.ts'
import { WebhookDispatcher } from '../core/workers/webhook-dispatcher.ts'
import type { Engine } from '../engine/loop/engine.ts'
import type { Periodic } from '../kernel/periodic.ts'
import type { Pbx } from '../ports/pbx.ts'
import { canaryWatch } from '../publishing/canary-watch.ts'
import type { PublishedFlows } from '../publishing/published-flows.ts'
import type { AsteriskSupervisor } from './asterisk-supervisor.ts'
import { type Core, USER_AGENT } from './core.ts'
import { nodePresence, type OpenStorage } from './engine-storage.ts'
import { mailWork } from './mail.ts'
import { retentionDaysOf } from './retention-days.ts'
import type { Work } from './run-work.ts'
import type { ServiceInput } from './service-input.ts'
import type { Settings } from './settings.ts'
import { transcription } from './transcription.ts'

/** What the list is made from. `storage` and `core` are absent in a service without records. */
interface WorkDependencies {
  readonly input: ServiceInput
  readonly engine: Engine
  readonly pbx: Pick<Pbx, 'start' | 'stop'>
  readonly storage: OpenStorage | undefined
  readonly core: Core | undefined
  /** Absent where the service runs no Asterisk of its own. */
  readonly supervisor: AsteriskSupervisor | undefined
  readonly published: PublishedFlows | undefined
}

/** Stops in reverse. The switch starts after the engine knows what an earlier one left; REST, which needs all, last. */
export function backgroundWork(parts: WorkDependencies): readonly Work[] {
  const { input, engine, pbx, storage, core, supervisor, published } = parts
  const mail = core && mailWork(core)
  const list: readonly (Work | undefined)[] = [
    storage && nodePresence(storage.live, input),
    storage && { name: 'external systems', start: () => storage.systems.start(), stop: () => storage.systems.stop() },
    // Keeps the processor busy: the lease would end meanwhile, and callers would wait for the engine.
    core && { name: 'REST operations', start: () => core.prepare(), stop: () => {} },
    { name: 'node lease and recovery', start: () => engine.prepare(), stop: () => {} },
    { name: 'switch', stage: 'switch', start: () => pbx.start(), stop: () => pbx.stop() },
    // Dialing, boards, learning; the lease goes back with it.
    { name: 'engine', start: () => engine.begin(), stop: () => engine.stop() },
    published && storage && flowsFollowed(published, storage),
    published && storage && periodic('canaries of flows', canariesWatched(published, storage, input)),
    supervisor && { name: 'Asterisk supervisor', start: () => supervisor.start(), stop: () => supervisor.stop() },
    supervisor && periodic('log of Asterisk', asteriskLog({ asterisk: () => supervisor.current, ...input })),
    core && webhookDispatch(core, input.settings),
    mail?.reader,
    mail?.intake,
    mail?.fetching,
    mail?.sending,
    core && transcription({ ...core.dependencies, settings: input.settings }),
    core && periodic('call task imports', importWorker(core.dependencies)),
    core && periodic('hold expiry', holdExpiryWorker(core.dependencies)),
    core && periodic('call task expiry', taskExpiryWorker(core.dependencies)),
    core && periodic('audit intents', auditIntentWorker(core.dependencies)),
    core && periodic('retention', retentionOf(core, input.settings), FIRST_AFTER_MS),
    core && { name: 'REST', start: () => core.serve(), stop: () => core.close() },
  ]
  return list.filter((work) => work !== undefined)
}

function periodic(name: string, worker: Periodic, firstAfterMs = 0): Work {
  return { name, start: () => worker.start(firstAfterMs), stop: () => worker.stop() }
}

/** Files are looked at every 2 s; a publication on any node is followed at once. */
function flowsFollowed(published: PublishedFlows, { repositories }: OpenStorage): Work {
  let forget = () => {}
  return {
    name: 'published flows',
    start() {
      published.start()
      forget = repositories.dialerRepository.onNotification((notification) => {
        if (notification === 'flows') void published.follow()
      })
    },
    async stop() {
      forget()
      await published.stop()
    },
  }
}

function canariesWatched(published: PublishedFlows, { repositories }: OpenStorage, input: ServiceInput): Periodic {
  const { flowCanaries: canaries, flowTraffic: traffic } = repositories
  return canaryWatch({ ...input, canaries, traffic, published })
}

function webhookDispatch({ dependencies }: Core, { node: name }: Settings): Work {
  const { outbox, webhookWeb, clock, random, log, dialerRepository } = dependencies
  const dispatcher = new WebhookDispatcher({
    name,
    outbox,
    web: webhookWeb,
    clock,
    random,
    log,
    userAgent: USER_AGENT,
  })
  let forget = () => {}
  return {
    name: 'webhook dispatch',
    start() {
      dispatcher.start()
      forget = dialerRepository.onNotification((notification) => {
        if (notification === 'deliveries') dispatcher.wake()
      })
    },
    async stop() {
      forget()
      await dispatcher.stop()
      await webhookWeb.close()
    },
  }
}

function retentionOf({ dependencies }: Core, settings: Settings): Periodic {
  const anchors = auditAnchors(anchorsFile(settings.dataDir))
  const days = retentionDaysOf(settings)
  return retentionWorker({ ...dependencies, days, anchors, bytes: dependencies.keptBytes })
}
