/** Pages that do not answer heartbeats: frozen, or on a computer that sleeps. */
import { expect, test } from 'vitest'
import { BEAT_MS, CLOSE, StreamSession } from '../../../src/rest/stream/stream-session.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

function rig() {
  const clock = new VirtualClock()
  const closed: number[] = []
  const wire = { send: () => {}, unsentBytes: () => 0, close: (code: number) => void closed.push(code) }
  const find = () => 'unknown' as const
  const session = new StreamSession({ clock, wire, find, epoch: 'e', node: 'n', user: null })
  const beat = (lateMs = 0) => {
    clock.run(BEAT_MS + lateMs)
    session.beat(lateMs)
  }
  return { beat, closed, here: () => session.receive('{"t":"here"}') }
}

test('a page that has answered and does no more is let go at the third heartbeat', () => {
  const { beat, closed, here } = rig()
  for (let count = 0; count < 10; count++) {
    beat()
    here()
  }
  beat()
  beat()
  expect(closed).toEqual([])
  beat()
  expect(closed).toEqual([CLOSE.silent])
})

test('a client that never answers heartbeats, as older ones, stays', () => {
  const { beat, closed } = rig()
  for (let count = 0; count < 10; count++) beat()
  expect(closed).toEqual([])
})

test('a node that was late itself takes nobody for asleep', () => {
  const { beat, closed, here } = rig()
  here()
  beat(30_000)
  expect(closed).toEqual([])
  here()
  beat()
  expect(closed).toEqual([])
})
