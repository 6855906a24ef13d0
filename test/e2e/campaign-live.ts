/** Shared by tests, chaos and benchmarks of campaigns: credentials, a campaign over HTTP, a webhook receiver. */

import type { Pool } from 'pg'
import { bodyOf, type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { OpenDatabase } from '../../src/app/repositories.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import type { RowOf } from '../../src/client/pages.ts'
import { openWebhook } from '../../src/client/webhook.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { FIRST_CORPORATION } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { systemSecretBytes } from '../../src/kernel/secret-bytes.ts'
import { issue, LIFE_MS } from '../../src/rest/access/issue-credential.ts'
import { SCOPES } from '../../src/rest/http/route.ts'
import { CALLER_ID, type Place, TEAM } from './campaign-place.ts'
import { type SteadyAgent, steadyAgent } from './steady-agent.ts'

/** Code of the external system of every campaign. */
export const SYSTEM_CODE = 'DEBT'

/** A credential with every right; of an agent where a user is named. */
export async function credentialOf(database: OpenDatabase, clock: Clock, userName?: string): Promise<Credential> {
  const { credentials, directory } = database
  const key = await credentials.checkKey(systemSecretBytes(32))
  const nowMs = clock.nowMs()
  const user = userName === undefined ? undefined : (await directory.userByName(userName))?.id
  const input = { name: userName ?? 'integrator', user, scopes: SCOPES, corporations: [FIRST_CORPORATION] }
  const issuer = { key, secretBytes: systemSecretBytes, environment: 'development', nowMs }
  const { values, credential } = issue({ ...input, ipAllowList: [], expiresAtMs: nowMs + LIFE_MS }, issuer)
  await credentials.addCredential(credential)
  return values
}

/** The integrator's client. */
export async function integratorOf(database: OpenDatabase, clock: Clock, ssoUrl: string): Promise<Client> {
  return connect({ ssoUrl, credential: await credentialOf(database, clock) })
}

/** Agents at their screens; all of them are ready. */
export async function agentsAtWork(
  database: OpenDatabase,
  clock: Clock,
  ssoUrl: string,
  names: Iterable<string>,
): Promise<SteadyAgent[]> {
  const come = [...names].map(async (name) => {
    const agent = await steadyAgent(name, ssoUrl, await credentialOf(database, clock, name), clock)
    await agent.is('ready')
    return agent
  })
  return Promise.all(come)
}

/** A campaign that was made over HTTP. */
export interface MadeCampaign {
  readonly callCode: number
  readonly itsyId: number
}

/** External system and webhook, once. `pageHost`: where the page of the external system is. */
export async function makeSystem(client: Client, receiver: Receiver | undefined): Promise<number> {
  const popupUrlTemplate = 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}'
  const { itsyId } = await client.ask('POST /rest/core/externalsystems', {
    body: { systemCode: SYSTEM_CODE, name: 'Debt system', popupUrlTemplate },
  })
  if (receiver) {
    const hook = await client.ask('POST /rest/core/webhooks', {
      body: { url: `${receiver.url}/hooks`, events: ['phone-call.ended'] },
    })
    receiver.trust(hook.secret)
  }
  return itsyId
}

/** A campaign that may call at any hour, with these settings over the usual ones. */
export async function makeCampaign(
  client: Client,
  itsyId: number,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const queue = queues.find(({ name }) => name.toLowerCase().includes(TEAM))
  if (!queue) throw new Error('the team of the set-up is no queue')
  const body = {
    name: 'Reminders',
    corporation: { corpId: 1 },
    externalSystem: { itsyId },
    queue: { ucquId: queue.ucquId },
    callerId: CALLER_ID,
    dialMode: 'progressive' as const,
    active: true,
    holidayCalendar: 'none' as const,
    callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
    ringTimeoutSeconds: 15,
    wrapUpSeconds: 0,
    machineDetection: { enabled: false },
    ...settings,
  }
  const made = await client.ask('POST /dialer/callcode', { body })
  if (!('callCode' in made)) throw new Error('one campaign was asked for')
  return made.callCode
}

/** One call task to be imported. */
export interface TaskIn {
  readonly numbers: readonly string[]
  readonly caseNumber: string
}

/** Imports all of them; throws if one is refused. Returns their ids in order. */
export async function importTasks(
  client: Client,
  callCode: number,
  tasks: readonly TaskIn[],
  attempts: { readonly maxCallAttempts: number; readonly minCallIntervalHours: number } = ONE_ATTEMPT,
): Promise<number[]> {
  await sendTasks(client, callCode, tasks, attempts)
  const found = await client.ask('POST /dialer/calltaskget', { body: { callCodes: [callCode], limit: 50_000 } })
  const ids = new Map(found.callTasks.map(({ itcaId, systemLookupCode }) => [systemLookupCode, itcaId]))
  return tasks.map(({ caseNumber }) => ids.get(caseNumber)!)
}

