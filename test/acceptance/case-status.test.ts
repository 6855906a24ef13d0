/** §3.1: the eight statuses of a case, what moves them, and the custom status that always agrees. */
import { beforeAll, describe, expect, test } from 'vitest'
import { bring } from './place/mail.ts'
import { type Case, caseNamed, caseOf, changeCase, type Desk, makeCase, openDesk, sourcesOf } from './place/records.ts'

/** Status → its name, and a custom status of the test in it, which is not its default. */
const NAMES = {
  1: 'Open',
  2: 'Closed',
  3: 'Awaiting external action',
  4: 'Deleted',
  5: 'Merged',
  6: 'Spam',
  7: 'Awaiting internal action',
  8: 'On hold',
} as const
const STATUSES = Object.keys(NAMES).map(Number)
/** A case gets status 5 by a merge alone. */
const BY_HAND = STATUSES.filter((status) => status !== 5)
const FAR = '2095-01-02T03:04:05.678Z'

let root: Desk
let customs: ReadonlyMap<number, number>

beforeAll(async () => {
  root = await openDesk('case-status')
  const made = STATUSES.map(async (internalStatus) => {
    const body = { name: `Custom ${internalStatus} of statuses`, internalStatus, sortOrder: -internalStatus }
    return [internalStatus, (await root.client.ask('POST /rest/svcems/statuses', { body })).emstId] as const
  })
  customs = new Map(await Promise.all(made))
})

const ms = (text: string | null) => Date.parse(text ?? 'never')
const custom = (status: number) => ({ emstId: customs.get(status)! })
/** What else a request needs. */
const withHold = (status: number) => (status === 8 ? { onHoldToTs: FAR } : {})

/** A case that an email opened, in a custom open status; `again` brings the next email of the thread. */
async function openedByMail(desk: Desk, name: string): Promise<{ readonly eactId: number; again(): Promise<void> }> {
  const [from, id] = [`${name}@writes.example`, `first-${name}@writes.example`]
  const subject = `Status of ${name}`
  await bring({ from, subject, id })
  const { eactId, status } = await caseNamed(desk, subject)
  expect(status).toBe(1)
  await changeCase(desk, eactId, { emsStatus: custom(1) })
  return { eactId, again: () => bring({ from, subject: `Re: ${subject}`, answers: id }) }
}

/** What an incoming update makes of the case: it has arrived when this resolves. */
async function afterUpdate(desk: Desk, eactId: number, again: () => Promise<void>): Promise<Case> {
  const before = await caseOf(desk, eactId)
  await again()
  const after = await caseOf(desk, eactId)
  expect(ms(after.externalUpdateTs)).toBeGreaterThan(ms(before.externalUpdateTs))
  return after
}

