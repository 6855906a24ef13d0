/** A caller whose engine dies keeps their place in the flow: at most the step they were in begins again. */

import { describe, expect, test } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import type { CallRecord } from '../../../src/flow/model/call-messages.ts'
import type { CanaryId } from '../../../src/kernel/ids.ts'
import { SimSms } from '../../sim/sim-sms.ts'
import { SimWeb } from '../../sim/sim-web.ts'
import { CampaignWorld, CORPORATION, INBOUND } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'

const MINUTE_MS = 60_000
const GET = 'GET /case/4888'
const POST = 'POST /order'
const FLOW = `flow: place
start: welcome
steps:
  welcome: { play: Welcome., next: ask }
  ask:
    gather: { prompt: "Your case number, please.", digits: 4, confirm: ["You entered", { digits: "\${number}" }] }
    as: number
    next: lookup
    on: { failed: bye }
  lookup: { http: { get: "https://debts.example/case/\${number}" }, as: case, next: order, on: { failed: bye } }
  order:
    http: { post: "https://debts.example/order", body: { number: "\${number}" } }
    next: text
    on: { failed: unsure }
  unsure: { play: We are not sure., next: text }
  text: { sms: { text: "\${case.name}" }, next: pay, on: { failed: pay } }
  pay:
    wait: { event: paid, key: "\${number}", for: 2m, hold: Please pay now. }
    as: payment
    next: choose
    on: { failed: bye }
  choose:
    menu: { prompt: "Thank you for \${payment.amount | money EUR}. Press 2 to end.", keys: { "2": bye } }
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`
const PATH = ['welcome', 'ask', 'lookup', 'order', 'text', 'pay', 'choose', 'bye']
/** What the caller hears → the step. */
const STEPS: readonly (readonly [words: string, step: string])[] = [
  ['Welcome', 'welcome'],
  ['Your case number', 'ask'],
  ['You entered', 'ask'],
  ['Please pay', 'pay'],
  ['Thank you for', 'choose'],
]
/** What a person does when they have heard it, each time: the keys they press, or that they pay. */
const ACTS: readonly (readonly [words: string, act: string])[] = [
  ['Your case number', '4888'],
  ['You entered', '1'],
  ['Please pay', 'pays'],
  ['Press 2 to end', '2'],
]

interface Change {
  readonly flow?: string
  /** What the next engine finds in the file. */
  readonly next?: string
  /** Whether the next engine finds the revision of the call among the published ones. */
  readonly isStored?: boolean
  /** Whether `flow` is on trial only, beside `next`, until the engine dies. */
  readonly isTried?: boolean
  /** Of the database. */
  readonly latencyMs?: number
}

