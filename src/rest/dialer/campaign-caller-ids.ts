/** `GET /dialer/callcode/{callCode}/callerids` (our addition): what callees do with each caller id of a campaign. */
import { Type } from 'typebox'
import type { CampaignId } from '../../kernel/ids.ts'
import type { CallerIdCounts } from '../../ports/dialer-admin-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { campaignLastDays, LastDaysQuery } from './campaign-last-days.ts'

const rate = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const CallerIds = Type.Object({
  callCode: Type.Integer(),
  from: Type.String({ description: 'The first day, such as 2026-12-24, in the time zone of the campaign.' }),
  callerIds: Type.Array(
    Type.Object({
      callerId: Type.String({ description: 'The number that callees saw.' }),
      calls: Type.Integer({ description: 'Finished calls that showed it, answered or not.' }),
      personsAnswered: Type.Integer({
        description: 'Calls that a person answered, also those that we dropped; machines do not count.',
      }),
      answerRate: rate('personsAnswered per call; null without calls.'),
      complaints: Type.Integer({
        description:
          'Calls about which an agent gave the order doNotCall, as long as the stop list contains its entry. A ' +
          'person who was on the list before counts for the earlier call. Complaints to other places are not known ' +
          'here.',
      }),
      complaintRate: rate('complaints per call that a person answered; null without such calls.'),
    }),
    { description: 'Those of the settings first, also without calls; then former ones that calls have shown.' },
  ),
})

/** The operation. */
export function campaignCallerIdRoutes(dependencies: RestDependencies): Route[] {
  const showCallerIds = route({
    method: 'GET',
    path: '/dialer/callcode/{callCode}/callerids',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'Answer rate and complaint rate of each caller id of a campaign',
    description: 'Finished calls of the last days, by the number that they showed. A call counts for the day it began.',
    params: Type.Object({ callCode: Id('The campaign') }),
    query: LastDaysQuery,
    answers: { 200: CallerIds },
    async handle({ params, query, asker: { corporations } }) {
      const id = params.callCode as CampaignId
      const found = await campaignLastDays(dependencies, corporations, id, query)
      if (!found) return refuse('notFound', 'there is no campaign with this callCode')
      const { settings } = found.campaign
      const [first] = found.days
      const counts = await dependencies.dialerAdmin.callerIdCounts(corporations, id, first!.fromAtMs)
      return { body: { callCode: id, from: first!.date, callerIds: withSet(settings, counts).map(shown) } }
    },
  })
  return [showCallerIds]
}

function withSet(
  { callerId, callerIds = [] }: { readonly callerId?: string; readonly callerIds?: readonly { number: string }[] },
  counts: readonly CallerIdCounts[],
): CallerIdCounts[] {
  const set = [...(callerId === undefined ? [] : [callerId]), ...callerIds.map(({ number }) => number)]
  const ids = new Set([...set, ...counts.map((one) => one.callerId)])
  return [...ids].map(
    (id) => counts.find((one) => one.callerId === id) ?? { callerId: id, calls: 0, personsAnswered: 0, complaints: 0 },
  )
}

function shown({ callerId, calls, personsAnswered, complaints }: CallerIdCounts) {
  const answerRate = calls === 0 ? null : personsAnswered / calls
  const complaintRate = personsAnswered === 0 ? null : complaints / personsAnswered
  return { callerId, calls, personsAnswered, answerRate, complaints, complaintRate }
}
