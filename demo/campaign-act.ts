/** The demo's second act: sixty call tasks are imported over HTTP, four agents log in, the dialer calls them. */

import type { Service } from '../src/app/service.ts'
import { type Client, connect } from '../src/client/client.ts'
import type { RowOf } from '../src/client/pages.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { type AgentAtWork, type AgentDay, agentAtWork } from './agent-at-work.ts'
import { CALLER_ID, CALLING_AGENTS, CALLING_TEAM, DEBTORS } from './campaign-people.ts'
import { credentialOf } from './credential.ts'
import type { DebtSystem } from './debt-system.ts'
import type { Check } from './judge.ts'

/** Results of the campaign, each counted where it happens. */
export interface CampaignSummary {
  readonly campaign: {
    readonly tasks: number
    readonly attempts: number
    readonly answered: number
    readonly voicemail: number
    readonly dropped: number
    readonly lost: number
    readonly agentsBusyPct: number
  }
  /** Counts of carrier, attempts, activities, events and deliveries; they must be equal. */
  readonly ledger: {
    readonly invites: number
    readonly attempts: number
    readonly activities: number
    readonly events: number
    readonly delivered: number
  }
  readonly checks: readonly Check[]
}

/** `invites`: the carrier's own count, with the attempt that each INVITE names. */
export interface CampaignAct {
  readonly service: Service
  readonly clock: Clock
  readonly onLine: (line: string) => void
  readonly invites: () => readonly { readonly number: string; readonly reference: string }[]
  readonly debtSystem: DebtSystem
}

const SYSTEM_CODE = 'DEBT'
/** The calls end long before. */
const ACT_MAX_MS = 240_000
const LOOK_EVERY_MS = 500

type Attempt = RowOf<'POST /svcdialer/calltaskcallattempts/search'>

/** Plays the act and checks its results. */
export async function playCampaign({
  service,
  clock,
  onLine,
  invites,
  debtSystem,
}: CampaignAct): Promise<CampaignSummary> {
  const { ssoUrl } = service.core!.rest
  const credential = await credentialOf(service, clock, 'demo integrator')
  const integrator = connect({ ssoUrl: ssoUrl!, credential })
  const callCode = await setUp(integrator, debtSystem.url, (secret) => debtSystem.trust(secret, integrator))
  const agents = await Promise.all(CALLING_AGENTS.map(({ name }) => logIn(service, clock, ssoUrl!, name)))
  await allReady(agents, clock)
  onLine(`${agents.length} agents are ready; their phones stay connected`)
  await importTasks(integrator, callCode)
  const beganAtMs = clock.nowMs()
  onLine(`${DEBTORS.length} call tasks imported into campaign ${callCode}`)
  const attempts = await until(clock, onLine, () => attemptsOf(integrator, callCode))
  const tookMs = clock.nowMs() - beganAtMs
  const isDelivered = () => attempts.every(({ eactId }) => eactId === null || debtSystem.calls.has(String(eactId)))
  await untilTrue(clock, isDelivered)
  const days = agents.map((agent) => agent.day())
  await Promise.all(agents.map((agent) => agent.logOut()))
  return judge({ attempts, days, tookMs, debtSystem, invites: invites(), events: await eventsOf(integrator) })
}

/** Creates external system, webhook and campaign as an integrator does. */
async function setUp(client: Client, webhookUrl: string, trust: (secret: string) => void): Promise<number> {
  const popupUrlTemplate = 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}'
  const system = await client.ask('POST /rest/core/externalsystems', {
    body: { systemCode: SYSTEM_CODE, name: 'Debt system', popupUrlTemplate },
  })
  const hook = await client.ask('POST /rest/core/webhooks', {
    body: { url: `${webhookUrl}/hooks`, events: ['phone-call.ended'] },
  })
  trust(hook.secret)
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const queue = queues.find(({ name }) => name.toLowerCase().includes(CALLING_TEAM))!
  const campaign = await client.ask('POST /dialer/callcode', {
    body: {
      name: 'Reminders',
      corporation: { corpId: 1 },
      externalSystem: { itsyId: system.itsyId },
      queue: { ucquId: queue.ucquId },
      callerId: CALLER_ID,
      dialMode: 'progressive',
      active: true,
      callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
      ringTimeoutSeconds: 15,
      wrapUpSeconds: 1,
      machineDetection: { enabled: true, action: 'hangup', maxErrorPercent: 100 },
      recording: { mode: 'always' },
    },
  })
  if (!('callCode' in campaign)) throw new Error('the answer is not one campaign')
  return campaign.callCode
}

async function logIn(service: Service, clock: Clock, ssoUrl: string, name: string): Promise<AgentAtWork> {
  return agentAtWork(name, ssoUrl, await credentialOf(service, clock, `demo ${name}`, name), clock)
}

/** Rejects where a phone is not connected: nobody would be called, for ever. */
async function allReady(agents: readonly AgentAtWork[], clock: Clock): Promise<void> {
  const waits = agents.map(async (agent) => {
    let isReady = false
    void agent.is('ready').then(() => {
      isReady = true
    })
    await untilTrue(clock, () => isReady)
    if (!isReady) throw new Error(`agent ${agent.day().userName} did not become ready: their phone was not connected`)
  })
  await Promise.all(waits)
}

