/** The pacing of a campaign on the wire. Our addition. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignBoard } from '../../ports/board.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const number = (description: string) => Type.Number({ description })
const counts = (description: string) => Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description })

const ledger = Type.Object({
  name: Type.String(),
  capBasisPoints: Type.Integer({ description: 'Abandoned calls for each 10,000 answered ones.' }),
  answered: count('Calls answered by persons.'),
  abandoned: count('Answered calls for which no agent was available.'),
  atRisk: Type.Integer({ description: 'Calls that would find no agent if all callees answered now.' }),
  allowed: Type.Integer({ description: 'Calls that may be abandoned, given the answered ones.' }),
})

const rate = (what: string) =>
  Type.Object(
    {
      count: count(`${what}.`),
      of: count('Calls of that kind to which it only listened and which had an agent.'),
      from: number('Lower end of the 95 % interval, in percent.'),
      to: number('Upper end of the 95 % interval, in percent; 100 while nothing is known.'),
    },
    { description: `${what}, with the interval of their share.` },
  )

const detector = (description: string) =>
  Type.Object(
    {
      acts: Type.Boolean({
        description: 'Whether it hangs up or leaves messages; otherwise it only listens, and agents get every answer.',
      }),
      personsTaken: rate('Persons whom it called machines'),
      machinesMissed: rate('Machines that it did not find'),
    },
    { description },
  )

/** Fields that are sent as the engine publishes them. */
const PUBLISHED = {
  name: Type.String(),
  mode: Type.String(),
  pace: Type.String({ description: '`price`, `risk`, `ratio`, `oneToOne`, `power` or `manual`.' }),
  live: Type.Object(
    {
      agents: count('Agents at work in the campaign.'),
      idleAgents: count('Agents who wait for a call.'),
      inFlight: count('Lines that were dialed and not answered yet.'),
      waiting: count('Callees who answered and wait for an agent.'),
    },
    { description: 'The current state.' },
  ),
  placing: Type.Object(
    {
      lines: count('Lines to place.'),
      why: Type.String({
        description:
          'The reason of the pacer, in one word. Of the trunk: `trunkFull` (its lines), `paced` (its calls in a ' +
          'second), `noTrunk` (the configuration has none), `carrierFailing`.',
      }),
      weighed: Type.Optional(
        Type.Record(Type.String(), Type.Number(), { description: 'The figures of the decision, by name.' }),
      ),
    },
    { description: 'The last decision of the pacer and its reason.' },
  ),
  refused: Type.Union([Type.String(), Type.Null()], { description: 'Why the last refused call task was not dialed.' }),
  carrierFailing: Type.Optional(
    Type.Union([Type.Object({ trunk: Type.String(), sinceAtMs: Type.Integer() }), Type.Null()], {
      description: 'The first trunk of the campaign fails: its calls end before any phone rings; null while it works.',
    }),
  ),
  callbacks: Type.Object(
    { due: count('Their date has come.'), overdue: count('Those that are late by 5 minutes or more.') },
    { description: 'Promised callbacks that wait to be called.' },
  ),
  ledgers: Type.Array(ledger, { description: 'Allowed and actual abandonment.' }),
  placed: counts('Lines placed in the last 24 hours, by reason of the pacer.'),
  held: counts('How often the pacer stopped placing lines, by reason.'),
  refusals: counts('Call tasks refused by a rule, by rule.'),
  learnt: Type.Object(
    {
      hitRate: number('Share of lines that a person answers.'),
      answerS: number('Seconds until a person answers.'),
      talkS: number('Seconds of a conversation.'),
      wrapUpS: number('Seconds of wrap-up.'),
      known: count('Lines and conversations that the figures are based on.'),
      hours: Type.Array(
        Type.Object({ lines: number('Lines that ended.'), answers: number('Lines that a person answered.') }),
        { description: 'For each hour of the day, UTC. Older days fade. `retryPartOfDay` reads them.' },
      ),
    },
    { description: 'Figures learned from the calls of the campaign.' },
  ),
  detection: Type.Union(
    [
      Type.Object({
        pauses: detector('By the pauses of whoever answered.'),
        greeting: detector('By greetings that agents called machines on calls to three numbers.'),
        greetingsKnown: count('Greetings that are known to be those of machines.'),
        greetings: count('Greetings that agents called machines, known or not yet.'),
      }),
      Type.Null(),
    ],
    { description: 'Errors of machine detection in the last 30 days, by the words of the agents; null if it is off.' },
  ),
  weight: count('Share of agents and trunk lines beside other campaigns that use the same ones.'),
  service: Type.Union(
    [
      Type.Object({
        percent: count('Share of callers who should get an agent in time.'),
        withinSeconds: count('The time that counts as in time.'),
        callers: count('The latest callers of the same agents, at most 200.'),
        inTime: count('Those of them who got an agent in time.'),
        keptBack: count('Agents who are kept back for callers now.'),
      }),
      Type.Null(),
    ],
    { description: 'The service goal for callers; null if there is none.' },
  ),
}

