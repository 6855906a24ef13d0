import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { Forecast, ForecastFigure, ForecastOrder } from '../../ports/forecaster.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

const { Optional } = Type
const PACINGS: ForecastOrder['pacing'][] = ['price', 'risk', 'ratio', 'oneToOne']

/** Assumptions of the forecast. Unknown fields are refused: a misspelt one would give a different forecast. */
export const ForecastIn = Type.Object(
  {
    agents: Optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        description: 'Agents who work all day; default: the agents of the queue.',
      }),
    ),
    hours: Optional(
      Type.Number({
        minimum: 0.25,
        maximum: 12,
        description: 'Length of a day; default: the call windows of today or of the next open day, at most 12.',
      }),
    ),
    pacing: Optional(Type.Enum(PACINGS, { description: 'Pacing; default: that of the campaign.' })),
    maxAbandonRate: Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.03,
        description: 'Abandoned calls of a day per answered call; default: the tightest ledger of the campaign.',
      }),
    ),
    days: Optional(
      Type.Integer({
        minimum: 2,
        maximum: 50,
        description: 'Number of simulated days; default 20, or the largest number that is allowed.',
      }),
    ),
    seed: Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Seed of the simulation; default 1.' })),
  },
  { additionalProperties: false },
)

const number = (description: string, sample: number) => Type.Number({ description, examples: [sample] })
const count = (description: string, sample: number) => Type.Integer({ description, examples: [sample] })

const figure = (description: string, [mean, low, high]: readonly [number, number, number]) =>
  Type.Object(
    {
      mean: number('Mean of the days.', mean),
      low: number('Lower bound of the 95 % interval.', low),
      high: number('Upper bound of the 95 % interval.', high),
    },
    { description },
  )

/** The assumptions with their defaults, and the results. */
export const ForecastOut = Type.Object({
  callCode: Type.Integer(),
  agents: count('Agents who worked all day.', 12),
  hours: number('Length of a day.', 8),
  pacing: Type.Enum(PACINGS, { description: 'Pacing that was simulated.' }),
  maxAbandonRate: number('The limit of abandoned calls.', 0.03),
  days: count('Number of simulated days.', 20),
  seed: count('Seed of the simulation; the same seed gives the same answer.', 1),
  occupancyPct: figure('Talk and wrap-up, in percent of the working time of all agents.', [88.21, 87.8, 88.62]),
  abandonedPct: figure('Abandoned calls, in percent of the calls that persons answered.', [2.74, 2.69, 2.79]),
  conversations: figure('Conversations per day.', [1_380.4, 1_362.1, 1_398.7]),
  dials: figure('Dialed lines per day.', [4_601.2, 4_548.9, 4_653.5]),
  idleMeanS: number('Mean time that an agent waits for a call, in seconds.', 29.4),
  timeAboveCapPct: number('Time during which abandonment exceeded the limit, in percent of the day.', 0),
  dueTasks: count('Open call tasks that are due today or on the next day with call windows.', 2_300),
  hoursForDueTasks: Type.Union(
    [figure('Hours until as many lines are dialed as call tasks are due.', [4, 3.95, 4.05]), Type.Null()],
    { description: 'Hours until each due call task was tried once; null if nothing is dialed.' },
  ),
  finishTs: Type.Union(
    [
      Type.Object({
        mean: InstantOut('By the mean of the hours'),
        low: InstantOut('By their lower bound'),
        high: InstantOut('By their upper bound'),
      }),
      Type.Null(),
    ],
    {
      description:
        'When each due call task was tried once: `hoursForDueTasks` from now on, as far as call windows are open. ' +
        'It follows the clock. null if nothing is dialed; an instant is null beyond 60 days with windows.',
    },
  ),
  laws: Type.Object(
    {
      source: Type.Enum(['learnt', 'guess'], {
        description: 'guess: fewer than 20 lines are known, so typical values of other campaigns are used.',
      }),
      lines: count('Lines with a known outcome; older lines have less weight.', 3_120),
      hitRate: number('Share of lines that persons answer, over the hours of the day.', 0.31),
      meanTalkS: number('Mean talk, in seconds.', 181.2),
      meanWrapUpS: number('Mean wrap-up, in seconds.', 20),
    },
    { description: 'The basis of the forecast: the calls of this campaign so far.' },
  ),
})

/** The object itself. `finishAt`: when so many hours with open windows have passed. */
export function forecastOut(
  callCode: number,
  order: ForecastOrder,
  { hoursForDueTasks, ...found }: Forecast,
  finishAt: (hours: number) => AtMs | undefined,
) {
  const instant = (hours: number) => instantText(finishAt(hours))
  const finish = ({ mean, low, high }: ForecastFigure) => ({
    mean: instant(mean),
    low: instant(low),
    high: instant(high),
  })
  const { agents, dayMs, pacing, capBasisPoints, days, seed, dueTasks } = order
  return {
    callCode,
    agents,
    hours: dayMs / 3_600_000,
    pacing,
    maxAbandonRate: capBasisPoints / 10_000,
    days,
    seed,
    ...found,
    dueTasks,
    hoursForDueTasks: hoursForDueTasks ?? null,
    finishTs: hoursForDueTasks ? finish(hoursForDueTasks) : null,
  }
}
