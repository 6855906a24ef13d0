/** Requests that name an object by its id: one for each place of each operation where an id can stand. */
import { ENTITY_CHANGES } from './contacts/contact-references.ts'
import { OURS } from './rest-world.ts'
import type { Ids } from './whole-world.ts'

/** A request with an id, made from the ids of the id's owner. */
export interface Probe {
  readonly route: string
  /** The place of the id, as the declarations name it. */
  readonly places: readonly string[]
  readonly path: (ids: Ids) => string
  readonly body?: (ids: Ids) => unknown
  /** The answer for an object of one's own. */
  readonly own: number
}

/** A request that names something by its id, at these places; `own` is the status for something of our own. */
export const at = (
  route: string,
  places: string,
  path: (ids: Ids) => string,
  body?: (ids: Ids) => unknown,
  own = 200,
): Probe => ({ route, places: places.split(' '), path, own, ...(body && { body }) })
const search = (places: string, body: (ids: Ids) => unknown) =>
  at('POST /dialer/calltaskget', places, () => '/dialer/calltaskget', body)
const campaign = (places: string, body: (ids: Ids) => object) =>
  at('POST /dialer/callcode', places, () => '/dialer/callcode', body)
const ofCampaign = (method: string, end: string, body?: (ids: Ids) => object) => {
  const path = (callCode: unknown) => `/dialer/callcode/${callCode}/${end}`
  return at(`${method} ${path('{callCode}')}`, 'params.callCode', ({ callCode }) => path(callCode), body)
}
const nested = (places: string, body: (ids: Ids) => object) =>
  search(places.replaceAll('body.', 'body.filter.'), (ids) => ({ filter: body(ids) }))
