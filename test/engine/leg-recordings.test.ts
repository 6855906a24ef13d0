import { expect, test } from 'vitest'
import { LegRecordings, type RecordedLeg } from '../../src/engine/leg-recordings.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('a recording ends when its conversation does, also when the switch says so during the next one', () => {
  const clock = new VirtualClock()
  const pbx = { record: () => {}, takeMessage: () => {}, stopRecording: () => {} }
  const recordings = new LegRecordings({ pbx, clock, enqueue: (fact) => fact() })
  const of: RecordedLeg = { leg: 'leg-1' as LegId, openRecordings: [], recordings: [] }
  recordings.begin(of)
  const [first] = of.openRecordings
  clock.run(2_500)
  recordings.stop(of)
  const endedAtMs = clock.nowMs()
  clock.run(100)
  recordings.begin(of)
  clock.run(400)
  recordings.ended({ type: 'recording.ended', recording: first!.id, result: 'stored' })
  expect(of.recordings).toMatchObject([{ startedAtMs: first!.startedAtMs, endedAtMs, state: 'ready' }])
})
