/** Why the call tasks of a campaign are not being dialed, and what stopping it would do. Our addition. */
import { Type } from 'typebox'
import type { CampaignId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Reasons = Type.Object({
  callCode: Type.Integer(),
  ts: InstantOut('When it was counted.'),
  callTasks: count('All call tasks: finished + underWay + notDialed.'),
  finished: count('Nothing follows.'),
  underWay: count('Reserved for an agent, dialed, or in a call.'),
  notDialed: count('All others: the sum of the reasons.'),
  reasons: Type.Record(Type.String(), count('Call tasks.'), {
    description:
      'Each call task that is not being dialed has one reason. killSwitch, campaignInactive, notStarted: nothing is ' +
      'dialed. callback: its date has not come. notYet: its interval is not over. due: it waits for an agent, a line ' +
      'or the pace; the board says which. All others: the rule that put it off, as waitsFor of the call task.',
  }),
})

const Effect = Type.Object({
  callCode: Type.Integer(),
  ts: InstantOut('When it was counted.'),
  active: Type.Boolean({ description: 'Whether the campaign is active now.' }),
  ringing: count('Phones that ring, or are about to: with active: false they ring out, and their answers are served.'),
  answered: count('Calls that were answered and go on, also with active: false.'),
  waiting: count('Call tasks that are not dialed while active is false.'),
  due: count('Those of them that may be dialed at once when active becomes true, as agents and lines allow.'),
})

const NOT_FOUND = refuse('notFound', 'there is no campaign with this callCode')

/** Both operations. */
export function campaignReasonRoutes({ dialerAdmin, clock }: RestDependencies): Route[] {
  const showReasons = route({
    method: 'GET',
    path: '/dialer/callcode/{callCode}/reasons',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'Why call tasks are not being dialed: each has one reason',
    params: Type.Object({ callCode: Id('The campaign') }),
    answers: { 200: Reasons },
    async handle({ params: { callCode }, asker: { corporations } }) {
      const atMs = clock.nowMs()
      const tally = await dialerAdmin.campaignTally(corporations, callCode as CampaignId, atMs)
      if (!tally) return NOT_FOUND
      const { tasks: callTasks, finished, underWay, reasons } = tally
      const notDialed = callTasks - finished - underWay
      return { body: { callCode, ts: instantText(atMs), callTasks, finished, underWay, notDialed, reasons } }
    },
  })
  const showEffect = route({
    method: 'GET',
    path: '/dialer/callcode/{callCode}/effect',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'What pausing or resuming the campaign would do',
    description:
      'Ask before POST /dialer/callcode with active or slowDown. active: false drains the campaign: no further call ' +
      'task is dialed, phones that ring ring out, and no conversation is cut.',
    params: Type.Object({ callCode: Id('The campaign') }),
    answers: { 200: Effect },
    async handle({ params: { callCode }, asker: { corporations } }) {
      const atMs = clock.nowMs()
      const tally = await dialerAdmin.campaignTally(corporations, callCode as CampaignId, atMs)
      if (!tally) return NOT_FOUND
      const { isActive: active, ringing, answered, tasks, finished, underWay, due } = tally
      const waiting = tasks - finished - underWay
      return { body: { callCode, ts: instantText(atMs), active, ringing, answered, waiting, due } }
    },
  })
  return [showReasons, showEffect]
}
