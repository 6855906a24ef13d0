/** How a campaign is paced, on the wire: our addition. */
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
  answered: count('Calls that people answered.'),
  abandoned: count('Of these, how many found no agent.'),
  atRisk: Type.Integer({ description: 'Would find no agent if everybody answered now.' }),
  allowed: Type.Integer({ description: 'May be abandoned of so many answered.' }),
})

/** What stands on the wire as it was told. */
const TOLD = {
  name: Type.String(),
  mode: Type.String(),
  pace: Type.String({ description: '`price`, `risk`, `ratio`, `oneToOne`, `power` or `manual`.' }),
  live: Type.Object(
    {
      agents: count('Agents at work in the campaign.'),
      idleAgents: count('Of these, how many wait for somebody.'),
      inFlight: count('Lines that are out and were not answered yet.'),
      waiting: count('People who answered and wait for an agent.'),
    },
    { description: 'How it is at this moment.' },
  ),
  placing: Type.Object(
    {
      lines: count('Lines to be placed.'),
      why: Type.String({ description: 'The reason of the pacer, in one word.' }),
      weighed: Type.Optional(
        Type.Record(Type.String(), Type.Number(), { description: 'Figures that were weighed, by their names.' }),
      ),
    },
    { description: 'The last decision: how many lines, and why no more.' },
  ),
  refused: Type.Union([Type.String(), Type.Null()], { description: 'Why the last call task that was not dialed.' }),
  ledgers: Type.Array(ledger, { description: 'What may be abandoned, and what was.' }),
  placed: counts('Lines of 24 hours by the reason of the pacer.'),
  held: counts('How often it began to place nothing, by its reason.'),
  refusals: counts('Call tasks that the rules did not let pass, by the rule.'),
  learnt: Type.Object(
    {
      hitRate: number('Share of lines that a person answers.'),
      answerS: number('Seconds until somebody answers.'),
      talkS: number('Seconds of a conversation.'),
      wrapUpS: number('Seconds of the work after it.'),
      known: count('Lines and conversations that it was learnt from.'),
    },
    { description: 'What the campaign has learnt about itself.' },
  ),
}

const shadowHour = {
  placed: count('Lines that were placed.'),
  more: count('Lines that it would have placed beyond those that were.'),
  less: count('Lines that were placed, and would not have been.'),
}
const SHADOW = {
  pace: Type.String({ description: 'Its way of pacing.' }),
  lines: count('Lines that it would place now.'),
}
const hoursOf = <Hour extends Parameters<typeof Type.Object>[0]>(hour: Hour) =>
  Type.Array(Type.Object({ ...hour, ...shadowHour }), { description: 'What it would have done, hour by hour.' })
const SHADOW_SAYS = { description: 'A second way of pacing that only watches; null: there is none.' }

/** A campaign on the board. */
export const BoardOut = Type.Object({
  callCode: Type.Integer(),
  ts: InstantOut('When its engine told it.'),
  ...TOLD,
  shadow: Type.Union(
    [Type.Object({ ...SHADOW, hours: hoursOf({ fromTs: InstantOut('The hour.') }) }), Type.Null()],
    SHADOW_SAYS,
  ),
})

const told = Compile(
  Type.Object({
    type: Type.Literal('campaign'),
    campaign: Type.Integer(),
    corporation: Type.Integer(),
    ...TOLD,
    shadow: Type.Union([Type.Object({ ...SHADOW, hours: hoursOf({ fromAtMs: Type.Integer() }) }), Type.Null()]),
  }),
)

/** A board line that tells of a campaign; undefined for any other, and for what is none: others write there too. */
export function campaignTold(what: object): CampaignBoard | undefined {
  return told.Check(what) ? (what as unknown as CampaignBoard) : undefined
}

/** The object itself. */
export function boardOut({ type: _, campaign, corporation: __, shadow, ...board }: CampaignBoard, atMs: AtMs) {
  const hours = shadow?.hours.map(({ fromAtMs, ...hour }) => ({ fromTs: instantText(fromAtMs), ...hour }))
  return { callCode: campaign, ts: instantText(atMs), ...board, shadow: shadow && { ...shadow, hours: hours ?? [] } }
}
