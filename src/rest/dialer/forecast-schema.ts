/** A forecast of a campaign on the wire. */
import { Type } from 'typebox'
import type { Forecast, ForecastOrder } from '../../ports/forecaster.ts'

const { Optional } = Type
const PACINGS: ForecastOrder['pacing'][] = ['price', 'risk', 'ratio', 'oneToOne']

/** What would be otherwise. Closed: whoever mistypes a wish would take the answer for that of another question. */
export const ForecastIn = Type.Object(
  {
    agents: Optional(
      Type.Integer({ minimum: 1, maximum: 300, description: 'Who work all day; the agents of the queue if absent.' }),
    ),
    hours: Optional(
      Type.Number({
        minimum: 0.25,
        maximum: 12,
        description: 'Length of a day; if absent, of the call windows of today, or of the next open day: 12 at most.',
      }),
    ),
    pacing: Optional(Type.Enum(PACINGS, { description: 'How lines are placed; as the campaign has it if absent.' })),
    maxAbandonRate: Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.03,
        description: 'Abandoned calls of a day per answered one; the tightest of the campaign if absent.',
      }),
    ),
    days: Optional(
      Type.Integer({
        minimum: 2,
        maximum: 50,
        description: 'How often the day is simulated; 20 if absent, or as many as may be.',
      }),
    ),
    seed: Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Another one gives other days; 1 if absent.' }),
    ),
  },
  { additionalProperties: false },
)

const number = (description: string, sample: number) => Type.Number({ description, examples: [sample] })
const count = (description: string, sample: number) => Type.Integer({ description, examples: [sample] })

const figure = (description: string, [mean, low, high]: readonly [number, number, number]) =>
  Type.Object(
    {
      mean: number('The mean of the days.', mean),
      low: number('Where its 95 % interval begins.', low),
      high: number('Where its 95 % interval ends.', high),
    },
    { description },
  )

/** The wish with everything filled in, and what it comes to. */
export const ForecastOut = Type.Object({
  callCode: Type.Integer(),
  agents: count('Who worked all day.', 12),
  hours: number('Length of a day.', 8),
  pacing: Type.Enum(PACINGS, { description: 'How lines were placed.' }),
  maxAbandonRate: number('The limit that was kept.', 0.03),
  days: count('How often the day was simulated.', 20),
  seed: count('Asked again with it, the answer is the same.', 1),
  occupancyPct: figure('Talk and wrap-up, in percent of the time of all agents.', [88.21, 87.8, 88.62]),
  abandonedPct: figure('Abandoned calls in percent of those that persons answered.', [2.74, 2.69, 2.79]),
  conversations: figure('Calls that agents took, in a day.', [1_380.4, 1_362.1, 1_398.7]),
  dials: figure('Lines dialed, in a day.', [4_601.2, 4_548.9, 4_653.5]),
  idleMeanS: number('How long an agent waits for a call, in seconds.', 29.4),
  timeAboveCapPct: number('Time during which more was abandoned than the limit allows, in percent of the day.', 0),
  dueTasks: count('Open call tasks that are due today, or on the next day with call windows.', 2_300),
  hoursForDueTasks: Type.Union(
    [figure('Hours until as many lines are dialed as call tasks are due.', [4, 3.95, 4.05]), Type.Null()],
    { description: 'Hours until each of them has been tried once; null where nothing is dialed.' },
  ),
  laws: Type.Object(
    {
      source: Type.Enum(['learnt', 'guess'], {
        description: 'guess: fewer than 20 lines are known, and what holds of most campaigns stands in for them.',
      }),
      lines: count('Lines whose outcome is known, of late: older ones count for less.', 3_120),
      hitRate: number('The share of lines that persons answer, over the hours of the day.', 0.31),
      meanTalkS: number('Mean talk, in seconds.', 181.2),
      meanWrapUpS: number('Mean wrap-up, in seconds.', 20),
    },
    { description: 'What it rests on: the calls of this campaign so far.' },
  ),
})

/** The object itself. */
export function forecastOut(callCode: number, order: ForecastOrder, { hoursForDueTasks, ...found }: Forecast) {
  const { agents, dayMs, pacing, capBasisPoints, days, seed, dueTasks } = order
  return {
    ...{ callCode, agents, hours: dayMs / 3_600_000, pacing, maxAbandonRate: capBasisPoints / 10_000, days, seed },
    ...found,
    dueTasks,
    hoursForDueTasks: hoursForDueTasks ?? null,
  }
}
