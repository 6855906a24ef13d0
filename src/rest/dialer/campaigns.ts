/** `POST` and `GET /dialer/callcode` (contract.md §4.1, D-14). */
import { type Static, Type } from 'typebox'
import { type CampaignSettings, readSettings } from '../../dialer/campaign-settings.ts'
import { countryOf } from '../../dialer/phone-number.ts'
import type { CampaignId, CorporationId, ExternalSystemId, TeamName } from '../../kernel/ids.ts'
import type { CampaignDecision, KeptCampaign } from '../../ports/dialer-admin-repository.ts'
import type { ExternalSystem, TeamEntry } from '../../ports/directory.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, NAME_PART } from '../http/list-params.ts'
import { PAGE_FACTS, PAGE_FIELDS, pageFacts, readPage } from '../http/paging.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import {
  type CampaignIn,
  CampaignOut,
  CampaignsIn,
  CampaignsShown,
  campaignOut,
  SETTING_NAMES,
} from './campaign-schema.ts'

/** Lower than for call tasks: campaigns are few. */
const LIMIT_MAX = 1_000

const Campaigns = Type.Object({ callCodes: Type.Array(CampaignOut), ...PAGE_FACTS })

/** Both operations. */
export function campaignRoutes(dependencies: RestDependencies): Route[] {
  const saveCampaigns = route({
    method: 'POST',
    path: '/dialer/callcode',
    scope: 'dialer:write',
    audit: { action: 'create', object: 'campaign', by: 'callCode' },
    summary: 'Create or change campaigns',
    description:
      'One campaign, or several under callCodes, of which all are saved or none. With an existing callCode the given ' +
      'fields are changed; absent fields stay unchanged, null resets a field. A new campaign needs name and ' +
      'corporation, and may choose its callCode. One campaign is returned itself, several under callCodes.',
    body: CampaignsIn,
    shownBody: CampaignsShown,
    answers: { 200: Type.Union([CampaignOut, Type.Object({ callCodes: Type.Array(CampaignOut) })]) },
    example: {
      body: {
        callCode: 7,
        name: 'Reminders DK',
        corporation: { corpId: 1 },
        externalSystem: { itsyId: 3 },
        queue: { ucquId: 12 },
        callerId: '+4570001000',
        dialMode: 'progressive',
        callWindows: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00', timeZone: 'Europe/Copenhagen' }],
      },
    },
    handle: ({ body, asker }) => save(dependencies, body, asker),
  })
  const listCampaigns = route({
    method: 'GET',
    path: '/dialer/callcode',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The campaigns',
    query: Type.Object({
      callCode: Type.Optional(Type.Array(Id('The callCode of a campaign'), { maxItems: 100 })),
      active: Type.Optional(Type.Boolean()),
      name: Type.Optional(Type.String({ maxLength: 255, description: NAME_PART })),
      ...PAGE_FIELDS,
    }),
    answers: { 200: Campaigns },
    async handle({ query, asker }) {
      const { callCode = [], active, name, limit, pageNumber } = query
      const asked = { ...(limit !== undefined && { limit }), ...(pageNumber !== undefined && { pageNumber }) }
      const page = readPage(asked, LIMIT_MAX)
      const { dialerAdmin, trunks } = dependencies
      const { foundRows, campaigns } = await dialerAdmin.findCampaigns({
        corporations: asker.corporations,
        ...(callCode.length > 0 && { ids: callCode as CampaignId[] }),
        ...(active !== undefined && { active }),
        ...(name !== undefined && { name }),
        ...(asker.teams && { teams: asker.teams }),
        ...page,
      })
      const callCodes = campaigns.map((campaign) => campaignOut(campaign, trunks()))
      return { body: { callCodes, ...pageFacts(page, campaigns.length, foundRows) } }
    },
  })
  return [saveCampaigns, listCampaigns]
}

type Given = Static<typeof CampaignIn> & Readonly<Record<string, unknown>>

interface Known {
  readonly corporations: readonly CorporationId[]
  readonly teams: readonly TeamEntry[]
  readonly systems: readonly ExternalSystem[]
  readonly mayCallAbroad: boolean
  /** A campaign without a team would be seen no more by its supervisor. */
  readonly needsTeam: boolean
}

