/** The record half, joined: REST, webhooks, large imports. It speaks to the memory, to engines only through ports. */
import { resolve } from 'node:path'
import { anchorsFile, auditAnchors } from '../adapters/files/audit-anchors.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { openFileStore } from '../adapters/files/file-store.ts'
import { keptBytes } from '../adapters/files/stored-bytes.ts'
import { addressGuard, webhookUrls } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { sheetReader } from '../adapters/sheets/sheet-reader.ts'
import { threadForecaster } from '../core/forecast/thread-forecaster.ts'
import { importWorker } from '../core/imports/import-worker.ts'
import { auditIntentWorker } from '../core/workers/audit-intent-worker.ts'
import { holdExpiryWorker } from '../core/workers/hold-expiry-worker.ts'
import { FIRST_AFTER_MS, retentionWorker } from '../core/workers/retention-worker.ts'
import { WebhookDispatcher } from '../core/workers/webhook-dispatcher.ts'
import type { MailConfig } from '../installation/config.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { SecretBytes } from '../kernel/secret-bytes.ts'
import type { AgentDesktop } from '../ports/agent-desktop.ts'
import type { LivePort } from '../ports/live.ts'
import { agentSocket } from '../rest/agents/agent-socket.ts'
import { AgentTickets } from '../rest/agents/agent-tickets.ts'
import type { RestDependencies } from '../rest/http/dependencies.ts'
import { sectionRoutes } from '../rest/routes.ts'
import { type Rest, startRest } from '../rest/server.ts'
import { mailboxesOf, startMail } from './mail.ts'
import type { Repositories } from './repositories.ts'
import type { Settings } from './settings.ts'
import { startTranscripts } from './transcripts.ts'

/** What the core is made of. */
export interface CoreInput {
  readonly settings: Settings
  readonly clock: Clock
  readonly random: Random
  readonly secretBytes: SecretBytes
  readonly log: Log
  readonly memory: Repositories
  readonly live: LivePort
  readonly agentDesktop: AgentDesktop
  readonly recordingsDirectory: string
  /** Hosts that webhooks may go to although they are loopback or private. */
  readonly allowedHosts: readonly string[]
  /** Of the set-up. */
  readonly mail: MailConfig | undefined
  /** The value of an environment variable. */
  readonly secret: (variable: string) => string | undefined
}

/** A core that serves. */
export interface Core {
  readonly rest: Rest
  stop(): Promise<void>
}

/** Said to receivers, and in no answer of ours. */
const USER_AGENT = 'switchboard/0.1.0'
/** A webhook may take so long to connect (D-27). */
const CONNECT_TIMEOUT_MS = 5_000

/** Starts everything; rejects when a port cannot be listened on. */
export async function startCore(input: CoreInput): Promise<Core> {
  const { settings, clock, random, secretBytes, log, memory: repositories, live, agentDesktop } = input
  const { environment } = settings
  const guard = addressGuard({ allowedHosts: input.allowedHosts, rules: webhookUrls(environment) })
  const webhookWeb = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const filesDirectory = resolve(settings.dataDir, 'files')
  const recordingsDirectory = resolve(input.recordingsDirectory)
  const fileStore = await openFileStore({ directory: filesDirectory, clock, secretBytes, log })
  const dependencies: RestDependencies = {
    ...{ clock, random, secretBytes, log, environment, ...repositories, fileStore, webhookWeb, agentDesktop, live },
    recordingsDirectory,
    mailboxes: input.mail?.outbound ? mailboxesOf(input.mail) : [],
    sheets: sheetReader({ clock }),
    forecaster: threadForecaster({ clock }),
    keptBytes: keptBytes({ recordingsDirectory, filesDirectory, fileStore, ...tracePlaces(settings.dataDir) }),
    endpoint: settings.endpoint,
    userAgent: USER_AGENT,
  }
  const dispatcher = new WebhookDispatcher({
    ...{ name: settings.node, outbox: repositories.outbox, web: webhookWeb, clock, random, log, userAgent: USER_AGENT },
  })
  const retention = retentionWorker({ ...dependencies, ...retentionOf(settings), bytes: dependencies.keptBytes })
  const workers = [
    importWorker(dependencies),
    holdExpiryWorker(dependencies),
    auditIntentWorker(dependencies),
    retention,
  ]
  const tickets = new AgentTickets(secretBytes)
  const routes = sectionRoutes({ ...dependencies, tickets })
  const { httpHost: host, httpPort, ssoPort } = settings
  const rest = await startRest({
    parts: dependencies,
    routes,
    node: { host, port: httpPort },
    sso: { host, port: ssoPort },
  })
  const allowedOrigins = [settings.endpoint]
  const socket = rest.node && agentSocket(rest.node.server, { ...dependencies, tickets, allowedOrigins })
  const mail = await startMail({ ...input, ...repositories, fileStore })
  dispatcher.start()
  const transcripts = startTranscripts({ ...input, recordingsDirectory: dependencies.recordingsDirectory })
  for (const worker of workers) worker.start(worker === retention ? FIRST_AFTER_MS : 0)
  const forget = repositories.dialerRepository.onNotification((notification) => {
    if (notification === 'deliveries') dispatcher.wake()
  })
  return {
    rest,
    async stop() {
      forget()
      socket?.close()
      await rest.close()
      await dependencies.sheets.close()
      await dependencies.forecaster.close()
      await transcripts?.stop()
      await mail.stop()
      for (const worker of workers) await worker.stop()
      await dispatcher.stop()
      await webhookWeb.close()
    },
  }
}

/** How long what is kept, and the file that the audit trail is anchored in. */
function retentionOf({ dataDir, retention }: Settings) {
  const { recordingDays: recordings, transcriptDays: transcripts, taskDays, caseDays, auditDays: audit } = retention
  const days = { recordings, transcripts, calls: taskDays, tasks: taskDays, activities: caseDays, audit }
  return { days, anchors: auditAnchors(anchorsFile(dataDir)) }
}
