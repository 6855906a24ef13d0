import type { PlaybackId } from '../kernel/ids.ts'
import type { Found } from './differences.ts'
import type { Rest } from './wire.ts'

/** What there is to see in Asterisk after a (re)connection. */
export interface Survey {
  readonly found: Found
  /** Of the playbacks asked about, those that Asterisk no longer has. */
  readonly gonePlaybacks: ReadonlySet<PlaybackId>
}

/**
 * Looks around in Asterisk: events of a gap are never told again, so the picture has to be taken anew
 * (asterisk.md 10). Lists go by HTTP: with some 1,500 channels they would be longer than a frame may be.
 */
export async function survey(
  { ask, askLong }: Rest,
  app: string,
  playbacks: readonly PlaybackId[],
): Promise<{ readonly ok: true; readonly survey: Survey } | { readonly ok: false; readonly why: string }> {
  const [channels, bridges, application, ...states] = await Promise.all([
    askLong('GET /channels', {}),
    askLong('GET /bridges', {}),
    askLong('GET /applications/{applicationName}', { applicationName: app }),
    ...playbacks.map((playbackId) => ask('GET /playbacks/{playbackId}', { playbackId })),
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
  return {
    ok: true,
    survey: { found, gonePlaybacks: new Set(playbacks.filter((_, at) => states[at]?.status === 404)) },
  }
}
