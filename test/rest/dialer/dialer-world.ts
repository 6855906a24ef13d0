/** A REST server with the dialer's section, two corporations, and a campaign in each that may dial. */
import { peaksInFolder } from '../../../src/adapters/recordings/recorded-peaks.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type {
  AgentName,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  TeamName,
} from '../../../src/kernel/ids.ts'
import type { Log } from '../../../src/kernel/log.ts'
import type { AttemptEnd, ClaimedAttempt, NodeLease } from '../../../src/ports/attempt.ts'
import type { DialerRepository, FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { callListRoute } from '../../../src/rest/calls/call-list.ts'
import { callPageRoute } from '../../../src/rest/calls/call-page.ts'
import { callSearchRoutes } from '../../../src/rest/calls/calls-search.ts'
import { recordingPeaksRoute } from '../../../src/rest/calls/recording-peaks.ts'
import { activityRoutes } from '../../../src/rest/cases/activities.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { entityRoutes } from '../../../src/rest/contacts/contacts.ts'
import { saveEntityRoute } from '../../../src/rest/contacts/save-contact.ts'
import { dialerControlRoutes, dialerRoutes } from '../../../src/rest/dialer/dialer-routes.ts'
import type { RestDependencies } from '../../../src/rest/http/dependencies.ts'
import type { RestOptions } from '../../../src/rest/server.ts'
import { postgresCallList } from '../../../src/store/calls/call-list.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { postgresEntities } from '../../../src/store/contacts/contacts.ts'
import { postgresDialerAdmin } from '../../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

export const CAMPAIGN = 7 as CampaignId
export const OTHER_CAMPAIGN = 8 as CampaignId
export const THEIR_CAMPAIGN = 9 as CampaignId
export const SYSTEM = 3 as ExternalSystemId
export const HOUR_MS = 3_600_000

/** What a campaign needs to be ready. */
export const SETTINGS = {
  callerId: '+4570001000',
  dialMode: 'progressive',
  callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
} as const

/** A world of the dialer's section. */
export interface DialerWorld extends RestWorld {
  readonly dialerRepository: DialerRepository
  /** Imports these call tasks into `CAMPAIGN`, or as `change` says. */
  importTasks(callTasks: readonly unknown[], change?: object, query?: string): ReturnType<RestWorld['call']>
  search(body: object): ReturnType<RestWorld['call']>
  lease(): Promise<NodeLease>
  /** Dials the first number of these tasks; as many attempts as possible. */
  claim(lease: NodeLease, campaign?: CampaignId, only?: CallTaskId): Promise<readonly ClaimedAttempt[]>
}

/** Opens it. */
export async function openDialerWorld(
  options: {
    readonly clock?: Clock
    readonly recordingsDirectory?: string
    readonly log?: Log
    readonly rest?: Partial<RestOptions>
    readonly parts?: Partial<RestDependencies>
  } = {},
): Promise<DialerWorld> {
  const { clock, recordingsDirectory, log, rest } = options
  const world = await openRestWorld({
    ...(rest && { rest }),
    ...(clock && { clock }),
    parts: (pools): Partial<RestDependencies> => ({
      dialerAdmin: postgresDialerAdmin(pools),
      dialerRepository: postgresDialerRepository(pools),
      callList: postgresCallList(pools),
      entities: postgresEntities(pools),
      activities: postgresActivities(pools),
      files: postgresFiles(pools),
      ...(recordingsDirectory !== undefined && {
        recordingsDirectory,
        recordedPeaks: peaksInFolder(recordingsDirectory),
      }),
      ...(log && { log }),
      ...options.parts,
    }),
    routes: (dependencies) => [
      ...dialerRoutes(dependencies),
      ...callSearchRoutes(dependencies),
      callListRoute(dependencies),
      callPageRoute(dependencies),
      recordingPeaksRoute(dependencies),
      ...dialerControlRoutes(dependencies),
      ...entityRoutes(dependencies),
      saveEntityRoute(dependencies),
      ...activityRoutes(dependencies),
      ...coreFileRoutes(dependencies),
    ],
  })
  const dialerRepository = world.parts.dialerRepository
  await world.pools.jobs.query(`
    insert into external_systems (id, corporation_id, code, name, popup_url_template) values
      (3, 1, 'DEBT', 'Debt system', 'https://debt.example.com/case?no={$CODE}'), (4, 1, 'BARE', 'No popup', null),
      (5, 2, 'THEIRS', 'Their system', null);
    insert into external_systems (id, corporation_id, code, name, active) values (6, 1, 'OLD', 'Given up', false);
    insert into property_fields (id, corporation_id, name) values (5, 1, 'Amount'), (6, 2, 'Their field');
    insert into teams (id, corporation_id, name, title) values (12, 1, 'collectors', 'C'), (13, 2, 'others', 'O');
    insert into users (id, corporation_id, user_name, name, created_at_ms) values (41, 1, 'anna', 'Anna Berg', 0);`)
  const atMs = world.parts.clock.nowMs()
  const save = (id: CampaignId, corporation: CorporationId, externalSystem: ExternalSystemId, team: string) =>
    dialerRepository.saveCampaign(
      {
        id,
        corporation,
        externalSystem,
        team: team as TeamName,
        name: `Campaign ${id}`,
        active: true,
        settings: SETTINGS,
      },
      atMs,
    )
  await save(CAMPAIGN, OURS, SYSTEM, 'collectors')
  await save(OTHER_CAMPAIGN, OURS, SYSTEM, 'collectors')
  await save(THEIR_CAMPAIGN, THEIRS, 5 as ExternalSystemId, 'others')
  return {
    ...world,
    dialerRepository,
    importTasks: (callTasks, change = {}, query = '') =>
      world.call('POST', `/svcdialer/calltaskimport${query}`, { ...importOf(callTasks), ...change }),
    search: (body) => world.call('POST', '/dialer/calltaskget', body),
    lease: () => dialerRepository.takeLease('node1', 60_000),
    claim: (lease, campaign = CAMPAIGN, only) =>
      claim(dialerRepository, lease, campaign, only, world.parts.clock.nowMs()),
  }
}

/** A valid import of these call tasks. */
export function importOf(callTasks: readonly unknown[]) {
  return { systemCode: 'DEBT', callCode: CAMPAIGN, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks }
}

/** The debtor of this place: a name, a number, a customer and a case of their own. */
export function debtor(place: number, change: object = {}) {
  return {
    callReceiverName: `Debtor ${place}`,
    callNumberList: [numberOf(place)],
    extCustId: `c${place}`,
    systemLookupCode: `case ${place}`,
    ...change,
  }
}

/** Debtors from one place to before another. */
export function debtors(from: number, to: number) {
  return Array.from({ length: to - from }, (_, place) => debtor(from + place))
}

/** A number that may be dialed; each place has another one. */
export function numberOf(place: number): string {
  return `+4526${String(place).padStart(6, '0')}`
}

async function claim(
  dialerRepository: DialerRepository,
  lease: NodeLease,
  campaign: CampaignId,
  only: CallTaskId | undefined,
  atMs: number,
): Promise<readonly ClaimedAttempt[]> {
  const result = await dialerRepository.claimDueTasks({
    lease,
    campaign,
    tasksMax: 100,
    atMs,
    dialedSinceAtMs: atMs - 7 * 24 * HOUR_MS,
    ...(only !== undefined && { only }),
    decide: (task) => ({ verdict: 'dial', numbers: [{ number: task.numbers[0]!.number, permit: {} }] }),
  })
  if (result.outcome !== 'claimed') throw new Error(result.outcome)
  return result.attempts
}

/** The end of an attempt; without an answer, unless `change` says otherwise. */
export function endOf(
  { id }: ClaimedAttempt,
  lease: NodeLease,
  atMs: number,
  change: Partial<AttemptEnd> = {},
): AttemptEnd {
  return {
    attempt: id,
    fence: lease.fence,
    result: 'noAnswer',
    reach: 'rang',
    counts: true,
    atMs,
    dialedAtMs: atMs - 30_000,
    ringingAtMs: atMs - 25_000,
    next: { status: 'waiting', nextCallAtMs: atMs + HOUR_MS },
    ...change,
  }
}

/** A finished outbound call; `change` sets its subject. */
export function callOf(name: string, atMs: number, change: Partial<FinishedCall> = {}): FinishedCall {
  return {
    call: name as CallId,
    corporation: OURS,
    direction: 'out',
    caller: '+4570001000',
    called: numberOf(1),
    createdAtMs: atMs - 60_000,
    endedAtMs: atMs,
    talkMs: 0,
    waitMs: 0,
    recordings: [],
    eventName: `event-${name}`,
    ...change,
  }
}

export const ANNA = 'anna' as AgentName