/** The same without asking for their ids. */
export async function sendTasks(
  client: Client,
  callCode: number,
  tasks: readonly TaskIn[],
  attempts = ONE_ATTEMPT,
): Promise<void> {
  const callTasks = tasks.map(({ numbers, caseNumber }) => ({
    callReceiverName: `Debtor ${caseNumber}`,
    callNumberList: numbers,
    extCustId: `D-${caseNumber}`,
    systemLookupCode: caseNumber,
  }))
  const answer = await client.ask('POST /svcdialer/calltaskimport', {
    body: { systemCode: SYSTEM_CODE, callCode, ...attempts, callTasks },
  })
  if (answer.callTaskErrors.length > 0) throw new Error(`not imported: ${JSON.stringify(answer.callTaskErrors[0])}`)
}

const ONE_ATTEMPT = { maxCallAttempts: 1, minCallIntervalHours: 4 }

/** An attempt as the contract shows it. */
export type AttemptOut = RowOf<'POST /svcdialer/calltaskcallattempts/search'>

/** The attempts of these tasks. */
export async function attemptsOf(client: Client, itcaIds: readonly number[]): Promise<readonly AttemptOut[]> {
  const found = await client.ask('POST /svcdialer/calltaskcallattempts/search', { body: { itcaIds, limit: 1_000 } })
  return found.callAttempts
}

/** Receives call events by webhook, and accepts signed ones only. */
export interface Receiver {
  readonly url: string
  /** `phoneCallId` of a `phone-call.ended` → how often it came. */
  readonly heard: ReadonlyMap<string, number>
  readonly complaints: readonly string[]
  trust(secret: string): void
  close(): Promise<void>
}

/** Starts one on loopback. `failsFirst`: of so many events it refuses one when it comes for the first time. */
export async function startReceiver(clock: Clock, { failsFirst = Infinity } = {}): Promise<Receiver> {
  const seen = new Set<string>()
  const heard = new Map<string, number>()
  const complaints: string[] = []
  let secret: string | undefined
  const server: RunningServer = await serve((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      const opened = openWebhook(request.headers, body, secret === undefined ? [] : [secret], clock)
      if (!opened.genuine) {
        sendJson(response, 401, {})
        return complaints.push(`a message was not believed: ${opened.why}`)
      }
      const { type, phoneCallId = '' } = opened.event
      const isNew = !seen.has(phoneCallId)
      if (isNew && seen.add(phoneCallId).size % failsFirst === 0) return sendJson(response, 500, {})
      sendJson(response, 200, {})
      if (type === 'phone-call.ended') heard.set(phoneCallId, (heard.get(phoneCallId) ?? 0) + 1)
    })().catch((error: unknown) => complaints.push(String(error)))
  })
  return {
    url: server.url,
    heard,
    complaints,
    close: () => server.close(),
    trust(given) {
      secret = given
    },
  }
}

/** The phone of an agent: it answers at once and stays. It says nothing, which costs next to nothing. */
export function silentPhone(clock: Clock, at: { readonly host: string; readonly port: number }): Promise<SipCarrier> {
  const contactOf = () => ({ does: 'answer', afterMs: 20 }) as const
  return openCarrier({ clock, random: seededRandom(at.port), ...at, silentEveryMs: 200, contactOf })
}

/** Whether every event has been delivered. */
export async function isAllDelivered(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`select 1 from deliveries where next_at_ms is not null limit 1`)
  return rows.length === 0
}

/** What the switch still has when nobody calls any more. */
export async function leftOn(place: Place): Promise<{ readonly channels: unknown; readonly bridges: unknown }> {
  return { channels: await place.ari('channels'), bridges: await place.ari('bridges') }
}

/** Whether the switch has nothing left. */
export async function isSwitchQuiet(place: Place): Promise<boolean> {
  return Object.values(await leftOn(place)).every((left) => Array.isArray(left) && left.length === 0)
}

/**
 * Polls until it is true. False after the timeout, which is shorter than what mends a fault of ours in the end: the
 * sweep of the switch takes a channel that nobody owns after a minute.
 */
export async function becomesTrue(
  clock: Clock,
  isTrue: () => boolean | Promise<boolean>,
  { everyMs = 50, limitMs = 30_000 } = {},
): Promise<boolean> {
  const latestAtMs = clock.nowMs() + limitMs
  while (!(await isTrue())) {
    if (clock.nowMs() > latestAtMs) return false
    await pause(clock, everyMs)
  }
  return true
}

/** Lets time pass for events outside: a fault at a random moment, a look at a table. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((done) => clock.schedule(clock.nowMs() + ms, done))
}
