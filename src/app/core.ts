/** The record half, joined: REST and what its operations work with. It reaches an engine through ports only. */
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { openFileStore } from '../adapters/files/file-store.ts'
import { keptBytes } from '../adapters/files/stored-bytes.ts'
import { addressGuard, webhookUrls } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { peaksInFolder } from '../adapters/recordings/recorded-peaks.ts'
import { sheetReader } from '../adapters/sheets/sheet-reader.ts'
import { twilioReports } from '../adapters/sms/twilio-reports.ts'
import { PATHS } from '../console/shell/paths.ts'
import { processForecaster } from '../core/forecast/process-forecaster.ts'
import type { InstallationConfig, MailConfig } from '../installation/config.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import { systemSecretBytes } from '../kernel/secret-bytes.ts'
import type { AgentDesktop } from '../ports/agent-desktop.ts'
import type { BrowserPhones } from '../ports/browser-phones.ts'
import type { Journal } from '../ports/journal.ts'
import type { DeliveryReports } from '../ports/sms.ts'
import type { CallSupervision } from '../ports/supervision.ts'
import { nodeWorkshop } from '../publishing/node-workshop.ts'
import type { PublishedFlows } from '../publishing/published-flows.ts'
import { agentSocket } from '../rest/agents/agent-socket.ts'
import { AgentTickets } from '../rest/agents/agent-tickets.ts'
import { iceServersOf } from '../rest/agents/ice-servers.ts'
import { PhoneHolders } from '../rest/agents/phone-holders.ts'
import { PhoneReports } from '../rest/agents/phone-reports.ts'
import { phoneSocket } from '../rest/agents/phone-socket.ts'
import type { Console } from '../rest/http/console-pages.ts'
import { settled } from '../rest/http/in-force.ts'
import type { ReadyCheck } from '../rest/openapi/docs-pages.ts'
import { sectionRoutes } from '../rest/routes.ts'
import { prepareRest, type Rest } from '../rest/server.ts'
import { LiveTopics } from '../rest/stream/live-topics.ts'
import { streamSocket } from '../rest/stream/stream-socket.ts'
import { StreamTickets } from '../rest/stream/stream-ticket.ts'
import { builtConsole } from './console-files.ts'
import { type OpenStorage, storedPlaces } from './engine-storage.ts'
import { mailboxesOf } from './mail.ts'
import type { ServiceInput } from './service-input.ts'

interface CoreOptions {
  readonly input: ServiceInput
  readonly storage: OpenStorage
  readonly agentDesktop: AgentDesktop
  readonly supervision: CallSupervision
  /** As it is in force now. */
  readonly installation: () => InstallationConfig
  readonly published: PublishedFlows
  readonly journal: Pick<Journal, 'read'>
  /** Undefined: the switch is simulated. */
  readonly browserPhones: BrowserPhones | undefined
  /** Of our own Asterisk. */
  readonly runDirectory: string | undefined
  /** Of `/readyz`. */
  readonly ready: readonly ReadyCheck[]
}

export interface Core {
  readonly dependencies: CoreDependencies
  readonly mail: MailConfig | undefined
  readonly secret: (variable: string) => string | undefined
  /** Undefined until REST listens. */
  readonly rest: Rest | undefined
  /** Makes REST ready to listen. Callers wait while it runs: run it before the switch is connected. */
  prepare(): Promise<void>
  /** After `prepare`. Rejects when a port is taken. */
  serve(): Promise<void>
  /** Requests under way end first. */
  close(): Promise<void>
}

/** Sent to webhook receivers. */
export const USER_AGENT = 'switchboard/0.1.0'
/** The longest wait for a webhook's connection (D-27). */
const CONNECT_TIMEOUT_MS = 5_000

