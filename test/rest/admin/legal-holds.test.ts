/** What a legal hold protects from retention, years later. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseExpired } from '../../../src/core/workers/retention-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = { recordings: 90, transcripts: 90, tasks: 90, calls: 90, activities: 90, contacts: 90, audit: 900 }
const [HELD, OTHER] = ['+4526100801', '+4526100802']

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
})
afterAll(() => world.close())

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { as: us.as })
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}

/** Retention as it runs so many days from now. */
function expire(days: number) {
  const { privacy, audit, flowEvents, keptBytes, clock } = world.parts
  const anchors = { keep: () => 0, read: () => [] }
  const parts = { privacy, audit, flowEvents, anchors, bytes: keptBytes, days: DAYS, log: silentLog }
  return eraseExpired({ ...parts, clock: new VirtualClock(clock.nowMs() + days * DAY_MS) })
}

test('a hold on a number keeps the call tasks that have it and no customer, until it is lifted', async () => {
  const { systemCode, callCode } = us.ids
  const order = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4 }
  const callTasks = [HELD, OTHER].map((number) => ({ callReceiverName: `At ${number}`, callNumberList: [number] }))
  const imported = await ask('POST', '/svcdialer/calltaskimport?returnImportedCallTasks=true', { ...order, callTasks })
  const itcaIds: number[] = imported.callTasks.map(({ itcaId }: { itcaId: number }) => itcaId)
  for (const itcaId of itcaIds) await ask('PUT', `/v1/calltasks/${itcaId}/end`)
  const names = async () => {
    const { callTasks: found } = await ask('POST', '/dialer/calltaskget', { itcaIds })
    return found.map(({ callReceiverName }: { callReceiverName: string }) => callReceiverName)
  }
  const { holdId } = await ask('POST', '/core/legalholds', { number: HELD, reason: 'a lawsuit' })
  await expire(91)
  expect(await names()).toEqual([`At ${HELD}`, ''])
  await ask('DELETE', `/core/legalholds/${holdId}`)
  await expire(91)
  expect(await names()).toEqual(['', ''])
})

