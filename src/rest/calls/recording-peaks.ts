/** `GET /core/corefile/peaks`: a recording as a waveform (files-and-activities-11). An addition to the contract. */
import { Type } from 'typebox'
import { type ChannelPeaks, PEAKS_MAX, type Peaks } from '../../ports/recordings/peaks.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { field, int, list, shape } from '../http/shape.ts'
import { recordingToSend } from './recordings.ts'

const PEAKS = 1_000

const RETRY = { headers: { 'retry-after': '2' } }
/** Of one person, or of one system: a page of a call has few recordings, and 20 wait at the most (rest-45). */
const OF_ONE_MAX = 5

const Query = Type.Object(
  {
    cfreId: Id('The file of a recording'),
    points: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PEAKS_MAX, description: `Stretches of each channel; default ${PEAKS}` }),
    ),
  },
  { additionalProperties: false },
)

const Samples = (description: string) => Type.Array(Type.Integer({ minimum: -128, maximum: 127 }), { description })

const CHANNEL = shape<ChannelPeaks>({
  min: field(Samples('The lowest sample of each stretch, -128 to 0.'), ({ min }) => [...min]),
  max: field(Samples('The highest sample of each stretch, 0 to 127.'), ({ max }) => [...max]),
})

const WAVE = shape<Peaks>({
  durationMs: int(({ durationMs }) => durationMs, 'Length of the recording.'),
  channels: list(
    CHANNEL,
    ({ channels }) => channels,
    'Of two, the first is the other side of the call, the second the agent or flow.',
  ),
})

/** The operation. Its answer holds no sound: a stretch is 20 ms or longer. */
export function recordingPeaksRoute(dependencies: RestDependencies): Route {
  const { dialerAdmin, recordedPeaks, log } = dependencies
  const underWay = new Map<string, number>()
  return route({
    method: 'GET',
    path: '/core/corefile/peaks',
    scope: 'files:read',
    audit: PLAIN_READ,
    summary: 'The waveform of a recording',
    description:
      'Lowest and highest samples of equally long stretches of each channel. A stretch is 20 ms or longer, so short ' +
      'recordings have fewer. 409 if the file is no sound that is read.',
    query: Query,
    answers: { 200: WAVE.schema },
    async handle({ query, asker }) {
      const { cfreId, points = PEAKS } = query
      const found = await dialerAdmin.recordingFile(asker, cfreId)
      const file = found && (await recordingToSend(dependencies, found, cfreId))
      if (!found || !file) return refuse('notFound', 'there is no recording with this cfreId')
      const who = nameOf(asker)
      const before = underWay.get(who) ?? 0
      if (before >= OF_ONE_MAX) return refuse('unavailable', `${before} of your waveforms are being read; wait`, RETRY)
      underWay.set(who, before + 1)
      // Never rejects.
      const peaks = await recordedPeaks(found.name, points)
      leave(underWay, who)
      if (!('why' in peaks)) return { body: WAVE.show(peaks) }
      if (peaks.isBusy) return refuse('unavailable', 'too many waveforms are being read; try again', RETRY)
      log.warn({ cfreId, why: peaks.why }, 'a recording has no waveform')
      if (peaks.isMissing) return refuse('notFound', 'the file of this recording is not there')
      return refuse('conflict', `this recording has no waveform: ${peaks.why}; play the file itself`)
    },
  })
}

function nameOf({ user, credential }: Asker): string {
  return user ? `user ${user.id}` : credential
}

function leave(underWay: Map<string, number>, who: string): void {
  const left = (underWay.get(who) ?? 1) - 1
  if (left === 0) underWay.delete(who)
  else underWay.set(who, left)
}