async function save(
  dependencies: RestDependencies,
  body: Static<typeof CampaignsIn>,
  { corporations, scopes, teams: own }: Asker,
): Promise<Answer> {
  const { callCodes, ...single } = body
  if (callCodes && Object.keys(single).length > 0) {
    return refuse('validation', 'callCodes: is given together with the fields of one campaign; send one or the other')
  }
  const given = (callCodes ?? [single]) as readonly Given[]
  const ids = given.map(({ callCode }) => callCode as CampaignId | undefined)
  const twice = ids.findIndex((id, place) => id !== undefined && ids.indexOf(id) !== place)
  if (twice >= 0) return refuse('validation', `callCodes[${twice}].callCode: is given twice; remove one of them`)
  const { directory, dialerAdmin, clock, trunks } = dependencies
  const [allTeams, systems] = await Promise.all([
    directory.teams(corporations, false),
    directory.externalSystems(corporations, true),
  ])
  const teams = allTeams.filter((team) => own?.includes(team.name) ?? true)
  const known = { corporations, teams, systems, mayCallAbroad: scopes.has('admin'), needsTeam: own !== undefined }
  const result = await dialerAdmin.changeCampaigns<FieldError[]>({
    corporations,
    ids,
    atMs: clock.nowMs(),
    decide: (present, place) => decide(given[place]!, present, known, callCodes ? `callCodes[${place}].` : ''),
  })
  switch (result.outcome) {
    case 'not yours':
      return refuse('notFound', `the callCode ${result.id} is taken; choose another one`)
    case 'refused':
      return refuse('validation', `${result.why[0]?.path}: ${result.why[0]?.message}`, { errors: result.why })
    case 'kept': {
      const campaigns = result.campaigns.map((campaign) => campaignOut(campaign, trunks()))
      return { body: callCodes ? { callCodes: campaigns } : campaigns[0] }
    }
  }
}

/** The campaign after the change: its present fields, overwritten by the given ones. */
function decide(
  given: Given,
  present: KeptCampaign | undefined,
  known: Known,
  prefix: string,
): CampaignDecision<FieldError[]> {
  const errors: FieldError[] = []
  const wrong = (path: string, code: string, message: string) => {
    errors.push({ path: `${prefix}${path}`, code, message })
    return undefined
  }
  const corporation = corporationOf(given, present, known, wrong)
  const externalSystem = systemOf(given, present, corporation, known, wrong)
  const team = teamOf(given, present, corporation, known, wrong)
  const name = given.name ?? present?.name ?? wrong('name', 'required', 'is missing')
  const settings = mergedSettings(given, present)
  const read = readSettings(settings)
  if ('problems' in read) for (const { path, message } of read.problems) wrong(path, 'setting', message)
  else if (!known.mayCallAbroad) refuseCountries(read, present, wrong)
  if (errors.length > 0 || corporation === undefined || name === undefined) return { ok: false, why: errors }
  return {
    ok: true,
    campaign: {
      corporation,
      name,
      active: given.active ?? present?.active ?? true,
      ...(externalSystem === undefined ? {} : { externalSystem }),
      ...(team === undefined ? {} : { team }),
      settings,
    },
  }
}

/** Calls to far countries cost money, and are how fraud pays: opening one takes an administrator (F-J24). */
function refuseCountries(settings: CampaignSettings, present: KeptCampaign | undefined, wrong: Wrong): void {
  const { callerId, allowedDestinations = [] } = settings
  const open = new Set((present?.settings as CampaignSettings | undefined)?.allowedDestinations)
  const own = callerId === undefined ? undefined : countryOf(callerId)
  const foreign = allowedDestinations.filter((country) => country !== own && !open.has(country))
  if (foreign.length === 0) return
  const why = `${foreign.join(', ')} is not the country of the callerId; a credential with the scope admin opens it`
  wrong('allowedDestinations', 'forbidden', why)
}

type Wrong = (path: string, code: string, message: string) => undefined

function corporationOf(given: Given, present: KeptCampaign | undefined, { corporations }: Known, wrong: Wrong) {
  const wanted = given.corporation?.corpId
  if (present) {
    const isSame = wanted === undefined || wanted === present.corporation
    return isSame ? present.corporation : wrong('corporation.corpId', 'fixed', 'cannot be changed')
  }
  if (wanted === undefined) return wrong('corporation', 'required', 'is missing')
  const found = corporations.find((id) => id === wanted)
  return found ?? wrong('corporation.corpId', 'reference', 'names a corporation that does not exist')
}

function systemOf(
  given: Given,
  present: KeptCampaign | undefined,
  corporation: CorporationId | undefined,
  { systems }: Known,
  wrong: Wrong,
): ExternalSystemId | undefined {
  const wanted = given.externalSystem as { itsyId: number } | null | undefined
  if (wanted === undefined) return present?.externalSystem
  if (wanted === null) return undefined
  const found = systems.find((system) => system.id === wanted.itsyId && system.corporation === corporation)
  return found?.id ?? wrong('externalSystem.itsyId', 'reference', 'names an external system that does not exist')
}

function teamOf(
  given: Given,
  present: KeptCampaign | undefined,
  corporation: CorporationId | undefined,
  { teams, needsTeam }: Known,
  wrong: Wrong,
): TeamName | undefined {
  const wanted = given.queue as { ucquId: number } | null | undefined
  const isNone = wanted === null || (wanted === undefined && present?.team === undefined)
  if (isNone && needsTeam) return wrong('queue', 'required', 'is missing; name one of your own queues')
  if (wanted === undefined) return present?.team
  if (wanted === null) return undefined
  const found = teams.find((team) => team.id === wanted.ucquId && team.corporation === corporation)
  return found?.name ?? wrong('queue.ucquId', 'reference', 'names a queue that does not exist')
}

function mergedSettings(given: Given, present: KeptCampaign | undefined): Record<string, unknown> {
  const changed = Object.fromEntries(
    SETTING_NAMES.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
  )
  const merged = { ...present?.settings, ...changed }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined))
}
