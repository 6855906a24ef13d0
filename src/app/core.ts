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
import { auditKeeper } from '../core/workers/audit-intent-worker.ts'
import { holdKeeper } from '../core/workers/hold-expiry-worker.ts'
import { FIRST_AFTER_MS, retentionWorker } from '../core/workers/retention-worker.ts'
import { Courier } from '../core/workers/webhook-dispatcher.ts'
import type { MailSetup } from '../installation/config.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { SecretBytes } from '../kernel/secret-bytes.ts'
import type { Stations } from '../ports/agent-desktop.ts'
import type { LivePort } from '../ports/live.ts'
import { agentSocket } from '../rest/agents/agent-socket.ts'
import { AgentTickets } from '../rest/agents/agent-tickets.ts'
import type { RestParts } from '../rest/http/dependencies.ts'
import { sectionRoutes } from '../rest/routes.ts'
import { type Rest, startRest } from '../rest/server.ts'
import { mailboxesOf, startMail } from './mail.ts'
import type { Memory } from './repositories.ts'
import type { Settings } from './settings.ts'
import { startTranscripts } from './transcripts.ts'

/** What the core is made of. */
export interface CoreInput {
  readonly settings: Settings
  readonly clock: Clock
  readonly random: Random
  readonly secretBytes: SecretBytes
  readonly log: Log
  readonly memory: Memory
  readonly live: LivePort
  readonly stations: Stations
  readonly recordingsDirectory: string
  /** Hosts that webhooks may go to although they are loopback or private. */
  readonly allowedHosts: readonly string[]
  /** Of the set-up. */
  readonly mail: MailSetup | undefined
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
  const { settings, clock, random, secretBytes, log, memory, live, stations } = input
  const { environment } = settings
  const guard = addressGuard({ allowedHosts: input.allowedHosts, rules: webhookUrls(environment) })
  const webhookWeb = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const filesDirectory = resolve(settings.dataDir, 'files')
  const recordingsDirectory = resolve(input.recordingsDirectory)
  const fileStore = await openFileStore({ directory: filesDirectory, clock, secretBytes, log })
  const parts: RestParts = {
    ...{ clock, random, secretBytes, log, environment, ...memory, fileStore, webhookWeb, stations, live },
    recordingsDirectory,
    mailboxes: input.mail?.outbound ? mailboxesOf(input.mail) : [],
    sheets: sheetReader({ clock }),
    forecaster: threadForecaster({ clock }),
    keptBytes: keptBytes({ recordingsDirectory, filesDirectory, fileStore, ...tracePlaces(settings.dataDir) }),
    endpoint: settings.endpoint,
    userAgent: USER_AGENT,
  }
  const courier = new Courier({
    ...{ name: settings.node, outbox: memory.outbox, web: webhookWeb, clock, random, log, userAgent: USER_AGENT },
  })
  const retention = retentionWorker({ ...parts, ...retentionOf(settings), bytes: parts.keptBytes })
  const workers = [importWorker(parts), holdKeeper(parts), auditKeeper(parts), retention]
  const tickets = new AgentTickets(secretBytes)
  const routes = sectionRoutes({ ...parts, tickets })
  const { httpHost: host, httpPort, ssoPort } = settings
  const rest = await startRest({ parts, routes, node: { host, port: httpPort }, sso: { host, port: ssoPort } })
  const allowedOrigins = [settings.endpoint]
  const socket = rest.node && agentSocket(rest.node.server, { ...parts, tickets, allowedOrigins })
  const mail = await startMail({ ...input, ...memory, fileStore })
  courier.start()
  const transcripts = startTranscripts({ ...input, recordingsDirectory: parts.recordingsDirectory })
  for (const worker of workers) worker.start(worker === retention ? FIRST_AFTER_MS : 0)
  const forget = memory.records.onNews((news) => {
    if (news === 'deliveries') courier.wake()
  })
  return {
    rest,
    async stop() {
      forget()
      socket?.close()
      await rest.close()
      await parts.sheets.close()
      await parts.forecaster.close()
      await transcripts?.stop()
      await mail.stop()
      for (const worker of workers) await worker.stop()
      await courier.stop()
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