async function importTasks(client: Client, callCode: number): Promise<void> {
  const callTasks = DEBTORS.map(({ number, caseNumber }, index) => ({
    callReceiverName: `Debtor ${index + 1}`,
    callNumberList: [number],
    extCustId: `D-${index + 1}`,
    systemLookupCode: caseNumber,
  }))
  const answer = await client.ask('POST /svcdialer/calltaskimport', {
    body: { systemCode: SYSTEM_CODE, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks },
  })
  if (answer.callTaskErrors.length > 0)
    throw new Error(`the import was refused: ${JSON.stringify(answer.callTaskErrors)}`)
}

async function attemptsOf(client: Client, callCode: number): Promise<Attempt[]> {
  const itcaIds: number[] = []
  for await (const task of client.each('POST /dialer/calltaskget', { body: { callCodes: [callCode] } })) {
    itcaIds.push(task.itcaId)
  }
  const attempts: Attempt[] = []
  const found = client.each('POST /svcdialer/calltaskcallattempts/search', { body: { itcaIds } })
  // What was blocked was no call: it is dialed again.
  for await (const attempt of found) if (attempt.resultName !== 'BLOCKED') attempts.push(attempt)
  return attempts
}

/** The calls of the event feed. */
async function eventsOf(client: Client): Promise<string[]> {
  const calls: string[] = []
  const ended = client.each('GET /rest/core/events', { query: { types: ['phone-call.ended'] } })
  for await (const { phoneCallId = '' } of ended) calls.push(phoneCallId)
  return calls
}

/** Waits until every debtor was called once and every call has ended; prints progress. */
async function until(clock: Clock, onLine: (line: string) => void, look: () => Promise<Attempt[]>): Promise<Attempt[]> {
  let attempts: Attempt[] = []
  let shown = -1
  const isOver = async () => {
    attempts = await look()
    const ended = attempts.filter(({ endTs }) => endTs !== null).length
    if (Math.floor(ended / 10) > shown) {
      shown = Math.floor(ended / 10)
      onLine(`${ended} of ${DEBTORS.length} calls ended`)
    }
    return ended >= DEBTORS.length && ended === attempts.length
  }
  await untilTrue(clock, isOver)
  return attempts
}

async function untilTrue(clock: Clock, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const latestAtMs = clock.nowMs() + ACT_MAX_MS
  while (!(await isTrue()) && clock.nowMs() < latestAtMs) {
    await new Promise<void>((done) => clock.schedule(clock.nowMs() + LOOK_EVERY_MS, done))
  }
}

interface Evidence {
  readonly attempts: readonly Attempt[]
  readonly days: readonly AgentDay[]
  readonly tookMs: number
  readonly debtSystem: DebtSystem
  readonly invites: readonly { readonly number: string; readonly reference: string }[]
  readonly events: readonly string[]
}

function judge({ attempts, days, tookMs, debtSystem, invites, events }: Evidence): CampaignSummary {
  const count = (name: string) => attempts.filter(({ resultName }) => resultName === name).length
  const talkMs = days.reduce((sum, day) => sum + day.talkMs, 0)
  const activities = new Set(attempts.flatMap(({ eactId }) => eactId ?? []))
  const ledger = {
    invites: invites.length,
    attempts: attempts.length,
    activities: activities.size,
    // Events of inbound calls belong to the other act.
    events: events.filter((call) => activities.has(Number(call))).length,
    delivered: [...debtSystem.calls.keys()].filter((call) => activities.has(Number(call))).length,
  }
  const campaign = {
    tasks: DEBTORS.length,
    attempts: attempts.length,
    answered: count('ANSWERED'),
    voicemail: count('VOICEMAIL'),
    dropped: count('DROPPED'),
    lost: count('LOST'),
    agentsBusyPct: Math.round((1000 * talkMs) / Math.max(1, tookMs * days.length)) / 10,
  }
  return { campaign, ledger, checks: checks({ attempts, days, invites, debtSystem, ledger }) }
}

type Judged = Pick<Evidence, 'attempts' | 'days' | 'invites' | 'debtSystem'> & Pick<CampaignSummary, 'ledger'>

function checks({ attempts, days, invites, debtSystem, ledger }: Judged): Check[] {
  const wrong = DEBTORS.flatMap(({ number, result }) => {
    const had = attempts.find(({ callNumber }) => callNumber === number)?.resultName
    return had === result ? [] : [`${number} is ${had ?? 'open'}, not ${result}`]
  })
  const named = new Map(attempts.map(({ iccaId, callNumber }) => [String(iccaId), callNumber]))
  const strays = invites.filter(({ reference, number }) => named.get(reference) !== number)
  const counts = Object.values(ledger)
  const popups = days.flatMap((day) => day.popups)
  const answered = attempts.filter(({ resultName }) => resultName === 'ANSWERED').length
  return [
    {
      name: 'every attempt has the result that the network signalled',
      ok: wrong.length === 0,
      detail: wrong.join(', ') || `${attempts.length} attempts`,
    },
    {
      name: 'every INVITE belongs to one attempt',
      ok: strays.length === 0 && new Set(invites.map(({ reference }) => reference)).size === invites.length,
      detail: `${invites.length} INVITEs`,
    },
    {
      name: 'carrier, attempts, activities, events and deliveries agree',
      ok: counts.every((one) => one === counts[0]),
      detail: counts.join(' = '),
    },
    {
      name: 'a screen pop opened for every conversation',
      ok: popups.length === answered && popups.every((url) => url.includes('caseNumber=C-')),
      detail: `${popups.length} pages`,
    },
    {
      name: 'every webhook had a valid signature and its call was found',
      ok: debtSystem.complaints.length === 0,
      detail: debtSystem.complaints[0] ?? `${debtSystem.calls.size} calls`,
    },
  ]
}