describe('the custom status', () => {
  test('each status has its name and a default [acc 132, 146 by HTTP]', async () => {
    const desk = await root.another()
    for (const status of BY_HAND) {
      const made = await makeCase(desk, { status, ...withHold(status) })
      expect(made).toMatchObject({
        status,
        emsStatus: { name: NAMES[status as 1], internalStatus: status, default: true },
      })
    }
    const list = await desk.client.ask('GET /rest/svcems/statuses')
    const defaults = list.filter((entry) => entry.default).map(({ internalStatus, name }) => [internalStatus, name])
    expect(Object.fromEntries(defaults)).toEqual(NAMES)
    expect(defaults).toHaveLength(8)
  })

  test('a create whose custom status disagrees gets the default of its status [acc 144 by HTTP]', async () => {
    const desk = await root.another()
    for (const status of BY_HAND) {
      const other = status === 1 ? 2 : 1
      const wrong = await makeCase(desk, { status, emsStatus: custom(other), ...withHold(status) })
      expect(wrong).toMatchObject({ status, emsStatus: { internalStatus: status, default: true } })
      const right = await makeCase(desk, { status, emsStatus: custom(status), ...withHold(status) })
      expect(right).toMatchObject({ status, emsStatus: { ...custom(status), default: false } })
    }
  })

  test('an update whose custom status disagrees gets the default of its status [acc 145 by HTTP]', async () => {
    const desk = await root.another()
    const { eactId } = await makeCase(desk, { emsStatus: custom(1) })
    for (const status of [7, 8, 6, 3, 2, 1, 4]) {
      const other = status === 1 ? 2 : 1
      const changed = await changeCase(desk, eactId, { status, emsStatus: custom(other), ...withHold(status) })
      expect(changed).toMatchObject({ status, emsStatus: { internalStatus: status, default: true } })
    }
  })

  test('a change of the custom status changes the status [acc 143, 142 by HTTP]', async () => {
    const desk = await root.another()
    const { eactId } = await makeCase(desk)
    for (const status of [7, 8, 6, 3, 2, 1, 4]) {
      const changed = await changeCase(desk, eactId, { emsStatus: custom(status), ...withHold(status) })
      expect(changed).toMatchObject({ status, emsStatus: custom(status) })
      expect(await caseOf(desk, eactId)).toMatchObject({ status, emsStatus: custom(status) })
    }
  })

  test('without a priority the default one is applied [acc 147 by HTTP]', async () => {
    const desk = await root.another()
    const list = await desk.client.ask('GET /rest/svcems/priorities')
    const defaults = list.filter((entry) => entry.default)
    expect(list.length).toBeGreaterThan(1)
    expect(defaults).toHaveLength(1)
    expect((await makeCase(desk)).priority).toEqual(defaults[0])
    const other = list.find((entry) => !entry.default)!
    expect((await makeCase(desk, { priority: { empriId: other.emprId } })).priority).toEqual(other)
  })

  test('nobody ever sees the two disagree, while others change them [acc 142 by HTTP, SMTP]', async () => {
    const desk = await root.another()
    const { eactId, again } = await openedByMail(desk, 'storm')
    const seen: number[] = []
    let isOver = false
    const watch = async () => {
      // `caseOf` complains where they disagree.
      while (!isOver) seen.push((await caseOf(desk, eactId)).status)
    }
    const change = async () => {
      for (const status of [2, 3, 2, 3, 2, 3]) {
        await changeCase(desk, eactId, { emsStatus: custom(status) })
        await Promise.all([again(), changeCase(desk, eactId, { description: `Storm in ${status}` })])
      }
    }
    const changed = change().finally(() => {
      isOver = true
    })
    await Promise.all([watch(), changed])
    expect(new Set(seen).size).toBeGreaterThan(1)
    expect((await caseOf(desk, eactId)).status).toBe(1)
  })
})

