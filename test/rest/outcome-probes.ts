/** Requests that name a campaign or an outcome of its catalogue. */
import { at, type Probe } from './tenant-probes.ts'
import type { Ids } from './whole-world.ts'

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
]
