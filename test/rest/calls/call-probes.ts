/** Requests that name a call, a recording, or what calls are listed by (see `tenant-probes.ts`). */
import { at } from '../tenant-probes.ts'

const PEAKS = '/core/corefile/peaks'

/** All of them. The file of the recording is no sound: its own answer is 409. */
export const CALL_PROBES = [
  at(`GET ${PEAKS}`, 'query.cfreId', ({ cfreId }) => `${PEAKS}?cfreId=${cfreId}`, undefined, 409),
  at('GET /svcems/calls/{eactId}', 'params.eactId', ({ eactId }) => `/svcems/calls/${eactId}`),
  ...['userId', 'ucquId', 'callCode'].map((id) =>
    at('GET /svcems/calls', `query.${id}`, (ids) => `/svcems/calls?${id}=${ids[id]}`),
  ),
]
