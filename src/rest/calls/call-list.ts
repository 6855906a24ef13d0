/** `GET /svcems/calls`: calls that are over, newest first (files-and-activities-09). An addition to the contract. */
import { type Static, Type } from 'typebox'
import type { ActivityId, CampaignId, TeamId, UserId } from '../../kernel/ids.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { CallFilter, CallPlace } from '../../ports/calls/call-list.ts'
import { ATTEMPT_RESULTS } from '../dialer/call-attempt-schema.ts'
import { homeReadings } from '../dialer/default-country.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, readInstant } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, isSupervising, type Route, route, SHOWN_ROWS } from '../http/route.ts'
import { CALL } from './call-schema.ts'

const SIZE = 50
/** Our choice: more is an export, and nobody reads more on a screen. */
const SIZE_MAX = 1_000
/** As in the other searches of persons (rest-24). */
const SIZE_OF_AGENTS = 100
const DAY_SECONDS = 86_400

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const Seconds = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: DAY_SECONDS, description }))

const Query = Type.Object(
  {
    sinceTs: Type.Optional(InstantIn('Calls that began at this time or later')),
    untilTs: Type.Optional(InstantIn('Calls that began before this time')),
    userId: Type.Optional(Id('The agent who talked')),
    ucquId: Type.Optional(Id('The queue (team)')),
    callCode: Type.Optional(Id('The campaign')),
    number: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          'A telephone number, of the other side or ours, such as +4526000001 (%2B4526000001 in a URL). Without + it ' +
          'is read as one of each country of your caller ids as well.',
      }),
    ),
    direction: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: '1 in, 2 out' })),
    results: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 12 }), {
        minItems: 1,
        maxItems: 12,
        description: 'Results of attempts, as in the answer; 10 means both kinds of cancelled ones.',
      }),
    ),
    feedbackType: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'What an agent said about the call' }),
    ),
    recorded: Flag('Whether it has a recording that can be played'),
    transferred: Flag('Whether its caller was transferred'),
    minTalkSeconds: Seconds('Conversations of this length or longer'),
    maxTalkSeconds: Seconds('Conversations of this length or shorter'),
    after: Type.Optional(Type.String({ maxLength: 40, description: '`next` of the page before' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SIZE_MAX,
        description: `Calls a page; default ${SIZE}. Agents get ${SIZE_OF_AGENTS} at most.`,
      }),
    ),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

/** The operation. */
export function callListRoute({ callList, dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcems/calls',
    scope: 'calls:read',
    audit: SHOWN_ROWS('call'),
    summary: 'List calls, newest first',
    description:
      'Calls that are over, in and out, by the time when they began. All filters must match. Send `next` as `after` ' +
      'with the same filters for the next page, until it is null; a page deep in the list is as fast as the first. ' +
      'Agents get their own calls and those of their teams.',
    query: Query,
    answers: {
      200: Type.Object({
        calls: Type.Array(CALL.schema),
        next: Type.Union([Type.String(), Type.Null()], { description: 'Null: these were the last ones.' }),
        more: Type.Boolean({ description: 'Whether older calls match too.' }),
      }),
    },
    async handle({ query, asker }) {
      const errors: FieldError[] = []
      const filter = await readFilter(query, asker, dialerAdmin, errors)
      const after = query.after === undefined ? undefined : readPlace(query.after)
      if (query.after !== undefined && !after) {
        errors.push({ path: 'after', code: 'cursor', message: 'is not the `next` of a page; omit it to begin anew' })
      }
      if (errors.length > 0) {
        return refuse('validation', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors })
      }
      const { limit = SIZE } = query
      const rowsMax = isSupervising(asker) ? limit : Math.min(limit, SIZE_OF_AGENTS)
      const { corporations, boundTo } = asker
      const page = await callList.page({ corporations, boundTo, filter, rowsMax, ...(after && { after }) })
      const ids = page.places.map(({ id }) => id)
      const found = new Map((await dialerAdmin.calls(asker, ids)).map((call) => [call.id, call]))
      const last = page.places.at(-1)
      const calls = ids.flatMap((id) => found.get(id) ?? []).map(CALL.show)
      return { body: { calls, next: page.isMore && last ? textOf(last) : null, more: page.isMore } }
    },
  })
}

async function readFilter(
  query: Static<typeof Query>,
  { corporations }: Asker,
  dialerAdmin: RestDependencies['dialerAdmin'],
  errors: FieldError[],
): Promise<CallFilter> {
  const { userId, ucquId, callCode, number, direction, results, feedbackType } = query
  const { recorded, transferred, minTalkSeconds, maxTalkSeconds } = query
  const fromAtMs = instantIn(query, 'sinceTs', errors)
  const untilAtMs = instantIn(query, 'untilTs', errors)
  const numbers = number === undefined ? undefined : await formsOf(number, corporations, dialerAdmin)
  return {
    ...(fromAtMs !== undefined && { fromAtMs }),
    ...(untilAtMs !== undefined && { untilAtMs }),
    ...(userId !== undefined && { agent: userId as UserId }),
    ...(ucquId !== undefined && { team: ucquId as TeamId }),
    ...(callCode !== undefined && { campaign: callCode as CampaignId }),
    ...(numbers && { numbers }),
    ...(direction !== undefined && { direction: direction === 1 ? 'in' : 'out' }),
    ...(results && { results: results.flatMap(resultsOf) }),
    ...(feedbackType !== undefined && { feedbackType }),
    ...(recorded !== undefined && { isRecorded: recorded }),
    ...(transferred !== undefined && { isTransferred: transferred }),
    ...(minTalkSeconds !== undefined && { talkMsMin: minTalkSeconds * 1_000 - 500 }),
    ...(maxTalkSeconds !== undefined && { talkMsMax: maxTalkSeconds * 1_000 + 499 }),
  }
}

function instantIn(query: Static<typeof Query>, path: 'sinceTs' | 'untilTs', errors: FieldError[]) {
  const value = query[path]
  const atMs = value === undefined ? undefined : readInstant(value)
  if (value !== undefined && atMs === undefined) {
    errors.push({ path, code: 'instant', message: 'must be an ISO 8601 timestamp with an offset' })
  }
  return atMs
}

/** Networks write a caller with +, with 00, without a prefix, or as a national number; a short number is as it is. */
async function formsOf(
  given: string,
  corporations: Asker['corporations'],
  dialerAdmin: RestDependencies['dialerAdmin'],
): Promise<string[]> {
  // A `+` that nobody escaped has become a space.
  const text = /^ \d/.test(given) ? `+${given.slice(1)}` : given.trim()
  const [readings = []] = await homeReadings(dialerAdmin, [text], corporations)
  const forms = readings.flatMap((number) => [number, number.slice(1), `00${number.slice(1)}`])
  return [...new Set([text, ...forms])]
}

function resultsOf(code: number): AttemptResult[] {
  const results = Object.entries(ATTEMPT_RESULTS).filter(([, [known]]) => known === code)
  return results.map(([result]) => result as AttemptResult)
}

function textOf({ atMs, id }: CallPlace): string {
  return `${atMs}.${id}`
}

function readPlace(text: string): CallPlace | undefined {
  const [, atMs, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  return id === undefined ? undefined : { atMs: Number(atMs), id: Number(id) as ActivityId }
}
