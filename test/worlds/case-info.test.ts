/** Answers about a case that cannot be believed: the caller reaches a person, told neither "closed" nor "open". */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SimAnswer } from '../sim/sim-web.ts'
import { caseInfo, typesCase } from './set-up.ts'
import { soundWorlds } from './sound.ts'
import { openWorld, type Served, type World } from './world.ts'

const TO_A_PERSON = ['welcome', 'known', 'ask-case', 'lookup', 'team', 'goodbye']
const ASKS = 'GET /CaseInfo/4711'

const worlds = soundWorlds()

/** Calls in about case 4711 in a world where it is answered like this. */
async function askAbout(...answers: readonly SimAnswer[]): Promise<{ world: World; served: Served }> {
  const world = (await worlds.open()).caseIs('4711', ...answers)
  return { world, served: world.serve({ presses: typesCase('4711') }) }
}

/** How the lookup ended, as the journal tells it. */
function lookupOf({ lines }: Served): { end: unknown; why: unknown } | undefined {
  const left = lines.find(({ what }) => what.type === 'step.left' && what['step'] === 'lookup')?.what
  return left && { end: left['end'], why: left['why'] }
}

function promisesNothing({ words, texts, record }: Served): void {
  expect(words).not.toContain('closed')
  expect(words).not.toContain('You have')
  expect(texts).toEqual([])
  expect(record.marks).toEqual(['reached-a-person'])
}

const { closedDate: _, ...withoutDate } = caseInfo('4711')
const NO_TEXT = { toString: 1, valueOf: 1 }
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

describe('given an answer that', () => {
  test.each<[title: string, answer: SimAnswer, end: string, why: RegExp, asked: number]>([
    ['comes too late', { body: caseInfo(), afterMs: 9_000 }, 'timeout', /within 4000 ms/, 1],
    ['is a 500', { status: 500, body: caseInfo() }, '500', /status 500/, 1],
    ['is a 401', { status: 401, body: caseInfo() }, '401', /status 401/, 1],
    ['is a 503 twice', { status: 503 }, '503', /status 503/, 2],
    ['is garbage', { body: '<html>{"closedDate":' }, 'malformed', /not JSON/, 1],
    ['is nothing', { body: '' }, 'malformed', /not JSON/, 1],
    ['is a list', { body: [caseInfo()] }, 'malformed', /not a JSON object/, 1],
    ['is null', { body: 'null' }, 'malformed', /not a JSON object/, 1],
    ['is a text', { body: '"closed"' }, 'malformed', /not a JSON object/, 1],
    ['lacks closedDate', { body: withoutDate }, 'malformed', /no "closedDate"/, 1],
    ['is nested a hundred thousand deep', { body: DEEP }, 'malformed', /nested|not JSON/, 1],
    ['is too large', { fails: 'tooLarge' }, 'malformed', /./, 1],
    ['is a redirect', { status: 302, body: caseInfo() }, '302', /status 302/, 1],
    ['is about another case', { body: caseInfo('4712') }, 'malformed', /another caseNumber/, 1],
    ['is about no case', { body: { ...caseInfo(), caseNumber: null } }, 'malformed', /another caseNumber/, 1],
    ['is about a list', { body: { ...caseInfo(), caseNumber: ['4711'] } }, 'malformed', /another caseNumber/, 1],
    ['has a case that is no text', { body: { ...caseInfo(), caseNumber: NO_TEXT } }, 'malformed', /another case/, 1],
    ['never comes: no network, twice', { fails: 'network' }, 'unavailable', /./, 2],
    ['is not asked for: forbidden host', { fails: 'forbidden' }, 'failed', /./, 1],
    ['is not asked for: circuit open', { fails: 'unavailable' }, 'unavailable', /./, 1],
  ])('%s, the caller hears music and a person, and the journal says why', async (_title, answer, end, why, asked) => {
    const { world, served } = await askAbout(answer)
    expect(served.path).toEqual(TO_A_PERSON)
    expect(served.record).toMatchObject({ outcome: 'talked', agent: 'cleo' })
    expect(served.caller.heard.some(({ what }) => what === 'music')).toBe(true)
    promisesNothing(served)
    expect(lookupOf(served)).toEqual({ end, why: expect.stringMatching(why) })
    expect(world.web.count(ASKS)).toBe(asked)
  })

  test('is slow, the caller hears the complete filler first', async () => {
    const { served } = await askAbout({ body: caseInfo(), afterMs: 1_600 })
    const filler = served.caller.heard.find(({ text }) => text === 'One moment, please.')!
    expect(filler.untilMs! - filler.fromMs).toBeGreaterThan(1_000)
    expect(served.texts).toHaveLength(1)
  })

  test('is a 503 first and correct at the second try, the caller notices nothing', async () => {
    const { served } = await askAbout({ status: 503 }, { body: caseInfo() })
    expect(served.words).not.toContain('One moment')
    expect(served.texts).toHaveLength(1)
  })

  test('is a late 503 and then no response, the caller waits no longer than two tries', async () => {
    const { served } = await askAbout({ status: 503, afterMs: 3_900 }, { fails: 'timeout', afterMs: 3_999 })
    expect(lookupOf(served)).toMatchObject({ end: 'timeout' })
    promisesNothing(served)
  })
})

