/** Requests that name a campaign or a queue, or an outcome of its catalogue. */
import { at, type Probe } from './tenant-probes.ts'
import type { Ids } from './whole-world.ts'

const queues = ({ ucquId }: Ids) => `/svcpbx/queue/${ucquId}/outcomes`
const ofQueue = (method: string) => `${method} /svcpbx/queue/{ucquId}/outcomes`
const catalogue = ({ callCode }: Ids) => `/dialer/callcode/${callCode}/outcomes`
const of = (method: string) => `${method} /dialer/callcode/{callCode}/outcomes`

/** An outcome is added last: the order before it names all of them. */
export const OUTCOME_PROBES: readonly Probe[] = [
  at(of('GET'), 'params.callCode', catalogue),
  at(of('PUT'), 'params.callCode body.outcomeIds', catalogue, ({ outcomeId }) => ({ outcomeIds: [outcomeId] })),
  at(
    of('PATCH').concat('/{outcomeId}'),
    'params.callCode params.outcomeId',
    (ids) => `${catalogue(ids)}/${ids['outcomeId']}`,
    () => ({ final: true }),
  ),
  at(of('POST'), 'params.callCode', catalogue, () => ({ name: 'probe' }), 201),
  at(ofQueue('GET'), 'params.ucquId', queues),
  at(ofQueue('PUT'), 'params.ucquId body.outcomeIds', queues, (ids) => ({ outcomeIds: [ids['queueOutcomeId']] })),
  at(
    ofQueue('PATCH').concat('/{outcomeId}'),
    'params.ucquId params.outcomeId',
    (ids) => `${queues(ids)}/${ids['queueOutcomeId']}`,
    () => ({ key: '1' }),
  ),
  at(ofQueue('POST'), 'params.ucquId', queues, () => ({ name: 'probe' }), 201),
]