/** One call; the engine dies after so long, or when these words are heard, and another one comes 2 s later. */
async function live(
  crash: number | string,
  { flow = FLOW, next = flow, latencyMs = 1, isStored = false, isTried = false }: Change = {},
) {
  const texts: SimSms[] = []
  const webs: SimWeb[] = []
  const options = {
    flow,
    records: { latencyMs: [latencyMs, latencyMs] as const },
    parts: ({ clock }: { clock: ConstructorParameters<typeof SimWeb>[0] }) => {
      texts.push(new SimSms(clock))
      webs.push(
        new SimWeb(clock).on(GET, { body: { name: 'Søren' }, afterMs: 900 }).on(POST, { body: {}, afterMs: 900 }),
      )
      const live = isTried ? next : options.flow
      const flows = new FlowRegistry([flowOf(live)], async () => (isStored ? flowOf(flow) : undefined))
      if (isTried && webs.length === 1) flows.tryOut(flowOf(flow), { id: 7 as CanaryId, percent: 99 })
      return { sms: texts.at(-1)!, web: webs.at(-1)!, flows }
    },
  }
  const world = new CampaignWorld(options)
  const records: CallRecord[] = []
  const start = async () => {
    await world.start()
    world.engine.onCallEnded((record) => records.push(record))
  }
  await start()
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { waitsMaxMs: 10 * MINUTE_MS } })
  const beganMs = world.clock.nowMs()
  let actedOn = 0
  let diedAtMs: number | undefined
  let isDead = false
  let storedAtPost: string | undefined
  while (caller.result === undefined) {
    await world.run(100)
    const nowMs = world.clock.nowMs()
    const isTime = typeof crash === 'number' ? nowMs - beganMs >= crash : caller.ear.words.includes(crash)
    if (diedAtMs === undefined && isTime) {
      diedAtMs = nowMs
      isDead = true
      await world.crash()
      options.flow = next
    }
    if (isDead && nowMs >= diedAtMs! + 2_000) {
      isDead = false
      await start()
    }
    if (isDead) continue
    if (webs.some((web) => web.count(POST) > 0))
      storedAtPost ??= JSON.stringify([...world.dialerRepository.view.openCalls.values()])
    const heard = caller.heard.filter(({ what }) => what === 'words')
    // A person acts when the voice has been silent for a second, and once on what it said last.
    if (!heard.every(({ untilMs }) => untilMs !== undefined && untilMs <= nowMs - 1_000)) continue
    const place = heard.findLastIndex(({ text }) => ACTS.some(([words]) => text.includes(words)))
    if (place < actedOn) continue
    actedOn = place + 1
    const act = ACTS.find(([words]) => heard[place]!.text.includes(words))![1]
    const digits = heard.slice(place).flatMap(({ text }) => text.match(/[0-9]/g) ?? [])
    const isWrong = act === '1' && digits.join('') !== '4888'
    if (act !== 'pays') caller.press(isWrong ? '2' : act)
    else {
      const event = { corporation: CORPORATION, event: 'paid', of: '4888', data: { amount: 5 }, atMs: nowMs }
      await world.flowEvents.post({ ...event, keptUntilAtMs: nowMs + MINUTE_MS }, { all: 9, alike: 9 })
    }
  }
  await world.run(1_000)
  const count = (words: string) => caller.ear.words.split(words).length - 1
  return {
    record: records.at(-1),
    traffic: [...world.dialerRepository.view.calls.values()].at(-1)?.traffic,
    lastedMs: world.clock.nowMs() - beganMs - 1_000,
    texts: texts.flatMap(({ messages }) => messages).length,
    posts: webs.reduce((sum, web) => sum + web.count(POST), 0),
    heardTwice: [...new Set(STEPS.flatMap(([words, step]) => (count(words) > 1 ? [step] : [])))],
    storedAtPost,
    isUnsure: count('We are not sure') > 0,
    wasAsked: count('Your case number'),
  }
}

test('a call that nothing disturbs takes every step once', async () => {
  const { record, ...story } = await live(Number.POSITIVE_INFINITY)
  expect(record?.path).toEqual(PATH)
  expect(story).toMatchObject({ texts: 1, posts: 1, heardTwice: [], isUnsure: false })
})

test('given a crash at any moment, the call ends like the undisturbed one, and every effect happens once', async () => {
  const { lastedMs } = await live(Number.POSITIVE_INFINITY)
  const repeated = new Set<string>()
  let unsureCount = 0
  for (let crashMs = 200; crashMs < lastedMs - 1_500; crashMs += 250) {
    const { record, texts, posts, heardTwice, isUnsure } = await live(crashMs)
    const path = record?.path.filter((step) => step !== 'unsure')
    expect({ crashMs, path, outcome: record?.outcome }).toEqual({ crashMs, path: PATH, outcome: 'completed' })
    expect({ crashMs, texts }).toEqual({ crashMs, texts: 1 })
    // A request that may have left is not sent again: the flow says that it does not know.
    expect({ crashMs, posts: posts === 1 || (posts === 0 && isUnsure) }).toEqual({ crashMs, posts: true })
    expect(heardTwice.length, `crash after ${crashMs} ms: ${heardTwice}`).toBeLessThanOrEqual(1)
    for (const step of heardTwice) repeated.add(step)
    if (isUnsure) unsureCount++
  }
  expect([...repeated]).toEqual(expect.arrayContaining(['ask', 'choose']))
  expect(unsureCount).toBeGreaterThan(0)
})

