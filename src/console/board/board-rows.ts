/** The rows of the topic `board`, as the page reads them, and what it knows besides from the operations. */
import type { AnswerOf } from '../../client/request.ts'
import type { RowStore } from '../stream/row-store.ts'

/**
 * `node`: the other node that the agent is logged in on; absent on this one. `sound`: what is wrong with it, where the
 * browser is the phone.
 */
export type AgentRow = AnswerOf<'GET /svcpbx/agents'>[number] & {
  readonly node?: string | null
  readonly sound?: string | null
}
export type CampaignRow = AnswerOf<'GET /dialer/board'>['campaigns'][number]

/** A queue of callers; `name` is the team. */
export interface QueueRow {
  readonly name: string
  readonly waiting: number
  readonly longestSinceTs: string | null
  readonly ready: number
  readonly atWork: number
}

/** A conversation of an agent. */
export interface CallRow {
  readonly callId: string
  readonly userName: string
  /** 1: it came in; 2: it went out. */
  readonly direction: number
  readonly number: string | null
  readonly sinceTs: string
  /** The queue that the caller came from; null of a call that went out. */
  readonly queueCode?: string | null
  /** The other side hears no agent now, but music or words: on hold, for a lost phone, until the next agent. */
  readonly waits?: { readonly why: 'hold' | 'phone' | 'nextAgent'; readonly sinceTs: string } | null
  readonly eactId: number | null
  readonly callTask: { readonly callCode: number; readonly callReceiverName: string | null } | null
  /** The other node that it goes on at, which does not tell with whom. */
  readonly node?: string | null
}

/** What all agents of all nodes did in the last 30 minutes; null where nothing is known. */
export interface FloorRow {
  /** Conversations that began, and answered calls that found no agent, by minute; the last minute is not over. */
  readonly answered: readonly number[]
  readonly lost: readonly number[]
  /** How long agents waited for a conversation: half of the times are shorter, 95 % are shorter. */
  readonly idleP50S: number | null
  readonly idleP95S: number | null
  /** Talk and wrap-up, of the time of agents who are at work. */
  readonly occupancyPct: number | null
}

/** Another node of the service. */
export interface NodeRow {
  readonly name: string
  /** When it was heard last, if it says nothing any more. */
  readonly silentSinceTs: string | null
}

interface RowsOfKind {
  readonly floor: FloorRow
  readonly node: NodeRow
  readonly agent: AgentRow
  readonly campaign: CampaignRow
  readonly queue: QueueRow
  readonly call: CallRow
}

/** One row, if it is there. */
export function rowOf<Kind extends keyof RowsOfKind>(
  rows: RowStore,
  kind: Kind,
  key: string | number,
): RowsOfKind[Kind] | undefined {
  return rows.row(kind, key) as unknown as RowsOfKind[Kind] | undefined
}

/** All rows of a kind. */
export function rowsOf<Kind extends keyof RowsOfKind>(rows: RowStore, kind: Kind): RowsOfKind[Kind][] {
  return rows.keys(kind).flatMap((key) => rowOf(rows, kind, key) ?? [])
}

/** What the filters leave: undefined fields leave everything. */
export interface BoardFilter {
  readonly team?: number | undefined
  readonly campaign?: number | undefined
}

/** People, teams and campaigns, as the operations tell them. */
export interface Directory {
  readonly people: ReadonlyMap<string, { readonly name: string; readonly teams: readonly number[] }>
  readonly teams: readonly { readonly ucquId: number; readonly name: string }[]
  readonly campaigns: readonly {
    readonly callCode: number
    readonly name: string
    readonly isActive: boolean
    readonly team: number | undefined
  }[]
}

/** The agents that the filter leaves: by their teams, and by the team or the present call of a campaign. */
export function agentsShown(rows: RowStore, { team, campaign }: BoardFilter, directory: Directory): AgentRow[] {
  const agents = rowsOf(rows, 'agent')
  if (team === undefined && campaign === undefined) return agents
  const ofCampaign = directory.campaigns.find(({ callCode }) => callCode === campaign)?.team
  const inCalls = new Set(callsShown(rows, { campaign }, directory).map(({ userName }) => userName))
  return agents.filter(({ userName }) => {
    const teams = directory.people.get(userName)?.teams ?? []
    const isOfTeam = team === undefined || teams.includes(team)
    const isOfCampaign = ofCampaign !== undefined && teams.includes(ofCampaign)
    return isOfTeam && (campaign === undefined || isOfCampaign || inCalls.has(userName))
  })
}

/** The calls that the filter leaves: of the agents of a team, and of a campaign. */
export function callsShown(rows: RowStore, { team, campaign }: BoardFilter, { people }: Directory): CallRow[] {
  return rowsOf(rows, 'call').filter(
    ({ userName, callTask }) =>
      (team === undefined || people.get(userName)?.teams.includes(team) === true) &&
      (campaign === undefined || callTask?.callCode === campaign),
  )
}

/** The queues that the filter leaves. */
export function queuesShown(rows: RowStore, { team }: BoardFilter, { teams }: Directory): QueueRow[] {
  const only = teams.find(({ ucquId }) => ucquId === team)?.name
  return rowsOf(rows, 'queue').filter(({ name }) => team === undefined || name === only)
}

/** The campaigns that dial, as far as the filter leaves them. */
export function campaignsShown(rows: RowStore, { team, campaign }: BoardFilter, directory: Directory): CampaignRow[] {
  const teamOf = new Map(directory.campaigns.map((one) => [one.callCode, one.team]))
  return rowsOf(rows, 'campaign').filter(
    ({ callCode }) =>
      (campaign === undefined || callCode === campaign) && (team === undefined || teamOf.get(callCode) === team),
  )
}

/** Instead of the other side of a call: it goes on at another node, which does not tell it, or it is withheld. */
export function placeOf({ node }: CallRow, texts: { readonly onNode: string; readonly unknown: string }): string {
  return node ? texts.onNode.replace('{node}', () => node) : texts.unknown
}
