/** The steps of `onHangup` run once for a caller who hangs up while their engine is dead, or soon before it dies. */
import { expect, test } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import { SimSms } from '../../sim/sim-sms.ts'
import { SimWeb } from '../../sim/sim-web.ts'
import { CampaignWorld, INBOUND } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'

const POST = 'POST /answers'
const HANGS_UP_AFTER_MS = 8_000
const POST_MS = 3_000
const FLOW = `flow: survey
start: ask
vars: { score: none }
onHangup:
  - http: { post: "https://surveys.example/answers", body: { score: "\${score}" } }
  - sms: { to: "+4551009999", text: "A caller of \${call.called} said \${score}." }
steps:
  ask:
    gather: { prompt: How content are you?, digits: 1 }
    as: score
    next: music
    on: { failed: music }
  music: { play: [{ pause: 30s }], next: bye }
  bye: { hangup: { say: Goodbye. } }
`

/** A call whose caller answers 4 after 3 s and hangs up after 8 s. The engine dies after `crashMs`, for 2 s. */
async function live(crashMs: number, { flow = FLOW, crashes = 1 } = {}) {
  const texts: SimSms[] = []
  const webs: SimWeb[] = []
  const world = new CampaignWorld({
    flow,
    hasCallEventLog: true,
    parts: ({ clock }) => {
      texts.push(new SimSms(clock))
      webs.push(new SimWeb(clock).on(POST, { body: {}, afterMs: POST_MS }))
      return { sms: texts.at(-1)!, web: webs.at(-1)!, flows: new FlowRegistry([flowOf(flow)], async () => undefined) }
    },
  })
  await world.start()
  const presses = [{ afterMs: 3_000, keys: '4' }]
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { presses, hangsUpAfterMs: HANGS_UP_AFTER_MS } })
  const beganMs = world.clock.nowMs()
  await world.run(crashMs)
  for (let crash = 0; crash < crashes; crash++) {
    await world.crash()
    await world.run(2_000)
    await world.start()
    await world.run(400)
  }
  await world.run(30_000)
  const { calls, openCalls } = world.dialerRepository.view
  return {
    beganMs,
    posts: webs.flatMap(({ requests }) => requests).map(({ body }) => JSON.stringify(body)),
    texts: texts.flatMap(({ messages }) => messages).map(({ text }) => text),
    calls: [...calls.values()],
    stillOpen: openCalls.size,
    lost: world.logged.flatMap((line) => (line.includes('steps of onHangup do not run') ? [JSON.parse(line)] : [])),
  }
}

test('without a crash each step of onHangup runs once, and does not make the call longer', async () => {
  const { posts, texts, calls, beganMs } = await live(20_000, { crashes: 0 })
  expect([posts.length, texts, calls.length]).toEqual([1, [`A caller of ${INBOUND} said 4.`], 1])
  expect(calls[0]!.endedAtMs - beganMs - HANGS_UP_AFTER_MS).toBeLessThan(400)
})

test('given a crash at any moment of the call, each step of onHangup runs once, with what was answered', async () => {
  for (let crashMs = 500; crashMs < HANGS_UP_AFTER_MS + POST_MS; crashMs += 250) {
    const { posts, texts, calls, stillOpen, beganMs } = await live(crashMs)
    expect({ crashMs, texts: texts.length, posts: posts.length }).toEqual({ crashMs, texts: 1, posts: 1 })
    // A key that was pressed while no engine ran reached nobody.
    const isKnown = texts[0]!.includes('said 4')
    if (crashMs < 1_000 || crashMs > 3_500) expect({ crashMs, isKnown }).toEqual({ crashMs, isKnown: true })
    expect({ crashMs, calls: calls.length, stillOpen }).toEqual({ crashMs, calls: 1, stillOpen: 0 })
    // Nothing tells the next engine when the caller hung up while none was there: it was then at the latest.
    const isSeen = crashMs > HANGS_UP_AFTER_MS + 250
    const laterMs = calls[0]!.endedAtMs - beganMs - HANGS_UP_AFTER_MS
    expect(Math.abs(laterMs), `crash after ${crashMs} ms: the call ended ${laterMs} ms late`).toBeLessThan(
      isSeen ? 400 : 2_600,
    )
  }
})

test('given crash after crash, a request that may have left is not sent twice, and the next step runs', async () => {
  for (let crashMs = 6_000; crashMs < HANGS_UP_AFTER_MS + POST_MS; crashMs += 250) {
    const { posts, texts, calls } = await live(crashMs, { crashes: 3 })
    expect({ crashMs, posts: posts.length, texts: texts.length }).toEqual({ crashMs, posts: 1, texts: 1 })
    expect(calls).toHaveLength(1)
  }
})

test('given a crash after a secret, which is stored nowhere, the log tells that no step runs', async () => {
  const flow = FLOW.replace('digits: 1 }', 'digits: 1, secret: true }')
  const { posts, texts, calls, lost, stillOpen } = await live(7_000, { flow })
  expect([posts, texts, calls.length, stillOpen]).toEqual([[], [], 1, 0])
  expect(lost).toMatchObject([{ call: calls[0]!.call, steps: ['http', 'sms'], why: expect.stringContaining('secret') }])
  expect((await live(20_000, { flow })).lost).toEqual([])
})