/** The same call, in which another flow asks for the number and sends the order. */
const ASKING = / {2}ask:\n[\s\S]*(?= {2}pay:)/
const PARTS = `${FLOW.replace('next: ask', 'next: deal')
  .replace(ASKING, '  deal: { subflow: deal, as: got, next: pay, on: { failed: bye } }\n')
  .replace('${number}', '${got.number}')}--- # subflow deal
flow: deal
start: ask
steps:
${ASKING.exec(FLOW)![0].replaceAll(/: (pay|bye)\b/g, ': back')}  back: { hangup: { outcome: ordered } }
`
const PATH_OF_PARTS = [
  'welcome',
  'deal',
  ...PATH.slice(1, 5).map((step) => `deal.${step}`),
  'deal.back',
  ...PATH.slice(5),
]

test('given a crash at any moment in a flow within the flow, the caller is led back into the step of it', async () => {
  const { lastedMs } = await live(Number.POSITIVE_INFINITY, { flow: PARTS })
  const repeated = new Set<string>()
  for (let crashMs = 200; crashMs < lastedMs - 1_500; crashMs += 750) {
    const { record, texts, posts, heardTwice, isUnsure } = await live(crashMs, { flow: PARTS })
    const path = record?.path.filter((step) => step !== 'deal.unsure')
    expect({ crashMs, path, outcome: record?.outcome }).toEqual({ crashMs, path: PATH_OF_PARTS, outcome: 'completed' })
    expect({ crashMs, texts, sent: posts === 1 || (posts === 0 && isUnsure) }).toEqual({
      crashMs,
      texts: 1,
      sent: true,
    })
    expect(heardTwice.length, `crash after ${crashMs} ms: ${heardTwice}`).toBeLessThanOrEqual(1)
    for (const step of heardTwice) repeated.add(step)
  }
  expect([...repeated]).toEqual(expect.arrayContaining(['ask', 'choose']))
})

test('a request that changes something leaves when its step is stored, however slow the database is', async () => {
  const { record, storedAtPost } = await live(Number.POSITIVE_INFINITY, { latencyMs: 400 })
  expect(record?.path).toEqual(PATH)
  expect(storedAtPost).toContain('"step":"order"')
})

test('given another revision is live by now, the caller goes on in the revision that they are in', async () => {
  const next = FLOW.replace('Goodbye.', 'Bye.').replace('Thank you for', 'We got')
  const { record, wasAsked, texts, posts } = await live('Please pay', { next, isStored: true })
  expect([record?.path, wasAsked, texts, posts]).toEqual([PATH, 1, 1, 1])
  expect(record?.revision).toBe(flowOf(FLOW).revision)
})

test('given the canary is over by now, its caller goes on in it, and counts for it with every step once', async () => {
  const next = FLOW.replace('Goodbye.', 'Bye.')
  const { record, traffic } = await live('Please pay', { next, isStored: true, isTried: true })
  expect([record?.path, record?.revision]).toEqual([PATH, flowOf(FLOW).revision])
  expect(traffic?.canary).toMatchObject({ id: 7, isNew: true })
  expect(traffic?.ends).toEqual({
    ...Object.fromEntries(PATH.map((step) => [step, { done: 1 }])),
    choose: { 'key:2': 1 },
  })
})

describe('the caller begins again', () => {
  test('when their revision is not stored: the steps of another one may mean something else', async () => {
    const { record, wasAsked } = await live('Please pay', { next: FLOW.replace('Goodbye.', 'Bye.') })
    expect([record?.path, wasAsked]).toEqual([PATH, 2])
  })

  test('when they have typed a secret, which is never stored', async () => {
    const { record, wasAsked, texts } = await live('Please pay', {
      flow: FLOW.replace('digits: 4,', 'digits: 4, secret: true,'),
    })
    expect([record?.path, wasAsked, texts]).toEqual([PATH, 2, 1])
  })

  test('when another system answered with more than is stored at every step', async () => {
    const flow = FLOW.replace('start: welcome', `start: welcome\nvars: { long: ${'x'.repeat(16_000)} }`)
    const { record, wasAsked } = await live('Please pay', { flow })
    expect([record?.path, wasAsked]).toEqual([PATH, 2])
  })
})
