import type { PlaybackId, SideName } from '../kernel/ids.ts'
import type { Rest } from './ari-client.ts'
import type { Ask } from './operation.ts'
import type { Found } from './reconcile.ts'
import type { SideState } from './recordings.ts'

/** Things that may have ended unseen. */
export interface Asked {
  readonly playbacks: readonly PlaybackId[]
  /** Sides of recordings. */
  readonly sides: readonly SideName[]
}

/** What there is to see in Asterisk after a (re)connection. */
export interface Survey {
  readonly found: Found
  /** Of the playbacks asked about, those that Asterisk no longer has. */
  readonly gonePlaybacks: ReadonlySet<PlaybackId>
  readonly sides: ReadonlyMap<SideName, SideState>
}

/** What came of looking around. */
export type SurveyResult = { readonly ok: true; readonly survey: Survey } | { readonly ok: false; readonly why: string }

/**
 * Looks around in Asterisk: events of a gap are never told again, so the picture has to be taken anew
 * (asterisk.md 10). Lists go by HTTP: with some 1,500 channels they would be longer than a frame may be.
 */
export async function survey({ ask, askLong }: Rest, app: string, asked: Asked): Promise<SurveyResult> {
  const [channels, bridges, application, playbacks, sides] = await Promise.all([
    askLong('GET /channels', {}),
    askLong('GET /bridges', {}),
    askLong('GET /applications/{applicationName}', { applicationName: app }),
    Promise.all(asked.playbacks.map((playbackId) => ask('GET /playbacks/{playbackId}', { playbackId }))),
    Promise.all(asked.sides.map((side) => stateOf(ask, side))),
  ])
  if (!channels.ok) return { ok: false, why: `the list of channels: ${channels.why}` }
  if (!bridges.ok) return { ok: false, why: `the list of bridges: ${bridges.why}` }
  if (!application.ok) return { ok: false, why: `the state of our application: ${application.why}` }
  const found: Found = {
    channels: channels.body,
    bridges: bridges.body,
    appChannels: new Set(application.body.channel_ids),
    appBridges: new Set(application.body.bridge_ids),
  }
  const gonePlaybacks = new Set(asked.playbacks.filter((_, at) => playbacks[at]?.status === 404))
  const states = asked.sides.map((side, at) => [side, sides[at] ?? 'live'] as const)
  return { ok: true, survey: { found, gonePlaybacks, sides: new Map(states) } }
}

/** No answer leaves it as it was: what has ended will be seen at the next look. */
async function stateOf(ask: Ask, recordingName: SideName): Promise<SideState> {
  const live = await ask('GET /recordings/live/{recordingName}', { recordingName })
  if (live.status !== 404) return 'live'
  const stored = await ask('GET /recordings/stored/{recordingName}', { recordingName })
  return stored.ok ? 'stored' : stored.status === 404 ? 'gone' : 'live'
}