const NOTHING_DUE = { description: 'No call task is due: until when; null while some are.' }

const SLOW_DOWN = {
  linesPerAgentMax: Type.Union([Type.Integer(), Type.Null()], { description: 'Maximum lines for each agent.' }),
}
const draining = Type.Boolean({ description: 'The campaign is not active; its last phones ring out.' })
const oneToOne = Type.Boolean({ description: 'At most one line for each idle agent.' })
const ORDERS_OPTIONS = { description: 'Orders of supervisors.' }

const shadowHour = {
  placed: count('Lines that were placed.'),
  more: count('Further lines that the shadow pacer would have placed.'),
  less: count('Placed lines that the shadow pacer would not have placed.'),
}
const SHADOW = {
  pace: Type.String({ description: 'Pacing of the shadow pacer.' }),
  lines: count('Lines that the shadow pacer would place now.'),
}
const hoursOf = <Hour extends Parameters<typeof Type.Object>[0]>(hour: Hour) =>
  Type.Array(Type.Object({ ...hour, ...shadowHour }), { description: 'Comparison by hour.' })
const SHADOW_OPTIONS = { description: 'A second pacer that decides without dialing; null if there is none.' }

export const BoardOut = Type.Object({
  callCode: Type.Integer(),
  ts: InstantOut('When the engine published it.'),
  ...PUBLISHED,
  nothingDue: Type.Union(
    [Type.Object({ untilTs: InstantOut('Next date of a waiting call task; null: none waits.') }), Type.Null()],
    NOTHING_DUE,
  ),
  shadow: Type.Union(
    [Type.Object({ ...SHADOW, hours: hoursOf({ fromTs: InstantOut('Start of the hour.') }) }), Type.Null()],
    SHADOW_OPTIONS,
  ),
  orders: Type.Object(
    {
      draining,
      endsTs: InstantOut('From then on nothing is dialed.'),
      slowDown: Type.Union([
        Type.Object({ ...SLOW_DOWN, oneToOne, untilTs: InstantOut('End of the lower pace.') }),
        Type.Null(),
      ]),
    },
    ORDERS_OPTIONS,
  ),
})

const atMsOrNull = Type.Union([Type.Integer(), Type.Null()])

const published = Compile(
  Type.Object({
    type: Type.Literal('campaign'),
    campaign: Type.Integer(),
    corporation: Type.Integer(),
    ...PUBLISHED,
    lost: Type.Optional(Type.Integer({ minimum: 0 })),
    nothingDue: Type.Union([Type.Object({ untilAtMs: atMsOrNull }), Type.Null()]),
    shadow: Type.Union([Type.Object({ ...SHADOW, hours: hoursOf({ fromAtMs: Type.Integer() }) }), Type.Null()]),
    orders: Type.Object({
      isDraining: draining,
      endsAtMs: atMsOrNull,
      slowDown: Type.Union([Type.Object({ ...SLOW_DOWN, isOneToOne: oneToOne, untilAtMs: atMsOrNull }), Type.Null()]),
    }),
  }),
)

/** Reads a published board line of a campaign; undefined for all others, since other sources publish there too. */
export function campaignBoardOf(what: object): CampaignBoard | undefined {
  return published.Check(what) ? (what as unknown as CampaignBoard) : undefined
}

/** The object itself. */
export function boardOut(published: CampaignBoard, atMs: AtMs) {
  const { type: _, campaign, corporation: __, lost: ___, nothingDue, shadow, orders, ...board } = published
  const hours = shadow?.hours.map(({ fromAtMs, ...hour }) => ({ fromTs: instantText(fromAtMs), ...hour }))
  const shownShadow = shadow && { ...shadow, hours: hours ?? [] }
  const shownDue = nothingDue && { untilTs: instantText(nothingDue.untilAtMs) }
  const shown = { ...board, nothingDue: shownDue, shadow: shownShadow, orders: ordersOut(orders) }
  return { callCode: campaign, ts: instantText(atMs), ...shown }
}

function ordersOut({ isDraining, endsAtMs, slowDown }: CampaignBoard['orders']) {
  const { linesPerAgentMax, isOneToOne, untilAtMs } = slowDown ?? {}
  const shown = slowDown && { linesPerAgentMax, oneToOne: isOneToOne, untilTs: instantText(untilAtMs) }
  return { draining: isDraining, endsTs: instantText(endsAtMs), slowDown: shown }
}