describe('a hold on a case', () => {
  let count = 0
  const create = async (more: object = {}): Promise<number> =>
    (await ask('POST', '/svcems/case', { description: `evidence ${++count}`, status: 1, ...CORPORATION, ...more }))
      .eactId
  const CORPORATION = { corporation: { corpId: OURS } }
  const link = (method: 'PUT' | 'DELETE', type: number, from: number, to: number) =>
    method === 'PUT'
      ? world.call(method, '/svcems/activitylinks', { type, from: { eactId: from }, to: { eactId: to } }, { as: us.as })
      : world.call(method, `/svcems/activitylinks?type=${type}&from=${from}&to=${to}`, undefined, { as: us.as })
  const hold = async (eactId: number) => (await ask('POST', '/core/legalholds', { eactId, reason: 'suit 7' })).holdId
  /** A case with a comment, and an email from it to an address that nobody else has. */
  async function withEmail() {
    const eactId = await create()
    const address = `petra${count}@debtor.example`
    await ask('POST', '/svcems/activitytexts', { text: `words ${count}`, activity: { eactId } })
    const email = { activity: { eactId }, to: [{ address }], subject: `letter ${count}`, text: 'Please pay' }
    const { eactId: emailId } = await ask('POST', '/svcems/emails', email)
    return { eactId, address, emailId, letter: `letter ${count}`, words: `words ${count}` }
  }
  const erase = (person: object) => world.call('POST', '/core/persons/erase', { ...person, reason: 'r' }, { as: us.as })
  const subject = async (eactId: number) => (await ask('GET', `/svcems/activities?eactId=${eactId}`))[0].subject
  const shown = async (eactId: number) => (await ask('POST', '/svcems/cases/search', { eactIds: [eactId] }))[0]
  const merge = (eactId: number, into: number | null) =>
    world.call('POST', '/svcems/case', { eactId, mergedTo: into === null ? null : { eactId: into } }, { as: us.as })

  test.each([
    ['it is merged into another', (held: number, other: number) => merge(held, other)],
    ['another is merged into it', (held: number, other: number) => merge(other, held)],
  ])('holds when %s: no erasure, no retention, no way back', async (_name, merging) => {
    const [held, other] = [await withEmail(), await withEmail()]
    const holdId = await hold(held.eactId)
    expect((await merging(held.eactId, other.eactId)).status).toBe(200)
    const [listed] = (await ask('GET', '/core/legalholds')).filter((each: { holdId: number }) => each.holdId === holdId)
    // Two cases, and of each a conversation with an email.
    expect(listed.activities).toBe(6)
    for (const { address } of [held, other]) expect((await erase({ email: address })).status).toBe(409)
    await expire(91)
    for (const { emailId, letter } of [held, other]) expect(await subject(emailId)).toContain(letter)
    const ends = [await shown(held.eactId), await shown(other.eactId)].find(({ mergedTo }) => mergedTo === null)
    expect(ends.texts.map(({ text }: { text: string }) => text).sort()).toEqual([held.words, other.words].sort())
    const [merged] = [held, other].filter(({ eactId }) => eactId !== ends.eactId)
    const apart = await merge(merged!.eactId, null)
    expect([apart.status, apart.text]).toEqual([409, expect.stringContaining(`legal hold ${holdId} (suit 7)`)])
    await ask('DELETE', `/core/legalholds/${holdId}`)
    for (const { address } of [held, other]) expect((await erase({ email: address })).status).toBe(200)
    for (const { emailId } of [held, other]) expect(await subject(emailId)).toBe('')
  })

  test('holds its links: nothing held is taken out of its case, or put elsewhere', async () => {
    const [{ eactId, emailId, address }, other] = [await withEmail(), await create()]
    const [{ links }] = await ask('GET', `/svcems/activities?eactId=${emailId}`)
    const conversation = links[0].to.eactId
    const holdId = await hold(eactId)
    for (const answer of [await link('DELETE', 14, conversation, eactId), await link('PUT', 14, conversation, other)])
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(`legal hold ${holdId} (suit 7)`)])
    expect((await link('PUT', 14, conversation, eactId)).status).toBe(200)
    expect((await erase({ email: address })).status).toBe(409)
    await ask('DELETE', `/core/legalholds/${holdId}`)
    expect((await link('PUT', 14, conversation, other)).status).toBe(200)
    expect((await link('DELETE', 14, conversation, other)).status).toBe(204)
  })

  test('reaches sub-cases and what is in them, and they stay where they are', async () => {
    const [whole, part, other] = [await create(), await withEmail(), await create()]
    expect((await link('PUT', 16, part.eactId, whole)).status).toBe(200)
    const holdId = await hold(whole)
    for (const answer of [await link('DELETE', 16, part.eactId, whole), await link('PUT', 16, part.eactId, other)])
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(`legal hold ${holdId} (suit 7)`)])
    expect((await erase({ email: part.address })).status).toBe(409)
    await expire(91)
    expect(await subject(part.emailId)).toContain(part.letter)
    expect((await shown(part.eactId)).texts[0].text).toBe(part.words)
    await ask('DELETE', `/core/legalholds/${holdId}`)
    expect((await link('DELETE', 16, part.eactId, whole)).status).toBe(204)
  })

  test('holds the name of whoever is a contact in it, and the call task of a call in it', async () => {
    const [{ eeexId }, { eeexId: second }] = [await contact('held-1'), await contact('held-2')]
    const eactId = await create({ entityExtension: { eeexId } })
    await ask('POST', '/svcems/case', { eactId, entityExtension: { eeexId: second } })
    const holdId = await hold(eactId)
    for (const person of [eeexId, second]) expect((await erase({ eeexId: person })).status).toBe(409)
    await ask('DELETE', `/core/legalholds/${holdId}`)
    const call = Number(us.ids['eactId'])
    expect((await link('PUT', 14, call, eactId)).status).toBe(200)
    const again = await hold(eactId)
    expect((await erase({ number: String(us.ids['number']) })).status).toBe(409)
    expect((await link('DELETE', 14, call, eactId)).status).toBe(409)
    await ask('DELETE', `/core/legalholds/${again}`)
  })

  const contact = async (name: string): Promise<{ eeexId: number }> => {
    const extensionLinks = [{ systemCode: us.ids['systemCode'], extCustId: name }]
    const saved = await ask('POST', '/svcems/entity', { name1: name, ...CORPORATION, extensions: [{ extensionLinks }] })
    return saved.extensions[0]
  }
})

test('a hold on a person keeps the email in a case of theirs, which names nobody', async () => {
  const { eeexId } = us.ids
  const corporation = { corpId: OURS }
  const opened = { description: 'of a held person', status: 1, corporation, entityExtension: { eeexId } }
  const { eactId } = await ask('POST', '/svcems/case', opened)
  const email = { activity: { eactId }, to: [{ address: 'someone@debtor.example' }], subject: 'kept', text: 'kept' }
  const { eactId: emailId } = await ask('POST', '/svcems/emails', email)
  const { holdId } = await ask('POST', '/core/legalholds', { eeexId, reason: 'suit 8' })
  await expire(91)
  const [{ subject }] = await ask('GET', `/svcems/activities?eactId=${emailId}`)
  expect(subject).toContain('kept')
  await ask('DELETE', `/core/legalholds/${holdId}`)
})
