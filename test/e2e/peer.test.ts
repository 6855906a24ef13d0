/** The independent client `ari-client` and ours watch the same call: both must see the same events. */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallBegan } from '../../src/engine/call-trace.ts'
import { type Live, startLive } from './live.ts'

interface PeerEvent {
  readonly type: string
  readonly channel?: { readonly id: string; readonly state: string }
  readonly digit?: string
  readonly playback?: { readonly id: string; readonly target_uri: string }
}

interface Peer {
  on(type: '*', listener: (event: PeerEvent) => void): void
  start(apps: string, subscribeAll: boolean): Promise<void>
  stop(): void
}

const ariClient = createRequire(import.meta.url)('ari-client') as {
  connect(url: string, user: string, password: string): Promise<Peer>
}

let live: Live
let peer: Peer
const seen: PeerEvent[] = []

beforeAll(async () => {
  live = await startLive()
  const { url, user, password } = live.asterisk.ari
  peer = await ariClient.connect(url, user, password)
  peer.on('*', (event) => seen.push(event))
  await peer.start('peer', true)
})

afterAll(async () => {
  peer?.stop()
  await live?.close()
})

test('both see the same answer, keys, prompts and end, in the same order', async () => {
  const person = {
    presses: [
      { afterMs: 1_500, keys: '4714#' },
      { afterMs: 2_500, keys: '1' },
      { afterMs: 4_000, keys: '2*' },
    ],
    hangsUpAfterMs: 14_000,
  }
  const phone = await live.call('+4554000001', person)
  const { call } = await phone.record
  await live.service.journal.flush()
  const facts = (await live.service.journal.read(call)).filter(({ kind, by }) => kind === 'fact' && by === 'call')
  const { leg } = (facts[0]!.what as unknown as CallBegan).begins

  const ours = facts.flatMap(({ what }) => OURS[what.type]?.(what as Record<string, string>) ?? [])
  const started = new Set<string>()
  const theirs = seen
    .filter((event) => event.channel?.id === leg || event.playback?.target_uri === `channel:${leg}`)
    .flatMap((event) => THEIRS[event.type]?.(event, started) ?? [])
  expect(ours.filter((line) => line.startsWith('key')).join(' ')).toBe(
    'key 4 key 7 key 1 key 4 key # key 1 key 2 key *',
  )
  expect(ours.at(-1)).toBe('end')
  // Asterisk reports a prompt that the hang-up cut off as finished; we report nothing.
  const cutOff = theirs.filter((line) => line.startsWith('said') && !ours.includes(line))
  expect(cutOff.length).toBeLessThanOrEqual(1)
  expect(theirs.filter((line) => !cutOff.includes(line))).toEqual(ours)
})

const OURS: Readonly<Record<string, (fact: Record<string, string>) => string[]>> = {
  'leg.answered': () => ['answer'],
  'leg.digit': ({ digit }) => [`key ${digit}`],
  'playback.started': ({ playback }) => [`says ${playback}`],
  'playback.ended': ({ playback }) => [`said ${playback}`],
  'leg.ended': () => ['end'],
}

const THEIRS: Readonly<Record<string, (event: PeerEvent, started: Set<string>) => string[]>> = {
  ChannelStateChange: ({ channel }) => (channel?.state === 'Up' ? ['answer'] : []),
  ChannelDtmfReceived: ({ digit }) => [`key ${digit}`],
  // Asterisk repeats it for every sound of a list.
  PlaybackStarted: ({ playback }, started) => {
    if (started.has(playback!.id)) return []
    started.add(playback!.id)
    return [`says ${playback!.id}`]
  },
  PlaybackFinished: ({ playback }) => [`said ${playback!.id}`],
  ChannelDestroyed: () => ['end'],
}
