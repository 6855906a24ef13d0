/** The filters of the list: as the address of the page has them, and as the node is asked. */
import type { Request } from '../../client/request.ts'
import { RESULTS } from './call-wording.ts'

/** As the address says it; each is text, and absent where it filters nothing. */
export type CallFilter = Readonly<Partial<Record<FilterName, string>>>

export type FilterName = (typeof FILTER_NAMES)[number]

/** In the order of the form. */
export const FILTER_NAMES = [
  'from',
  'to',
  'number',
  'direction',
  'agent',
  'team',
  'campaign',
  'result',
  'recorded',
  'min',
  'max',
] as const

const DAY = /^(20\d\d)-(\d\d)-(\d\d)$/
const ID = /^\d{1,15}$/
const SECONDS_MAX = 86_400

/** What each may be: an address that was changed by hand filters by what it still says rightly. */
const IS_RIGHT: Readonly<Record<FilterName, (text: string) => boolean>> = {
  from: (text) => DAY.test(text),
  to: (text) => DAY.test(text),
  number: (text) => text.trim().length > 0 && text.length <= 40,
  direction: (text) => text === 'in' || text === 'out',
  agent: (text) => ID.test(text),
  team: (text) => ID.test(text),
  campaign: (text) => ID.test(text),
  result: (text) => Object.hasOwn(RESULTS, text),
  recorded: (text) => text === 'yes' || text === 'no',
  min: isSeconds,
  max: isSeconds,
}

/** Whether this filters by something, or is empty and filters nothing. */
export function isRight(name: FilterName, text: string): boolean {
  return text === '' || IS_RIGHT[name](text)
}

/** The filters of an address. */
export function filterOf(search: URLSearchParams): CallFilter {
  const given = FILTER_NAMES.map((name) => [name, search.get(name) ?? ''] as const)
  return Object.fromEntries(given.filter(([name, text]) => text !== '' && IS_RIGHT[name](text)))
}

/** The address with one filter changed; the empty text takes it away. */
export function searchWith(filter: CallFilter, name: FilterName, text: string): URLSearchParams {
  const next = { ...filter, [name]: text }
  const given = FILTER_NAMES.flatMap((each): [string, string][] => (next[each] ? [[each, next[each]]] : []))
  return new URLSearchParams(given)
}

/** What the node is asked. Days are those of this browser's zone, the last one whole. */
export function askedOf(filter: CallFilter): NonNullable<Request<'GET /svcems/calls'>['query']> {
  const { from, to, number, direction, agent, team, campaign, result, recorded, min, max } = filter
  return {
    sinceTs: from && beginOf(from, 0),
    untilTs: to && beginOf(to, 1),
    number: number?.trim(),
    direction: direction && (direction === 'in' ? 1 : 2),
    userId: agent,
    ucquId: team,
    callCode: campaign,
    results: result && [Number(result)],
    recorded: recorded && recorded === 'yes',
    minTalkSeconds: min && Number(min),
    maxTalkSeconds: max && Number(max),
  } as NonNullable<Request<'GET /svcems/calls'>['query']>
}

function beginOf(day: string, daysLater: number): string {
  const [, year, month, date] = DAY.exec(day)!
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}

function isSeconds(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= SECONDS_MAX
}