describe.concurrent('an incoming update', () => {
  test.each([
    ['open', 1],
    ['deleted', 4],
    ['spam', 6],
    ['internal', 7],
  ] as const)(
    'leaves %s as it is, until a hand changes it [acc 133, 136, 138, 139 by HTTP, SMTP]',
    async (name, status) => {
      const desk = await root.another()
      const { eactId, again } = await openedByMail(desk, name)
      await changeCase(desk, eactId, { emsStatus: custom(status) })
      for (const _ of [1, 2]) {
        expect(await afterUpdate(desk, eactId, again)).toMatchObject({ status, emsStatus: custom(status) })
      }
      const to = status === 1 ? 7 : 1
      expect(await changeCase(desk, eactId, { status: to })).toMatchObject({ status: to, emsStatus: { default: true } })
    },
  )

  test.each([
    ['closed', 2],
    ['external', 3],
  ] as const)('returns %s to the last open status [acc 134, 135, 142 by HTTP, SMTP]', async (name, status) => {
    const desk = await root.another()
    const { eactId, again } = await openedByMail(desk, name)
    // Not the last open one, and ours.
    await changeCase(desk, eactId, { status: 7 })
    const left = await changeCase(desk, eactId, { emsStatus: custom(status) })
    expect(left).toMatchObject({ status, emsStatus: custom(status), emsStatusLastOpen: custom(1) })
    // What we do brings nothing back.
    await desk.raw('POST', '/rest/svcems/activitytexts', { text: 'Ours', activity: { eactId } })
    const body = { activity: { eactId }, to: [{ address: `${name}@writes.example` }], subject: 'Ours', text: 'Ours' }
    await desk.client.ask('POST /rest/svcems/emails', { body })
    expect(await caseOf(desk, eactId)).toMatchObject({ status, emsStatus: custom(status) })
    const back = await afterUpdate(desk, eactId, again)
    expect(back).toMatchObject({ status: 1, emsStatus: { ...custom(1), internalStatus: 1 } })
    expect(ms(back.emsStatusChangeTs)).toBeGreaterThan(ms(left.emsStatusChangeTs))
  })

  test('a case that was never open returns to the default open status [acc 134, 121 by HTTP, SMTP]', async () => {
    const desk = await root.another()
    const { eactId } = await makeCase(desk, { description: 'Never open', status: 2 })
    const body = { activity: { eactId }, to: [{ address: 'never@writes.example' }], subject: 'Closed', text: 'Closed' }
    const { messageId } = await desk.client.ask('POST /rest/svcems/emails', { body })
    expect(await caseOf(desk, eactId)).toMatchObject({
      status: 2,
      emsStatusLastOpen: { internalStatus: 1, default: true },
    })
    await bring({ from: 'never@writes.example', subject: 'Re: Closed', answers: messageId })
    expect(await caseOf(desk, eactId)).toMatchObject({ status: 1, emsStatus: { default: true } })
  })

  test('goes past a merged case to the one that it was merged into [acc 137 by HTTP, SMTP]', async () => {
    const desk = await root.another()
    const { eactId, again } = await openedByMail(desk, 'merged')
    const [middle, target] = [await makeCase(desk), await makeCase(desk, { description: 'Target of 137', status: 2 })]
    for (const [from, into] of [
      [eactId, middle.eactId],
      [middle.eactId, target.eactId],
    ] as const) {
      const merged = await changeCase(desk, from, { mergedTo: { eactId: into } })
      expect(merged).toMatchObject({
        status: 5,
        emsStatus: { name: 'Merged', internalStatus: 5 },
        mergedTo: { eactId: into },
      })
    }
    const [source, between] = [await caseOf(desk, eactId), await caseOf(desk, middle.eactId)]
    expect(await caseOf(desk, target.eactId)).toMatchObject({ status: 2, texts: [], coreFileReferences: [] })

    await again()
    const reopened = await caseOf(desk, target.eactId)
    expect(reopened).toMatchObject({ status: 1, emsStatus: { internalStatus: 1 } })
    expect(reopened.externalUpdateTs).not.toBeNull()
    const [conversation] = sourcesOf(reopened, 14)
    const [talk] = await desk.client.ask('GET /rest/svcems/activities', { query: { eactId: [conversation!] } })
    expect(sourcesOf(talk!, 13)).toHaveLength(2)

    const form = new FormData()
    form.append('files', new Blob(['of 137']), 'of-137.txt')
    const updates = [
      desk.raw('POST', '/rest/svcems/activitytexts', { text: 'Of 137', activity: { eactId } }),
      desk.raw('POST', `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, form),
      desk.raw('POST', '/rest/svcems/case', { eactId, description: 'Target of 137, changed' }),
    ]
    for (const { status, headers } of await Promise.all(updates)) {
      expect(status).toBe(200)
      expect(headers.get('svc-redirected-eactid')).toBe(String(target.eactId))
    }
    expect(await caseOf(desk, target.eactId)).toMatchObject({
      description: 'Target of 137, changed',
      texts: [{ text: 'Of 137' }],
      coreFileReferences: [{ fileName: 'of-137.txt' }],
    })
    // No update was made to either of the merged ones, and none can be.
    expect((await desk.raw('POST', '/rest/svcems/case', { eactId, status: 1 })).status).toBe(409)
    expect(await caseOf(desk, eactId)).toEqual(source)
    expect(await caseOf(desk, middle.eactId)).toEqual(between)
  })

  test('leaves a case on hold, which its time alone reopens [acc 140, 141, 142 by HTTP, SMTP]', async ({ expect }) => {
    const desk = await root.another()
    const [short, long] = [await openedByMail(desk, 'held'), await openedByMail(desk, 'held-long')]
    await changeCase(desk, long.eactId, { emsStatus: custom(8), onHoldToTs: FAR })
    const onHoldToTs = new Date(Date.now() + 3_000).toISOString()
    await changeCase(desk, short.eactId, { emsStatus: custom(8), onHoldToTs, onHoldComment: 'Until 140' })
    for (const { eactId, again } of [short, long]) {
      expect(await afterUpdate(desk, eactId, again)).toMatchObject({ status: 8, emsStatus: custom(8) })
    }
    await expect.poll(() => caseOf(desk, short.eactId), { interval: 500, timeout: 90_000 }).toMatchObject({ status: 1 })
    const back = await caseOf(desk, short.eactId)
    expect(back).toMatchObject({
      emsStatus: { ...custom(1), internalStatus: 1 },
      onHoldToTs: null,
      onHoldComment: null,
    })
    expect(ms(back.emsStatusChangeTs)).toBeGreaterThanOrEqual(ms(onHoldToTs))
    expect(await caseOf(desk, long.eactId)).toMatchObject({ status: 8, emsStatus: custom(8), onHoldToTs: FAR })
  })
})