/** Opens the folders and joins the parts; nothing listens or runs yet. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { input, ready } = options
  const config = options.installation()
  const dependencies = await dependenciesOf(options)
  const { httpHost: host, httpPort, ssoPort, endpoint, trustedProxies, secondFactorRoles } = input.settings
  const credentials = settled(dependencies.credentials, secondFactorRoles)
  const tickets = new AgentTickets(dependencies.secretBytes)
  const streamTickets = new StreamTickets(dependencies.secretBytes)
  const phones = options.browserPhones && phonesOf(options.browserPhones, options, dependencies)
  const topics = new LiveTopics(Object.assign({ isBrowser: phones?.isBrowser, soundOf: phones?.soundOf }, dependencies))
  let prepared: Awaited<ReturnType<typeof prepareRest>> | undefined
  let rest: Rest | undefined
  let sockets: { close(): void }[] = []
  return {
    dependencies,
    mail: config.mail,
    secret: (variable) => input.env[variable],
    get rest() {
      return rest
    },
    async prepare() {
      const flowProblems = () => dependencies.flowWorkshop.problems().length
      const routes = sectionRoutes({ ...dependencies, credentials, tickets, streamTickets, phones })
      const [node, sso] = [httpPort, ssoPort].map((port) => ({ host, port }))
      const places = {
        node: node!,
        sso: sso!,
        trustedProxies,
        secondFactorRoles,
        console: consoleOf(input, dependencies),
      }
      prepared = await prepareRest({ dependencies, routes, ...places, ready, flowProblems })
    },
    async serve() {
      rest = await prepared!.listen()
      if (!rest.node) return
      const { server } = rest.node
      const doors = { ...dependencies, credentials, allowedOrigins: [endpoint] }
      sockets = [agentSocket(server, { ...doors, tickets }), streamSocket(server, { ...doors, streamTickets, topics })]
      if (phones) sockets.push(phoneSocket(server, { ...doors, ...phones, tickets }))
    },
    async close() {
      for (const socket of sockets) socket.close()
      topics.close()
      phones?.reports.close()
      await prepared?.close()
      await dependencies.sheets.close()
      await dependencies.forecaster.close()
      await dependencies.flowWorkshop.close()
    },
  }
}

/** A build that fails costs the pages alone: calls are taken, and programs are served. */
function consoleOf({ settings, log }: ServiceInput, { secretBytes }: CoreDependencies): Console {
  const built = builtConsole(settings.dataDir)
  void built.then((found) => 'problem' in found && log.error(found.problem))
  return { paths: Object.values(PATHS), built, nonceBytes: secretBytes }
}

function phonesOf(
  browserPhones: BrowserPhones,
  { installation, agentDesktop, input }: CoreOptions,
  { secretBytes, clock, log, callList }: Pick<CoreDependencies, 'secretBytes' | 'clock' | 'log' | 'callList'>,
) {
  const { signallingUrl } = browserPhones
  const isBrowser = (agent: AgentName) => installation().phones.get(agent)?.kind === 'browser'
  // Asterisk kept the leg of a closed page for more than 14 s, whatever `rtp_timeout` says (measured, 22.10.1).
  const away = (agent: AgentName) => void agentDesktop.order(agent, { type: 'doubtPhone' })
  const reports = new PhoneReports({ agentDesktop, callList, clock, log })
  const soundOf = (agent: AgentName) => reports.soundOf(agent)
  const holders = new PhoneHolders(browserPhones, { secretBytes, clock }, away)
  const iceServers = (agent: AgentName, untilAtMs: AtMs) => {
    const { addresses = [], turnSecretFrom } = installation().ice ?? {}
    return iceServersOf({ addresses, turnSecret: turnSecretFrom && input.env[turnSecretFrom] }, agent, untilAtMs)
  }
  return { holders, isBrowser, signallingUrl, reports, soundOf, iceServers }
}

type CoreDependencies = Awaited<ReturnType<typeof dependenciesOf>>

async function dependenciesOf(options: CoreOptions) {
  const { input, storage, agentDesktop, supervision, installation, runDirectory, published, journal } = options
  const config = installation()
  const { settings, clock, random, log, secretBytes = systemSecretBytes } = input
  const { node, environment, endpoint } = settings
  const { repositories, live } = storage
  const guard = addressGuard({ allowedHosts: config.allowedHosts, rules: webhookUrls(environment) })
  const webhookWeb = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const { filesDirectory, recordingsDirectory } = storedPlaces(settings, runDirectory)
  const freeBytesMin = settings.diskFreeBytesMin
  const fileStore = await openFileStore({ directory: filesDirectory, clock, secretBytes, log, freeBytesMin })
  return {
    clock,
    random,
    secretBytes,
    log,
    environment,
    ...repositories,
    fileStore,
    webhookWeb,
    lookupUrls: addressGuard({ allowedHosts: config.allowedHosts }),
    agentDesktop,
    supervision,
    journal,
    recordedPeaks: peaksInFolder(recordingsDirectory),
    trunks: () => [...installation().trunks.values()],
    live,
    recordingsDirectory,
    mailboxes: config.mail?.outbound ? mailboxesOf(config.mail) : [],
    sheets: sheetReader({ clock }),
    forecaster: processForecaster({ clock }),
    flowWorkshop: nodeWorkshop(published, { clock }),
    keptBytes: keptBytes({ ...storedPlaces(settings, runDirectory), fileStore, ...tracePlaces(settings.dataDir) }),
    deliveryReports: deliveryReportsOf(settings.twilio),
    node,
    endpoint,
    userAgent: USER_AGENT,
  }
}

function deliveryReportsOf(twilio: ServiceInput['settings']['twilio']): DeliveryReports | undefined {
  if (twilio?.reportsUrl === undefined) return undefined
  return twilioReports({ authToken: twilio.authToken, reportsUrl: twilio.reportsUrl })
}