test('given an unset secret, no request is sent and the caller reaches an agent', async () => {
  const world = (await worlds.open({ parts: () => ({ secret: () => undefined }) })).caseIs('4711', { body: caseInfo() })
  const served = world.serve({ presses: typesCase('4711') })
  expect(served.path).toEqual(TO_A_PERSON)
  expect(world.web.requests).toEqual([])
  expect(lookupOf(served)).toMatchObject({ end: 'failed', why: expect.stringContaining('secret') })
  promisesNothing(served)
})

test('given the secret, it is sent, and is in neither journal nor log', async () => {
  const { world } = await askAbout({ body: caseInfo() })
  expect(world.web.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer top-secret-4f1'])
})

describe('given an answer of the right shape with wrong values', () => {
  test.each<[title: string, differences: Record<string, unknown>]>([
    ['a closedDate that is no date', { closedDate: 'yesterday' }],
    ['a closedDate that is an empty text', { closedDate: '' }],
    ['a closedDate that is a number', { closedDate: 0 }],
    ['a closedDate that is false', { closedDate: false }],
    ['an amount that is no number and no reference', { remainingAmount: 'much', paymentReference: undefined }],
  ])('%s, nothing is half said: the caller reaches a person', async (_title, differences) => {
    const { served } = await askAbout({ body: caseInfo('4711', differences) })
    expect(served.record).toMatchObject({ outcome: 'talked', agent: 'anna' })
    promisesNothing(served)
  })

  test('without a reference for the text, the details are not spoken in part either', async () => {
    const { served } = await askAbout({ body: caseInfo('4711', { paymentReference: undefined }) })
    expect(served.path).toContain('say-payment')
    expect(served.record.outcome).toBe('talked')
    promisesNothing(served)
  })
})

test('"closed" is spoken, and a text sent, only on an unambiguous answer', async () => {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>('4711', 4711, null, '2026-02-14T09:30:00Z', 120.5, '', 0, false) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )
  const like = fc.record(
    {
      caseNumber: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>('4711') }, { weight: 1, arbitrary: value }),
      closedDate: value,
      remainingAmount: value,
      paymentUrl: value,
      paymentAccount: value,
      paymentReference: value,
      caseCategory: value,
    },
    { requiredKeys: [] },
  )
  const whole = like.map((differences) => ({ ...caseInfo('4711'), ...differences }))
  const text = fc.oneof(
    whole.map((body) => JSON.stringify(body)),
    like.map((body) => JSON.stringify(body)),
    fc.json(),
    fc.string(),
  )
  const status = fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
  )

  await fc.assert(
    fc.asyncProperty(text, status, async (body, status) => {
      const world = (await openWorld()).caseIs('4711', { status, body })
      const served = world.serve({ presses: typesCase('4711'), waitsMaxMs: 90_000 })
      const document = status < 300 ? believable(body) : undefined
      if (served.words.includes('was closed on')) expect(typeof document?.['closedDate']).toBe('string')
      if (served.texts.length > 0 || served.words.includes('You have |')) expect(document?.['closedDate']).toBeNull()
    }),
    { numRuns: 150, seed: 20260302 },
  )
})

/** The answer, when it is an object about case 4711 with everything that the flow requires. */
function believable(body: string): Record<string, unknown> | undefined {
  try {
    const document = JSON.parse(body) as Record<string, unknown>
    const required = ['caseNumber', 'closedDate', 'remainingAmount', 'paymentUrl']
    const isWhole = !Array.isArray(document) && required.every((member) => Object.hasOwn(document, member))
    return isWhole && String(document['caseNumber']) === '4711' ? document : undefined
  } catch {
    return undefined
  }
}

test('a sum of another system is said as people say it, not as computers add', async () => {
  const flow = `
flow: sums
start: ask
steps:
  ask: { http: { get: "https://integrator.example/CaseInfo/4711" }, as: sum, next: say, on: { failed: bye } }
  say: { play: [{ number: "\${sum.total}" }], next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
  const world = (await worlds.open({ flow })).caseIs('4711', { body: { total: 0.1 + 0.2 } })
  expect(world.serve({}).words).toBe('0.3 | Goodbye.')
})
