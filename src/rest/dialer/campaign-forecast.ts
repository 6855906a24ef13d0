/** `POST /dialer/callcode/{callCode}/forecast` (our addition): simulated days of a campaign. */
import { type Static, Type } from 'typebox'
import { nextOpenAtMs, type OpenSpan, openForAtMs, openSpansOfDay } from '../../dialer/call-window.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignId } from '../../kernel/ids.ts'
import type { Forecast, Forecasting, ForecastOrder } from '../../ports/forecaster.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { ForecastIn, ForecastOut, forecastOut } from './forecast-schema.ts'

type ForecastRequest = Static<typeof ForecastIn>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS_MAX = 12
const AGENTS_MAX = 300
const DAYS = 20
/** Agent hours of one forecast: measured 5 to 7 s of the allowed 20 s. */
const AGENT_HOURS_MAX = 8_000

/** The operation. */
export function forecastRoutes(dependencies: RestDependencies): Route[] {
  const forecast = route({
    method: 'POST',
    path: '/dialer/callcode/{callCode}/forecast',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    rate: 'wideSearches',
    summary: 'Forecast of a day of a campaign',
    description:
      'Simulates days with the distributions that the campaign learned from its own calls, its settings, its roster ' +
      'and its list; no call is placed. Each day begins with an empty ledger, all agents work the whole day, the ' +
      'list does not run out, and each call task is dialed one number at a time. The same seed and inputs give the ' +
      'same answer, but for finishTs. ' +
      `agents × hours × days is at most ${AGENT_HOURS_MAX}. A node runs one forecast per corporation ` +
      'and two in total at a time (429); 503 if a forecast takes more than 20 seconds.',
    params: Type.Object({ callCode: Id('The campaign') }),
    body: ForecastIn,
    bodyMayBeAbsent: true,
    answers: { 200: ForecastOut },
    example: { body: { agents: 12, hours: 8, pacing: 'price', days: 20, seed: 1 } },
    handle: ({ params, body, asker }) => answer(dependencies, params.callCode as CampaignId, body, asker),
  })
  return [forecast]
}

async function answer(
  dependencies: RestDependencies,
  id: CampaignId,
  command: ForecastRequest,
  { corporations }: Asker,
): Promise<Answer> {
  const { dialerAdmin, clock, forecaster } = dependencies
  const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids: [id], page: 0, rowsMax: 1 })
  const stored = campaigns[0]
  if (!stored) return refuse('notFound', `there is no campaign with the callCode ${id}`)
  const reading = campaignOf(stored)
  if ('missing' in reading) {
    const lacks = reading.missing.map((name) => (name === 'team' ? 'queue' : name)).join(', ')
    return refuse('conflict', `the campaign lacks ${lacks}; set it with POST /dialer/callcode and try again`)
  }
  const spans = comingDay(reading.campaign, clock.nowMs())
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) {
    return refuse('conflict', 'the campaign has no future call window; change callWindows and try again')
  }
  const facts = await dialerAdmin.forecastFacts(corporations, id, last.toAtMs)
  if (!facts) return refuse('notFound', `there is no campaign with the callCode ${id}`)
  const roster = rosterOf(command, facts.agents, spans)
  if (!roster.ok) return roster.answer
  const { campaign } = reading
  const order: ForecastOrder = {
    kept: facts.kept ?? undefined,
    dueTasks: facts.dueTasks,
    pacing: command.pacing ?? campaign.pacing,
    capBasisPoints: capOf(command, campaign),
    waitMs: campaign.agentWaitMs,
    timedWrapUpMs: campaign.wrapUp.kind === 'timed' ? campaign.wrapUp.lengthMs : undefined,
    linesPerAgentMax: campaign.linesPerAgentMax,
    agents: roster.agents,
    days: roster.days,
    dayMs: Math.round(roster.hours * HOUR_MS),
    seed: command.seed ?? 1,
    beginsAtMs: first.fromAtMs % DAY_MS,
  }
  const made = await forecaster.forecast(stored.corporation, order)
  const nowMs = clock.nowMs()
  const finishAt = (hours: number) => openForAtMs(campaign.hours, campaign.timeZone, nowMs, hours * HOUR_MS)
  return answerOf(order, made, (found) => forecastOut(id, order, found, finishAt))
}

/** The windows of today, or of the next day with windows if those of today are over. */
function comingDay({ hours, timeZone }: Campaign, nowMs: AtMs): readonly OpenSpan[] {
  const openAtMs = nextOpenAtMs(hours, [timeZone], nowMs)
  return openAtMs === undefined ? [] : openSpansOfDay(hours, timeZone, openAtMs)
}

type Roster =
  | { readonly ok: true; readonly agents: number; readonly hours: number; readonly days: number }
  | { readonly ok: false; readonly answer: Answer }

/** Agents, hours and days of the forecast, or the problem with them. */
function rosterOf(command: ForecastRequest, ofTeam: number, spans: readonly OpenSpan[]): Roster {
  const agents = command.agents ?? Math.min(AGENTS_MAX, ofTeam)
  if (agents === 0) {
    const message = 'is missing; the queue of the campaign has no agents, so give their number'
    return wrong('agents', 'required', message)
  }
  const openMs = spans.reduce((sum, { fromAtMs, toAtMs }) => sum + toAtMs - fromAtMs, 0)
  const hours = command.hours ?? Math.min(HOURS_MAX, openMs / HOUR_MS)
  const daysMax = Math.floor(AGENT_HOURS_MAX / (agents * hours))
  const days = command.days ?? Math.min(DAYS, daysMax)
  if (days > daysMax) {
    const message = `is too large for ${agents} agents and ${hours} hours; use at most ${daysMax}, or fewer agents`
    return wrong('days', 'tooMany', message)
  }
  return { ok: true, agents, hours, days }
}

function wrong(path: string, code: string, message: string): Roster {
  return { ok: false, answer: refuse('validation', `${path}: ${message}`, { errors: [{ path, code, message }] }) }
}

/** In basis points, rounded down; by default the tightest ledger of the campaign. */
function capOf({ maxAbandonRate }: ForecastRequest, { ledgers }: Campaign): number {
  if (maxAbandonRate !== undefined) return Math.floor(Number((maxAbandonRate * 10_000).toFixed(6)))
  return Math.min(...ledgers.map(({ capBasisPoints }) => capBasisPoints))
}

function answerOf({ days, agents }: ForecastOrder, made: Forecasting, body: (found: Forecast) => object): Answer {
  if (made.ok) return { body: body(made.forecast) }
  switch (made.why) {
    case 'busy':
      return refuse('tooManyRequests', 'another forecast is running; try again when it is finished', {
        headers: { 'retry-after': '5' },
      })
    case 'tooLong':
      return refuse('unavailable', `${days} days of ${agents} agents take too long; use fewer days or agents`)
    case 'closed':
      return refuse('unavailable', 'this node is shutting down; use another node, or try again in a minute')
  }
}