const HOUR_AGO = '2026-01-01T00:00:00Z'
/** Each id alone and by every filter that can carry it; removals come last. */
const FILTERS: readonly (readonly [string, (ids: Ids) => object])[] = [
  ['body.itcaIds', ({ itcaId }) => ({ itcaIds: [itcaId] })],
  ['body.callCodes body.callCodes.callCode', ({ callCode }) => ({ callCodes: [{ callCode }, callCode] })],
  ['body.systemLookupCodes', ({ systemLookupCode }) => ({ systemLookupCodes: [systemLookupCode] })],
  ['body.extCustIds', ({ extCustId }) => ({ extCustIds: [extCustId] })],
  ['body.systemCodes', ({ systemCode }) => ({ systemCodes: [systemCode] })],
  ['body.corporationIds', ({ corpId }) => ({ corporationIds: [corpId] })],
  ['body.assignedUserIds', ({ userId }) => ({ assignedUserIds: [userId] })],
  ['body.callNumbers', ({ number }) => ({ callNumbers: [number] })],
]
const eventOf = ({ corpId }: Ids) => ({ name: 'paid', key: '4711', corporation: { corpId } })
const TASKS = [{ callReceiverName: 'x', callNumberList: [] }]
const IMPORT = { maxCallAttempts: 3, minCallIntervalHours: 4, callTasks: TASKS }
const ofTask = ({ itcaId }: Ids) => `/dialer/calltask/${itcaId}`
/** The owner in a request, by each field that names one. */
const persons = (route: string, own: number): Probe[] => {
  const [, path = ''] = route.split(' ')
  const about = (places: string, body: (ids: Ids) => object) =>
    at(
      route,
      places,
      () => path,
      (ids) => ({ ...body(ids), reason: 'probe' }),
      own,
    )
  return [
    about('body.eeexId', ({ eeexId }) => ({ eeexId })),
    about('body.emenId', ({ emenId }) => ({ emenId })),
    about('body.systemCode body.extCustId', ({ systemCode, extCustId }) => ({ systemCode, extCustId })),
    about('body.corporation.corpId', ({ corpId, number }) => ({ number, corporation: { corpId } })),
  ]
}
/** References of a case of ours; its merge target, last. */
const CASE_CHANGES: readonly (readonly [string, (ids: Ids) => object])[] = [
  ['body.entityExtension.eeexId', ({ eeexId }) => ({ entityExtension: { eeexId } })],
  ['body.emsStatus.emstId', ({ emstId }) => ({ emsStatus: { emstId } })],
  ['body.queue.ucquId', ({ ucquId }) => ({ queue: { ucquId } })],
  ['body.category.ctnoId', ({ ctnoId }) => ({ category: { ctnoId } })],
  ['body.priority.empriId', ({ empriId }) => ({ priority: { empriId } })],
  ['body.priority.emprId', ({ empriId }) => ({ priority: { emprId: empriId } })],
  ['body.propValues.emprId', ({ emprId }) => ({ propValues: [{ emprId, value: 'x' }] })],
  ['body.members.user.userId', ({ userId }) => ({ members: [{ role: 1, user: { userId } }] })],
  ['body.members.entityExtension.eeexId', ({ eeexId }) => ({ members: [{ role: 20, entityExtension: { eeexId } }] })],
  ['body.eactId', ({ caseId }) => ({ eactId: caseId, description: 'changed' })],
  ['body.mergedTo.eactId', ({ otherCaseId }) => ({ mergedTo: { eactId: otherCaseId } })],
]
const CASE_FILTERS: readonly (readonly [string, (ids: Ids) => unknown])[] = [
  ['eactIds', ({ caseId }) => caseId],
  ['emstIds', ({ emstId }) => emstId],
  ['ucquIds', ({ ucquId }) => ucquId],
  ['eeexIds', ({ eeexId }) => eeexId],
  ['assignedUserIds', ({ userId }) => userId],
]
/** All of them. `ownId` returns the client's own id of a name. */
export const probes = (ownId: (name: string) => unknown): readonly Probe[] => [
  ...FILTERS.flatMap(([places, body]) => [search(places, body), nested(places, body)]),
  at('POST /svcpbx/flowevents', 'body.corporation.corpId', () => '/svcpbx/flowevents', eventOf),
  at('GET /core/audit', 'query.objectId', ({ webhookId }) => `/core/audit?objectId=${webhookId}&object=webhook`),
  at('GET /core/audit', 'query.rcntrl', ({ rcntrl }) => `/core/audit?rcntrl=${rcntrl}`),
  at('GET /core/audit', 'query.userId', ({ userId }) => `/core/audit?userId=${userId}`),
  at('GET /dialer/callcode', 'query.callCode', ({ callCode }) => `/dialer/callcode?callCode=${callCode}`),
  ...['budgets', 'callerids', 'effect', 'reasons'].map((what) => ofCampaign('GET', what)),
  ofCampaign('POST', 'forecast', () => ({ agents: 3 })),
  at(
    'GET /svcdialer/calltaskimport/{importId}',
    'params.importId',
    (ids) => `/svcdialer/calltaskimport/${ids['importId']}`,
  ),
  at(
    'POST /svcdialer/calltaskimport',
    'body.systemCode body.callCode',
    () => '/svcdialer/calltaskimport',
    ({ systemCode, callCode }) => ({ ...IMPORT, systemCode, callCode }),
  ),
  ...['iccaIds', 'itcaIds', 'eactIds'].map((name) =>
    at(
      'POST /svcdialer/calltaskcallattempts/search',
      `body.${name}`,
      () => '/svcdialer/calltaskcallattempts/search',
      (ids) => ({ [name]: [ids[name.slice(0, -1)]] }),
    ),
  ),
  at(
    'POST /svcdialer/calltaskcallattempts/search',
    'body.iccaId',
    () => '/svcdialer/calltaskcallattempts/search',
    ({ iccaId }) => ({ iccaId }),
  ),
  at(
    'POST /svcems/calls/search',
    'body.eactIds',
    () => '/svcems/calls/search',
    ({ eactId }) => ({ eactIds: [eactId] }),
  ),
  at(
    'POST /svcems/activity-summary/search',
    'body.activities.eactId',
    () => '/svcems/activity-summary/search',
    ({ eactId }) => ({ activities: [{ eactId }] }),
  ),
  at(
    'PUT /svcems/activity-summary/{eactId}',
    'params.eactId',
    ({ eactId }) => `/svcems/activity-summary/${eactId}`,
    () => ({ text: 'changed', version: 1 }),
  ),
  at(
    'POST /core/transcript/search',
    'body.referenceIds',
    () => '/core/transcript/search',
    ({ pcreId }) => ({ referenceIds: [pcreId], referenceTables: [{ id: 21_001 }], getParts: true }),
  ),
  ...(
    [
      ['categories', 'ctnoId'],
      ['statuses', 'emstId'],
      ['priorities', 'empriId'],
    ] as const
  ).map(([list, id]) =>
    at(
      `PATCH /svcems/${list}/{${id}}`,
      `params.${id}`,
      (ids) => `/svcems/${list}/${ids[id]}`,
      () => ({ sortOrder: 5 }),
    ),
  ),
  at('GET /svcems/entity', 'query.emenIds', ({ emenId }) => `/svcems/entity?emenIds=${emenId}`),
  at('GET /svcems/entity', 'query.eeexIds', ({ eeexId }) => `/svcems/entity?eeexIds=${eeexId}&getExtensions=1`),
  ...ENTITY_CHANGES.map(([places, body]) => at('POST /svcems/entity', places, () => '/svcems/entity', body)),
  at('GET /svcems/activities', 'query.eactId', ({ eactId }) => `/svcems/activities?eactId=${eactId}`),
  at('GET /svcems/activities', 'query.eeexId', ({ eeexId }) => `/svcems/activities?eeexId=${eeexId}&getMembers=1`),
  at(
    'POST /svcems/activities/search',
    'body.eactIds',
    () => '/svcems/activities/search',
    ({ eactId }) => ({ eactIds: [eactId], getFiles: true }),
  ),
  at(
    'POST /svcems/activities/search',
    'body.activityLinkFilters.eactIds',
    () => '/svcems/activities/search',
    ({ eactId }) => ({ activityLinkFilters: [{ eactIds: [eactId] }] }),
  ),
  at('GET /svcems/emailcontent', 'query.eactId', ({ emailId }) => `/svcems/emailcontent?eactId=${emailId}`),
  at(
    'POST /svcems/emails',
    'body.activity.eactId',
    () => '/svcems/emails',
    ({ mailCase }) => ({ activity: { eactId: mailCase }, to: [{ address: 'a@b.example' }], subject: 'x', text: 'x' }),
    201,
  ),
  at('GET /core/corefile', 'query.cfreId', ({ cfreId }) => `/core/corefile?cfreId=${cfreId}`),
  ...CASE_CHANGES.map(([places, input]) =>
    at(
      'POST /svcems/case',
      places,
      () => '/svcems/case',
      (ids) => ({ eactId: ownId('caseId'), ...input(ids) }),
    ),
  ),
  at(
    'POST /svcems/case',
    'body.corporation.corpId',
    () => '/svcems/case',
    ({ corpId }) => ({ description: 'new', status: 1, corporation: { corpId } }),
  ),
  ...CASE_FILTERS.map(([name, idOf]) =>
    at(
      'POST /svcems/cases/search',
      `body.${name}`,
      () => '/svcems/cases/search',
      (ids) => ({ [name]: [idOf(ids)] }),
    ),
  ),
  at(
    'POST /svcems/activitytexts',
    'body.activity.eactId',
    () => '/svcems/activitytexts',
    ({ caseId }) => ({ text: 'x', activity: { eactId: caseId } }),
  ),
  ...['categories', 'statuses', 'priorities'].map((list) =>
    at(
      `POST /svcems/${list}`,
      'body.corporation.corpId',
      () => `/svcems/${list}`,
      ({ corpId }) => ({
        name: 'new',
        corporation: { corpId },
        ...(list === 'statuses' && { internalStatus: 2 }),
        ...(list === 'priorities' && { level: 2 }),
      }),
      201,
    ),
  ),
  at(
    'POST /svcems/categories',
    'body.parent.ctnoId',
    () => '/svcems/categories',
    ({ ctnoId }) => ({ name: 'below', parent: { ctnoId } }),
    201,
  ),
  campaign('body.corporation.corpId', ({ corpId }) => ({ name: 'new', corporation: { corpId } })),
  campaign('body.externalSystem.itsyId', ({ itsyId }) => ({ callCode: ownId('callCode'), externalSystem: { itsyId } })),
  campaign('body.queue.ucquId', ({ ucquId }) => ({ callCode: ownId('callCode'), queue: { ucquId } })),
  ...['numbers', 'persons'].map((name) =>
    at(
      `POST /dialer/stoplist/${name}`,
      'body.corporation.corpId body.persons.systemCode body.persons.extCustId',
      () => `/dialer/stoplist/${name}`,
      (ids) => ({
        corporation: { corpId: ids['corpId'] },
        ...(name === 'numbers'
          ? { numbers: ['+4526999999'] }
          : { persons: [{ systemCode: ids['systemCode'], extCustId: 'x' }] }),
      }),
    ),
  ),
  at(
    'DELETE /dialer/stoplist/numbers',
    'query.corpId',
    (ids) => `/dialer/stoplist/numbers?numbers=%2B4526888888&corpId=${ids['corpId']}`,
  ),
  at(
    'DELETE /dialer/stoplist/numbers',
    'query.numbers',
    (ids) => `/dialer/stoplist/numbers?numbers=${encodeURIComponent(String(ids['stoppedNumber']))}`,
  ),
  at(
    'DELETE /dialer/stoplist/persons',
    'query.corpId query.systemCode query.extCustId',
    (ids) =>
      `/dialer/stoplist/persons?systemCode=${ids['systemCode']}` +
      `&extCustId=${ids['stoppedCustomer']}&corpId=${ids['corpId']}`,
  ),
  at(
    'POST /core/tokens',
    'body.corpIds',
    () => '/core/tokens',
    ({ corpId }) => ({ name: 'x', scopes: ['users:read'], corpIds: [corpId] }),
    201,
  ),
  at(
    'POST /core/tokens',
    'body.userId',
    () => '/core/tokens',
    ({ userId }) => ({ name: 'x', scopes: ['users:read'], corpIds: [OURS], userId }),
    201,
  ),
  at(
    'POST /core/externalsystems',
    'body.corporation.corpId',
    () => '/core/externalsystems',
    ({ corpId }) => ({ systemCode: 'NEW', name: 'n', corporation: { corpId } }),
    201,
  ),
  at(
    'PATCH /core/externalsystems/{itsyId}',
    'params.itsyId',
    ({ itsyId }) => `/core/externalsystems/${itsyId}`,
    () => ({ name: 'renamed' }),
  ),
  at(
    'POST /svcems/infofields',
    'body.corporation.corpId',
    () => '/svcems/infofields',
    ({ corpId }) => ({ name: 'new', corporation: { corpId } }),
    201,
  ),
  at(
    'POST /core/webhooks',
    'body.corporation.corpId',
    () => '/core/webhooks',
    ({ corpId }) => ({ url: 'https://a.example.com/', events: ['phone-call.ended'], corporation: { corpId } }),
    201,
  ),
  at(
    'POST /core/webhooks',
    'body.systemCodes',
    () => '/core/webhooks',
    ({ systemCode }) => ({ url: 'https://a.example.com/', events: ['phone-call.ended'], systemCodes: [systemCode] }),
    201,
  ),
  at(
    'PATCH /core/webhooks/{webhookId}',
    'body.systemCodes',
    () => `/core/webhooks/${ownId('webhookId')}`,
    ({ systemCode }) => ({ systemCodes: [systemCode] }),
  ),
  at('GET /core/webhooks/{webhookId}', 'params.webhookId', ({ webhookId }) => `/core/webhooks/${webhookId}`),
  at(
    'PATCH /core/webhooks/{webhookId}',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}`,
    () => ({ description: 'x' }),
  ),
  at('POST /core/webhooks/{webhookId}/test', 'params.webhookId', ({ webhookId }) => `/core/webhooks/${webhookId}/test`),
  at(
    'GET /core/webhooks/{webhookId}/deliveries',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/deliveries`,
  ),
  at(
    'POST /core/deliveries/{deliveryId}/replay',
    'params.deliveryId',
    ({ deliveryId }) => `/core/deliveries/${deliveryId}/replay`,
    undefined,
    202,
  ),
  at(
    'POST /core/webhooks/{webhookId}/recover',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/recover`,
    () => ({ from: HOUR_AGO }),
    202,
  ),
  at(
    'POST /core/webhooks/{webhookId}/rotate-secret',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/rotate-secret`,
  ),
  ofCampaign('POST', 'recycle', () => ({ results: [2], dryRun: true })),
  at('PATCH /dialer/calltask/{itcaId}', 'params.itcaId', ofTask, () => IMPORT),
  at('PUT /v1/calltasks/{itcaId}/end', 'params.itcaId', ({ itcaId }) => `/v1/calltasks/${itcaId}/end`),
  at(
    'DELETE /svcdialer/calltaskimport/{importId}',
    'params.importId',
    ({ importId }) => `/svcdialer/calltaskimport/${importId}`,
  ),
  at(
    'POST /core/tokens/{rcntrl}/rotate',
    'params.rcntrl',
    ({ rcntrl }) => `/core/tokens/${rcntrl}/rotate`,
    undefined,
    201,
  ),
  at(
    'POST /core/deadletters/{deadLetterId}/retry',
    'params.deadLetterId',
    ({ deadLetterId }) => `/core/deadletters/${deadLetterId}/retry`,
    undefined,
    202,
  ),
  at('DELETE /core/tokens/{rcntrl}', 'params.rcntrl', ({ rcntrl }) => `/core/tokens/${rcntrl}`, undefined, 204),
  at(
    'DELETE /core/webhooks/{webhookId}',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}`,
    undefined,
    204,
  ),
  ...persons('POST /core/persons/export', 200),
  ...persons('POST /core/legalholds', 201),
  at(
    'POST /core/legalholds',
    'body.eactId',
    () => '/core/legalholds',
    ({ eactId }) => ({ eactId, reason: 'probe' }),
    404,
  ),
  // All our own objects are under a hold by now.
  ...persons('POST /core/persons/erase', 409),
  at('DELETE /core/legalholds/{holdId}', 'params.holdId', ({ holdId }) => `/core/legalholds/${holdId}`, undefined, 204),
]
