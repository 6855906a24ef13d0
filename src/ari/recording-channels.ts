import { OUR_PREFIX, type RecordingId, type SideName } from '../kernel/ids.ts'

/** Left: what comes from the leg. Right: what goes to it. In Asterisk's words. */
export const SIDES = { left: 'in', right: 'out' } as const

type SideKind = keyof typeof SIDES

const NAME = new RegExp(`^${OUR_PREFIX}(left|right)-(.+)$`)

/** The name tells what it belongs to, also an engine that did not begin the recording. */
export function sideName(side: SideKind, recording: RecordingId): SideName {
  return `${OUR_PREFIX}${side}-${recording}` as SideName
}

/** Which recording, and which side of it; undefined: it is the name of something else. */
export function readSideName(name: string): { side: SideKind; recording: RecordingId } | undefined {
  const [, side, recording] = NAME.exec(name) ?? []
  return side && recording ? { side: side as SideKind, recording: recording as RecordingId } : undefined
}

/** Whether a channel is one that listens in: nobody's leg. */
export function isSide(channel: string): boolean {
  return NAME.test(channel)
}
