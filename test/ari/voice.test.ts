/** What is asked of Asterisk for a prompt that the caller's voice can stop, and what its answers mean. */
import { describe, expect, test } from 'vitest'
import type { PlaybackId } from '../../src/kernel/ids.ts'
import { arrival, asked, CALLER, channel, gap, ofLeg, PLAY, type World, world } from './ari-world.ts'

const SECOND = 'sb-play-2' as PlaybackId
const SOUNDS = [
  { file: '/s/one', quietFile: '/s/one-quiet', text: 'one', durationMs: 1_000 },
  { file: '/s/two', quietFile: '/s/two-quiet', text: 'two', durationMs: 2_000 },
]
const DETECT = `POST /channels/${CALLER}/variable`
const played = (playback: string) => `POST /channels/${CALLER}/play/${playback}`
const started = (id: string) => ({ type: 'PlaybackStarted', playback: { id, state: 'playing' } })
const finished = (id: string) => ({ type: 'PlaybackFinished', playback: { id, state: 'done' } })
const talks = { type: 'ChannelTalkingStarted', channel: channel(CALLER) }
const isQuiet = { type: 'ChannelTalkingFinished', channel: channel(CALLER), duration: 300 }

async function calling() {
  const it = await world()
  await it.told(arrival)
  return it
}

const detections = (it: World) => it.fake.asked(DETECT).map(({ query }) => [query['variable'], query['value']])
const typesOf = (it: World) => ofLeg(it, CALLER).map(({ type }) => type)

describe('talk detection', () => {
  test('is on before a prompt that wants it, and off when nothing plays any more', async () => {
    const it = await calling()
    it.pbx.play(PLAY, CALLER, SOUNDS, { hearsVoice: true })
    await it.told(started(PLAY))
    it.pbx.stopPlaying(PLAY)
    it.pbx.play(SECOND, CALLER, SOUNDS, { hearsVoice: true })
    await it.told(finished(PLAY), started(SECOND), finished(SECOND))
    await it.settled()
    expect(asked(it)).toEqual([
      'PUT /applications/switchboard/eventFilter',
      DETECT,
      played(PLAY),
      `DELETE /playbacks/${PLAY}`,
      played(SECOND),
      DETECT,
    ])
    expect(detections(it)).toEqual([
      ['TALK_DETECT(set)', '200,256'],
      ['TALK_DETECT(remove)', ''],
    ])
  })

  // Asterisk would answer when that prompt has ended, and nothing else until then.
  test('is never asked for while another prompt plays', async () => {
    const it = await calling()
    it.pbx.play(PLAY, CALLER, SOUNDS)
    await it.told(started(PLAY))
    it.pbx.play(SECOND, CALLER, SOUNDS, { hearsVoice: true })
    await it.told(finished(PLAY), started(SECOND), finished(SECOND))
    await it.settled()
    expect(detections(it)).toEqual([])
  })

  test('is not asked for while a prompt of an earlier engine may play, and for the next one it is', async () => {
    const it = await world()
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER)] })
    const body = { channel_ids: [CALLER], bridge_ids: [] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
    await gap(it)
    it.pbx.play(PLAY, CALLER, SOUNDS, { hearsVoice: true })
    await it.settled()
    expect(detections(it)).toEqual([])
    await it.told(started(PLAY), finished(PLAY))
    it.pbx.play(SECOND, CALLER, SOUNDS, { hearsVoice: true })
    await it.settled()
    expect(detections(it)).toEqual([['TALK_DETECT(set)', '200,256']])
  })

  test('is told of while such a prompt plays: not before it begins, and not when it is to stop', async () => {
    const it = await calling()
    it.pbx.play(PLAY, CALLER, SOUNDS, { hearsVoice: true })
    await it.told(talks, isQuiet, started(PLAY), talks, isQuiet)
    it.pbx.stopPlaying(PLAY)
    await it.told(talks, isQuiet, finished(PLAY), talks)
    expect(typesOf(it).slice(1)).toEqual(['playback.started', 'leg.talking', 'leg.quiet', 'playback.ended'])
  })
})

describe('the volume of a prompt', () => {
  /** A prompt in its second sound since 500 ms. */
  async function prompted() {
    const it = await calling()
    it.pbx.play(PLAY, CALLER, SOUNDS, { hearsVoice: true })
    await it.told(started(PLAY))
    await it.pass(1_000)
    await it.told(started(PLAY))
    await it.pass(500)
    return it
  }
  const bodies = (it: World, part: string) => it.fake.asked(played(part)).map(({ body, query }) => [body, query])

  test('changes by another playback that goes on where the prompt is; its ends are one', async () => {
    const it = await prompted()
    it.pbx.setVolume(PLAY, 'quiet')
    it.pbx.setVolume(PLAY, 'quiet')
    await it.told(finished(PLAY), started(`${PLAY}~1`))
    await it.pass(300)
    it.pbx.setVolume(PLAY, 'full')
    await it.told(finished(`${PLAY}~1`), started(`${PLAY}~2`))
    await it.settled()
    expect(bodies(it, `${PLAY}~1`)).toEqual([[{ media: ['sound:/s/two-quiet'] }, { offsetms: '500' }]])
    expect(bodies(it, `${PLAY}~2`)).toEqual([[{ media: ['sound:/s/two'] }, { offsetms: '800' }]])
    expect(typesOf(it).slice(1)).toEqual(['playback.started'])
    await it.told(finished(`${PLAY}~2`), finished(PLAY))
    expect(ofLeg(it, CALLER).slice(2)).toEqual([
      { type: 'playback.ended', leg: CALLER, playback: PLAY, result: 'finished' },
    ])
  })

  test('given a stop, the part that plays is stopped', async () => {
    const it = await prompted()
    it.pbx.setVolume(PLAY, 'quiet')
    it.pbx.stopPlaying(PLAY)
    it.pbx.setVolume(PLAY, 'full')
    await it.settled()
    expect(asked(it).slice(-3)).toEqual([
      `DELETE /playbacks/${PLAY}`,
      played(`${PLAY}~1`),
      `DELETE /playbacks/${PLAY}~1`,
    ])
    await it.told(finished(PLAY), finished(`${PLAY}~1`))
    expect(ofLeg(it, CALLER).at(-1)).toMatchObject({ type: 'playback.ended', result: 'stopped' })
  })

  test('stays where a sound has no quiet twin', async () => {
    const it = await calling()
    const [first, { quietFile: _, ...second }] = SOUNDS as [(typeof SOUNDS)[0], (typeof SOUNDS)[0]]
    it.pbx.play(PLAY, CALLER, [first, second], { hearsVoice: true })
    await it.told(started(PLAY))
    it.pbx.setVolume(PLAY, 'quiet')
    await it.settled()
    expect(asked(it).at(-1)).toBe(played(PLAY))
  })

  test('given a gap, Asterisk is asked for the part that played', async () => {
    const it = await prompted()
    it.pbx.setVolume(PLAY, 'quiet')
    await it.told(finished(PLAY), started(`${PLAY}~1`))
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER)] })
    it.fake.replies.set('GET /applications/switchboard', {
      status: 200,
      body: { channel_ids: [CALLER], bridge_ids: [] },
    })
    it.fake.replies.set(`GET /playbacks/${PLAY}~1`, { status: 404 })
    await gap(it)
    expect(ofLeg(it, CALLER).at(-1)).toMatchObject({ type: 'playback.ended', playback: PLAY, result: 'failed' })
  })
})
