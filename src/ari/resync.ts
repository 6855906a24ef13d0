import type { PlaybackId, RecordingId, SideName } from '../kernel/ids.ts'
import type { Rest } from './ari-client.ts'
import type { SideState } from './channel-recordings.ts'
import type { Ask } from './operation.ts'
import type { Found } from './reconcile.ts'

/** Things that may have ended during the gap. */
interface Asked {
  readonly playbacks: readonly PlaybackId[]
  readonly recordings: readonly (SideName | RecordingId)[]
}

export interface Survey {
  readonly found: Found
  /** Of the playbacks in question, those that Asterisk no longer has. */
  readonly gonePlaybacks: ReadonlySet<PlaybackId>
  readonly recordings: ReadonlyMap<SideName | RecordingId, SideState>
}

type SurveyResult = { readonly ok: true; readonly survey: Survey } | { readonly ok: false; readonly why: string }

/** Reads Asterisk's state: events of a gap never come again (asterisk.md 10). HTTP, as lists may exceed a frame. */
export async function survey({ ask, askLong }: Rest, app: string, asked: Asked): Promise<SurveyResult> {
  const [channels, bridges, application, playbacks, recordings] = await Promise.all([
    askLong('GET /channels', {}),
    askLong('GET /bridges', {}),
    askLong('GET /applications/{applicationName}', { applicationName: app }),
    Promise.all(asked.playbacks.map((playbackId) => ask('GET /playbacks/{playbackId}', { playbackId }))),
    Promise.all(asked.recordings.map((recording) => stateOf(ask, recording))),
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
  const states = asked.recordings.map((recording, at) => [recording, recordings[at] ?? 'live'] as const)
  return { ok: true, survey: { found, gonePlaybacks, recordings: new Map(states) } }
}

/** Without an answer the state stays `live`: the next survey will see the end. */
async function stateOf(ask: Ask, recordingName: SideName | RecordingId): Promise<SideState> {
  const live = await ask('GET /recordings/live/{recordingName}', { recordingName })
  if (live.status !== 404) return 'live'
  const stored = await ask('GET /recordings/stored/{recordingName}', { recordingName })
  return stored.ok ? 'stored' : stored.status === 404 ? 'gone' : 'live'
}
