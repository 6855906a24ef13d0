import type { AtMs } from '../../kernel/clock.ts'
import type { ExternalSystemId, TeamName } from '../../kernel/ids.ts'
import type { AnsweredAttempt, AnsweredSums, CountedScope, DetectionCounts, TriedAttempt } from '../../ports/attempt.ts'
import type { DialerRepository, StoredCampaign } from '../../ports/dialer-repository.ts'
import type { Outcome } from '../../ports/outcome.ts'
import { telling } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { catalogueOf } from '../outcomes/outcome-catalogue.ts'

export const campaigns = {
  /** Creates the campaign of this id, or changes it (D-14). */
  async saveCampaign({ api }, campaign, atMs) {
    const { id, corporation, externalSystem, team, name, active, settings } = campaign
    await query(
      api,
      `insert into campaigns (id, corporation_id, external_system_id, team_name, name, active, settings, created_at_ms,
         updated_at_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
       on conflict (id) do update set external_system_id = excluded.external_system_id,
         team_name = excluded.team_name, name = excluded.name, active = excluded.active, settings = excluded.settings,
         updated_at_ms = excluded.updated_at_ms
         where campaigns.corporation_id = excluded.corporation_id
       returning ${telling('orders')}`,
      [id, corporation, externalSystem ?? null, team ?? null, name, active, JSON.stringify(settings), atMs],
    )
  },

  /** Every campaign, by id, without its script: the dialer reads all of them whenever one changes. */
  async campaigns({ control }) {
    const text = `select id, corporation_id as corporation, name, active, settings - 'script' as settings,
                    external_system_id as system,
                    team_name as team, active_since_ms as "activeSinceAtMs", paused_reason as "pausedReason",
                    settings_version as "settingsVersion",
                    (select json_agg(o) from (${catalogueOf('o.campaign_id = campaigns.id')}) o) as outcomes
                    from campaigns order by id`
    const rows = await query<CampaignRow>(control, text, [])
    return rows.map(({ system, team, pausedReason, outcomes, ...campaign }) => ({
      ...campaign,
      ...(outcomes === null ? {} : { outcomes }),
      ...(system === null ? {} : { externalSystem: system }),
      ...(team === null ? {} : { team }),
      ...(pausedReason === null ? {} : { pausedReason }),
    }))
  },

  /** Only if the campaign is active since that instant: a late pause does not undo a newer activation. */
  async pauseCampaign({ control }, { campaign, activeSinceAtMs, why, atMs }) {
    const text = `update campaigns set active = false, paused_reason = $3, updated_at_ms = $4
                   where id = $1 and active and active_since_ms = $2 returning ${telling('orders')}`
    const rows = await query(control, text, [campaign, activeSinceAtMs, why, atMs])
    return rows.length > 0 ? 'paused' : 'not active'
  },

  /** The latest attempts, by their claims, that were placed and are over. */
  async triedAttempts({ api }, campaign, sinceAtMs) {
    const text = `select result, reach, claimed_at_ms as "claimedAtMs", ended_at_ms as "endedAtMs",
                    answered_at_ms as "answeredAtMs", sip_status as "sipStatus" from attempts
                   where campaign_id = $1 and claimed_at_ms >= $2 and ended_at_ms is not null and reach <> 'nothing'
                   order by claimed_at_ms desc, id desc limit ${TRIED_MAX}`
    const rows = await query<TriedRow>(api, text, [campaign, sinceAtMs])
    return rows.reverse().map(({ answeredAtMs, sipStatus, ...tried }) => ({
      ...tried,
      ...(answeredAtMs === null ? {} : { answeredAtMs }),
      ...(sipStatus === null ? {} : { sipStatus }),
    }))
  },

  /** Oldest first, also calls that an agent marked as machines. The engine that ends a running call counts it. */
  async answeredCalls({ api }, of, sinceAtMs) {
    const { where, values } = counted(of)
    const text = `select a.id as attempt, a.answered_at_ms as "answeredAtMs", a.result = 'dropped' as "isAbandoned",
                    ${IS_MACHINE} as "isMachine"
                    from attempts a left join attempt_corrections c on c.attempt_id = a.id
                   where a.answered_at_ms >= $1 and a.ended_at_ms is not null and ${where}
                   order by a.answered_at_ms, a.id`
    return query<AnsweredAttempt>(api, text, [sinceAtMs, ...values])
  },

  async answeredSums({ api }, of, fromAtMs, beforeAtMs) {
    const { where, values } = counted(of)
    const text = `select count(*) filter (where not ${IS_MACHINE})::integer as persons,
                    count(*) filter (where ${IS_MACHINE})::integer as machines,
                    count(*) filter (where a.result = 'dropped' and not ${IS_MACHINE})::integer as abandoned
                    from attempts a left join attempt_corrections c on c.attempt_id = a.id
                   where a.answered_at_ms >= $1 and a.ended_at_ms is not null and ${where}
                     and a.answered_at_ms < $${values.length + 2}`
    const [sums] = await query<AnsweredSums>(api, text, [fromAtMs, ...values, beforeAtMs])
    return sums!
  },

  async detectionCounts({ api }, campaign, sinceAtMs) {
    const counted = (what: string) => `count(*) filter (where ${what})::integer`
    const errors = (isCalledMachine: string) =>
      `json_build_object('personsTaken', ${counted(`not ${IS_MACHINE} and ${isCalledMachine}`)},
                         'machinesMissed', ${counted(`${IS_MACHINE} and not ${isCalledMachine}`)})`
    const text = `select ${counted(`not ${IS_MACHINE}`)} as persons, ${counted(IS_MACHINE)} as machines,
                    ${errors(`a.heard = 'machine'`)} as pauses,
                    ${errors('coalesce(a.is_greeting_known, false)')} as greeting
                    from attempts a left join attempt_corrections c on c.attempt_id = a.id
                   where a.campaign_id = $1 and a.answered_at_ms >= $2 and a.heard is not null
                     and a.ended_at_ms is not null and a.connected_at_ms is not null`
    const [counts] = await query<DetectionCounts>(api, text, [campaign, sinceAtMs])
    return counts!
  },
} satisfies Partial<In<DialerRepository>>

interface CampaignRow extends Omit<StoredCampaign, 'externalSystem' | 'team' | 'pausedReason' | 'outcomes'> {
  readonly outcomes: readonly Outcome[] | null
  readonly system: ExternalSystemId | null
  readonly team: TeamName | null
  readonly pausedReason: string | null
}

const TRIED_MAX = 100

interface TriedRow extends Omit<TriedAttempt, 'answeredAtMs' | 'sipStatus'> {
  readonly answeredAtMs: AtMs | null
  readonly sipStatus: number | null
}

/** Of the attempt `a` with its correction `c`: the detector found a machine, or an agent called it one. */
export const IS_MACHINE = `(a.result = 'voicemail' or c.attempt_id is not null)`

/** The caller id is the one of the call, not the campaign's present one. Parameters begin with $2. */
function counted(of: CountedScope): { readonly where: string; readonly values: readonly (string | number)[] } {
  if ('campaign' in of) return { where: 'a.campaign_id = $2', values: [of.campaign] }
  const { corporation, callerId } = of
  if (callerId === undefined) return { where: 'a.corporation_id = $2', values: [corporation] }
  const called = 'exists (select from call_activities v where v.id = a.activity_id and v.caller = $3)'
  return { where: `a.corporation_id = $2 and ${called}`, values: [corporation, callerId] }
}
