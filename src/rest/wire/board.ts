/** How a campaign is paced, on the wire: our addition. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignBoard } from '../../ports/board.ts'
import { InstantOut, instantText } from '../lists.ts'

const count = Type.Integer({ minimum: 0 })
const counts = (description: string) => Type.Record(Type.String(), count, { description })

const ledger = Type.Object({
  name: Type.String(),
  capBasisPoints: Type.Integer({ description: 'Abandoned calls for each 10,000 answered ones.' }),
  answered: count,
  abandoned: count,
  atRisk: Type.Integer({ description: 'Would find no agent if everybody answered now.' }),
  allowed: Type.Integer({ description: 'May be abandoned of so many answered.' }),
})

/** What stands on the wire as it was told. */
const TOLD = {
  name: Type.String(),
  mode: Type.String(),
  pace: Type.String({ description: '`price`, `risk`, `ratio`, `oneToOne`, `power` or `manual`.' }),
  live: Type.Object({ agents: count, idleAgents: count, inFlight: count, waiting: count }),
  placing: Type.Object(
    { lines: count, why: Type.String(), weighed: Type.Optional(Type.Record(Type.String(), Type.Number())) },
    { description: 'The last decision: how many lines, and why no more.' },
  ),
  refused: Type.Union([Type.String(), Type.Null()], { description: 'Why the last call task that was not dialed.' }),
  ledgers: Type.Array(ledger),
  placed: counts('Lines of 24 hours by the reason of the pacer.'),
  held: counts('How often it began to place nothing, by its reason.'),
  refusals: counts('Call tasks that the rules did not let pass, by the rule.'),
  learnt: Type.Object({
    hitRate: Type.Number(),
    answerS: Type.Number(),
    talkS: Type.Number(),
    wrapUpS: Type.Number(),
    known: count,
  }),
}

const shadowHour = { placed: count, more: count, less: count }

/** A campaign on the board. */
export const BoardOut = Type.Object({
  callCode: Type.Integer(),
  ts: InstantOut('When its engine told it.'),
  ...TOLD,
  shadow: Type.Union([
    Type.Object({
      pace: Type.String(),
      lines: count,
      hours: Type.Array(Type.Object({ fromTs: InstantOut('The hour.'), ...shadowHour })),
    }),
    Type.Null(),
  ]),
})

const told = Compile(
  Type.Object({
    type: Type.Literal('campaign'),
    campaign: Type.Integer(),
    corporation: Type.Integer(),
    ...TOLD,
    shadow: Type.Union([
      Type.Object({
        pace: Type.String(),
        lines: count,
        hours: Type.Array(Type.Object({ fromAtMs: Type.Integer(), ...shadowHour })),
      }),
      Type.Null(),
    ]),
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
