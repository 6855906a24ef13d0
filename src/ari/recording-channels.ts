import { OUR_PREFIX, type RecordingId, type SideName } from '../kernel/ids.ts'

/** Left: audio from the leg. Right: audio to it. Values of ARI's `spy`. */
export const SIDES = { left: 'in', right: 'out' } as const

type SideKind = keyof typeof SIDES

const NAME = new RegExp(`^${OUR_PREFIX}(left|right)-(.+)$`)

/** The name says what the channel belongs to, also to an engine that did not start the recording. */
export function sideName(side: SideKind, recording: RecordingId): SideName {
  return `${OUR_PREFIX}${side}-${recording}` as SideName
}

/** The recording and the side of it; undefined for other names. */
export function readSideName(name: string): { side: SideKind; recording: RecordingId } | undefined {
  const [, side, recording] = NAME.exec(name) ?? []
  return side && recording ? { side: side as SideKind, recording: recording as RecordingId } : undefined
}

/** Whether a channel only listens in: it is no leg. */
export function isSide(channel: string): boolean {
  return NAME.test(channel)
}
